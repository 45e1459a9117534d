import { expect, it, test } from 'vitest';
import { countryCodes, countryName, provinceOfPostalCode } from './countries.ts';
import { localeCodes } from './locales.ts';

test('the list of countries has each code of ISO 3166-1 once, with a name in every language', () => {
  expect(new Set(countryCodes).size).toBe(249);
  for (const code of countryCodes) {
    expect(code).toMatch(/^[A-Z]{2}$/);
    for (const locale of localeCodes) expect(countryName(code, locale)).not.toBe(code);
  }
  expect([countryName('FR', 'en'), countryName('FR', 'zh')]).toEqual(['France', '法国']);
});

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
