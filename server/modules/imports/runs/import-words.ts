/** What an import would change, in the words and units of a merchant: `Price: $19.00 → $123.45`. */
import { dateFormat, formatMoney } from '#contract/formatters.ts';
import { warehouse } from '#contract/limits.ts';
import { isLocale, type Locale, locales } from '#contract/locales.ts';
import { capitalised, shown } from '#contract/problems.ts';
import type { Difference } from '#contract/rules/patch.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import type { ImportAnswer } from '#contract/staff/imports.ts';
import { isStaffKey, type StaffTranslate } from '#contract/staff/messages.ts';
import type { ImportKind, Mapping, Shown, ShownPost } from '../kinds/kind.ts';
import type { Counts } from './runs-deps.ts';

export interface Wording {
  t: StaffTranslate;
  locale: Locale;
  /** Of the shop. */
  currency: string;
  timeZone: string;
}

type Row = StaffResponse<'importRows'>['rows'][number];

/** Fields of products by the names of columns that say the same. */
const columns: Readonly<Record<string, string>> = {
  name: 'title',
  shortDescription: 'summary',
  description: 'html',
  descriptionHtml: 'html',
  brand: 'vendor',
  priceCents: 'price',
  compareAtCents: 'compareAt',
  costCents: 'cost',
  weightGrams: 'grams',
  gtin: 'barcode',
  stock: 'units',
  images: 'picture',
  image: 'variantPicture',
  imageTexts: 'alt',
  counted: 'tracker',
  oversell: 'policy',
  options: 'options',
};

const timeText = (at: number, locale: Locale, timeZone: string) =>
  dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone }).format(at);

function partText(part: string, { t }: Pick<Wording, 't'>): string {
  const key = `office.imports.field.${columns[part] ?? part}`;
  if (isStaffKey(key)) return t(key);
  if (part === warehouse) return t('office.papers.warehouse');
  return isLocale(part) ? locales[part].name : part;
}

function valueText(
  path: readonly string[],
  value: unknown,
  { t, locale, currency, timeZone }: Wording,
): string {
  if (value === undefined || value === null) return '';
  const field =
    path.findLast((part) => columns[part] !== undefined || part.endsWith('Cents')) ?? path.at(-1) ?? '';
  if (typeof value === 'number' && field.endsWith('Cents')) return formatMoney(value, locale, currency);
  if (typeof value === 'number' && path[0] === 'postDate') return timeText(value, locale, timeZone);
  const state = `office.imports.postState.${String(value)}`;
  if (path[0] === 'postStatus' && isStaffKey(state)) return t(state);
  if (typeof value === 'boolean') return t(value ? 'journal.yes' : 'journal.no');
  const status = `office.goods.status.${String(value)}`;
  if (path.at(-1) === 'status' && isStaffKey(status)) return t(status);
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ');
  return shown(value);
}

export function differenceWords({ path, from, to }: Difference, wording: Wording): Row['fields'][number] {
  // The name of a SKU says that it is one.
  const parts = path[0] === 'skus' && path.length > 1 ? path.slice(1) : path;
  return {
    field: parts.map((part, at) => (at === 0 && parts !== path ? part : partText(part, wording))).join(' · '),
    from: valueText(path, from, wording),
    to: valueText(path, to, wording),
  };
}

/** What something new would look like in the shop. */
export function shownWords(
  { title, status, prices, units, variants, pictures }: Shown,
  { t, locale, currency }: Wording,
): NonNullable<Row['shows']> {
  const [lowest, highest] = prices.map((price) => formatMoney(price, locale, currency));
  return {
    title,
    price: lowest === highest ? (lowest ?? '') : `${lowest} – ${highest}`,
    status: t(`office.goods.status.${status}`),
    stock: units === null ? t('office.imports.notCounted') : units.toLocaleString(locale),
    variants,
    pictures,
  };
}

/** What a new post or page would be like. */
export function postWords(
  { title, state, at, address, author, category, pictures }: ShownPost,
  { t, locale, timeZone }: Wording,
): NonNullable<Row['post']> {
  return {
    title,
    address,
    pictures,
    state: t(`office.imports.postState.${state}`),
    details: [...(at === null ? [] : [timeText(at, locale, timeZone)]), author, category]
      .filter(Boolean)
      .join(' · '),
  };
}

/** What the shop has no place for, with how often that is so. */
export const lostWords = (lost: Counts['lost'], t: StaffTranslate): string[] =>
  Object.entries(lost ?? {}).map(([key, count]) =>
    t('office.imports.lost', { what: isStaffKey(key) ? capitalised(t(key)) : key, count }),
  );

/** What could not be told from the file and has to be chosen before anything else. */
export function askedOf(
  { id, fields }: ImportKind,
  mapping: Mapping,
  counts: Counts,
  place: string | null,
): ImportAnswer['asks'] {
  if (counts.problem === 0) return [];
  const found = new Set(Object.values(mapping));
  const lacks = (field: string) => id !== 'own' && fields.includes(field) && !found.has(field);
  return [
    ...(id !== 'stock' && lacks('title') && !found.has('handle') ? (['title'] as const) : []),
    ...(lacks('price') ? (['price'] as const) : []),
    ...(counts.ambiguous ? (['decimal'] as const) : []),
    ...(id === 'stock' && place === null && !found.has('levels') ? (['place'] as const) : []),
  ];
}
