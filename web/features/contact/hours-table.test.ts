import { describe, expect, test } from 'vitest';
import { type Weekday, weekdays } from '#contract/limits.ts';
import { addDays, type StoreHours } from '#contract/rules/opening-hours.ts';
import { storeStatus } from '#contract/rules/store-status.ts';
import { hourRanges, storeClock } from './hours-table.tsx';

const day = { open: '10:00', close: '18:00' };
const week: StoreHours['openingHours'] = {
  monday: null,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: { open: '18:00', close: '02:00' },
  saturday: null,
  sunday: { open: '09:30', close: '24:00' },
};
const christmas: StoreHours['specialHours'] = [
  { date: '2026-12-24', hours: { open: '10:00', close: '14:00' } },
  { date: '2026-12-25', hours: null },
];
/** A date in a week that began on a Monday. */
const dateOf = (weekday: Weekday) => addDays('2026-06-01', weekdays.indexOf(weekday));
const on = (date: string, time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return storeStatus(
    { openingHours: week, specialHours: christmas },
    { date, minutes: hours * 60 + minutes },
  );
};
const at = (weekday: Weekday, time: string) => on(dateOf(weekday), time);

describe('a store', () => {
  test('a store is open from its opening to the minute before its closing', () => {
    expect(at('tuesday', '09:59')).toEqual({ kind: 'opensToday', at: '10:00' });
    expect(at('tuesday', '10:00')).toEqual({ kind: 'open', until: '18:00' });
    expect(at('tuesday', '17:59')).toEqual({ kind: 'open', until: '18:00' });
    expect(at('tuesday', '18:00')).toEqual({ kind: 'opensDay', day: 'wednesday', at: '10:00' });
  });

  test('a store that is closed for days names the next day it opens, over the end of the week', () => {
    expect(at('saturday', '12:00')).toEqual({ kind: 'opensDay', day: 'sunday', at: '09:30' });
    expect(at('monday', '00:00')).toEqual({ kind: 'opensDay', day: 'tuesday', at: '10:00' });
  });

  test('opening hours may run past midnight or end at midnight', () => {
    expect(at('friday', '23:30')).toEqual({ kind: 'open', until: '02:00' });
    expect(at('saturday', '01:59')).toEqual({ kind: 'open', until: '02:00' });
    expect(at('saturday', '02:00')).toEqual({ kind: 'opensDay', day: 'sunday', at: '09:30' });
    expect(at('sunday', '23:59')).toEqual({ kind: 'open', until: '24:00' });
  });

  test('a store that opens on one day a week opens on that day again; one that opens on none is closed', () => {
    const closed = { ...week, tuesday: null, wednesday: null, thursday: null, friday: null, sunday: null };
    const status = (openingHours: StoreHours['openingHours'], minutes: number) =>
      storeStatus({ openingHours, specialHours: [] }, { date: dateOf('monday'), minutes });
    expect(status({ ...closed, monday: day }, 1100)).toEqual({
      kind: 'opensDay',
      day: 'monday',
      at: '10:00',
    });
    expect(status(closed, 600)).toEqual({ kind: 'closed' });
  });

  test('a store keeps the hours of a special date instead of those of the week', () => {
    expect(on('2026-12-24', '13:59')).toEqual({ kind: 'open', until: '14:00' });
    // Friday is closed, and Saturday has no hours.
    expect(on('2026-12-24', '14:00')).toEqual({ kind: 'opensDay', day: 'sunday', at: '09:30' });
    expect(on('2026-12-25', '19:00')).toEqual({ kind: 'opensDay', day: 'sunday', at: '09:30' });
  });
});

test('opening hours follow the clock of the store over changes of clocks and days', () => {
  const summer = Date.parse('2026-07-01T03:30:00Z');
  expect(storeClock(summer, 'America/Toronto')).toEqual({ date: '2026-06-30', minutes: 23 * 60 + 30 });
  expect(storeClock(summer, 'Asia/Shanghai')).toEqual({ date: '2026-07-01', minutes: 11 * 60 + 30 });
  // Clocks went back an hour at 06:00 UTC.
  expect(storeClock(Date.parse('2026-11-01T05:59:00Z'), 'America/Toronto').minutes).toBe(119);
  expect(storeClock(Date.parse('2026-11-01T06:00:00Z'), 'America/Toronto').minutes).toBe(60);
  expect(storeClock(Date.parse('2026-11-01T05:00:00Z'), 'Europe/London')).toEqual({
    date: '2026-11-01',
    minutes: 300,
  });
});

const early = { open: '10:00', close: '19:00' };
const late = { open: '10:00', close: '21:00' };
const rangesOf = (hours: readonly ({ open: string; close: string } | null)[]) => {
  const [
    monday = null,
    tuesday = null,
    wednesday = null,
    thursday = null,
    friday = null,
    saturday = null,
    sunday = null,
  ] = hours;
  return hourRanges({ monday, tuesday, wednesday, thursday, friday, saturday, sunday });
};

test('consecutive days with the same hours are one range', () => {
  expect(rangesOf([null, early, { ...early }, early, late, late, null])).toEqual([
    { days: ['monday'] satisfies Weekday[], hours: null },
    { days: ['tuesday', 'wednesday', 'thursday'], hours: early },
    { days: ['friday', 'saturday'], hours: late },
    { days: ['sunday'], hours: null },
  ]);
});

test('a store with the same hours all week has one range', () => {
  expect(rangesOf(Array.from({ length: 7 }, () => early)).map(({ days }) => days.length)).toEqual([7]);
  expect(rangesOf([])).toEqual([{ days: expect.arrayContaining(['monday', 'sunday']), hours: null }]);
});
