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
