/** The packages load only if the operator has asked for metrics or traces. */
import cluster from 'node:cluster';
import type { Database } from '#db/database.ts';
import type { Env } from '../env.ts';
import type { MetricSource } from './metric.ts';
import { noTracer } from './tracer.ts';
import { watchDatabase } from './watched-database.ts';

export async function openTelemetry(
  { metrics, traces }: Pick<Env, 'metrics' | 'traces'>,
  onTraceProblem: (error: Error) => void,
) {
  const requests = traces && (await import('./otlp.ts')).createOtlpTracer({ ...traces, onProblem: onTraceProblem });
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
    async serve(sources: readonly MetricSource[], onProblem: (error: unknown) => void): Promise<string | null> {
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
