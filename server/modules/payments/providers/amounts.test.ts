import { describe, expect, it } from 'vitest';
import { decimalAmount } from './amounts.ts';

describe('amounts in the format of providers', () => {
  it.each([
    [4972, 'CAD', '49.72'],
    [5, 'CAD', '0.05'],
    [100, 'USD', '1.00'],
    [49700, 'JPY', '497'],
    [4970, 'KWD', '49.700'],
    [0, 'EUR', '0.00'],
    [123_456_789_01, 'EUR', '123456789.01'],
  ])('%i cents of %s are written as %s', (cents, currency, text) => {
    expect(decimalAmount(cents, currency)).toBe(text);
  });

  it('an amount uses the number of decimals that a provider insists on', () => {
    expect(decimalAmount(120_000, 'HUF', 0)).toBe('1200');
  });

  it.each([
    [49720.5, 'CAD', undefined],
    [-1, 'CAD', undefined],
    [49750, 'HUF', 0],
    [4972, 'JPY', undefined],
  ])('the amount %d of %s is rejected instead of rounded', (cents, currency, digits) => {
    expect(() => decimalAmount(cents, currency, digits)).toThrow(RangeError);
  });
});
