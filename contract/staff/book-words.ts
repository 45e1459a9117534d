/** The words of what rows of the books say, on the screen and in files. */
import { dateFormat } from '../formatters.ts';
import type { Locale } from '../locales.ts';
import { taxLabel } from '../rules/tax-labels.ts';
import type { Treatment } from '../tax-treatments.ts';
import type { Account, BookEvent, EntryField, EntryFields, Movement } from './accounts-of-books.ts';
import { type BookGroup, otherGroups } from './book-figures.ts';
import { isStaffKey, type StaffTranslate, wayText } from './messages.ts';

/** A text, or the word itself where the shop has none for it. */
const textOf = (t: StaffTranslate, key: string, word: string): string => (isStaffKey(key) ? t(key) : word);

export const accountText = (t: StaffTranslate, account: Account): string =>
  t(`office.books.account.${account}`);
export const movementText = (t: StaffTranslate, movement: Movement): string =>
  t(`office.books.movement.${movement}`);
export const eventText = (t: StaffTranslate, event: BookEvent): string => t(`office.books.event.${event}`);
export const partText = (t: StaffTranslate, part: string): string =>
  part === '' ? '' : textOf(t, `office.books.part.${part}`, part);
export const treatmentText = (t: StaffTranslate, treatment: string): string =>
  // Written only from `Treatment`.
  t(`office.books.treatment.${treatment === '' ? 'unknown' : (treatment as Treatment)}`);
export const classText = (t: StaffTranslate, taxClass: string): string =>
  taxClass === '' ? '' : textOf(t, `office.money.class.${taxClass}`, taxClass);

/** A province or country by its name, which the report brings. */
export const placeText = (t: StaffTranslate, place: string, names: ReadonlyMap<string, string>): string =>
  place === '' ? t('office.books.noPlace') : (names.get(place) ?? place);

export function personText(t: StaffTranslate, person: string, names: ReadonlyMap<string, string>): string {
  // What the shop does by itself.
  if (person === '' || person === 'system') return t('office.books.shop');
  const known = names.get(person);
  return known ?? (person.startsWith('staff:') ? t('office.books.formerPerson') : t('office.books.terminal'));
}

/** What a table says of each field; '' for nothing. */
export const fieldText: Readonly<
  Record<EntryField, (t: StaffTranslate, row: EntryFields, names: ReadonlyMap<string, string>) => string>
> = {
  part: (t, { part }) => partText(t, part),
  place: (t, { place }, names) => placeText(t, place, names),
  taxClass: (t, { taxClass }) => classText(t, taxClass),
  treatment: (t, { treatment }) => treatmentText(t, treatment),
  tax: (_, { tax, rate }) => (tax === '' ? '' : taxLabel({ tax, rate })),
  rate: (_, { tax, rate }) => (tax === '' ? '' : String(rate / 1000)),
  way: (t, { way }) => (way === '' ? '' : wayText(t, way)),
};

/** A Monday, of which all weekdays follow. */
const monday = Date.UTC(2024, 0, 1, 12);
const dayMs = 24 * 60 * 60_000;

export function groupText(
  t: StaffTranslate,
  locale: Locale,
  by: BookGroup,
  group: string,
  names: ReadonlyMap<string, string>,
): string {
  if (group === otherGroups) return t('office.books.others');
  if (by === 'hour') return `${group.padStart(2, '0')}:00`;
  if (by === 'weekday')
    return dateFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(
      monday + (Number(group) - 1) * dayMs,
    );
  if (group === '') return t(by === 'product' ? 'office.books.noProduct' : 'office.books.noCategory');
  return names.get(group) ?? group;
}
