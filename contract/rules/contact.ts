/** Who to call or write to about an order (SPEC §5). */
import type { FieldErrors } from '../errors.ts';
import type { ContactInput } from '../schemas/order.ts';
import { isBlank } from './fields.ts';

export interface ContactNeeds {
  requireMobile: boolean;
  requireEmail: boolean;
}

/**
 * One @ with something before it, and after it a name of two or more parts with a dot between them.
 * Deliberately loose otherwise: only an email sent there can tell whether an address exists.
 */
const email = /^[^\s@,;<>]+@[^\s@,;<>.]+(?:\.[^\s@,;<>.]+)*\.[^\s@,;<>.]{2,}$/;
const fewestPhoneDigits = 5;

export function isEmail(text: string): boolean {
  return email.test(text.trim());
}

/** A phone number may be written in any way as long as there is a number in it. */
export function isPhone(text: string): boolean {
  return (text.match(/\p{Nd}/gu)?.length ?? 0) >= fewestPhoneDigits;
}

/** Fields are named under `prefix`. What is not required may be empty, but not wrong. */
export function contactErrors(contact: ContactInput, needs: ContactNeeds, prefix = 'contact'): FieldErrors {
  const errors: FieldErrors = {};
  const { phoneNumber = '', email: address = '' } = contact;
  if (!isBlank(phoneNumber)) {
    if (!isPhone(phoneNumber)) errors[`${prefix}.phoneNumber`] = 'rule.phoneInvalid';
  } else if (needs.requireMobile) errors[`${prefix}.phoneNumber`] = 'rule.phoneMissing';
  if (!isBlank(address)) {
    if (!isEmail(address)) errors[`${prefix}.email`] = 'rule.emailInvalid';
  } else if (needs.requireEmail) errors[`${prefix}.email`] = 'rule.emailMissing';
  return errors;
}
