import type { Database } from '#db/database.ts';
import { createDeliveryQueue, type DeliveryQueue } from './deliveries/delivery-queue.ts';
import { createRateLimitsService, type RateLimitsService } from './rate-limits/rate-limits.service.ts';
import { deleteOldRequestKeys } from './request-keys/request-keys.ts';
import {
  createSafeFetch,
  type NetworkPolicy,
  publicInternet,
  type SafeFetch,
} from './safe-fetch/safe-fetch.ts';
import type { ServerModule } from './server-module.ts';
import { createSessionsService, type SessionsService } from './sessions/sessions.service.ts';

const deliverEveryMs = 2000;

export interface PlatformDeps {
  db: Database;
  now: () => number;
  reach?: NetworkPolicy;
}

export interface PlatformServices {
  sessions: SessionsService;
  attempts: RateLimitsService;
  deliveries: DeliveryQueue;
  externalFetch: SafeFetch;
}

export function createPlatformModule(deps: PlatformDeps): ServerModule<PlatformServices> {
  const attempts = createRateLimitsService(deps);
  const sessions = createSessionsService({ ...deps, attempts });
  const deliveries = createDeliveryQueue(deps);
  return {
    services: {
      sessions,
      attempts,
      deliveries,
      externalFetch: createSafeFetch(deps.reach ?? publicInternet),
    },
    maintenance: [
      { run: () => sessions.sweep() },
      { run: () => attempts.deleteExpired() },
      { run: deliveries.sweep },
      { run: () => deleteOldRequestKeys(deps.db, deps.now()) },
    ],
    jobs: [{ name: 'deliveries', everyMs: deliverEveryMs, run: deliveries.start }],
    metrics: [deliveries.metrics],
  };
}
