/** Days and times on the clocks of the shop. */

/** An instant on the clock of a zone: 2026-11-24 14:00. */
export function isoIn(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at);
}

/** The instant at which a clock of a zone shows a time: 2026-11-24T14:00. */
export function instantIn(timeZone: string, text: string): number {
  const wanted = Date.parse(`${text}Z`);
  const missing = (at: number) => wanted - Date.parse(`${isoIn(timeZone, at).replace(' ', 'T')}Z`);
  // Twice, because the first guess may lie on the other side of a change of the clocks.
  const guess = wanted + missing(wanted);
  return guess + missing(guess);
}
