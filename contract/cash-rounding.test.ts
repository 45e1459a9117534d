import { expect, test } from 'vitest';
import { cashDueOf, cashStep } from './cash-rounding.ts';
import { currencyDigits } from './money.ts';

test('cash is rounded by currency and country, to the nearest coin', () => {
  const cash = (due: number, currency: string, country: string) =>
    cashDueOf(due, cashStep(currency, country));
  expect([1856, 1857, 1858, 2].map((due) => cash(due, 'CAD', 'CA'))).toEqual([1855, 1855, 1860, 0]);
  expect([
    cash(1857, 'CHF', 'CH'),
    cash(1855, 'NZD', 'NZ'),
    cash(1850, 'SEK', 'SE'),
    cash(1825, 'DKK', 'DK'),
  ]).toEqual([1855, 1860, 1900, 1850]);
  expect([cash(1857, 'EUR', 'FI'), cash(1857, 'EUR', 'DE')]).toEqual([1855, 1857]);
  for (const [currency, country] of [
    ['USD', 'US'],
    ['JPY', 'JP'],
    ['KWD', 'KW'],
    ['GBP', 'GB'],
  ] as const)
    expect(cash(1857, currency, country)).toBe(1857);
});

test('every rounded currency has two decimals, in which its coins are given', () => {
  for (const currency of 'CAD AUD NZD HKD MYR CHF SEK NOK DKK CZK HUF ILS EUR'.split(' '))
    expect([currencyDigits(currency), cashStep(currency, 'FI') > 1]).toEqual([2, true]);
});
