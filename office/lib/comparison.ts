/** What differs between two versions of a document, in the words of its form: by its parts, and in each by its fields. */
import { inLocale, isLocale, type Locale, locales } from '#contract/locales.ts';
import { type Difference, differences, edited, valueAt } from '#contract/rules/patch.ts';
import { blockForms, type FormField, forms, partForms } from '#contract/staff/forms.ts';
import type { StaffMessageKey, StaffTranslate } from '#contract/staff/messages.ts';
import { type Path, wordsOf, writtenNumber } from './field-words.ts';

export type ComparedKind = keyof typeof forms;

interface ComparisonOptions {
  kind: ComparedKind;
  t: StaffTranslate;
  locale: Locale;
  currency: string;
  /** Of fields that only their own control knows. */
  textOf: (path: Path, value: unknown) => string;
}

export interface ComparedField {
  key: string;
  label: string;
  before: string;
  after: string;
}

export interface ComparedPart {
  key: string;
  /** A block or another entry of a list; empty for the document itself. */
  name: string;
  state: 'changed' | 'added' | 'removed';
  fields: ComparedField[];
}

/** A version, from the latest and what was changed since, the newest change first. */
export const versionBefore = (latest: unknown, changes: readonly (readonly Difference[])[]): unknown =>
  changes.reduce(
    (content, change) =>
      edited(
        content,
        change.map(({ path, from }) => ({ path, to: from })),
      ),
    latest,
  );

/** The list of a document whose entries have fields by their type. */
const typed: Partial<
  Record<ComparedKind, { list: string; forms: Readonly<Record<string, readonly FormField[]>>; words: string }>
> = {
  page: { list: 'blocks', forms: blockForms, words: 'office.block' },
  post: { list: 'parts', forms: partForms, words: 'office.part' },
};

export function compared(before: unknown, after: unknown, options: ComparisonOptions): ComparedPart[] {
  const parts = new Map<string, ComparedPart>();
  for (const difference of differences(before, after)) {
    const { path, from, to } = difference;
    const place = placeOf(path, [before, after], options);
    const { key, name } = place;
    const part = parts.get(key) ?? { key, name, state: stateOf(place, difference), fields: [] };
    parts.set(key, part);
    // An order is written with the names of what stands in it.
    const sides =
      path.length === 2 && path[1] === '#'
        ? [from, to].map(titlesOf(path, [before, after], options))
        : [from, to];
    for (const each of fieldsOf(place, [sides[0], sides[1]], options))
      if (each.before !== each.after)
        part.fields.push({ ...each, key: [key, ...path, each.label].join('.') });
  }
  return [...parts.values()].filter(({ fields, state }) => fields.length > 0 || state !== 'changed');
}

interface Place {
  key: string;
  /** Its name without its place. */
  title: string;
  name: string;
  fields: readonly FormField[];
  /** Within the part. */
  path: Path;
  /** Of the document. */
  whole: Path;
}

const stateOf = ({ name, path }: Place, { from, to }: Difference): ComparedPart['state'] =>
  name === '' || path.length > 0
    ? 'changed'
    : from === undefined
      ? 'added'
      : to === undefined
        ? 'removed'
        : 'changed';

function placeOf(path: Path, versions: readonly unknown[], { kind, t, locale }: ComparisonOptions): Place {
  const [list = '', id, ...rest] = path;
  const own: readonly FormField[] = forms[kind];
  const field = own.find((each) => each.path.length === 1 && each.path[0] === list);
  const known = typed[kind];
  const entries = known?.list === list || field?.control === 'entries';
  if (id === undefined || id === '#' || !entries)
    return { key: '', title: '', name: '', fields: own, path, whole: path };
  const lists = versions.map(
    (version) => valueAt(version, [list]) as readonly { id: string; type?: string; name?: unknown }[],
  );
  const [entry] = lists.toReversed().flatMap((each) => (each ?? []).find((one) => one.id === id) ?? []);
  const index =
    lists.map((each) => (each ?? []).findIndex((one) => one.id === id)).findLast((each) => each >= 0) ?? 0;
  if (known?.list !== list) {
    const name = field ? t(field.label, { number: index + 1 }) : id;
    return {
      key: id,
      title: firstText(entry, locale) || id,
      name,
      fields: field?.fields ?? [],
      path: rest,
      whole: path,
    };
  }
  const type = entry?.type ?? '';
  const kindWords = known.forms[type] ? t(`${known.words}.${type}` as StaffMessageKey) : type;
  const words = firstText(entry, locale);
  const title = words === '' ? kindWords : `${kindWords}: ${words}`;
  return {
    key: id,
    title,
    name: `${index + 1}. ${title}`,
    fields: known.forms[type] ?? [],
    path: rest,
    whole: path,
  };
}

const titlesOf =
  ([list = '']: Path, versions: readonly unknown[], options: ComparisonOptions) =>
  (ids: unknown): unknown =>
    Array.isArray(ids)
      ? ids.map((id) => placeOf([list, String(id)], versions, options).title || String(id))
      : ids;

type Sides = readonly [from: unknown, to: unknown];

/** The field that a path leads to or into, or all within what it leads to. */
function fieldsOf(place: Place, [from, to]: Sides, options: ComparisonOptions): Omit<ComparedField, 'key'>[] {
  const { t } = options;
  const { fields, path, whole } = place;
  const field = fields.find((each) => startsWith(path, each.path));
  if (!field) {
    const inside = fields.filter((each) => startsWith(each.path, path));
    const within = (value: unknown, each: FormField) => valueAt(value, each.path.slice(path.length));
    return inside.flatMap((each) =>
      fieldsOf(
        { ...place, path: each.path, whole: [...whole, ...each.path.slice(path.length)] },
        [within(from, each), within(to, each)],
        options,
      ),
    );
  }
  const rest = path.slice(field.path.length);
  const label = t(field.label, { number: '' }).trim();
  const [language] = rest;
  if (language === undefined && isInLanguages(field)) {
    const codes = [...new Set([from, to].flatMap((text) => Object.keys((text as object | null) ?? {})))];
    return codes.flatMap((code) =>
      fieldsOf(
        { ...place, path: [...path, code], whole: [...whole, code] },
        [valueAt(from, [code]), valueAt(to, [code])],
        options,
      ),
    );
  }
  const named = language !== undefined && isLocale(language) ? `${label} (${locales[language].name})` : label;
  const print = (value: unknown) => printed(value, field, rest.length > 0, whole, options);
  return [
    {
      label: rest[0] === '#' ? t('office.compare.order', { list: label }) : named,
      before: print(from),
      after: print(to),
    },
  ];
}

const isInLanguages = ({ control }: FormField) => control === 'texts' || control === 'richText';
const startsWith = (path: Path, start: Path) => start.every((name, index) => path[index] === name);

/** `isInside`: the value is part of that of the field. */
function printed(
  value: unknown,
  field: FormField,
  isInside: boolean,
  path: Path,
  options: ComparisonOptions,
): string {
  const { t, locale, currency, textOf } = options;
  if (value === undefined || value === null || value === '') return '';
  if (typeof value === 'string' && (isInLanguages(field) || isInside)) return wordsOf(value);
  if (typeof value === 'boolean') return t(value ? 'office.goods.sku.yes' : 'office.goods.sku.no');
  if (field.control === 'choice') {
    const option = field.options?.find((each) => each.value === value);
    return option ? t(option.label) : String(value);
  }
  if (field.control === 'money') return writtenNumber(value, currency);
  if (field.control === 'rows' || field.control === 'own' || field.control === 'entries') {
    if (Array.isArray(value)) return value.map((row) => rowText(row, field.fields ?? [], options)).join('\n');
    if (typeof value === 'object') return rowText(value, field.fields ?? [], options);
  }
  if (typeof value === 'string' && field.control !== 'named') return wordsOf(value);
  const text = textOf(path, value);
  return text === '–' ? inLocale(value as never, locale) : text;
}

/** A row of a list: its fields in a line, with what is below it in lines of their own. */
function rowText(row: unknown, fields: readonly FormField[], options: ComparisonOptions): string {
  if (typeof row !== 'object' || row === null) return String(row ?? '');
  const known = fields.length > 0 && fields[0]?.path.length !== 0;
  if (!known) return firstText(row, options.locale) || JSON.stringify(row);
  const texts = fields.flatMap((field) => {
    const value = valueAt(row, field.path);
    if (isInLanguages(field)) return inLocale((value ?? {}) as never, options.locale);
    const text = printed(value, field, false, field.path, options);
    return field.control === 'rows' ? text.replaceAll(/^(?=.)/gm, '\n– ').replaceAll('\n\n', '\n') : text;
  });
  return texts.filter(Boolean).join(' · ').replaceAll(' · \n', '\n');
}

const mostOfText = 60;

/** The first text in a language of the shop within a block. */
export function firstText(value: unknown, locale: Locale): string {
  if (typeof value !== 'object' || value === null) return '';
  if (!Array.isArray(value) && typeof (value as { en?: unknown }).en === 'string') {
    const words = inLocale(value as never, locale)
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return words.length > mostOfText ? `${words.slice(0, mostOfText)}…` : words;
  }
  for (const each of Object.values(value)) {
    const found = firstText(each, locale);
    if (found !== '') return found;
  }
  return '';
}
