/** Postal addresses and names of people: as they are typed, and as each language writes them. */
import { addressDefaults } from '#contract/limits.ts';
import type { Address, Contact } from '#contract/schemas/order.ts';
import type { Translate } from '#contract/translate.ts';

/** An address while it is typed: every field is there, empty ones as ''. */
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

/** Lines for an envelope; empty parts are left out. */
export function addressLines(address: Address): string[] {
  return [
    [address.streetNumberAndNameDetails, address.addressDescription],
    [address.city, address.province, address.postCode],
    [address.country],
  ]
    .map((parts) => parts.filter(Boolean).join(', '))
    .filter(Boolean);
}

/** Whether the page's language says the family's name first. */
export function familyNameFirst(t: Translate): boolean {
  // Without values the message is its own pattern.
  return t('ui.name.full').startsWith('{lastName}');
}

/** By which name a language speaks to somebody: the first one, or the whole where the family's comes first. */
export function addressedName(person: Pick<Contact, 'firstName' | 'lastName'>, t: Translate): string {
  return familyNameFirst(t) ? personName(person) : person.firstName;
}

/** Chinese names begin with the family's and have no space; all others as they were typed. */
export function personName({ firstName, lastName }: Pick<Contact, 'firstName' | 'lastName'>): string {
  const chinese = /^\p{Script=Han}+$/u.test(lastName + firstName);
  return chinese ? lastName + firstName : [firstName, lastName].filter(Boolean).join(' ');
}
