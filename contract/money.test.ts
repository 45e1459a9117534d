import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { formatMerchantMoney, formatMoney } from './formatters.ts';
import { currencyDigits, decimalText, parseAmount, priceEnding } from './money.ts';

const currency = fc.constantFrom('CAD', 'EUR', 'JPY', 'KRW', 'KWD', 'HUF', 'IQD', 'CLF');

describe('the smallest unit of a currency', () => {
  it('each currency of the world has the digits of ISO 4217, whatever the engine prints', () => {
    expect(['CAD', 'HUF', 'COP', 'TWD', 'MGA'].map(currencyDigits)).toEqual([2, 2, 2, 2, 2]);
    expect(['JPY', 'KRW', 'CLP', 'ISK', 'UGX', 'VND'].map(currencyDigits)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(['KWD', 'BHD', 'IQD', 'TND'].map(currencyDigits)).toEqual([3, 3, 3, 3]);
  });

  it('an amount is shown with the digits of its currency', () => {
    expect(formatMoney(3503, 'en', 'JPY')).toBe('¥3,503');
    expect(formatMoney(3503, 'zh', 'KRW')).toBe('₩3,503');
    expect(formatMerchantMoney(4972, 'KWD').replace('\u00a0', ' ')).toBe('KWD 4.972');
    expect(formatMoney(120_050, 'en', 'HUF').replace('\u00a0', ' ')).toBe('Ft 1,200.50');
  });

  test('a written amount is read as the same amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), currency, (amount, code) => {
        expect(parseAmount(decimalText(amount, code), code, { negative: true })).toBe(amount);
        // As people write it, with groups and a sign.
        expect(parseAmount(formatMoney(Math.abs(amount), 'en', 'CAD'), 'CAD')).toBe(Math.abs(amount));
      }),
    );
  });
});

describe('amounts that people type', () => {
  it.each([
    ['5', 'CAD', 500],
    ['5.5', 'CAD', 550],
    ['5,05', 'CAD', 505],
    ['.5', 'CAD', 50],
    ['$5,50', 'CAD', 550],
    ['CA$5.50', 'CAD', 550],
    ['5.50 CAD', 'CAD', 550],
    ['５元', 'CAD', 500],
    [' 12.00 ', 'CAD', 1200],
    ['1,234', 'CAD', 123_400],
    ['$1,234.50', 'CAD', 123_450],
    ['1.234,50', 'CAD', 123_450],
    ['0', 'CAD', 0],
    ['3503', 'JPY', 3503],
    ['¥3,503', 'JPY', 3503],
    ['3503.00', 'JPY', 3503],
    ['4.972', 'KWD', 4972],
    ['5', 'KWD', 5000],
  ])('%j is an amount of %s', (text, code, amount) => {
    expect(parseAmount(text, code)).toBe(amount);
  });

  it.each([
    ['', 'CAD'],
    ['five', 'CAD'],
    ['5.505', 'CAD'],
    ['-5', 'CAD'],
    ['1e3', 'CAD'],
    ['12k', 'CAD'],
    ['1.2.3', 'CAD'],
    ['35.03', 'JPY'],
    ['0.5', 'KRW'],
    ['4.9725', 'KWD'],
    ['99999999999999999', 'CAD'],
  ])('%j is no amount of %s', (text, code) => {
    expect(parseAmount(text, code)).toBeNull();
  });

  it('a price ends alike in every currency', () => {
    expect(priceEnding(95, 'CAD')).toEqual({ step: 100, end: 95 });
    expect(priceEnding(95, 'JPY')).toEqual({ step: 100, end: 95 });
    expect(priceEnding(95, 'KWD')).toEqual({ step: 1000, end: 950 });
  });
});
