/** Whole cents: rounding, and dividing an amount so that the shares sum to it. */

/** For amounts of 0 or more; exact at any size. */
export function mulDivHalfUp(amount: number, factor: number, divisor: number): number {
  const product = amount * factor;
  if (Number.isSafeInteger(2 * product)) return Math.floor((2 * product + divisor) / (2 * divisor));
  return Number((2n * BigInt(amount) * BigInt(factor) + BigInt(divisor)) / (2n * BigInt(divisor)));
}

/**
 * In proportion to `weights`, in whole cents that sum to `total` exactly: each share is rounded down, and the cents left over go
 * to the largest remainders, the earlier one first. `total` must not exceed the sum of the weights, so that no share exceeds its
 * weight.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  if (sum === 0 || total === 0) return weights.map(() => 0);
  const exact = weights.map((weight, index) => {
    const product = BigInt(total) * BigInt(weight);
    return { index, share: Number(product / BigInt(sum)), remainder: product % BigInt(sum) };
  });
  let left = total - exact.reduce((a, { share }) => a + share, 0);
  const shares = exact.map(({ share }) => share);
  for (const { index } of exact.toSorted((a, b) => compare(b.remainder, a.remainder) || a.index - b.index)) {
    if (left === 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function sum(amounts: readonly number[]): number {
  let total = 0;
  for (const amount of amounts) total += amount;
  return total;
}
