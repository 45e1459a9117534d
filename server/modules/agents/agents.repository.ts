import type { Selectable, Updateable } from 'kysely';
import type { AgentCartsTable, AgentRequestsTable, AgentsTable } from '#db/agent-tables.ts';
import type { Reader, Trx } from '#db/database.ts';
import { dayMs, hourMs } from '#server/platform/time-zone.ts';

export type AgentRow = Selectable<AgentsTable>;
export type AgentCartRow = Selectable<AgentCartsTable>;

export const findAgent = (db: Reader, by: 'id' | 'profile', value: string): Promise<AgentRow | undefined> =>
  db.selectFrom('agents').selectAll().where(by, '=', value).executeTakeFirst();

export const allAgents = (db: Reader, most: number): Promise<AgentRow[]> =>
  db.selectFrom('agents').selectAll().orderBy('last_seen_at', 'desc').orderBy('id').limit(most).execute();

/** Replaces the document of a profile that is known; whether it is blocked stays. */
export async function putAgent(
  trx: Trx,
  {
    id,
    profile,
    at,
    ...change
  }: Pick<AgentRow, 'id' | 'profile' | 'approved' | 'document' | 'fresh_until'> & { at: number },
): Promise<AgentRow> {
  return trx
    .insertInto('agents')
    .values({ id, profile, blocked: 0, ...change, created_at: at, last_seen_at: at })
    .onConflict((c) => c.column('profile').doUpdateSet({ ...change, last_seen_at: at }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function changeAgent(trx: Trx, id: string, change: Updateable<AgentsTable>): Promise<boolean> {
  const result = await trx.updateTable('agents').set(change).where('id', '=', id).executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export const findAgentCart = (db: Reader, id: string): Promise<AgentCartRow | undefined> =>
  db.selectFrom('agent_carts').selectAll().where('id', '=', id).executeTakeFirst();

export const findCartByLink = (db: Reader, link: string): Promise<AgentCartRow | undefined> =>
  db.selectFrom('agent_carts').selectAll().where('link', '=', link).executeTakeFirst();

export function insertAgentCart(
  trx: Trx,
  row: Pick<AgentCartRow, 'id' | 'agent_id' | 'link'>,
  at: number,
): Promise<AgentCartRow> {
  const empty = { is_checkout: 0, canceled: 0, request: '{}', problems: '[]' } as const;
  return trx
    .insertInto('agent_carts')
    .values({ ...row, ...empty, created_at: at, updated_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Not once it was cancelled: undefined then. */
export const changeAgentCart = (
  trx: Trx,
  id: string,
  change: Updateable<AgentCartsTable>,
): Promise<AgentCartRow | undefined> =>
  trx
    .updateTable('agent_carts')
    .set(change)
    .where('id', '=', id)
    .where('canceled', '=', 0)
    .returningAll()
    .executeTakeFirst();

/** Ties an order to the cart of an agent; `brought`: units by SKU that its link put in a person's cart. */
export async function linkOrder(
  trx: Trx,
  orderId: string,
  { id, agent_id }: AgentCartRow,
  brought: Readonly<Record<string, number>> | null = null,
): Promise<void> {
  await trx
    .insertInto('agent_orders')
    .values({ order_id: orderId, cart_id: id, agent_id, brought: brought && JSON.stringify(brought) })
    .onConflict((c) => c.doNothing())
    .execute();
}

/** The orders that are of an agent's cart and nothing else; those that were placed come first. */
export async function ordersOfCart(
  db: Reader,
  cartId: string,
): Promise<{ id: string; placedAt: number | null; state: string }[]> {
  const rows = await db
    .selectFrom('agent_orders')
    .innerJoin('orders', 'orders.id', 'agent_orders.order_id')
    .select(['orders.id', 'orders.placed_at as placedAt', 'orders.state', 'agent_orders.brought'])
    .where('agent_orders.cart_id', '=', cartId)
    .orderBy('orders.placed_at')
    .execute();
  const own = await Promise.all(rows.map(({ id, brought }) => hasOnly(db, id, brought)));
  return rows.filter((_row, index) => own[index]);
}

/** Of an order with anything that a person added themselves: none. */
export async function agentOfOrder(
  db: Reader,
  orderId: string,
): Promise<(AgentRow & { cart_id: string }) | undefined> {
  const row = await db
    .selectFrom('agent_orders')
    .innerJoin('agents', 'agents.id', 'agent_orders.agent_id')
    .selectAll('agents')
    .select(['agent_orders.cart_id', 'agent_orders.brought'])
    .where('agent_orders.order_id', '=', orderId)
    .executeTakeFirst();
  return row && (await hasOnly(db, orderId, row.brought)) ? row : undefined;
}

/** Whether an order has nothing but what an agent brought. */
async function hasOnly(db: Reader, orderId: string, brought: string | null): Promise<boolean> {
  if (brought === null) return true;
  const units: Partial<Record<string, number>> = JSON.parse(brought);
  const lines = await db
    .selectFrom('order_lines')
    .select(({ fn }) => ['sku', fn.sum<number>('quantity').as('quantity')])
    .where('order_id', '=', orderId)
    .groupBy('sku')
    .execute();
  return lines.every(({ sku, quantity }) => Number(quantity) <= (units[sku] ?? 0));
}

/** A request, as its agent names it. */
type RequestKey = Pick<Selectable<AgentRequestsTable>, 'agent_id' | 'key' | 'fingerprint'>;

export const findRequest = (
  db: Reader,
  { agent_id, key }: RequestKey,
): Promise<Selectable<AgentRequestsTable> | undefined> =>
  db
    .selectFrom('agent_requests')
    .selectAll()
    .where('agent_id', '=', agent_id)
    .where('key', '=', key)
    .executeTakeFirst();

/** False if the key is used already. */
export async function claimRequest(
  trx: Trx,
  request: RequestKey,
  at: number,
  until: number,
): Promise<boolean> {
  const row = { ...request, status: null, answer: null, claimed_until: until, created_at: at };
  const inserted = await trx
    .insertInto('agent_requests')
    .values(row)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  if ((inserted.numInsertedOrUpdatedRows ?? 0n) > 0n) return true;
  // The process that claimed it has died.
  const taken = await trx
    .updateTable('agent_requests')
    .set({ claimed_until: until })
    .where('agent_id', '=', request.agent_id)
    .where('key', '=', request.key)
    .where('fingerprint', '=', request.fingerprint)
    .where('status', 'is', null)
    .where('claimed_until', '<', at)
    .executeTakeFirst();
  return taken.numUpdatedRows > 0n;
}

export async function answerRequest(
  trx: Trx,
  { agent_id, key }: RequestKey,
  status: number,
  answer: string,
): Promise<void> {
  const answered = trx.updateTable('agent_requests').set({ status, answer }).where('agent_id', '=', agent_id);
  await answered.where('key', '=', key).where('status', 'is', null).execute();
}

/** For a failure that a repetition may not have. */
export async function releaseRequest(trx: Trx, { agent_id, key }: RequestKey): Promise<void> {
  const own = trx.deleteFrom('agent_requests').where('agent_id', '=', agent_id).where('key', '=', key);
  await own.where('status', 'is', null).execute();
}

export interface CallCount {
  agent: string;
  day: string;
  operation: string;
  /** '' for none. */
  problem: string;
  calls: number;
}

export async function addCalls(trx: Trx, counts: readonly CallCount[]): Promise<void> {
  for (const { agent, day, operation, problem, calls } of counts)
    await trx
      .insertInto('agent_calls')
      .values({ agent_id: agent, day, operation, problem, calls })
      .onConflict((c) =>
        c
          .columns(['agent_id', 'day', 'operation', 'problem'])
          .doUpdateSet((eb) => ({ calls: eb('agent_calls.calls', '+', calls) })),
      )
      .execute();
}

/** YYYY-MM-DD. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The protocol asks for a day at least, and recommends two. */
const requestsKeptMs = 48 * hourMs;
const cartsKeptMs = 60 * dayMs;
const callsKeptMs = 90 * dayMs;
const forgottenMs = 90 * dayMs;

export async function sweepAgents(trx: Trx, now: number): Promise<void> {
  await trx
    .deleteFrom('agent_requests')
    .where('created_at', '<', now - requestsKeptMs)
    .execute();
  // With a cart goes what the agent said of the buyer.
  await trx
    .deleteFrom('agent_carts')
    .where('updated_at', '<', now - cartsKeptMs)
    .execute();
  await trx
    .deleteFrom('agent_calls')
    .where('day', '<', dayOf(now - callsKeptMs))
    .execute();
  // Those that the merchant never decided on, and that have bought nothing.
  await trx
    .deleteFrom('agents')
    .where('last_seen_at', '<', now - forgottenMs)
    .where('blocked', '=', 0)
    .where('approved', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('agent_orders').select('order_id').whereRef('agent_orders.agent_id', '=', 'agents.id'),
        ),
      ),
    )
    .execute();
}

/** Since a day on (YYYY-MM-DD). */
export const callsSince = (db: Reader, day: string): Promise<Omit<CallCount, 'day'>[]> =>
  db
    .selectFrom('agent_calls')
    .select(({ fn }) => ['agent_id as agent', 'operation', 'problem', fn.sum<number>('calls').as('calls')])
    .where('day', '>=', day)
    .groupBy(['agent_id', 'operation', 'problem'])
    .orderBy('operation')
    .orderBy('problem')
    .execute()
    .then((rows) => rows.map((row) => ({ ...row, calls: Number(row.calls) })));

/** What agents brought since a time (epoch ms), by their ids. */
export async function salesOf(db: Reader, since: number) {
  const carts = await db
    .selectFrom('agent_carts')
    .select(({ fn }) => ['agent_id as agent', fn.countAll<number>().as('count')])
    .where('created_at', '>=', since)
    .groupBy('agent_id')
    .execute();
  const orders = await db
    .selectFrom('agent_orders')
    .innerJoin('orders', 'orders.id', 'agent_orders.order_id')
    .select(({ fn }) => [
      'agent_orders.agent_id as agent',
      'orders.currency',
      fn.countAll<number>().as('count'),
      fn.sum<number>('orders.total_cents').as('total'),
    ])
    .where('orders.placed_at', '>=', since)
    .groupBy(['agent_orders.agent_id', 'orders.currency'])
    .execute();
  const byAgent = Map.groupBy(orders, ({ agent }) => agent);
  return {
    carts: new Map(carts.map(({ agent, count }) => [agent, Number(count)])),
    orders: new Map(
      [...byAgent].map(([agent, rows]) => [
        agent,
        rows.map(({ currency, count, total }) => ({ currency, count: Number(count), total: Number(total) })),
      ]),
    ),
  };
}
