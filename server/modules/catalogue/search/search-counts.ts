/**
 * By day, language and text, without anything about who searched. Counted in memory and written in batches, so that a search
 * waits for no write; batch and day are bounded, so that requests with ever new texts cannot fill the database.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiBase } from '#contract/limits.ts';
import { type Locale, offeredOr, splitLocale } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import {
  addSearches,
  type CountedSearch,
  deleteSearchesBefore,
  searchesSince,
} from './searches.repository.ts';
import type { CardList, SearchedLists } from './suggestions.ts';
import { fold } from './tokens.ts';

/** Longer texts are pasted, not searched for. Characters. */
const longestText = 80;
const pageResults = '/search';
const listCall = `${apiBase}productManagement2/products`;
const searchCall = `${listCall}/search/`;
/** They narrow, reorder or continue a list that the customer has seen already. */
const refinements = [
  'cat',
  'brand',
  'price',
  'capacity',
  'colour',
  'store',
  'tag',
  'categoryName',
  'brandName',
  'tagName',
  'onSale',
  'newArrival',
  'clearance',
  'priceRange',
  'capacityRange',
  'localStoreName',
];

export type { CountedSearch } from './searches.repository.ts';

export interface SearchOutcome {
  found: boolean;
  /** Searched instead; null if none was. */
  suggestion: string | null;
}

/** What has only some of the words was not searched for. */
export function outcomeOf({ cards, correctedTo, partial }: CardList): SearchOutcome {
  return { found: cards.length > 0 && correctedTo === null && !partial, suggestion: correctedTo };
}

export type SearchCounts = ReturnType<typeof createSearchCounts>;

export interface SearchCountsDeps {
  db: Database;
  now: () => number;
  catalogue: Pick<SearchedLists, 'page'>;
  mostPerDay?: number;
  /** Distinct texts between two flushes. */
  mostPerBatch?: number;
}

const keptDays = 90;
/** Outcomes that are remembered for searches whose answers come from the cache. */
const mostOutcomes = 2000;

interface Pending extends SearchRequest {
  times: number;
}

export function createSearchCounts(deps: SearchCountsDeps) {
  const { db, now, catalogue, mostPerDay = 2000, mostPerBatch = 500 } = deps;
  let pending = new Map<string, Pending>();
  const outcomes = new Map<string, SearchOutcome>();

  function add({ text, locale, times }: Pending): void {
    const key = `${locale} ${text}`;
    const known = pending.get(key);
    if (known) known.times += times;
    else if (pending.size < mostPerBatch) pending.set(key, { text, locale, times });
  }

  async function outcomeFor(text: string, locale: Locale): Promise<SearchOutcome> {
    const known = outcomes.get(text);
    if (known) return known;
    return outcomeOf(await catalogue.page({ nameLike: text }, { numberToLoad: 1 }, locale));
  }

  async function write(batch: readonly Pending[]): Promise<void> {
    const counted: CountedSearch[] = [];
    for (const { text, locale, times } of batch)
      counted.push({ text, language: locale, times, ...(await outcomeFor(text, locale)) });
    // In one order, so that two processes cannot deadlock.
    counted.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.language < b.language ? -1 : 1));
    await db.transaction((trx) => addSearches(trx, dayOf(now()), counted, mostPerDay));
  }

  return {
    count: (search: SearchRequest): void => add({ ...search, times: 1 }),
    note(text: string, outcome: SearchOutcome): void {
      const normalised = normaliseSearch(text);
      if (normalised === null) return;
      outcomes.delete(normalised);
      outcomes.set(normalised, outcome);
      const [oldest] = outcomes.keys();
      if (outcomes.size > mostOutcomes && oldest !== undefined) outcomes.delete(oldest);
    },
    /** After an error the next call tries again. */
    async flush(): Promise<void> {
      if (pending.size === 0) return;
      const batch = [...pending.values()];
      pending = new Map();
      try {
        await write(batch);
      } catch (error) {
        for (const each of batch) add(each);
        throw error;
      }
    },
    /** Of the last `days` days, today included (UTC), most frequent first; `zero`: only texts that found nothing. */
    list: ({ days, ...options }: { days: number; zero: boolean; most: number }): Promise<CountedSearch[]> =>
      searchesSince(db.read, dayOf(now() - (days - 1) * dayMs), options),
    prune: (): Promise<void> =>
      db.transaction((trx) => deleteSearchesBefore(trx, dayOf(now() - keptDays * dayMs))),
  };
}

/** In UTC, such as `'2026-05-16'`. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Crawlers that call themselves browsers name themselves as well. */
const crawler = /bot|crawl|spider|slurp|preview|headless|lighthouse|monitor/i;

/** Pages that the shop renders call the API as well, without a browser's name, and are not counted twice. */
export function registerSearchCounter(app: FastifyInstance, searches: Pick<SearchCounts, 'count'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.method === 'GET') {
      const search = searchOfUrl(request.url);
      if (search && isShopper(request)) searches.count(search);
    }
    done();
  });
}

function isShopper({ headers }: FastifyRequest): boolean {
  const agent = headers['user-agent'] ?? '';
  return agent.startsWith('Mozilla/') && !crawler.test(agent) && headers['sec-purpose'] === undefined;
}

export interface SearchRequest {
  /** Normalised as the search compares it: lower case, without accents, single spaces. */
  text: string;
  locale: Locale;
}

/**
 * By the URLs of requests, so that answers from the cache are counted too.
 * Null for anything but a first, whole search page or call, and for texts that are not stored.
 */
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
