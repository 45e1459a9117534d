import { expect, test } from 'vitest';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { hoursData, specialHoursData } from './json-ld.ts';

const allWeek = (hours: PickupLocation['openingHours']['monday']): PickupLocation['openingHours'] => ({
  monday: hours,
  tuesday: hours,
  wednesday: hours,
  thursday: hours,
  friday: hours,
  saturday: hours,
  sunday: hours,
});

test.each([
  ['10:00', '18:00', '18:00'],
  ['10:00', '24:00', '00:00'],
  // Equal opening and closing times tell search engines that a day is closed.
  ['00:00', '24:00', '23:59'],
])('a store open from %s to %s closes for search engines at %s', (open, close, closes) => {
  expect(hoursData(allWeek({ open, close }))).toMatchObject([{ opens: open, closes }]);
});

test('search engines are told the hours of special dates, and equal times for a closed one', () => {
  const dates = specialHoursData([
    { date: '2026-12-24', hours: { open: '10:00', close: '24:00' } },
    { date: '2026-12-25', hours: null },
  ]);
  expect(dates).toMatchObject([
    { opens: '10:00', closes: '00:00', validFrom: '2026-12-24', validThrough: '2026-12-24' },
    { opens: '00:00', closes: '00:00', validFrom: '2026-12-25', validThrough: '2026-12-25' },
  ]);
});

test('search engines are told the parts of a day with a break', () => {
  const split = { open: '11:00', close: '22:00', breaks: [{ from: '14:00', until: '17:00' }] };
  const parts = [
    { opens: '11:00', closes: '14:00' },
    { opens: '17:00', closes: '22:00' },
  ];
  expect(hoursData(allWeek(split))).toMatchObject(parts);
  expect(specialHoursData([{ date: '2026-12-24', hours: split }])).toMatchObject(parts);
});
