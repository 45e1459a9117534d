/** Finds the endpoints that need the merchant. Needs only the database. */
import type { Database } from '#db/database.ts';
import { countDeliveries } from './deliveries.repository.ts';
import { allEndpoints, type EndpointRecord } from './endpoints.repository.ts';

/** How long attempts may fail before an endpoint is named, ms. */
const failingMs = 6 * 60 * 60_000;

export interface WebhookProblem extends Pick<EndpointRecord, 'id' | 'url' | 'state' | 'failingSince'> {
  /** Deliveries of the last 30 days that were given up. */
  failed: number;
}

/** Endpoints that were disabled because they are gone, and those whose attempts have failed for six hours. */
export async function webhookProblems(db: Database, now: number): Promise<WebhookProblem[]> {
  const failed = (await countDeliveries(db.read)).filter(({ state }) => state === 'failed');
  return (await allEndpoints(db.read))
    .filter(({ state, failingSince }) => {
      const fails = state === 'active' && failingSince !== null && failingSince <= now - failingMs;
      return state === 'gone' || fails;
    })
    .map(({ id, url, state, failingSince }) => ({
      id,
      url,
      state,
      failingSince,
      failed: failed.find(({ endpointId }) => endpointId === id)?.count ?? 0,
    }));
}
