import { expect, test } from 'vitest';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { hoursData } from './json-ld.ts';

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
