/** Stores small values for this tab, so that Back and reload lose nothing that was typed. Never card data. */

/** The key of the page to which /payment leads back once what is due of an order is paid. */
export const payReturnKey = 'payReturn';
/** The key of the email of a password reset, from one screen to the next; it is never part of a URL. */
export const resetEmailKey = 'forgotten';
/** The key of the billing address while it is typed, until the order is placed or the customer signs out. */
export const billingKey = 'billing';

export function readTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores `value` (JSON). If the browser denies storage, only the convenience is lost. */
export function writeTab(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage denied: see above.
  }
}

export function clearTab(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Storage denied: see above.
  }
}

/** `base`, with the fields that are text in `kept` replaced. */
export function withKept<T extends Record<string, string>>(base: T, kept: unknown): T {
  const fields = typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
  const known = Object.keys(base).filter((key) => typeof fields[key] === 'string');
  return { ...base, ...Object.fromEntries(known.map((key) => [key, fields[key]])) };
}
