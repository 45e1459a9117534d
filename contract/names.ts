/** Names of people: as each language writes them, and as it speaks to somebody. */
import type { Contact } from './schemas/order.ts';
import type { Translate } from './translate.ts';

type Person = Pick<Contact, 'firstName' | 'lastName'>;

/** Whether a language says the family's name first. */
export function familyNameFirst(t: Translate): boolean {
  // Without values the message is its own pattern.
  return t('ui.name.full').startsWith('{lastName}');
}

/** By which name a language speaks to somebody: the first one, or the whole where the family's comes first. */
export function addressedName(person: Person, t: Translate): string {
  return familyNameFirst(t) ? personName(person) : person.firstName;
}

/** Chinese names begin with the family's and have no space; all others as they were typed. */
export function personName({ firstName, lastName }: Person): string {
  const chinese = /^\p{Script=Han}+$/u.test(lastName + firstName);
  return chinese ? lastName + firstName : [firstName, lastName].filter(Boolean).join(' ');
}
