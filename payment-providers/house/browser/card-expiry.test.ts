import { expect, it } from 'vitest';
import { formatExpiry, parseExpiry } from './card-expiry.ts';

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
