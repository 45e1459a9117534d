import { describe, expect, it } from 'vitest';
import { stripeAmount } from './intent-values.ts';

describe('amounts at Stripe', () => {
  it('an amount for Stripe is in the smallest unit of its currency', () => {
    expect(stripeAmount(4972, 'CAD')).toBe(4972);
    expect(stripeAmount(49_700, 'jpy')).toBe(497);
    expect(stripeAmount(4970, 'KWD')).toBe(49_700);
    expect(stripeAmount(0, 'CNY')).toBe(0);
  });

  it('an amount for Stripe is never rounded', () => {
    expect(() => stripeAmount(49_750, 'JPY')).toThrow(RangeError);
    expect(() => stripeAmount(49.5, 'CAD')).toThrow(RangeError);
    expect(() => stripeAmount(-1, 'CAD')).toThrow(RangeError);
  });
});
