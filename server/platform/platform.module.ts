/** Wires the platform's services: sessions, rate limits and requests to external sites. */
import type { Database } from '#db/database.ts';
import { createRateLimitsService, type RateLimitsService } from './rate-limits/rate-limits.service.ts';
import { createSafeFetch, type NetworkPolicy, publicInternet, type SafeFetch } from './safe-fetch/safe-fetch.ts';
import type { ServerModule } from './server-module.ts';
import { createSessionsService, type SessionsService } from './sessions/sessions.service.ts';

export interface PlatformDeps {
  db: Database;
  now: () => number;
  /** The network policy for external requests. The default allows public internet addresses only. */
  reach?: NetworkPolicy;
}

export interface PlatformServices {
  sessions: SessionsService;
  attempts: RateLimitsService;
  externalFetch: SafeFetch;
}

export function createPlatformModule(deps: PlatformDeps): ServerModule<PlatformServices> {
  const attempts = createRateLimitsService(deps);
  const sessions = createSessionsService({ ...deps, attempts });
  return {
    services: { sessions, attempts, externalFetch: createSafeFetch(deps.reach ?? publicInternet) },
    maintenance: [{ run: () => sessions.sweep() }, { run: () => attempts.deleteExpired() }],
  };
}
