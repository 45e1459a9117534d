/** Rules for promo codes and tips as they are typed (SPEC §5, §9). */
import type { FieldErrors } from '../errors.ts';
import { limits } from '../limits.ts';
import { isBlank } from './fields.ts';

/** SPEC §5: 'Promo code is missing'. */
export function couponErrors(code: string): FieldErrors {
  return isBlank(code) ? { code: 'rule.couponMissing' } : {};
}

/** Parses a custom tip into cents; null if the text is not an amount. */
export function tipErrors(cents: number | null): FieldErrors {
  if (cents === null || !Number.isInteger(cents) || cents < 0) return { tipAmount: 'rule.tipInvalid' };
  return cents > limits.tipMaxCents ? { tipAmount: 'rule.tipTooMuch' } : {};
}
