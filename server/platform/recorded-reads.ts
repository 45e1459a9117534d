/** While an answer is made: which topics it shows, and until when it is true, however deep the function that reads them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Locale } from '#contract/locales.ts';
import type { ChangeLog } from '#db/catalogue-version.ts';
import type { Database } from '#db/database.ts';
import { LruCache } from './lru-cache.ts';

/** A change records the topics it touches (`recordCatalogueChange`), a read those it shows (`recordReads`). */
export const topics = {
  settings: 'settings',
  redirects: 'redirects',
  /** Mail server, providers and the like, as owners set them in the office. */
  connections: 'connections',
  stores: 'stores',
  /** What stores have none of today. */
  soldOut: 'sold-out',
  /** Brands, categories and tags, without their counts. */
  taxonomy: 'taxonomy',
  /** Which lists products are in, and so every count of products. */
  counts: 'counts',
  /** The words, scopes and default order by which products are found. */
  search: 'search',
  /** Blogs with their categories and tags. */
  blogs: 'blogs',
  posts: 'posts',
  pages: 'pages',
  /** What the blocks of all pages require: feeds, framed sites, forms. */
  publishedBlocks: 'published-blocks',
  gallery: 'gallery',
  images: 'images',
  image: (file: string) => `image:${file}`,
  page: (name: string) => `page:${name}`,
  /** A product's own data, by its number. */
  product: (no: number) => `product:${no}`,
  /** Which products a list has, and their order by `sort` of `listings`. */
  list: (scope: string, sort: string) => `list:${scope}:${sort}`,
  /** Which endpoints receive webhook events. */
  webhookEndpoints: 'webhook-endpoints',
  externalSource: (key: string) => `source:${key}`,
} as const;

interface Scope {
  topics: Set<string>;
  /** See `recordUntil`. */
  until: number;
  /** Since the scope began. */
  refreshed: Promise<void> | 'done' | null;
}

const scopes = new AsyncLocalStorage<Scope>();

/** Outside `collectReads` it does nothing. */
export function recordReads(...topics: readonly string[]): void {
  recordAll(topics);
}

/** Like `recordReads`, for many topics: every answer from the cache calls it. */
export function recordAll(topics: readonly string[]): void {
  const scope = scopes.getStore();
  if (scope) for (const topic of topics) scope.topics.add(topic);
}

/** Epoch ms: midnight, or when a store closes. The earliest of several counts. */
export function recordUntil(at: number): void {
  const scope = scopes.getStore();
  if (scope) scope.until = Math.min(scope.until, at);
}

/** What `rows` mean now: the same object until they change or one of their `ends` (epoch ms) has come. */
export function untilTheyEnd<R, T>(
  rows: () => Promise<R>,
  now: () => number,
  ends: (rows: R) => readonly number[],
  derive: (rows: R, now: number) => T,
): () => Promise<T> {
  let kept: { rows: R; value: T; until: number } | null = null;
  return async () => {
    const current = await rows();
    if (kept?.rows !== current || kept.until <= now()) {
      const until = Math.min(...ends(current).filter((at) => at > now()));
      kept = { rows: current, value: derive(current, now()), until };
    }
    recordUntil(kept.until);
    return kept.value;
  };
}

interface CollectedReads<T> {
  value: T;
  topics: string[];
  until: number;
}

/**
 * Also returns the topics that `work` read, and until when its result is true; neither is recorded for a surrounding
 * `collectReads`. `refreshed`: what has changed was read just before.
 */
export async function collectReads<T>(work: () => Promise<T>, refreshed = false): Promise<CollectedReads<T>> {
  const before = scopes.getStore()?.refreshed ?? null;
  const scope: Scope = {
    topics: new Set(),
    until: Number.POSITIVE_INFINITY,
    refreshed: refreshed ? 'done' : before,
  };
  const value = await scopes.run(scope, work);
  return { value, topics: [...scope.topics], until: scope.until };
}

/** Learns of changes before the call, or before the present scope: an answer asks once. Undefined: no need to wait. */
export function refreshOnce(changes: ChangeLog): Promise<void> | undefined {
  const scope = scopes.getStore();
  if (!scope) return changes.refresh();
  scope.refreshed ??= changes.refresh() ?? 'done';
  return scope.refreshed === 'done' ? undefined : scope.refreshed;
}

interface Kept<T> {
  moment: number;
  /** Those of the reader, and those that `load` recorded. */
  topics: readonly string[];
  loading: Promise<T>;
  loaded: boolean;
}

/**
 * Caches a small value in memory until something it shows changes: no timers, no eviction, and nothing that depends on the time.
 * Each read records all topics, and what has changed is read first: a cached value is never older than the call, or than the
 * answer that it is part of.
 */
export function cachedByTopics<T>(
  db: Database,
  topics: readonly string[],
  load: () => Promise<T>,
): () => Promise<T> {
  let kept: Kept<T> | null = null;

  function start(moment: number): Kept<T> {
    const reading = collectReads(load);
    const mine: Kept<T> = {
      moment,
      topics,
      loaded: false,
      loading: reading.then((read) => {
        mine.loaded = true;
        mine.topics = [...topics, ...read.topics];
        return read.value;
      }),
    };
    // Failures are not cached.
    mine.loading.catch(() => {
      if (kept === mine) kept = null;
    });
    return mine;
  }

  /** What is still loading may yet show more, so after any change it is loaded again. */
  const isCurrent = ({ moment, topics: shown, loaded }: Kept<T>) =>
    moment === db.changes.moment || (loaded && !db.changes.changedSince(moment, shown));

  return async () => {
    await refreshOnce(db.changes);
    const mine = kept && isCurrent(kept) ? kept : start(db.changes.moment);
    kept = mine;
    const value = await mine.loading;
    recordAll(mine.topics);
    return value;
  };
}

/**
 * Like `cachedByTopics`, for what has a number, in each language. What is missing is loaded together and outdated together, by a
 * change of anything that was read for it or when its time is over. The least recently used give way to others.
 */
export function cachedByNumber<T>(
  { db, now, maxBytes }: { db: Database; now: () => number; maxBytes: number },
  load: (nos: readonly number[], locale: Locale) => Promise<ReadonlyMap<number, T>>,
): (nos: readonly number[], locale: Locale) => Promise<Map<number, T>> {
  const kept = new LruCache<CollectedReads<T> & { moment: number }>(maxBytes);
  return async (nos, locale) => {
    await refreshOnce(db.changes);
    const { moment } = db.changes;
    const found = new Map<number, T>();
    for (const no of nos) {
      const mine = kept.get(`${locale} ${no}`);
      if (!mine || mine.until <= now() || db.changes.changedSince(mine.moment, mine.topics)) continue;
      mine.moment = moment;
      recordAll(mine.topics);
      recordUntil(mine.until);
      found.set(no, mine.value);
    }
    const missing = nos.filter((no) => !found.has(no));
    if (missing.length === 0) return found;
    const { value: loaded, ...reads } = await collectReads(() => load(missing, locale), true);
    recordAll(reads.topics);
    recordUntil(reads.until);
    for (const [no, value] of loaded) {
      found.set(no, value);
      kept.set(
        `${locale} ${no}`,
        { value, moment, ...reads },
        bytesPerCharacter * JSON.stringify(value).length,
      );
    }
    return found;
  };
}

/** Of an object's JSON, roughly. */
const bytesPerCharacter = 4;
