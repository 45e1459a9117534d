import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantAt } from '#server/platform/time-zone.ts';
import type { OpenStore } from './open-hours.ts';
import { statusNow } from './store-status.ts';

const timeZone = 'America/Toronto';
const day = { open: '10:00', close: '18:00' };
const late = { open: '18:00', close: '02:00' };
const store: OpenStore = {
  timeZone,
  openingHours: { monday: null, tuesday: day, wednesday: day, thursday: day, friday: late, saturday: null, sunday: day },
  specialHours: [{ date: '2026-12-25', hours: null }],
};
const at = (date: string, hour: number) => instantAt(date, hour * 60, timeZone) ?? 0;

test.each([
  ['2026-11-24', 9, false, 'Opens at 10:00', '2026-11-24', 10],
  ['2026-11-24', 10, true, 'Open until 18:00', '2026-11-24', 18],
  ['2026-11-24', 18, false, 'Opens Wednesday at 10:00', '2026-11-25', 0],
  ['2026-11-28', 1, true, 'Open until 02:00', '2026-11-28', 2],
  ['2026-11-28', 2, false, 'Opens Sunday at 10:00', '2026-11-29', 0],
  // Clocks go back in this night.
  ['2026-10-31', 20, false, 'Opens Sunday at 10:00', '2026-11-01', 0],
] as const)('on %s at %i o’clock the store is open (%s) and says “%s”', (date, hour, isOpen, text, untilDate, untilHour) => {
  const until = at(untilDate, untilHour);
  expect(statusNow(store, at(date, hour), 'en')).toEqual({ isOpen, text, until });
});

test('the status of a store says the same until the moment at which it ends', () => {
  const from = Date.UTC(2026, 9, 1);
  fc.assert(
    fc.property(
      fc.integer({ min: from, max: from + 90 * 86_400_000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (now, part) => {
        const { until, ...said } = statusNow(store, now, 'zh');
        expect(until).toBeGreaterThan(now);
        expect(statusNow(store, Math.floor(now + part * (until - now)), 'zh')).toEqual({ ...said, until });
      },
    ),
  );
});
