import { expect, it } from 'vitest';
import { provinceOfPostalCode } from './postal-codes.ts';

it.each([
  ['M5G 1Z8', 'ON'],
  ['h2x', 'QC'],
  ['V6', 'BC'],
  ['Ｔ２Ｐ', 'AB'],
  ['X0A 0H0', 'NU'],
  ['X1A 2P7', 'NT'],
])('the postal code %s is of the province %s', (text, province) => {
  expect(provinceOfPostalCode(text)).toBe(province);
});

it.each(['', 'M', 'X0', 'D1A', '90210', 'Main'])('the text %j names no province', (text) => {
  expect(provinceOfPostalCode(text)).toBeUndefined();
});
