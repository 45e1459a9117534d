/** Reads the clock of a store, wherever the customer is. */
import type { StoreClock } from '#contract/rules/store-status.ts';

/** The date and time in the store's time zone at an instant (epoch ms). */
export function storeClock(at: number, timeZone: string): StoreClock {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((candidate) => candidate.type === type)?.value ?? '';
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  return { date, minutes: Number(part('hour')) * 60 + Number(part('minute')) };
}
