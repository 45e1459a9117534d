/** Makes the services, in the order in which they lean on each other. Modules meet only here. */
import type { Database } from '#db/database.ts';
import type { Env } from './env.ts';
import { createSessionsService, type SessionsService } from './modules/sessions/sessions.service.ts';

export interface ServiceDeps {
  db: Database;
  env: Env;
  /** The clock: milliseconds since the epoch. */
  now: () => number;
}

export interface Services {
  /** Clears away what has expired. Safe to run in several processes at once. */
  sweep(): Promise<void>;
  sessions: SessionsService;
}

export function createServices(deps: ServiceDeps): Services {
  const sessions = createSessionsService(deps);
  return {
    sessions,
    async sweep() {
      await sessions.sweep();
    },
  };
}
