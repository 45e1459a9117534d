/** Small things kept for this tab, so that Back and reload lose nothing that was typed. Never card data. */

/** What was kept under `key`; undefined where there is nothing, or nothing that can be read. */
export function readTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps `value` (JSON). A browser that refuses to store loses the convenience, nothing else. */
export function writeTab(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // As said above.
  }
}

export function clearTab(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // As said above.
  }
}

/** `base` with those of its fields that `kept` has as text. */
export function withKept<T extends Record<string, string>>(base: T, kept: unknown): T {
  const fields = typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
  const known = Object.keys(base).filter((key) => typeof fields[key] === 'string');
  return { ...base, ...Object.fromEntries(known.map((key) => [key, fields[key]])) };
}
