/** The day of a moment, in a place. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** YYYY-MM-DD as a calendar in the time zone says it, for an epoch time (ms). */
export function dayIn(at: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`;
}
