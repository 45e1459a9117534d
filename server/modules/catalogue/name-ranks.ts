/**
 * Ranks names in each language's order as numbers, since no database sorts Chinese by pinyin the way readers expect. A name
 * inserted between two others gets a number between theirs; the others stay.
 */
import { inLocale, type Locale, type LocalText, localeCodes, locales } from '#contract/locales.ts';
import type { Reader } from '#db/database.ts';
import { firstNameBetween, hasMoreThan, keyRange, type NameOrder, type RankedName, rankedNames } from './listings.repository.ts';

export type NameKeys = Record<Locale, number>;

export interface NamedProduct {
  id: string;
  name: LocalText;
}

export interface RankAssignment {
  keys: Map<string, NameKeys>;
  /** Two names had no number between them and share one; the order needs renumbering. */
  needsRebalance: boolean;
}

const spacing = 1024;
/** Up to this many names are looked up one by one; for more, all existing names are read at once. */
const fewNames = 50;
const smallCatalogue = 2000;

const collators = Object.fromEntries(
  localeCodes.map((locale) => [locale, new Intl.Collator(locales[locale].tag, { numeric: true })]),
) as Record<Locale, Intl.Collator>;

/** Compares two names in a language; negative if `a` comes first. Digits in names compare as numbers. */
export function compareNames(locale: Locale, a: string, b: string): number {
  return collators[locale].compare(a, b);
}

/** Ranks products among those that the scope lists; `products` themselves must not be listed. */
export async function rankNames(reader: Reader, scopeId: number, products: readonly NamedProduct[]): Promise<RankAssignment> {
  const keys = new Map(products.map(({ id }) => [id, {} as NameKeys]));
  let needsRebalance = false;
  for (const locale of localeCodes) {
    const names = products
      .map(({ id, name }) => ({ id, name: inLocale(name, locale) }))
      .sort((a, b) => collators[locale].compare(a.name, b.name));
    const order = { scopeId, locale };
    const few = names.length <= fewNames && (await hasMoreThan(reader, order, smallCatalogue));
    const placed = few ? await rankOneByOne(reader, order, names) : merge(locale, await rankedNames(reader, order), names);
    for (const [index, { id }] of names.entries()) {
      const entry = keys.get(id);
      // One key per name, in the order of the names.
      if (entry) entry[locale] = placed.keys[index] ?? 0;
    }
    needsRebalance ||= placed.needsRebalance;
  }
  return { keys, needsRebalance };
}

/** New keys for all names, evenly spaced. */
export function freshKeys(locale: Locale, names: readonly LocalText[]): number[] {
  const order = names
    .map((name, index) => ({ index, name: inLocale(name, locale) }))
    .sort((a, b) => collators[locale].compare(a.name, b.name));
  const keys = new Array<number>(names.length).fill(0);
  for (const [position, { index }] of order.entries()) keys[index] = (position + 1) * spacing;
  return keys;
}

function between(low: number | undefined, high: number | undefined, index: number, of: number): number {
  if (low === undefined && high === undefined) return (index + 1) * spacing;
  if (low === undefined) return (high ?? 0) - (of - index) * spacing;
  if (high === undefined) return low + (index + 1) * spacing;
  return low + ((high - low) * (index + 1)) / (of + 1);
}

/** Merges sorted names into sorted ones that keep their keys. */
function merge(
  locale: Locale,
  there: readonly RankedName[],
  names: readonly { name: string }[],
): { keys: number[]; needsRebalance: boolean } {
  const keys: number[] = [];
  let needsRebalance = false;
  let next = 0;
  for (let i = 0; i < names.length; ) {
    const name = names[i]?.name ?? '';
    while (next < there.length && collators[locale].compare(there[next]?.name ?? '', name) <= 0) next += 1;
    const high = there[next];
    let end = i + 1;
    while (end < names.length && (!high || collators[locale].compare(high.name, names[end]?.name ?? '') > 0)) end += 1;
    const low = there[next - 1]?.key;
    for (let k = i; k < end; k++) {
      const key = between(low, high?.key, k - i, end - i);
      if (key <= (keys.at(-1) ?? low ?? Number.NEGATIVE_INFINITY) || (high && key >= high.key)) needsRebalance = true;
      keys.push(key);
    }
    i = end;
  }
  return { keys, needsRebalance };
}

async function rankOneByOne(
  reader: Reader,
  order: NameOrder,
  names: readonly { name: string }[],
): Promise<{ keys: number[]; needsRebalance: boolean }> {
  const { compare } = collators[order.locale];
  const placed: RankedName[] = [];
  let needsRebalance = false;
  for (const { name } of names) {
    let { low, high } = await neighbours(reader, order, name);
    for (const other of placed) {
      if (low !== undefined && other.key <= low) continue;
      if (high !== undefined && other.key >= high) continue;
      if (compare(other.name, name) <= 0) low = other.key;
      else high = other.key;
    }
    const key = between(low, high, 0, 1);
    if ((low !== undefined && key <= low) || (high !== undefined && key >= high)) needsRebalance = true;
    placed.push({ name, key });
  }
  return { keys: placed.map(({ key }) => key), needsRebalance };
}

/** The keys on both sides of a name's position, found by bisecting the range of keys. */
async function neighbours(
  reader: Reader,
  order: NameOrder,
  name: string,
): Promise<{ low: number | undefined; high: number | undefined }> {
  const { lowest, highest } = await keyRange(reader, order);
  let low: number | undefined;
  let high: number | undefined;
  // Entries before `from` do not sort after the name; entries from `below` on do not sort before it.
  let from = lowest - spacing;
  let below = highest + spacing;
  for (;;) {
    const middle = (from + below) / 2;
    if (middle <= from || middle >= below) return { low, high };
    const entry = await firstNameBetween(reader, order, middle, below);
    if (entry && collators[order.locale].compare(entry.name, name) <= 0) {
      low = entry.key;
      from = entry.key;
    } else {
      if (entry) high = entry.key;
      below = middle;
    }
  }
}
