/**
 * The server's time, on a device whose clock may be wrong by hours: each answer says when it was given. How far the clock is off is kept,
 * for a page that opens without a network.
 */
const keptKey = 'office-clock-off';
/** An answer says whole seconds, and takes a while to come: less is not the clock, ms. */
const closeMs = 10_000;

let offMs: number | undefined;
const kept = () => Number(globalThis.localStorage?.getItem(keptKey) ?? 0) || 0;

export function learnTime(answer: Response): void {
  const at = Date.parse(answer.headers.get('date') ?? '');
  if (Number.isNaN(at)) return;
  const found = Date.now() - at;
  const next = Math.abs(found) < closeMs ? 0 : found;
  if (Math.abs(next - (offMs ?? kept())) < closeMs) return;
  offMs = next;
  globalThis.localStorage?.setItem(keptKey, String(next));
}

/** Epoch ms. */
export function serverNow(): number {
  offMs ??= kept();
  return Date.now() - offMs;
}
