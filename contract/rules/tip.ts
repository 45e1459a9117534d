/** As typed (SPEC §5, §9). */
import type { FieldErrors } from '../errors.ts';
import { limits } from '../limits.ts';
import { isBlank } from './fields.ts';

export function couponErrors(code: string): FieldErrors {
  return isBlank(code) ? { code: 'rule.couponMissing' } : {};
}

/** Null if the text is no amount. */
export function tipErrors(cents: number | null): FieldErrors {
  if (cents === null || !Number.isInteger(cents) || cents < 0) return { tipAmount: 'rule.tipInvalid' };
  return cents > limits.tipMaxCents ? { tipAmount: 'rule.tipTooMuch' } : {};
}
