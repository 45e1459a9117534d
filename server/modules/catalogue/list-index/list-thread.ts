/** The thread that reads lists and searches of a large catalogue, so that the thread that answers requests never waits for them. */
import { parentPort, workerData } from 'node:worker_threads';
import { sqliteQueries } from '#db/engines/sqlite.ts';
import { openSqliteReader } from '#db/sqlite/reader.ts';
import { releaseStartupMemory } from '#server/platform/memory.ts';
import { answerJobs } from '#server/platform/worker-queue.ts';
import { createSqlListReads } from '../list-reads.ts';
import { createQueryPlanner } from '../search/plan-query.ts';
import { IndexSynchronizer } from './index-synchronizer.ts';
import { cachedPlanner, createIndexedReads } from './indexed-reads.ts';
import { type ListThreadData, type ListThreadJob, type ListThreadResult, runListJob } from './threaded-reads.ts';

const { file } = workerData as ListThreadData;
const reader = openSqliteReader(file);
const db = { engine: 'sqlite', queries: sqliteQueries, catalogue: reader.db } as const;
const synchronizer = new IndexSynchronizer({
  reader,
  openReader: () => openSqliteReader(file),
  rebuildAfterMs: 500,
  onBuilt: releaseStartupMemory,
});
const planner = cachedPlanner(createQueryPlanner({ db }), synchronizer);
const reads = createIndexedReads({ synchronizer, planner, sqlReads: createSqlListReads(db, planner) });

// Building begins before the first read.
await reader.snapshot(() => synchronizer.current());

if (parentPort)
  answerJobs<ListThreadJob, ListThreadResult>(parentPort, (job) =>
    reader.snapshot(async () => {
      if (job.kind !== 'build') return await runListJob(reads, job);
      await synchronizer.current();
      return null;
    }),
  );
