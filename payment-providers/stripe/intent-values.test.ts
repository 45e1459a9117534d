import { describe, expect, it } from 'vitest';
import { amountOfStripe, stripeAmount } from './intent-values.ts';

describe('amounts at Stripe', () => {
  it.each([
    [4972, 'CAD', 4972],
    [497, 'jpy', 497],
    [35_035, 'KRW', 35_035],
    [4970, 'KWD', 4970],
    [500, 'ISK', 50_000],
    [500, 'UGX', 50_000],
    [500, 'MGA', 5],
    [0, 'CNY', 0],
  ])('%i of the smallest unit of %s is %i at Stripe, and back', (amount, currency, there) => {
    expect(stripeAmount(amount, currency)).toBe(there);
    expect(amountOfStripe(there, currency)).toBe(amount);
  });

  it('an amount for Stripe is never rounded', () => {
    expect(() => stripeAmount(4972, 'KWD')).toThrow(RangeError);
    expect(() => stripeAmount(4.5, 'JPY')).toThrow(RangeError);
    expect(() => stripeAmount(49.5, 'CAD')).toThrow(RangeError);
    expect(() => stripeAmount(505, 'MGA')).toThrow(RangeError);
    expect(() => stripeAmount(-1, 'CAD')).toThrow(RangeError);
  });

  it('an amount that Stripe cannot charge is shown as the next lower one', () => {
    expect(stripeAmount(4972, 'KWD', { rounds: true })).toBe(4970);
  });
});
