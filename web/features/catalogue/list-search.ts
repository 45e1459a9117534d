/**
 * What stands in the query string of a list. Whatever somebody types there, a list comes out: what
 * cannot be a filter is left out. Every key is always there, so that a refused value does not shine
 * through from the raw query.
 */
import { type SortValue, sortValues } from '#contract/limits.ts';
import { pageNumberOf } from '#web/lib/paged.ts';
import type { ListSearch } from '#web/lib/urls.ts';

/** Ids and slugs of the contract; anything else names nothing. */
const slug = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const longestKey = 200;

export type CheckedListSearch = {
  cat: string | undefined;
  brand: string | undefined;
  sort: SortValue | undefined;
  page: number | undefined;
} & ListSearch;

type Raw = Record<string, unknown>;

function slugOf(value: unknown): string | undefined {
  return typeof value === 'string' && slug.test(value) ? value : undefined;
}

function sortOf(value: unknown): SortValue | undefined {
  return sortValues.find((sort) => sort === value && sort !== 'default');
}

/** `validateSearch` of every list route. */
export function checkListSearch(raw: Raw): CheckedListSearch {
  return { cat: slugOf(raw.cat), brand: slugOf(raw.brand), sort: sortOf(raw.sort), page: pageNumberOf(raw.page) };
}

/** `validateSearch` of /search: a text of at most 200 characters, without space around it. */
export function checkSearchSearch(raw: Raw): CheckedListSearch & { key: string | undefined } {
  const key = typeof raw.key === 'string' ? cut(raw.key.trim().replaceAll(/\s+/g, ' ')) : '';
  return { key: key || undefined, ...checkListSearch(raw) };
}

/** `validateSearch` of /productlist, which can also be of new arrivals only. */
export function checkProductListSearch(raw: Raw): CheckedListSearch & { newArrival: true | undefined } {
  return { newArrival: String(raw.newArrival) === 'true' ? true : undefined, ...checkListSearch(raw) };
}

/** Cuts between characters: half of a surrogate pair could not be sent. */
function cut(text: string): string {
  return text.slice(0, longestKey).replace(/[\uD800-\uDBFF]$/, '');
}
