/** Queries what the desk and the kitchen show. */
import { type CheckoutMethod, checkoutMethods } from '#contract/limits.ts';
import type { OrderState } from '#contract/schemas/order.ts';
import type { Unprinted } from '#contract/staff/desk.ts';
import type { Reader, Trx } from '#db/database.ts';
import { ticketKind, unfinished } from '#server/platform/deliveries/delivery-queue.ts';
import type { TicketPrinter } from '#server/platform/env.ts';
import { noPaper } from '../emails/order-emails.ts';
import type { OrderHead } from '../order/order.ts';
import { refundedUnsent, waitingStates } from '../order/order-pages.repository.ts';
import { toHeads } from '../order/orders.repository.ts';

/** Null stands for orders of no store. */
export type DeskStores = readonly (string | null)[] | 'all';

const left: readonly OrderState[] = ['shipped', 'completed'];

/** More names nobody reads. */
const mostUnprinted = 20;

const placedOrders = (db: Reader, stores: DeskStores) => {
  const placed = db.selectFrom('orders').where('placed_at', 'is not', null);
  if (stores === 'all') return placed;
  return placed.where((eb) =>
    eb.or(stores.map((id) => (id === null ? eb('store_id', 'is', null) : eb('store_id', '=', id)))),
  );
};

/** Oldest first. */
export async function ordersByNumber(
  db: Reader,
  { stores, numbers }: { stores: DeskStores; numbers: readonly string[] },
): Promise<OrderHead[]> {
  const query = placedOrders(db, stores).selectAll().where('order_number', 'in', numbers);
  return toHeads(await query.orderBy('placed_at').orderBy('id').execute());
}

/**
 * Open orders that were not refunded, and those that left the desk after `since` (epoch ms), oldest first. Of more than `most` of a delivery method the
 * newest, so that no pile of one kind hides another; `hidden` counts the others.
 */
export async function deskOrders(
  db: Reader,
  stores: DeskStores,
  { since, most }: { since: number; most: number },
): Promise<{ orders: OrderHead[]; hidden: { method: CheckoutMethod; count: number }[] }> {
  const ofMethod = (method: CheckoutMethod) =>
    placedOrders(db, stores)
      .where('state', 'in', waitingStates)
      .where('method', '=', method)
      .where((eb) => eb.not(refundedUnsent));
  const [gone, ...waiting] = await Promise.all([
    placedOrders(db, stores)
      .selectAll()
      .where('state', 'in', left)
      .where('updated_at', '>=', since)
      .orderBy('updated_at', 'desc')
      .limit(most)
      .execute(),
    ...checkoutMethods.map((method) =>
      ofMethod(method).selectAll().orderBy('placed_at', 'desc').orderBy('id').limit(most).execute(),
    ),
  ]);
  const hidden = await Promise.all(
    checkoutMethods.map(async (method, index) => {
      if ((waiting[index]?.length ?? 0) < most) return { method, count: 0 };
      const { all } = await ofMethod(method)
        .select(({ fn }) => fn.countAll<number>().as('all'))
        .executeTakeFirstOrThrow();
      return { method, count: Number(all) - most };
    }),
  );
  const byAge = (a: OrderHead, b: OrderHead) =>
    (a.placedAt ?? 0) - (b.placedAt ?? 0) || (a.id < b.id ? -1 : 1);
  return {
    orders: toHeads([...gone, ...waiting.flat()]).sort(byAge),
    hidden: hidden.filter(({ count }) => count > 0),
  };
}

/** Of these printers, those that were tried in vain, with at most `mostUnprinted` of the orders whose tickets wait. */
export async function unprintedOf(
  db: Reader,
  printers: readonly Pick<TicketPrinter, 'lane'>[],
): Promise<Unprinted[]> {
  if (printers.length === 0) return [];
  const lanes = printers.map(({ lane }) => lane);
  const rows = await db
    .selectFrom('deliveries as ticket')
    .innerJoin('orders', 'orders.id', 'ticket.order_id')
    .select(['ticket.recipient', 'ticket.answer', 'orders.order_number'])
    .where('ticket.kind', '=', ticketKind)
    .where('ticket.state', 'in', unfinished)
    .where('ticket.recipient', 'in', lanes)
    .where('ticket.answer', 'is not', null)
    .orderBy('ticket.created_at')
    .orderBy('ticket.id')
    .limit(mostUnprinted)
    .execute();
  return [...Map.groupBy(rows, ({ recipient }) => recipient ?? '')].map(([printer, tickets]) => ({
    printer,
    trouble: tickets.at(-1)?.answer === noPaper ? 'noPaper' : 'away',
    numbers: [...new Set(tickets.flatMap(({ order_number: number }) => number ?? []))],
  }));
}

export type DeskLineRow = Awaited<ReturnType<typeof deskLines>>[number];

export async function deskLines(db: Reader, orderIds: readonly string[]) {
  if (orderIds.length === 0) return [];
  return db
    .selectFrom('order_lines')
    .select([
      'id',
      'order_id',
      'sku',
      'quantity',
      'name',
      'option_text',
      'modifiers',
      'note',
      'ticked_at',
      'changed_at',
    ])
    .select('unit_price_cents')
    .where('order_id', 'in', orderIds)
    .orderBy('position')
    .orderBy('sku')
    .execute();
}

/** Null if the order has no such line; otherwise whether it was not so already. */
export async function tickLine(
  trx: Trx,
  orderId: string,
  line: string,
  at: number | null,
): Promise<boolean | null> {
  const lines = trx.selectFrom('order_lines').select('ticked_at').where('order_id', '=', orderId);
  const known = await lines.where('id', '=', line).executeTakeFirst();
  if (!known) return null;
  if ((known.ticked_at === null) === (at === null)) return false;
  await trx
    .updateTable('order_lines')
    .set({ ticked_at: at })
    .where('order_id', '=', orderId)
    .where('id', '=', line)
    .execute();
  return true;
}

/** When each order entered the state in which it is. */
export async function statesSince(db: Reader, orderIds: readonly string[]): Promise<Map<string, number>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('order_events')
    .select(({ fn }) => ['order_id', fn.max('at').as('at')])
    .where('order_id', 'in', orderIds)
    .whereRef('from_state', '!=', 'to_state')
    .groupBy('order_id')
    .execute();
  return new Map(rows.map(({ order_id, at }) => [order_id, at]));
}

/** The changes of an order's state, oldest first. */
export async function stepsOf(
  db: Reader,
  orderId: string,
): Promise<{ from: OrderState; to: OrderState; at: number }[]> {
  const rows = await db
    .selectFrom('order_events')
    .select(['from_state', 'to_state', 'at'])
    .where('order_id', '=', orderId)
    .whereRef('from_state', '!=', 'to_state')
    .orderBy('version')
    .execute();
  // The columns are written only from the contract's values.
  return rows.map(({ from_state, to_state, at }) => ({
    from: from_state as OrderState,
    to: to_state as OrderState,
    at,
  }));
}

/**
 * Asks the merchant whether the items of an order go back to stock, unless that was asked before or the order was never placed.
 */
export async function askAboutStock(trx: Trx, orderId: string, at: number): Promise<void> {
  await trx
    .updateTable('orders')
    .set({ restock_asked_at: at })
    .where('id', '=', orderId)
    .where('placed_at', 'is not', null)
    .where('restock_asked_at', 'is', null)
    .where('state', '<>', 'cancelled')
    .execute();
}

/** Records the merchant's answer: 0 prevents asking again. */
export async function answerAboutStock(trx: Trx, orderId: string): Promise<void> {
  await trx.updateTable('orders').set({ restock_asked_at: 0 }).where('id', '=', orderId).execute();
}

/** Numbers of orders with an open question whether their items go back to stock. */
export async function stockQuestions(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('order_number')
    .where('restock_asked_at', '>', 0)
    .where('state', '<>', 'cancelled')
    .orderBy('restock_asked_at')
    .limit(500)
    .execute();
  return rows.flatMap(({ order_number }) => order_number ?? []);
}
