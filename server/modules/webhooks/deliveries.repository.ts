/** Queries the `webhook_events` and `webhook_deliveries` tables. */
import type { Reader, Trx } from '#db/database.ts';

export type DeliveryState = 'waiting' | 'sending' | 'delivered' | 'failed';

export interface DeliveryRecord {
  id: string;
  eventId: string;
  type: string;
  endpointId: string;
  url: string;
  state: DeliveryState;
  attempts: number;
  /** The time of the next attempt while it waits, epoch ms. */
  dueAt: number;
  attemptedAt: number | null;
  /** What the endpoint answered last, or why it did not; null before. */
  answer: string | null;
  createdAt: number;
}

/** A delivery that this process has claimed, with what it sends. */
export interface ClaimedDelivery {
  id: string;
  eventId: string;
  type: string;
  body: string;
  endpointId: string;
  attempts: number;
  giveUpAt: number;
}

export interface NewEvent {
  id: string;
  type: string;
  reference: string;
  body: string;
  createdAt: number;
}

/** Whether an event with this reference was recorded after `since`, epoch ms. */
export async function hasEvent(trx: Trx, reference: string, since: number): Promise<boolean> {
  const query = trx.selectFrom('webhook_events').select('id').where('reference', '=', reference).where('created_at', '>', since);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Returns false if an event with this reference exists. */
export async function insertEvent(trx: Trx, { createdAt, ...event }: NewEvent): Promise<boolean> {
  const result = await trx
    .insertInto('webhook_events')
    .values({ ...event, created_at: createdAt })
    .onConflict((c) => c.column('reference').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function insertDelivery(
  trx: Trx,
  { id, eventId, endpointId, at, giveUpAt }: { id: string; eventId: string; endpointId: string; at: number; giveUpAt: number },
): Promise<void> {
  await trx
    .insertInto('webhook_deliveries')
    .values({
      id,
      event_id: eventId,
      endpoint_id: endpointId,
      state: 'waiting',
      attempts: 0,
      due_at: at,
      give_up_at: giveUpAt,
      attempted_at: null,
      answer: null,
      created_at: at,
    })
    .execute();
}

/** Endpoints with deliveries that are due by `now`, or whose claim has expired. */
export async function endpointsDue(db: Reader, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_endpoints as endpoint', 'endpoint.id', 'delivery.endpoint_id')
    .select('delivery.endpoint_id')
    .distinct()
    .where('delivery.state', 'in', ['waiting', 'sending'])
    .where('delivery.due_at', '<=', now)
    .where('endpoint.state', '=', 'active')
    .execute();
  return rows.map((row) => row.endpoint_id);
}

/** Deliveries to an endpoint that are due by `now`; longest due first. */
export async function deliveriesDue(db: Reader, endpointId: string, now: number, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('endpoint_id', '=', endpointId)
    .where('state', 'in', ['waiting', 'sending'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** Claims a due delivery until `until`. Null if another process has claimed it, or its endpoint is not active. */
export async function claimDelivery(trx: Trx, id: string, now: number, until: number): Promise<ClaimedDelivery | null> {
  const row = await trx
    .updateTable('webhook_deliveries')
    .set((eb) => ({ state: 'sending', attempts: eb('attempts', '+', 1), due_at: until, attempted_at: now }))
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'sending'])
    .where('due_at', '<=', now)
    .where('endpoint_id', 'in', (eb) => eb.selectFrom('webhook_endpoints').select('id').where('state', '=', 'active'))
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  const { type, body } = await trx
    .selectFrom('webhook_events')
    .select(['type', 'body'])
    .where('id', '=', row.event_id)
    .executeTakeFirstOrThrow();
  return {
    id,
    eventId: row.event_id,
    type,
    body,
    endpointId: row.endpoint_id,
    attempts: row.attempts,
    giveUpAt: row.give_up_at,
  };
}

/** Ends a claim if the caller still holds it, which the number of the attempt shows. Returns whether it did. */
export async function endClaim(
  trx: Trx,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  change: { state: Exclude<DeliveryState, 'sending'>; due_at?: number; answer?: string; attempts?: number },
): Promise<boolean> {
  const result = await trx
    .updateTable('webhook_deliveries')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Fails every delivery to an endpoint that is not over yet. */
export async function failOpenDeliveries(trx: Trx, endpointId: string, answer: string): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', answer })
    .where('endpoint_id', '=', endpointId)
    .where('state', 'in', ['waiting', 'sending'])
    .execute();
}

/** Makes the waiting deliveries of an endpoint due `at` (epoch ms). Returns how many. */
export async function restartWaiting(trx: Trx, endpointId: string, at: number, giveUpAt: number): Promise<number> {
  const result = await trx
    .updateTable('webhook_deliveries')
    .set({ due_at: at, give_up_at: giveUpAt })
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Makes a delivery due `at` (epoch ms) as if it were new, whatever its state. */
export async function restartDelivery(trx: Trx, id: string, at: number, giveUpAt: number): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ state: 'waiting', attempts: 0, due_at: at, give_up_at: giveUpAt })
    .where('id', '=', id)
    .execute();
}

export interface DeliveryFilter {
  endpointId?: string | undefined;
  state?: DeliveryState | undefined;
  id?: string | undefined;
  most: number;
}

/** Deliveries, newest first. */
export async function listDeliveries(db: Reader, { endpointId, state, id, most }: DeliveryFilter): Promise<DeliveryRecord[]> {
  const rows = await db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .innerJoin('webhook_endpoints as endpoint', 'endpoint.id', 'delivery.endpoint_id')
    .selectAll('delivery')
    .select(['event.type', 'endpoint.url'])
    .$if(endpointId !== undefined, (query) => query.where('delivery.endpoint_id', '=', endpointId ?? ''))
    .$if(state !== undefined, (query) => query.where('delivery.state', '=', state ?? ''))
    .$if(id !== undefined, (query) => query.where('delivery.id', '=', id ?? ''))
    .orderBy('delivery.created_at', 'desc')
    .orderBy('delivery.id')
    .limit(most)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    eventId: row.event_id,
    type: row.type,
    endpointId: row.endpoint_id,
    url: row.url,
    state: row.state as DeliveryState,
    attempts: row.attempts,
    dueAt: row.due_at,
    attemptedAt: row.attempted_at,
    answer: row.answer,
    createdAt: row.created_at,
  }));
}

/** How many deliveries wait, those being sent included, and how many were given up. */
export async function countUndelivered(db: Reader): Promise<{ waiting: number; failed: number }> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .where('state', 'in', ['waiting', 'sending', 'failed'])
    .groupBy('state')
    .execute();
  const total = (states: readonly string[]) =>
    rows.filter(({ state }) => states.includes(state)).reduce((sum, { count }) => sum + Number(count), 0);
  return { waiting: total(['waiting', 'sending']), failed: total(['failed']) };
}

/** How many deliveries of each endpoint are in each state. */
export async function countDeliveries(db: Reader): Promise<{ endpointId: string; state: string; count: number }[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select((eb) => ['endpoint_id', 'state', eb.fn.countAll<number>().as('count')])
    .groupBy(['endpoint_id', 'state'])
    .execute();
  return rows.map(({ endpoint_id, state, count }) => ({ endpointId: endpoint_id, state, count: Number(count) }));
}

/** Deletes events before `before` (epoch ms) with their deliveries. */
export async function deleteOldEvents(trx: Trx, before: number): Promise<void> {
  await trx
    .deleteFrom('webhook_deliveries')
    .where('event_id', 'in', (eb) => eb.selectFrom('webhook_events').select('id').where('created_at', '<', before))
    .execute();
  await trx.deleteFrom('webhook_events').where('created_at', '<', before).execute();
}
