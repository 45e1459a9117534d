/** Codes and tips as they are typed (SPEC §5, §9). */
import type { FieldErrors } from '../errors.ts';
import { limits } from '../limits.ts';
import { isBlank } from './fields.ts';

/** SPEC §5: 'Promo code is missing'. */
export function couponErrors(code: string): FieldErrors {
  return isBlank(code) ? { code: 'rule.couponMissing' } : {};
}

/** A tip of one's own, cents; null where what was typed is no amount. */
export function tipErrors(cents: number | null): FieldErrors {
  if (cents === null || !Number.isInteger(cents) || cents < 0) return { tipAmount: 'rule.tipInvalid' };
  return cents > limits.tipMaxCents ? { tipAmount: 'rule.tipTooMuch' } : {};
}
