import { describe, expect, it } from 'vitest';
import demo from '#demo/data/settings.json' with { type: 'json' };
import { offeredProvinces } from '#server/platform/provinces.ts';
import {
  chargesTax,
  isFraction,
  isTaxedTwice,
  lawfulRates,
  lawOn,
  ratesOn,
  taxChangeDays,
  taxNames,
  taxRateByLaw,
} from './tax-rates.ts';
import { homeCountry } from './taxes.ts';

const today = '2026-11-29';

describe('rates by law', () => {
  it('each province and territory has rates by law, which are those of the demo shop, and none is taxed twice', () => {
    const provinces = offeredProvinces(homeCountry).map(({ code }) => code);
    expect(provinces).toHaveLength(13);
    for (const code of provinces) {
      const rate = taxRateByLaw(code, today);
      expect(demo.taxRates.find(({ provinceCode }) => provinceCode === code)).toMatchObject({ ...rate });
      for (const each of lawfulRates(code)) {
        expect([code, isTaxedTwice(each), taxNames.some((name) => isFraction(each[name]))]).toEqual([
          code,
          false,
          false,
        ]);
        expect(taxNames.reduce((sum, name) => sum + each[name], 0)).toBeGreaterThanOrEqual(5);
        expect(each.source).not.toBe('');
      }
      const days = lawfulRates(code).map(({ date }) => date);
      expect(days).toEqual([...new Set(days)].sort());
    }
  });

  it.each([
    ['NS', '2025-03-31', 15],
    ['NS', '2025-04-01', 14],
    ['NB', '2016-06-30', 13],
    ['NB', '2016-07-01', 15],
    ['PE', '2016-10-01', 15],
  ])('HST in %s on %s is %d %%', (province, day, percent) => {
    expect(lawOn(province, day)?.hstPercent).toBe(percent);
  });

  it('a shop that begins before a change gets what holds then, and the change', () => {
    expect(taxRateByLaw('NS', '2025-03-01')).toEqual({
      provinceCode: 'NS',
      gstPercent: 0,
      pstPercent: 0,
      pstLabel: null,
      hstPercent: 15,
      changes: [{ date: '2025-04-01', gstPercent: 0, pstPercent: 0, pstLabel: null, hstPercent: 14 }],
    });
    expect(taxRateByLaw('NS', today)).not.toHaveProperty('changes');
    expect(taxRateByLaw('XX', today)).toMatchObject({ hstPercent: 0, gstPercent: 0 });
  });
});

describe('what a shop charges', () => {
  const on = { provinceCode: 'ON', gstPercent: 0, pstPercent: 0, pstLabel: null, hstPercent: 13 };
  const qc = { provinceCode: 'QC', gstPercent: 5, pstPercent: 9.975, pstLabel: 'QST', hstPercent: 0 };
  const registration = {
    tax: 'QST' as const,
    registered: true,
    number: '1',
    from: '2026-03-01',
    until: '2026-08-31',
  };
  const sum = (day: string, settings: Parameters<typeof ratesOn>[1]) =>
    ratesOn(day, settings).map((rate) => taxNames.reduce((total, name) => total + rate[name], 0));

  it('the latest change that has begun holds, whatever the order of several', () => {
    const changes = [
      { ...on, date: '2027-01-01', hstPercent: 16 },
      { ...on, date: '2026-05-01', hstPercent: 15 },
    ];
    const settings = { taxRates: [{ ...on, changes }], taxRegistrations: [] };
    expect(
      ['2026-04-30', '2026-05-01', '2026-12-31', '2027-01-01'].map((day) => sum(day, settings)[0]),
    ).toEqual([13, 15, 15, 16]);
    expect(taxChangeDays(settings)).toEqual(['2026-05-01', '2027-01-01']);
  });

  it('a tax is charged from the first day of its registration to the last, and what is not listed as the rates say', () => {
    const settings = { taxRates: [on, qc], taxRegistrations: [registration] };
    const days = ['2026-02-28', '2026-03-01', '2026-08-31', '2026-09-01'];
    expect(days.map((day) => sum(day, settings)[1])).toEqual([5, 14.975, 14.975, 5]);
    expect(days.map((day) => sum(day, settings)[0])).toEqual([13, 13, 13, 13]);
    expect(taxChangeDays(settings)).toEqual(['2026-03-01', '2026-09-01']);
  });

  it('a shop that is not registered charges nothing of that tax', () => {
    const federal = { ...registration, tax: 'GST/HST' as const, registered: false };
    expect(sum(today, { taxRates: [on, qc], taxRegistrations: [federal] })).toEqual([0, 9.975]);
    expect(chargesTax('GST/HST', today, [federal])).toBe(false);
  });
});
