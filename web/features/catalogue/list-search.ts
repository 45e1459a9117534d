/** Invalid filters are dropped. Every key is always present, so that a dropped value does not reappear from the raw query. */
import { type SortValue, sortValues } from '#contract/limits.ts';
import { filterRangePattern } from '#contract/list-filters.ts';
import { pageNumberOf } from '#web/lib/paged.ts';
import type { ListSearch } from '#web/lib/urls.ts';

/** Ids and slugs as in the API; anything else names nothing. */
const slug = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const longestKey = 200;

export type CheckedListSearch = { [Key in keyof Required<ListSearch>]: ListSearch[Key] };

type Raw = Record<string, unknown>;

function slugOf(value: unknown): string | undefined {
  return typeof value === 'string' && slug.test(value) ? value : undefined;
}

function rangeOf(value: unknown): string | undefined {
  return typeof value === 'string' && filterRangePattern.test(value) ? value : undefined;
}

function sortOf(value: unknown): SortValue | undefined {
  return sortValues.find((sort) => sort === value && sort !== 'default');
}

/** `validateSearch` of every list route. */
export function checkListSearch(raw: Raw): CheckedListSearch {
  return {
    cat: slugOf(raw.cat),
    brand: slugOf(raw.brand),
    price: rangeOf(raw.price),
    capacity: rangeOf(raw.capacity),
    colour: slugOf(raw.colour),
    store: slugOf(raw.store),
    tag: slugOf(raw.tag),
    sort: sortOf(raw.sort),
    page: pageNumberOf(raw.page),
  };
}

/** `validateSearch` of /search: a text of at most 200 characters, trimmed. */
export function checkSearchSearch(raw: Raw): CheckedListSearch & { key: string | undefined } {
  const key = typeof raw.key === 'string' ? cut(raw.key.trim().replaceAll(/\s+/g, ' ')) : '';
  return { key: key || undefined, ...checkListSearch(raw) };
}

export function checkProductListSearch(raw: Raw): CheckedListSearch & { newArrival: true | undefined } {
  return { newArrival: String(raw.newArrival) === 'true' ? true : undefined, ...checkListSearch(raw) };
}

/** Cuts between characters: half of a surrogate pair could not be encoded in a URL. */
function cut(text: string): string {
  return text.slice(0, longestKey).replace(/[\uD800-\uDBFF]$/, '');
}
