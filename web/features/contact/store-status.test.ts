import { describe, expect, test } from 'vitest';
import { type OpeningHours, storeClock, storeStatus } from './store-status.ts';

const day = { open: '10:00', close: '18:00' };
const week: OpeningHours = {
  monday: null,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: { open: '18:00', close: '02:00' },
  saturday: null,
  sunday: { open: '09:30', close: '24:00' },
};
const at = (weekday: keyof OpeningHours, time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return storeStatus(week, { weekday, minutes: hours * 60 + minutes });
};

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
    expect(storeStatus({ ...closed, monday: day }, { weekday: 'monday', minutes: 1100 })).toEqual({
      kind: 'opensDay',
      day: 'monday',
      at: '10:00',
    });
    expect(storeStatus(closed, { weekday: 'monday', minutes: 600 })).toEqual({ kind: 'closed' });
  });
});

test('opening hours follow the clock of the store over changes of clocks and days', () => {
  const summer = Date.parse('2026-07-01T03:30:00Z');
  expect(storeClock(summer, 'America/Toronto')).toEqual({ weekday: 'tuesday', minutes: 23 * 60 + 30 });
  expect(storeClock(summer, 'Asia/Shanghai')).toEqual({ weekday: 'wednesday', minutes: 11 * 60 + 30 });
  // Clocks went back an hour at 06:00 UTC.
  expect(storeClock(Date.parse('2026-11-01T05:59:00Z'), 'America/Toronto').minutes).toBe(119);
  expect(storeClock(Date.parse('2026-11-01T06:00:00Z'), 'America/Toronto').minutes).toBe(60);
  expect(storeClock(Date.parse('2026-11-01T05:00:00Z'), 'Europe/London')).toEqual({ weekday: 'sunday', minutes: 300 });
});
