import type { Selectable, Updateable } from 'kysely';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { WebhookEndpointsTable } from '#db/delivery-tables.ts';
import type { DeliveryState } from '#server/platform/deliveries/delivery-queue.ts';
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

/** The merchant's own; those of agents come and go with them. */
export async function allEndpoints(db: Reader): Promise<EndpointRecord[]> {
  const own = db.selectFrom('webhook_endpoints').selectAll().where('id', 'not like', 'agent%');
  const rows = await own.orderBy('created_at').orderBy('id').execute();
  return rows.map(toRecord);
}

export async function findEndpoint(db: Reader, id: string): Promise<EndpointRecord | null> {
  const row = await db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toRecord(row) : null;
}

/** Until the transaction ends, nobody else edits one. */
export const lockEndpoints = (db: Database, trx: Trx): Promise<void> =>
  db.queries.lock(trx, 'webhook_endpoints');

/** Now or once they are resumed. */
export async function subscribersOf(db: Reader, type: WebhookEventType): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select(['id', 'events'])
    .where('state', '!=', 'gone')
    .execute();
  return rows.filter(({ events }) => (JSON.parse(events) as string[]).includes(type)).map(({ id }) => id);
}

/** Now or once an endpoint is resumed. */
export async function hasReceivers(db: Reader): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('state', '!=', 'gone')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

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

export async function updateEndpoint(
  trx: Trx,
  id: string,
  change: Updateable<WebhookEndpointsTable>,
): Promise<boolean> {
  const result = await trx
    .updateTable('webhook_endpoints')
    .set(change)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Unless earlier attempts have failed since the last success. */
export async function noteFailing(trx: Trx, id: string, at: number): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set({ failing_since: at })
    .where('id', '=', id)
    .where('failing_since', 'is', null)
    .execute();
}

export async function noteWorking(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set({ failing_since: null })
    .where('id', '=', id)
    .where('failing_since', 'is not', null)
    .execute();
}

/** With its deliveries. False if there is no such endpoint. */
export async function deleteEndpoint(trx: Trx, id: string): Promise<boolean> {
  await trx.deleteFrom('deliveries').where('endpoint_id', '=', id).execute();
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

export interface DeliveryRecord {
  id: string;
  eventId: string;
  type: string;
  endpointId: string;
  state: DeliveryState;
  attempts: number;
  dueAt: number;
  /** Or why there was none; null before. */
  answer: string | null;
  createdAt: number;
}

export interface DeliveryFilter {
  endpointId?: string | undefined;
  state?: DeliveryState | undefined;
  id?: string | undefined;
  most: number;
}

export async function listDeliveries(
  db: Reader,
  { endpointId, state, id, most }: DeliveryFilter,
): Promise<DeliveryRecord[]> {
  const rows = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('endpoint_id', 'is not', null)
    .$if(endpointId !== undefined, (query) => query.where('endpoint_id', '=', endpointId ?? ''))
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    eventId: row.event_id ?? '',
    type: row.kind,
    endpointId: row.endpoint_id ?? '',
    state: row.state as DeliveryState,
    attempts: row.attempts,
    dueAt: row.due_at,
    answer: row.answer,
    createdAt: row.created_at,
  }));
}

/** After `since`, epoch ms. */
export async function hasDelivery(trx: Trx, references: readonly string[], since: number): Promise<boolean> {
  const query = trx
    .selectFrom('deliveries')
    .select('id')
    .where('reference', 'in', references)
    .where('created_at', '>', since);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Those that are not over yet. */
export async function failOpenDeliveries(trx: Trx, endpointId: string, answer: string): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ state: 'failed', answer })
    .where('endpoint_id', '=', endpointId)
    .where('state', 'in', ['waiting', 'sending'])
    .execute();
}

/** Due `at` (epoch ms). Returns how many. */
export async function restartWaiting(
  trx: Trx,
  endpointId: string,
  at: number,
  giveUpAt: number,
): Promise<number> {
  const result = await trx
    .updateTable('deliveries')
    .set({ due_at: at, give_up_at: giveUpAt })
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Due `at` (epoch ms) as if it were new, whatever its state. */
export async function restartDelivery(trx: Trx, id: string, at: number, giveUpAt: number): Promise<void> {
  const restart = { state: 'waiting', attempts: 0, due_at: at, give_up_at: giveUpAt };
  await trx.updateTable('deliveries').set(restart).where('id', '=', id).execute();
}

export async function countDeliveries(
  db: Reader,
): Promise<{ endpointId: string; state: string; count: number }[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select((eb) => ['endpoint_id', 'state', eb.fn.countAll<number>().as('count')])
    .where('endpoint_id', 'is not', null)
    .groupBy(['endpoint_id', 'state'])
    .execute();
  return rows.map(({ endpoint_id, state, count }) => ({
    endpointId: endpoint_id ?? '',
    state,
    count: Number(count),
  }));
}
