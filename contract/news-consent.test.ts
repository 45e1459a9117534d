import { expect, it } from 'vitest';
import { countryCodes } from './countries.ts';
import { asksConsentToNews } from './news-consent.ts';

it('consent to email news is asked for where the law says so, and where the country is not known', () => {
  for (const country of ['CA', 'DE', 'IS', 'GB', 'CN', 'JP', undefined])
    expect(asksConsentToNews(country)).toBe(true);
  for (const country of ['US', 'MX']) expect(asksConsentToNews(country)).toBe(false);
});

it('each country of the table is one', () => {
  expect([...countryCodes].filter((code) => asksConsentToNews(code))).toHaveLength(39);
});
