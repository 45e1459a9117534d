/** Rules for the name, phone number and email of an order's contact (SPEC §5). */
import type { FieldErrors } from '../errors.ts';
import type { CheckoutMethod } from '../limits.ts';
import type { ContactInput } from '../schemas/order.ts';
import { isEmail, isPhone } from './email-and-phone.ts';
import { isBlank } from './fields.ts';

export interface ContactNeeds {
  requireMobile: boolean;
  requireEmail: boolean;
  requireName?: boolean;
}

/** A shop may leave guests at tables without an email; a parcel or a delivery has to find who receives it. */
export function contactNeeds(
  {
    requireMobile,
    requireEmail,
    emailOptionalAtTables = false,
  }: ContactNeeds & { emailOptionalAtTables?: boolean },
  method: CheckoutMethod | null,
): ContactNeeds {
  const isOptional = method === 'instore' && emailOptionalAtTables;
  return { requireMobile, requireEmail: requireEmail && !isOptional, requireName: method === 'shipping' };
}

/** Fields are named under `prefix`. An optional field may be empty, but not invalid. */
export function contactErrors(contact: ContactInput, needs: ContactNeeds, prefix = 'contact'): FieldErrors {
  const errors: FieldErrors = {};
  const { firstName = '', lastName = '', phoneNumber = '', email: address = '' } = contact;
  if (needs.requireName && isBlank(firstName)) errors[`${prefix}.firstName`] = 'rule.firstNameMissing';
  if (needs.requireName && isBlank(lastName)) errors[`${prefix}.lastName`] = 'rule.lastNameMissing';
  if (!isBlank(phoneNumber)) {
    if (!isPhone(phoneNumber)) errors[`${prefix}.phoneNumber`] = 'rule.phoneInvalid';
  } else if (needs.requireMobile) errors[`${prefix}.phoneNumber`] = 'rule.phoneMissing';
  if (!isBlank(address)) {
    if (!isEmail(address)) errors[`${prefix}.email`] = 'rule.emailInvalid';
  } else if (needs.requireEmail) errors[`${prefix}.email`] = 'rule.emailMissing';
  return errors;
}
