/** By the URLs of requests, so that answers from the cache are counted too. */
import { apiBase } from '#contract/limits.ts';
import { splitLocale } from '#contract/locale-path.ts';
import { type Locale, offeredOr } from '#contract/locales.ts';
import { fold } from './tokens.ts';

export interface SearchRequest {
  /** Normalised as the search compares it: lower case, without accents, single spaces. */
  text: string;
  locale: Locale;
}

/** Longer texts are pasted, not searched for. Characters. */
const longestText = 80;
const pageResults = '/search';
const listCall = `${apiBase}productManagement2/products`;
const searchCall = `${listCall}/search/`;
/** They narrow, reorder or continue a list that the customer has seen already. */
const refinements = [
  ...['cat', 'brand', 'price', 'capacity', 'colour', 'store', 'tag'],
  ...[
    'categoryName',
    'brandName',
    'tagName',
    'onSale',
    'newArrival',
    'clearance',
    'priceRange',
    'capacityRange',
    'localStoreName',
  ],
];

/** Null for anything but a first, whole search page or call, and for texts that are not stored. */
export function searchOfUrl(url: string): SearchRequest | null {
  // Nearly every URL ends here.
  if (!url.includes('/search') && !url.includes('nameLike=')) return null;
  const [path = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  if (!isFirstView(parameters)) return null;
  const called = offeredOr(parameters.get('lang'));
  if (path === listCall) return requestOf(parameters.get('nameLike'), called);
  if (path.startsWith(searchCall)) return requestOf(decoded(path.slice(searchCall.length)), called);
  const { locale, pathname } = splitLocale(path);
  return pathname === pageResults ? requestOf(parameters.get('key'), locale) : null;
}

function isFirstView(parameters: URLSearchParams): boolean {
  return (
    refinements.every((name) => !parameters.has(name)) &&
    (parameters.get('page') ?? '1') === '1' &&
    (parameters.get('startingPosition') ?? '0') === '0' &&
    (parameters.get('sort') ?? 'default') === 'default' &&
    (parameters.get('sortby') ?? 'default') === 'default'
  );
}

function requestOf(text: string | null, locale: Locale): SearchRequest | null {
  const normalised = normaliseSearch(text ?? '');
  return normalised === null ? null : { text: normalised, locale };
}

function decoded(part: string): string | null {
  try {
    return part.includes('/') ? null : decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** Null: empty, too long, or maybe a person: an email address, or six digits that only spaces or punctuation separate. */
export function normaliseSearch(text: string): string | null {
  if (text.length > 4 * longestText) return null;
  const folded = fold(text)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  if (folded === '' || folded.length > longestText) return null;
  const isPersonal = folded.includes('@') || /\p{Nd}(?:[\p{P}\p{S} ]*\p{Nd}){5}/u.test(folded);
  return isPersonal ? null : folded;
}
