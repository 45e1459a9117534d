/** Returns by worked examples. The figures beside them are computed by hand from the rates, not by the code under test. */
import { describe, expect, it } from 'vitest';
import type { BooksRow } from './books.ts';
import { commissionBC, commissionMB, filledReturn, type TaxReturnId } from './tax-returns.ts';

const row = (change: Partial<BooksRow>): BooksRow => ({
  group: '',
  currency: 'CAD',
  store: 'main',
  movement: 'sold',
  account: 'sales',
  part: 'line',
  place: 'CA-ON',
  taxClass: 'standard',
  treatment: 'taxable',
  tax: '',
  rate: 0,
  way: '',
  person: '',
  amount: 0,
  base: 0,
  units: 0,
  ...change,
});
const tax = (name: string, rate: number, base: number, change: Partial<BooksRow> = {}) =>
  row({ account: 'tax', tax: name, rate, base, amount: Math.round((base * rate) / 100_000), ...change });

/**
 * A quarter: $1,000 in Ontario, of which $100 were given back; $400 in Québec less $40 of discount; $200 in B.C. and $80 of basic
 * groceries there; $300 in Saskatchewan, $500 in Manitoba; $250 sent to the States; a cancelled order of $60 in Ontario; $8 of tips.
 */
const quarter: BooksRow[] = [
  row({ amount: 1000_00 }),
  tax('HST', 13_000, 1000_00),
  row({ movement: 'back', amount: -100_00 }),
  tax('HST', 13_000, -100_00, { movement: 'back' }),
  row({ place: 'CA-QC', amount: 400_00 }),
  row({ place: 'CA-QC', account: 'discounts', amount: -40_00 }),
  tax('GST', 5000, 360_00, { place: 'CA-QC' }),
  tax('QST', 9975, 360_00, { place: 'CA-QC' }),
  row({ place: 'CA-BC', amount: 200_00 }),
  tax('GST', 5000, 200_00, { place: 'CA-BC' }),
  tax('PST', 7000, 200_00, { place: 'CA-BC' }),
  row({ place: 'CA-BC', treatment: 'zeroRated', amount: 80_00 }),
  row({ place: 'CA-SK', amount: 300_00 }),
  tax('GST', 5000, 300_00, { place: 'CA-SK' }),
  tax('PST', 6000, 300_00, { place: 'CA-SK' }),
  row({ place: 'CA-MB', amount: 500_00 }),
  tax('GST', 5000, 500_00, { place: 'CA-MB' }),
  tax('RST', 7000, 500_00, { place: 'CA-MB' }),
  row({ place: 'US', treatment: 'export', amount: 250_00 }),
  row({ amount: 60_00 }),
  tax('HST', 13_000, 60_00),
  row({ movement: 'cancelled', amount: -60_00 }),
  tax('HST', 13_000, -60_00, { movement: 'cancelled' }),
  row({ account: 'tips', part: 'tip', treatment: '', amount: 8_00 }),
  row({ account: 'money', part: '', treatment: '', way: 'cash', amount: 2_000_00, movement: 'received' }),
  row({ currency: 'USD', amount: 999_00 }),
  tax('HST', 13_000, 999_00, { currency: 'USD' }),
];

const filled = (id: TaxReturnId, answers: Record<string, number> = {}) =>
  Object.fromEntries(filledReturn(id, quarter, answers).map(({ line, amount }) => [line.code, amount]));

describe('tax returns', () => {
  it('the GST/HST return has all revenue in two lines, tax by bills, and what refunds gave back as a deduction', () => {
    expect(filled('gst', { '104': 0, '106': 75_00, '107.2': 0 })).toEqual({
      // 1000 − 100 + 360 + 200 + 80 + 300 + 500; then the export.
      '90': 2340_00,
      '91': 250_00,
      '101': 2590_00,
      // 130 of HST, and 5 % of 1,360.
      '103': 198_00,
      '104': 0,
      '105': 198_00,
      '106': 75_00,
      '107.1': 13_00,
      '107.2': 0,
      '107': 13_00,
      '108': 88_00,
      '109': 110_00,
    });
  });

  it('a field that nobody has entered is unknown, and so is all that is computed from it', () => {
    const lines = filled('gst', { '104': 0 });
    expect(lines).toMatchObject({ '103': 198_00, '105': 198_00, '106': null, '107.1': 13_00 });
    expect([lines['107'], lines['108'], lines['109']]).toEqual([null, null, null]);
  });

  it('the return of Québec has the QST beside the GST, and their sum', () => {
    const answers = { '104': 0, '106': 0, '107.2': 0, '204': 0, '206': 10_00, '207.2': 0 };
    // 9.975 % of 360 is 35.91.
    expect(filled('quebec', answers)).toMatchObject({
      '101': 2590_00,
      '103': 198_00,
      '109': 185_00,
      '203': 35_91,
      '205': 35_91,
      '207': 0,
      '208': 10_00,
      '209': 25_91,
      '109+209': 210_91,
    });
  });

  it('the return of B.C. takes its commission off, and counts sales of the province alone', () => {
    expect(filled('bc', { E: 0, F: 1_40, H: 0 })).toEqual({
      A: 280_00,
      B: 14_00,
      C: 14_00,
      D: 0,
      E: 0,
      F: 1_40,
      G: 1_40,
      H: 0,
      I: 0,
      J: 0,
      K: 1_40,
    });
  });

  it('Saskatchewan and Manitoba have tax less refunds, and the tax on goods for own use', () => {
    expect(filled('sk', { C: 6_00 })).toEqual({ A: 300_00, B: 18_00, C: 6_00, D: 24_00 });
    // 7 % of 500 is 35.00, of which 15 % is 5.25.
    expect(filled('mb', { '3': 0 })).toEqual({ '1': 35_00, '2': 5_25, '3': 0, '4': 29_75 });
    expect(filled('mb')['4']).toBeNull();
  });

  it('the commissions have the steps and limits of their provinces', () => {
    const cents = [0, -100, 21_99, 22_00, 22_01, 333_33, 333_34, 1000_00, 3000_00, 90_000_00];
    expect(cents.map(commissionBC)).toEqual([0, 0, 21_99, 22_00, 22_00, 22_00, 22_00, 66_00, 198_00, 198_00]);
    const inManitoba = [0, -1, 2_50, 3_00, 19_99, 20_00, 20_10, 200_00, 300_00, 3000_00, 3000_01];
    expect(inManitoba.map(commissionMB)).toEqual([
      0, 0, 2_50, 3_00, 3_00, 3_00, 3_02, 30_00, 31_00, 58_00, 0,
    ]);
  });
});
