import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantAt } from '#server/platform/time-zone.ts';
import type { OpenStore } from './open-hours.ts';
import { statusNow } from './open-hours.ts';

const timeZone = 'America/Toronto';
const day = { open: '10:00', close: '18:00' };
const late = { open: '18:00', close: '02:00' };
const store: OpenStore = {
  timeZone,
  openingHours: {
    monday: null,
    tuesday: day,
    wednesday: day,
    thursday: day,
    friday: late,
    saturday: null,
    sunday: day,
  },
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
] as const)(
  'on %s at %i o’clock the store is open (%s) and says “%s”',
  (date, hour, isOpen, text, untilDate, untilHour) => {
    const until = at(untilDate, untilHour);
    expect(statusNow(store, at(date, hour), 'en')).toEqual({ isOpen, text, until });
  },
);

test('a store in a break says when it opens again, and before it when it closes and opens', () => {
  const split = { open: '10:00', close: '18:00', breaks: [{ from: '13:30', until: '14:00' }] };
  const halves = { ...store, openingHours: { ...store.openingHours, tuesday: split } };
  const said = (hour: number, locale: 'en' | 'zh' = 'en') =>
    statusNow(halves, at('2026-11-24', hour), locale);
  expect(said(11)).toEqual({
    isOpen: true,
    text: 'Open until 13:30, again from 14:00',
    until: at('2026-11-24', 13.5),
  });
  expect(said(11, 'zh').text).toBe('营业至 13:30，14:00 再次营业');
  expect(said(13.5)).toEqual({ isOpen: false, text: 'Opens at 14:00', until: at('2026-11-24', 14) });
  expect(said(14)).toEqual({ isOpen: true, text: 'Open until 18:00', until: at('2026-11-24', 18) });
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
