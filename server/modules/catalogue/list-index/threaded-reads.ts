/** Reads lists and searches in another thread, one after another, with a short queue and a time limit. */
import { WorkerQueue } from '#server/platform/worker-queue.ts';
import type { FacetValue } from '../facet-values.ts';
import type { FoundPage, ListQuery, ListReads, PageQuery } from '../list-reads.ts';

export type ListThreadJob =
  | { kind: 'build' }
  | { kind: 'page'; query: PageQuery }
  | { kind: 'count'; query: ListQuery }
  | { kind: 'facets'; query: ListQuery; values: readonly FacetValue[] };

export type ListThreadResult = FoundPage | number | ReadonlyMap<number, number> | null;

export interface ListThreadData {
  /** The SQLite file. */
  file: string;
}

export async function runListJob(reads: ListReads, job: Exclude<ListThreadJob, { kind: 'build' }>): Promise<ListThreadResult> {
  if (job.kind === 'page') return await reads.page(job.query);
  return job.kind === 'count' ? await reads.count(job.query) : await reads.facets(job.query, job.values);
}

/** Reads that wait for their turn; each takes a few milliseconds. */
const mostWaiting = 128;
/** A shopper who waits longer is better served by another try. */
const timeoutMs = 4000;

export interface ThreadedReads extends ListReads {
  /** Whether the thread has begun to read. Before, the process has just started. */
  readonly isReady: boolean;
  /** Starts the thread. */
  start(): void;
  /** Starts the building of the index, if there is none. */
  build(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the thread with the first read. Its reads reject with 503 if too many wait, or if one takes too long. */
export function createThreadedReads(file: string): ThreadedReads {
  const queue = new WorkerQueue<ListThreadJob, ListThreadResult>({
    script: new URL('./list-thread.ts', import.meta.url),
    data: { file } satisfies ListThreadData,
    mostWaiting,
    timeoutMs,
  });
  return {
    page: async (query) => (await queue.run({ kind: 'page', query })) as FoundPage,
    count: async (query) => (await queue.run({ kind: 'count', query })) as number,
    facets: async (query, values) => (await queue.run({ kind: 'facets', query, values })) as ReadonlyMap<number, number>,
    get isReady() {
      return queue.wasReady;
    },
    start: () => queue.start(),
    async build() {
      await queue.run({ kind: 'build' });
    },
    close: () => queue.close(),
  };
}
