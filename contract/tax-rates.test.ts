import { expect, it } from 'vitest';
import demo from '#demo/data/settings.json' with { type: 'json' };
import { offeredProvinces } from '#server/platform/provinces.ts';
import { isFraction, isTaxedTwice, taxNames, taxRateByLaw } from './tax-rates.ts';
import { homeCountry } from './taxes.ts';

it('each province and territory has rates by law, which are those of the demo shop, and none is taxed twice', () => {
  const provinces = offeredProvinces(homeCountry).map(({ code }) => code);
  expect(provinces).toHaveLength(13);
  for (const code of provinces) {
    const rate = taxRateByLaw(code);
    expect(demo.taxRates.find(({ provinceCode }) => provinceCode === code)).toMatchObject({ ...rate });
    expect([code, isTaxedTwice(rate), taxNames.some((name) => isFraction(rate[name]))]).toEqual([code, false, false]);
    expect(taxNames.reduce((sum, name) => sum + rate[name], 0)).toBeGreaterThanOrEqual(5);
  }
});
