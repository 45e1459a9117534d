import { describe, expect, it } from 'vitest';
import { amountOf, decimalAmount } from './amounts.ts';

describe('amounts in the format of providers', () => {
  it.each([
    [4972, 'CAD', '49.72'],
    [5, 'CAD', '0.05'],
    [100, 'USD', '1.00'],
    [497, 'JPY', '497'],
    [4972, 'KWD', '4.972'],
    [0, 'EUR', '0.00'],
    [123_456_789_01, 'EUR', '123456789.01'],
  ])('%i of the smallest unit of %s are written as %s, and read again', (amount, currency, text) => {
    expect(decimalAmount(amount, currency)).toBe(text);
    expect(amountOf(text, currency)).toBe(amount);
  });

  it('an amount uses the number of decimals that a provider insists on', () => {
    expect(decimalAmount(120_000, 'HUF', 0)).toBe('1200');
    expect(amountOf('1200', 'HUF')).toBe(120_000);
  });

  it.each([
    [49720.5, 'CAD', undefined],
    [-1, 'CAD', undefined],
    [49750, 'HUF', 0],
    [4.5, 'JPY', undefined],
  ])('the amount %d of %s is rejected instead of rounded', (amount, currency, digits) => {
    expect(() => decimalAmount(amount, currency, digits)).toThrow(RangeError);
  });

  it.each([
    ['49.725', 'CAD'],
    ['497.5', 'JPY'],
    ['', 'CAD'],
    ['nothing', 'CAD'],
  ])('the text %j is no amount of %s', (text, currency) => {
    expect(() => amountOf(text, currency)).toThrow(RangeError);
  });

  it('money that went out is below zero', () => {
    expect(amountOf('-10.00', 'CAD')).toBe(-1000);
  });
});
