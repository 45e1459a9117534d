import { expect, it } from 'vitest';
import type { Weekday } from '#contract/limits.ts';
import { hourRanges } from './hours-table.tsx';

const early = { open: '10:00', close: '19:00' };
const late = { open: '10:00', close: '21:00' };
const rangesOf = (hours: readonly ({ open: string; close: string } | null)[]) => {
  const [monday = null, tuesday = null, wednesday = null, thursday = null, friday = null, saturday = null, sunday = null] = hours;
  return hourRanges({ monday, tuesday, wednesday, thursday, friday, saturday, sunday });
};

it('consecutive days with the same hours are one range', () => {
  expect(rangesOf([null, early, { ...early }, early, late, late, null])).toEqual([
    { days: ['monday'] satisfies Weekday[], hours: null },
    { days: ['tuesday', 'wednesday', 'thursday'], hours: early },
    { days: ['friday', 'saturday'], hours: late },
    { days: ['sunday'], hours: null },
  ]);
});

it('a store with the same hours all week has one range', () => {
  expect(rangesOf(Array.from({ length: 7 }, () => early)).map(({ days }) => days.length)).toEqual([7]);
  expect(rangesOf([])).toEqual([{ days: expect.arrayContaining(['monday', 'sunday']), hours: null }]);
});
