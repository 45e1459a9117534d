/** A postal address while it is typed: every field is there, empty ones as ''. */
import { addressDefaults } from '#contract/limits.ts';

export interface AddressValue extends Record<string, string> {
  streetNumberAndNameDetails: string;
  addressDescription: string;
  city: string;
  /** The name of the province as the list of its country has it. */
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
