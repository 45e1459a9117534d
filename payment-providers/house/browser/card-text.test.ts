import { describe, expect, it } from 'vitest';
import {
  cardBrand,
  caretAfterGrouping,
  formatExpiry,
  groupCardNumber,
  parseExpiry,
  typedDigits,
} from './card-text.ts';

describe('a card number', () => {
  it('a card number is shown in the groups printed on the card', () => {
    expect(groupCardNumber('4242424242424242')).toBe('4242 4242 4242 4242');
    expect(groupCardNumber('4242-4242 42')).toBe('4242 4242 42');
    expect(groupCardNumber('378282246310005')).toBe('3782 822463 10005');
    expect(groupCardNumber('')).toBe('');
  });

  it('a card number takes 19 digits and nothing else', () => {
    expect(typedDigits('4242x4242 4242 4242 4242 4242')).toBe('4242424242424242424');
  });

  it('the caret stays behind the digit that was typed', () => {
    expect(caretAfterGrouping('42424', 5)).toBe(6);
    expect(caretAfterGrouping('4294 2424 2', 3)).toBe(3);
    expect(caretAfterGrouping('4242 9424 2', 6)).toBe(6);
    expect(caretAfterGrouping('4242 ', 5)).toBe(4);
  });
});

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

it.each([
  ['', ''],
  ['1', '1'],
  ['12', '12 / '],
  ['5', '05 / '],
  ['123', '12 / 3'],
  ['1231', '12 / 31'],
  ['12 / 31', '12 / 31'],
  ['12/2031', '12 / 31'],
  ['5/31', '05 / 31'],
  ['2031-05', '05 / 31'],
  ['12 / 312', '12 / 31'],
  ['1x2', '12 / '],
])('the typed expiry date %j is shown as %j', (typed, shown) => {
  expect(formatExpiry(parseExpiry(typed))).toBe(shown);
});

it('an expiry date of two parts becomes the month and the year of the contract', () => {
  expect(parseExpiry('7/30')).toEqual({ expirationMonth: '07', expirationYear: '30' });
  expect(parseExpiry('13 / 31')).toEqual({ expirationMonth: '13', expirationYear: '31' });
});

it('the Backspace key deletes every character of an expiry date', () => {
  let shown = '12 / 3';
  const seen = [];
  while (shown !== '') {
    shown = formatExpiry(parseExpiry(shown.slice(0, -1), shown));
    seen.push(shown);
  }
  expect(seen).toEqual(['12 / ', '1', '']);
});
