import type { Contact } from './schemas/order.ts';
import type { Translate } from './translate.ts';

type Person = Pick<Contact, 'firstName' | 'lastName'>;

export function familyNameFirst(t: Translate): boolean {
  return t('ui.name.full', { firstName: '1', lastName: '2' }).startsWith('2');
}

/** The first name, or the full name in languages that put the family name first. */
export function addressedName(person: Person, t: Translate): string {
  return familyNameFirst(t) ? personName(person) : person.firstName;
}

/** Chinese names start with the family name and have no space; other names stay in the order entered. */
export function personName({ firstName, lastName }: Person): string {
  const chinese = /^\p{Script=Han}+$/u.test(lastName + firstName);
  return chinese ? lastName + firstName : [firstName, lastName].filter(Boolean).join(' ');
}
