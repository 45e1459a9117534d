/** What a module of the server hands to the container. */
import type { FastifyInstance } from 'fastify';

/** A job that a process repeats beside answering. */
export interface Job {
  /** In the log line of a failure: `sweep failed`. */
  name: string;
  everyMs: number;
  /** Whether it also runs at once. */
  atStart?: boolean;
  run(): Promise<unknown>;
}

export interface MaintenanceStep {
  run(): Promise<unknown>;
  /** Runs beside the other steps, because it waits for other people's servers. */
  waitsForOthers?: boolean;
}

export interface ServerModule<S extends object = object> {
  /** Under the names that `Services` has them by. */
  services: S;
  /** Registers the module's routes. Services are ready by then. */
  registerRoutes?(app: FastifyInstance): void;
  /** Steps of the sweep, in order. Each is safe to run in several processes at once. */
  maintenance?: readonly MaintenanceStep[];
  jobs?: readonly Job[];
}

/**
 * Runs the maintenance steps of all modules, one after another; those that wait for others run beside them. A failure does not
 * keep the rest from running.
 * @throws {AggregateError} at the end, of all failures
 */
export async function runMaintenance(modules: readonly ServerModule[]): Promise<void> {
  const failures: unknown[] = [];
  const attempt = ({ run }: MaintenanceStep) => run().catch((error: unknown) => failures.push(error));
  const steps = modules.flatMap(({ maintenance = [] }) => maintenance);
  const waiting = Promise.all(steps.filter((step) => step.waitsForOthers).map(attempt));
  for (const step of steps) if (!step.waitsForOthers) await attempt(step);
  await waiting;
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
}
