/** Caches small values in memory until something they show changes. No timers, no eviction, and no values that depend on the time. */
import type { Database } from '#db/database.ts';
import { collectReads, recordAll, refreshOnce } from './recorded-reads.ts';

interface Kept<T> {
  moment: number;
  /** Those of the reader, and those that `load` recorded. */
  topics: readonly string[];
  loading: Promise<T>;
  loaded: boolean;
}

/**
 * Each read records all topics, and what has changed is read first: a cached value is never older than the call, or than the
 * answer that it is part of.
 */
export function cachedByTopics<T>(db: Database, topics: readonly string[], load: () => Promise<T>): () => Promise<T> {
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
