/** What the shop says to its staff, in files of their own: no shopper loads them. */
import type { Locale } from '../locales.ts';
import { translator } from '../translate.ts';
import en from './messages/en.json' with { type: 'json' };
import zh from './messages/zh.json' with { type: 'json' };
import type { Role } from './permissions.ts';

export type StaffMessageKey = keyof typeof en;
/** A file without a message is a compile error; a language of the storefront without a file has the English texts. */
const messages: Readonly<Partial<Record<Locale, Readonly<Record<StaffMessageKey, string>>>>> = { en, zh };

/** Kinds of things that staff change, as the journal and problems name them. */
export type Kind = StaffMessageKey extends infer K ? (K extends `kind.${infer Name}` ? Name : never) : never;

export const kinds = Object.keys(en).flatMap((key) =>
  key.startsWith('kind.') ? [key.slice('kind.'.length) as Kind] : [],
);

export const isStaffKey = (key: string): key is StaffMessageKey => Object.hasOwn(en, key);

export type StaffPluralKey = StaffMessageKey extends infer K
  ? K extends `${infer Base}.other`
    ? Base
    : never
  : never;

export type StaffTranslate = (
  key: StaffMessageKey | StaffPluralKey,
  values?: Record<string, string | number>,
) => string;

export function staffTranslate(locale: Locale): StaffTranslate {
  return translator(locale, messages[locale] ?? en);
}

/** Own roles of a shop have a name of their own. */
export function roleText(
  t: StaffTranslate,
  { role, roleName }: { role: string; roleName: string | null },
): string {
  return roleName ?? t(`staff.role.${role as Role}`);
}

/** What was done, by the words of a command such as `orders ready`; of an older version, the words themselves. */
export function didText(t: StaffTranslate, action: string): string {
  const key = `journal.did.${action.replaceAll(' ', '-')}`;
  return isStaffKey(key) ? t(key) : action;
}

/** Who did something, and by which key of theirs. */
export function doerText(
  t: StaffTranslate,
  { actor, by, key }: { actor: 'staff' | 'terminal' | 'system'; by: string; key: string | null },
): string {
  if (actor !== 'staff') return t(`journal.by.${actor}`);
  const name = by || t('office.formerStaff');
  return key === null ? name : t('journal.byKey', { name, key });
}

/** A field that a change names, such as `state`, or units of a SKU; those of settings and files as they are written there. */
export function fieldText(t: StaffTranslate, field: string): string {
  const key = `journal.name.${field}`;
  const [, sku] = /^lines\.(.+)$/.exec(field) ?? [];
  return sku ? t('journal.name.lines', { sku }) : isStaffKey(key) ? t(key) : field;
}

/** Of orders, in cents. */
const amounts: readonly string[] = ['paid', 'refunded', 'total'];

/** A value of the journal. `money` prints amounts of an order. */
export function valueText(
  t: StaffTranslate,
  field: string,
  value: unknown,
  money?: (cents: number) => string,
): string {
  if (value === undefined) return t('journal.nothing');
  if (typeof value === 'boolean') return t(value ? 'journal.yes' : 'journal.no');
  if (money && typeof value === 'number' && amounts.includes(field)) return money(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  const key =
    field === 'state' ? `orders.state.${value}` : field === 'sentAgain' ? `office.mail.${value}` : '';
  return isStaffKey(key) ? t(key) : value;
}

/** A field and its value on a line about an order; of what was done or not, a yes goes without saying. */
export function saidText(
  t: StaffTranslate,
  { field, to }: { field: string; to?: unknown },
  money?: (cents: number) => string,
): string {
  const name = fieldText(t, field);
  if (to === true) return name;
  return to === false ? t('journal.not', { name }) : `${name} ${valueText(t, field, to, money)}`;
}

/** A way of paying. Providers have names of their own. */
export function wayText(t: StaffTranslate, way: string): string {
  const key = `office.takings.way.${way}`;
  return isStaffKey(key) ? t(key) : way;
}

/** Why an order is in a state: of the shop's own reasons, in words; else as somebody wrote it. */
export function reasonText(t: StaffTranslate, reason: string): string {
  const [, provider] = /^paid by (.+)$/.exec(reason) ?? [];
  const key = `orders.reason.${reason.replaceAll(' ', '-')}`;
  return provider
    ? t('orders.reason.paid', { provider: wayText(t, provider) })
    : isStaffKey(key)
      ? t(key)
      : reason;
}
