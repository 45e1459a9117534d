/** For shipping and billing (SPEC §5). */
import type { FieldErrors } from '../errors.ts';
import type { CheckoutMethod } from '../limits.ts';
import type { MessageKey } from '../locales.ts';
import type { AddressInput } from '../schemas/order.ts';
import { isBlank } from './fields.ts';

/** Either spelling of the street field is accepted. */
export function addressErrors(address: AddressInput, prefix = 'address'): FieldErrors {
  const errors: FieldErrors = {};
  const need = (field: string, value: string | undefined, key: MessageKey) => {
    if (isBlank(value)) errors[`${prefix}.${field}`] = key;
  };
  need('streetNumberAndNameDetails', streetOf(address), 'rule.addressMissing');
  need('city', address.city, 'rule.cityMissing');
  need('postCode', address.postCode, 'rule.zipcodeMissing');
  need('countryISOCode', isBlank(address.countryISOCode) ? address.country : address.countryISOCode, 'rule.countryMissing');
  need('province', address.province, 'rule.provinceMissing');
  return errors;
}

export function streetOf(address: AddressInput): string {
  const { streetNumberAndNameDetails: street, streetNumberAndDetails: other } = address;
  return (isBlank(street) ? other : street) ?? '';
}

/** An order at a table is paid for without a billing address: a provider's own form asks for what it needs, at most the postal code. */
export function asksBillingAddress(method: CheckoutMethod | null): boolean {
  return method !== 'instore';
}

/** Whether nothing was typed; a form begins with a province and a country. */
export function isBlankAddress(address: AddressInput): boolean {
  return isBlank(streetOf(address)) && isBlank(address.city) && isBlank(address.postCode);
}

/** Their addresses require a province. */
export const countriesWithProvinces: readonly string[] = ['CA', 'US', 'CN'];

/** In any country; a province is required only if its country has a list of them. */
export function billingAddressErrors(address: AddressInput, prefix = 'billingAddress'): FieldErrors {
  const { [`${prefix}.province`]: province, ...errors } = addressErrors(address, prefix);
  const code = address.countryISOCode?.trim().toUpperCase() ?? '';
  const optional = code !== '' && !countriesWithProvinces.includes(code);
  return optional || !province ? errors : { ...errors, [`${prefix}.province`]: province };
}
