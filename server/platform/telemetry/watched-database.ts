/** A database that counts and times its transactions, and makes each of them a span. */
import type { Database, Trx } from '#db/database.ts';
import { runCounts } from './after-commit.ts';
import { Buckets, Counter, type Metric, type MetricSource } from './metric.ts';
import type { Tracer } from './tracer.ts';

/** Upper bounds, seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const systems = { sqlite: 'sqlite', postgres: 'postgresql' } as const;

export interface WatchedDatabase {
  db: Database;
  metrics: MetricSource;
}

export function watchDatabase(db: Database, tracer: Tracer): WatchedDatabase {
  const transactions = new Counter({
    name: 'shopwright_database_transactions_total',
    help: 'Transactions by their end.',
    labels: ['outcome'],
  });
  const durations = new Buckets(bounds);
  let retries = 0;

  async function run<T>(work: (trx: Trx) => Promise<T>, note: (more: Record<string, number>) => void): Promise<T> {
    const began = performance.now();
    let runs = 0;
    let latest: Trx | null = null;
    let outcome = 'rolled back';
    try {
      const result = await db.transaction((trx) => {
        runs += 1;
        latest = trx;
        return work(trx);
      });
      outcome = 'committed';
      if (latest) runCounts(latest);
      return result;
    } finally {
      transactions.add(outcome);
      durations.observe((performance.now() - began) / 1000);
      retries += Math.max(0, runs - 1);
      if (runs > 1) note({ 'shopwright.transaction.runs': runs });
    }
  }

  const metrics: Metric[] = [
    transactions,
    {
      type: 'counter',
      name: 'shopwright_database_transaction_retries_total',
      help: 'Transactions run again after a conflict.',
      samples: () => [{ value: retries }],
    },
    {
      type: 'histogram',
      name: 'shopwright_database_transaction_duration_seconds',
      help: 'Duration of transactions, with the wait for their turn and for the disk.',
      bounds,
      samples: () => [{ buckets: durations }],
    },
    ...poolMetrics(db),
  ];
  const attributes = { 'db.system.name': systems[db.engine] };
  return {
    db: {
      ...db,
      transaction: (work) => tracer.span('database transaction', attributes, (note) => run(work, note), 'client'),
    },
    metrics: { name: 'database', metrics },
  };
}

/** The connections of PostgreSQL; SQLite has none. */
function poolMetrics({ poolUse }: Database): Metric[] {
  if (!poolUse) return [];
  return [
    {
      type: 'gauge',
      name: 'shopwright_database_connections',
      help: 'Connections to PostgreSQL by state; requests that wait for one are "waiting".',
      labels: ['state'],
      samples: () => Object.entries(poolUse()).map(([state, value]) => ({ labels: { state }, value })),
    },
  ];
}
