/** Dates in a store's time zone, as YYYY-MM-DD. */

/** The date at `at` (epoch ms) in a time zone. */
export function dayInZone(at: number, timeZone: string): string {
  // Canadian English formats dates as ISO 8601 does.
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);
}

export function nextDay(date: string): string {
  return new Date(Date.parse(`${date}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}
