import { expect, test } from 'vitest';
import { countryCodes, countryName } from './countries.ts';
import { localeCodes } from './locales.ts';

test('the list of countries has each code of ISO 3166-1 once, with a name in every language', () => {
  expect(new Set(countryCodes).size).toBe(249);
  for (const code of countryCodes) {
    expect(code).toMatch(/^[A-Z]{2}$/);
    for (const locale of localeCodes) expect(countryName(code, locale)).not.toBe(code);
  }
  expect([countryName('FR', 'en'), countryName('FR', 'zh')]).toEqual(['France', '法国']);
});
