import { type ExpressionBuilder, type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { DeliveriesTable } from '#db/delivery-tables.ts';
import type { Tables } from '#db/tables.ts';

export type Delivery = Selectable<DeliveriesTable>;
export type DeliveryState = 'waiting' | 'sending' | 'delivered' | 'failed';
export type DeliveryChange = Updateable<DeliveriesTable> & { state: Exclude<DeliveryState, 'sending'> };
export type NewDelivery = Pick<Delivery, 'id' | 'kind' | 'body'> &
  Partial<
    Pick<
      Insertable<DeliveriesTable>,
      'endpoint_id' | 'event_id' | 'order_id' | 'reference' | 'recipient' | 'language' | 'give_up_at'
    >
  >;

export const unfinished: readonly DeliveryState[] = ['waiting', 'sending'];

/** Due `at` (epoch ms), except those whose reference exists. Returns how many were queued. */
export async function insertDeliveries(trx: Trx, rows: readonly NewDelivery[], at: number): Promise<number> {
  const queued = await trx
    .insertInto('deliveries')
    .values(rows.map((row) => ({ ...row, state: 'waiting', attempts: 0, due_at: at, created_at: at })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return queued.length;
}

/** Deliveries of these causes, of emails and for each endpoint. */
const causedBy = (references: readonly string[]) => (eb: ExpressionBuilder<Tables, 'deliveries'>) =>
  eb.or(references.flatMap((each) => [eb('reference', '=', each), eb('reference', 'like', `${each}@%`)]));

/** Makes what waits, and was never attempted, wait until `at` (epoch ms). */
export async function postponeDeliveries(trx: Trx, references: readonly string[], at: number): Promise<void> {
  const waiting = trx
    .updateTable('deliveries')
    .set({ due_at: at })
    .where('state', '=', 'waiting')
    .where('attempts', '=', 0);
  await waiting.where(causedBy(references)).execute();
}

/** Deletes what waits and was never attempted. What was sent loses its reference, so that its cause can be told of again. */
export async function recallDeliveries(trx: Trx, references: readonly string[]): Promise<void> {
  const waiting = trx.deleteFrom('deliveries').where('state', '=', 'waiting').where('attempts', '=', 0);
  await waiting.where(causedBy(references)).execute();
  await trx.updateTable('deliveries').set({ reference: null }).where(causedBy(references)).execute();
}

/** Active, with deliveries that are due, or whose claim has expired. */
export async function endpointsDue(db: Reader, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_endpoints as endpoint')
    .select('endpoint.id')
    .where('endpoint.state', '=', 'active')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries')
          .select('deliveries.id')
          .whereRef('endpoint_id', '=', 'endpoint.id')
          .where('deliveries.state', 'in', unfinished)
          .where('due_at', '<=', now),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Printers and devices with tickets or notices that are due, or whose claim has expired. */
export async function ticketLanesDue(db: Reader, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('recipient')
    .distinct()
    // Tickets have no endpoint: with it, the index of what is due is read, and not all that was ever sent.
    .where('endpoint_id', 'is', null)
    .where('kind', '=', ticketKind)
    .where('state', 'in', unfinished)
    .where('due_at', '<=', now)
    .execute();
  return rows.flatMap(({ recipient }) => recipient ?? []);
}

/** What shares a lane: all emails, the events for an endpoint, or what goes to a printer or a device. `to` is '' for emails. */
export interface Lane {
  of: 'mail' | 'webhook' | 'ticket';
  to: string;
}

/** The `kind` of tickets and notices, whose `recipient` is the lane of a printer or a device. */
export const ticketKind = 'kitchenTicket';

/** Longest due first. */
export async function deliveriesDue(
  db: Reader,
  { of, to }: Lane,
  now: number,
  most: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('id')
    .where('endpoint_id', of === 'webhook' ? '=' : 'is', of === 'webhook' ? to : null)
    .where(({ eb, and }) =>
      of === 'ticket'
        ? and([eb('kind', '=', ticketKind), eb('recipient', '=', to)])
        : eb('kind', '!=', ticketKind),
    )
    .where('state', 'in', unfinished)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** Undefined if another process has claimed it, or its endpoint is not active. As SQL: each email of a sale asks it. */
export async function claimDelivery(
  trx: Trx,
  id: string,
  now: number,
  until: number,
): Promise<Delivery | undefined> {
  const { rows } =
    await sql<Delivery>`update deliveries set state = 'sending', attempts = attempts + 1, due_at = ${until},
    attempted_at = ${now} where id = ${id} and state in (${sql.join(unfinished)}) and due_at <= ${now}
    and (endpoint_id is null or endpoint_id in (select id from webhook_endpoints where state = 'active'))
    returning *`.execute(trx);
  return rows[0];
}

/** What was queued before `before` (epoch ms) and waits counts as delivered when it was due, and is never sent. */
export async function settleDeliveries(trx: Trx, before: number): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set((eb) => ({ state: 'delivered', attempts: 1, attempted_at: eb.ref('due_at') }))
    .where('state', '=', 'waiting')
    .where('created_at', '<', before)
    .execute();
}

/** If the caller still holds the claim, which the number of the attempt shows. Null deletes. */
export async function endClaim(
  trx: Trx,
  { id, attempts }: Delivery,
  change: DeliveryChange | null,
): Promise<boolean> {
  const held = ({ eb, and }: ExpressionBuilder<Tables, 'deliveries'>) =>
    and([eb('id', '=', id), eb('state', '=', 'sending'), eb('attempts', '=', attempts)]);
  const { length } =
    change === null
      ? await trx.deleteFrom('deliveries').where(held).returning('id').execute()
      : await trx.updateTable('deliveries').set(change).where(held).returning('id').execute();
  return length > 0;
}

/** Emails that wait are kept; a ticket waits no longer than its printer. */
export async function deleteOldDeliveries(trx: Trx, before: number): Promise<void> {
  await trx
    .deleteFrom('deliveries')
    .where('created_at', '<', before)
    .where(({ eb, or }) =>
      or([eb('endpoint_id', 'is not', null), eb('kind', '=', ticketKind), eb('state', 'not in', unfinished)]),
    )
    .execute();
}

export interface DeliveryCount {
  of: Lane['of'];
  state: DeliveryState;
  count: number;
  /** When the oldest was queued, epoch ms. */
  oldestAt: number;
}

export async function countUndelivered(db: Reader): Promise<DeliveryCount[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select(({ eb, fn }) => [
      eb
        .case()
        .when('endpoint_id', 'is not', null)
        .then('webhook')
        .when('kind', '=', ticketKind)
        .then('ticket')
        .else('mail')
        .end()
        .as('of'),
      'state',
      fn.countAll<number>().as('count'),
      fn.min('created_at').as('oldest'),
    ])
    .where('state', '!=', 'delivered')
    .groupBy(['of', 'state'])
    .execute();
  return rows.map(({ of, state, count, oldest }) => ({
    of: of as Lane['of'],
    state: state as DeliveryState,
    count: Number(count),
    oldestAt: oldest,
  }));
}
