import type { Database, Trx } from '#db/database.ts';
import { Counter, durations, type Metric, type MetricSource, runCounts } from './metric.ts';
import type { Tracer } from './tracer.ts';

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
  const retries = new Counter({
    name: 'shopwright_database_transaction_retries_total',
    help: 'Transactions run again after a conflict.',
  });
  const duration = durations({
    name: 'shopwright_database_transaction_duration_seconds',
    help: 'Duration of transactions, with the wait for their turn and for the disk.',
  });

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
      duration.observe((performance.now() - began) / 1000);
      for (let again = 1; again < runs; again++) retries.add();
      if (runs > 1) note({ 'shopwright.transaction.runs': runs });
    }
  }

  const attributes = { 'db.system.name': systems[db.engine] };
  return {
    db: {
      ...db,
      transaction: (work) => tracer.span('database transaction', attributes, (note) => run(work, note), 'client'),
    },
    metrics: { name: 'database', metrics: [transactions, retries, duration, ...poolMetrics(db)] },
  };
}

/** SQLite has none. */
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
