/** Chance that comes out the same each time: what the demo's past has of it follows from a text. */
export interface Chance {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number, both ends included. */
  whole(from: number, to: number): number;
  /** Whether something happens that happens so often, 0 to 1. */
  happens(share: number): boolean;
  /** @throws {Error} if there is none */
  one<T>(of: readonly T[]): T;
  /** By weight. @throws {Error} if there is none */
  weighted<T>(of: readonly (readonly [T, number])[]): T;
}

export function chanceOf(seed: string): Chance {
  // FNV-1a for the seed, mulberry32 for the numbers.
  let state = 0x811c9dc5;
  for (let at = 0; at < seed.length; at++) state = Math.imul(state ^ seed.charCodeAt(at), 0x01000193);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const one = <T>(of: readonly T[]): T => {
    const found = of[Math.floor(next() * of.length)];
    if (found === undefined) throw new Error('There is nothing to choose from');
    return found;
  };
  return {
    next,
    one,
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    happens: (share) => next() < share,
    weighted(of) {
      let left = next() * of.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [each, weight] of of) {
        left -= weight;
        if (left < 0) return each;
      }
      return one(of.map(([each]) => each));
    },
  };
}
