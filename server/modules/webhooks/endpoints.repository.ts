/** Queries the `webhook_endpoints` table. */
import type { Selectable, Updateable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { WebhookEndpointsTable } from '#db/webhook-tables.ts';
import type { WebhookEventType } from './event-types.ts';

export type EndpointState = 'active' | 'paused' | 'gone';

export interface EndpointRecord {
  id: string;
  url: string;
  events: WebhookEventType[];
  state: EndpointState;
  secret: string;
  previousSecret: string | null;
  /** Until then the previous secret signs as well, epoch ms. */
  previousUntil: number | null;
  /** Since when every attempt has failed, epoch ms; null after a success. */
  failingSince: number | null;
  createdAt: number;
}

/** All endpoints, oldest first. */
export async function allEndpoints(db: Reader): Promise<EndpointRecord[]> {
  const rows = await db.selectFrom('webhook_endpoints').selectAll().orderBy('created_at').orderBy('id').execute();
  return rows.map(toRecord);
}

export async function findEndpoint(db: Reader, id: string): Promise<EndpointRecord | null> {
  const row = await db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toRecord(row) : null;
}

/** Ids of the endpoints that receive events of a type, now or once they are resumed. */
export async function subscribersOf(db: Reader, type: WebhookEventType): Promise<string[]> {
  const rows = await db.selectFrom('webhook_endpoints').select(['id', 'events']).where('state', '!=', 'gone').execute();
  return rows.filter(({ events }) => (JSON.parse(events) as string[]).includes(type)).map(({ id }) => id);
}

/** Whether any endpoint receives events, now or once it is resumed. */
export async function hasReceivers(db: Reader): Promise<boolean> {
  const row = await db.selectFrom('webhook_endpoints').select('id').where('state', '!=', 'gone').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Returns false if an endpoint has this URL. */
export async function insertEndpoint(
  trx: Trx,
  endpoint: Pick<EndpointRecord, 'id' | 'url' | 'events' | 'secret' | 'createdAt'>,
): Promise<boolean> {
  const { id, url, events, secret, createdAt } = endpoint;
  const result = await trx
    .insertInto('webhook_endpoints')
    .values({
      id,
      url,
      events: JSON.stringify(events),
      state: 'active',
      secret,
      previous_secret: null,
      previous_until: null,
      failing_since: null,
      created_at: createdAt,
    })
    .onConflict((c) => c.column('url').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Returns false if there is no such endpoint. */
export async function updateEndpoint(trx: Trx, id: string, change: Updateable<WebhookEndpointsTable>): Promise<boolean> {
  const result = await trx.updateTable('webhook_endpoints').set(change).where('id', '=', id).executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Notes that an attempt failed `at` (epoch ms), unless earlier ones have failed since the last success. */
export async function noteFailing(trx: Trx, id: string, at: number): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set({ failing_since: at })
    .where('id', '=', id)
    .where('failing_since', 'is', null)
    .execute();
}

/** Notes that an attempt succeeded. */
export async function noteWorking(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set({ failing_since: null })
    .where('id', '=', id)
    .where('failing_since', 'is not', null)
    .execute();
}

/** Deletes an endpoint with its deliveries. Returns false if there is no such endpoint. */
export async function deleteEndpoint(trx: Trx, id: string): Promise<boolean> {
  await trx.deleteFrom('webhook_deliveries').where('endpoint_id', '=', id).execute();
  const result = await trx.deleteFrom('webhook_endpoints').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

function toRecord(row: Selectable<WebhookEndpointsTable>): EndpointRecord {
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events),
    state: row.state as EndpointState,
    secret: row.secret,
    previousSecret: row.previous_secret,
    previousUntil: row.previous_until,
    failingSince: row.failing_since,
    createdAt: row.created_at,
  };
}
