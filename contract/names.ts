/** Formats people's names as each language writes them and as it addresses a person. */
import type { Contact } from './schemas/order.ts';
import type { Translate } from './translate.ts';

type Person = Pick<Contact, 'firstName' | 'lastName'>;

/** Whether the language puts the family name first. */
export function familyNameFirst(t: Translate): boolean {
  // Without values, `t` returns the message's pattern.
  return t('ui.name.full').startsWith('{lastName}');
}

/** The name used to address a person: the first name, or the full name in languages that put the family name first. */
export function addressedName(person: Person, t: Translate): string {
  return familyNameFirst(t) ? personName(person) : person.firstName;
}

/** The full name. Chinese names start with the family name and have no space; other names stay in the order entered. */
export function personName({ firstName, lastName }: Person): string {
  const chinese = /^\p{Script=Han}+$/u.test(lastName + firstName);
  return chinese ? lastName + firstName : [firstName, lastName].filter(Boolean).join(' ');
}
