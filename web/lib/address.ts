import { addressDefaults } from '#contract/limits.ts';
import type { Address } from '#contract/schemas/order.ts';

/** An address while it is typed: every field is present, empty ones as ''. */
export interface AddressValue extends Record<string, string> {
  streetNumberAndNameDetails: string;
  addressDescription: string;
  city: string;
  /** The province's name as in its country's list. */
  province: string;
  postCode: string;
  countryISOCode: string;
}

/** SPEC §3: Ontario, Canada. */
export const emptyAddress: AddressValue = {
  streetNumberAndNameDetails: '',
  addressDescription: '',
  city: '',
  province: addressDefaults.province,
  postCode: '',
  countryISOCode: addressDefaults.countryISOCode,
};

export function addressLines(address: Address): string[] {
  return [
    [address.streetNumberAndNameDetails, address.addressDescription],
    [address.city, address.province, address.postCode],
    [address.country],
  ]
    .map((parts) => parts.filter(Boolean).join(', '))
    .filter(Boolean);
}
