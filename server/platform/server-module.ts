import type { FastifyInstance } from 'fastify';
import type { MetricSource } from './telemetry/metric.ts';

export interface Job {
  /** Appears in the log line of a failure: `sweep failed`. */
  name: string;
  everyMs: number;
  /** Whether the job also runs at startup. */
  atStart?: boolean;
  run(): Promise<unknown>;
}

export interface MaintenanceStep {
  run(): Promise<unknown>;
  /** Runs in parallel with the other steps, because it waits for external servers. */
  waitsForOthers?: boolean;
}

export interface ServerModule<S extends object = object> {
  /** By their names in `Services`. */
  services: S;
  /** All services are ready when it is called. */
  registerRoutes?(app: FastifyInstance): void;
  maintenance?: readonly MaintenanceStep[];
  jobs?: readonly Job[];
  /** Reported if the operator has set a port for Prometheus. */
  metrics?: readonly MetricSource[];
  /** After the process's last request and before the database is closed. */
  stop?(): Promise<unknown>;
}

/** Those that wait for external servers run in parallel. A failure does not stop the other steps. @throws {AggregateError} */
export async function runMaintenance(modules: readonly ServerModule[]): Promise<void> {
  const failures: unknown[] = [];
  const attempt = ({ run }: MaintenanceStep) => run().catch((error: unknown) => failures.push(error));
  const steps = modules.flatMap(({ maintenance = [] }) => maintenance);
  const waiting = Promise.all(steps.filter((step) => step.waitsForOthers).map(attempt));
  for (const step of steps) if (!step.waitsForOthers) await attempt(step);
  await waiting;
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
}

/** Of a job, after the process is told to stop. */
const finishWithinMs = 5000;

export type Background = ReturnType<typeof startBackground>;

/** Never runs a job twice at once. */
export function startBackground(jobs: readonly Job[], report: (error: unknown, name: string) => void) {
  const underWay = new Map<Job, Promise<void>>();
  let stopping = false;

  const start = (job: Job) => {
    // With slow payment providers one run may take longer than the interval.
    if (underWay.has(job)) return;
    const running = (async () => {
      try {
        await job.run();
      } catch (error) {
        // The database and its connections may be closed while the job runs.
        if (!stopping) report(error, job.name);
      } finally {
        underWay.delete(job);
      }
    })();
    underWay.set(job, running);
  };
  const timers = jobs.map((job) => setInterval(start, job.everyMs, job));
  for (const job of jobs) if (job.atStart) start(job);

  return {
    /** Waits for jobs under way. Later failures are not reported. */
    async stop(): Promise<void> {
      stopping = true;
      for (const timer of timers) clearInterval(timer);
      const timeUp = new Promise<void>((resolve) => setTimeout(resolve, finishWithinMs).unref());
      await Promise.race([Promise.all(underWay.values()), timeUp]);
    },
  };
}
