import { expect, test } from 'vitest';
import { dayInZone, nextDay } from './later-queries.ts';

test('a day is the store’s day, not the shopper’s', () => {
  const lateInLondon = Date.parse('2026-11-21T02:30:00Z');
  expect(dayInZone(lateInLondon, 'America/Toronto')).toBe('2026-11-20');
  expect(dayInZone(lateInLondon, 'Asia/Shanghai')).toBe('2026-11-21');
});

test('days follow each other over the end of a month, a year, and a change of clocks', () => {
  expect(nextDay('2026-02-28')).toBe('2026-03-01');
  expect(nextDay('2026-12-31')).toBe('2027-01-01');
  expect(nextDay('2026-11-01')).toBe('2026-11-02');
});
