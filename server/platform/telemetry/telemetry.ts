/** The packages load only if the operator has asked for metrics or traces. */
import cluster from 'node:cluster';
import type { Database, Trx } from '#db/database.ts';
import type { Env } from '../env.ts';
import { Counter, durations, type Metric, type MetricSource, runCounts } from './metric.ts';
import { noTracer, type Tracer } from './tracer.ts';

const systems = { sqlite: 'sqlite', postgres: 'postgresql' } as const;

export async function openTelemetry(
  { metrics, traces }: Pick<Env, 'metrics' | 'traces'>,
  onTraceProblem: (error: Error) => void,
) {
  const requests =
    traces && (await import('./otlp.ts')).createOtlpTracer({ ...traces, onProblem: onTraceProblem });
  const tracer = requests ?? noTracer;
  const own: MetricSource[] = [];
  const closing: (() => Promise<void>)[] = requests ? [() => requests.close()] : [];
  return {
    tracer,
    requests,
    metrics: metrics !== null,
    /** The same database, with its transactions counted and traced if either is on. */
    watch(db: Database): Database {
      if (!metrics && !requests) return db;
      const watched = watchDatabase(db, tracer);
      own.push(watched.metrics);
      return watched.db;
    },
    /**
     * `onProblem`: a scrape failed. Returns the URL; null if metrics are off, or in a worker, whose metrics the primary process
     * serves. @throws {MetricsPortError} if the port cannot be opened
     */
    async serve(
      sources: readonly MetricSource[],
      onProblem: (error: unknown) => void,
    ): Promise<string | null> {
      if (!metrics) return null;
      const { createRegistry, serveMetrics } = await import('./prometheus.ts');
      if (cluster.isWorker) {
        createRegistry([...own, ...sources]);
        return null;
      }
      const server = await serveMetrics(metrics, [...own, ...sources], onProblem);
      closing.push(() => server.close());
      return server.url;
    },
    async close(): Promise<void> {
      await Promise.all(closing.map((close) => close()));
    },
  };
}

interface WatchedDatabase {
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

  async function run<T>(
    work: (trx: Trx) => Promise<T>,
    note: (more: Record<string, number>) => void,
  ): Promise<T> {
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
      transaction: (work) =>
        tracer.span('database transaction', attributes, (note) => run(work, note), 'client'),
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
