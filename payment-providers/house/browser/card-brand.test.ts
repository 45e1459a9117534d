import { expect, it } from 'vitest';
import { cardBrand } from './card-brand.ts';

it.each([
  ['', null],
  ['4', 'visa'],
  ['4242 4242', 'visa'],
  ['5555', 'mastercard'],
  ['2221 00', 'mastercard'],
  ['2220', null],
  ['3782', 'amex'],
  ['3', null],
  ['3530', 'jcb'],
  ['3056', 'diners'],
  ['3069', null],
  ['6200', 'unionpay'],
  ['6011', 'discover'],
  ['9', null],
] as const)('the card number %j belongs to %j', (number, brand) => {
  expect(cardBrand(number)).toBe(brand);
});
