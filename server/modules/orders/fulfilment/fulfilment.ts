/** The merchant's operations on placed orders: find, fulfil and cancel them. */
import { randomUUID } from 'node:crypto';
import { formatMerchantMoney } from '#contract/formatters.ts';
import type { CounterKind } from '#contract/limits.ts';
import { defaultLocale, type Locale } from '#contract/locales.ts';
import type { Order, OrderState } from '#contract/schemas/order.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import {
  acceptDisputes,
  balanceOf,
  type Dispute,
  disputesOf,
  hasUnansweredDispute,
  type Refund,
  refundsOf,
} from '#server/modules/payments/index.ts';
import { type PickupService, storesIn } from '#server/modules/stores/index.ts';
import type { DeliveryQueue } from '#server/platform/deliveries/delivery-queue.ts';
import { OperationError } from '#server/platform/errors.ts';
import type { CouponsService } from '../coupons/coupons.service.ts';
import { enqueueOrderEmail, enqueuePaymentReceipt, enqueueShipmentEmail } from '../emails/order-emails.ts';
import { statesOf } from '../order/customer-orders.repository.ts';
import { mayFollow, type OrderHead } from '../order/order.ts';
import { unitsText } from '../order/order-lines.repository.ts';
import { cashStepOf, recordReceived, rejectPaid, takePayment } from '../order/order-money.ts';
import { type OrderPage, type OrderQuery, orderPage } from '../order/order-pages.repository.ts';
import type { OrderEvents } from '../order/order-webhooks.ts';
import { findOrderByNumber, transitionOrder, updateOrder } from '../order/orders.repository.ts';
import { insertShipment, shipmentsOf } from '../order/shipments.repository.ts';
import { createCancel } from './cancelling.ts';
import { answerAboutStock, stockQuestions } from './desk.repository.ts';
import { chosenLines, type ShipRequest, takeBackStep, trackingOf, unsentOf } from './shipping.ts';

/** The states an order can be moved to manually; cancelling is a separate step. */
const fulfilmentStates = ['ready', 'shipped', 'completed'] as const;
export type FulfilmentState = (typeof fulfilmentStates)[number];

export type Fulfilment = ReturnType<typeof createFulfilment>;

export interface FulfilmentDeps {
  db: Database;
  now: () => number;
  stock: StockService;
  pickup: PickupService;
  mail: OutboxService;
  coupons: CouponsService;
  orderEvents: OrderEvents;
  deliveries: DeliveryQueue;
  view(reader: Reader, order: OrderHead, locale: Locale): Promise<Order>;
}

export function createFulfilment(deps: FulfilmentDeps) {
  return {
    ...createOrderReads(deps),
    ...createMoves(deps),

    ...createCancel(deps),
    ...createStockQuestions(deps),
  };
}

function createOrderReads({ db, view }: Pick<FulfilmentDeps, 'db' | 'view'>) {
  return {
    /** Placed orders, newest first. `after`: the number of the last one of the page before. @throws {OperationError} if there is none */
    async page(
      query: OrderQuery,
      { after, size }: { after?: string | undefined; size: number },
    ): Promise<OrderPage> {
      const last = after === undefined ? null : await findByNumber(db.read, after);
      return orderPage(db.read, query, last && { ...last, placedAt: last.placedAt ?? 0 }, size);
    },
    /**
     * Finds an order by its number, ignoring case and surrounding spaces.
     * @throws {OperationError} if there is none
     */
    find: (number: string, reader: Reader = db.read): Promise<OrderHead> => findByNumber(reader, number),
    activity: (orderId: string) => activityOf(db.read, orderId),
    balance: (orderId: string) => balanceOf(db.read, orderId),
    /** What cash for an order, by its number, is a multiple of. */
    cashStep: async (number: string): Promise<number> =>
      cashStepOf(await findByNumber(db.read, number), await storesIn(db.read)),
    /** The states of an order and its refunds, with the merchant's reasons. */
    async history(
      orderId: string,
    ): Promise<{ states: Awaited<ReturnType<typeof statesOf>>; refunds: Refund[] }> {
      const [states, found] = await Promise.all([statesOf(db.read, orderId), refundsOf(db.read, orderId)]);
      return { states: states.filter(({ state }) => state !== 'cart' && state !== 'paying'), refunds: found };
    },
    show: async (number: string, locale: Locale = defaultLocale): Promise<Order> =>
      view(db.read, await findByNumber(db.read, number), locale),
  };
}

/** How staff took what was due of an order that is handed over or sent. */
type TakenHow = CounterKind | 'unpaid';
/** Cents; `cash` is what of it was handed over in coins and notes, null if it was paid another way. */
export interface TakenMoney {
  taken: number;
  cash: number | null;
}
/** With what was taken, and the shipment that was made of it. */
type Moved = OrderHead & TakenMoney & { shipment?: string };
const nothing: TakenMoney = { taken: 0, cash: null };

/**
 * Sends lines of an order, all that are left by default, with an email of their own. The order is shipped once all of them are; until then
 * it stays as it is. `seen` is the number of shipments that the caller knew, so that a repeated request sends nothing twice.
 * @throws {OperationError} if its state does not allow that, or fewer are left @throws {AppError} for a tracking number that is none
 */
function createShip(deps: FulfilmentDeps) {
  const { now, mail, orderEvents } = deps;
  return async (
    { trx, actor, note }: Change,
    number: string,
    request: ShipRequest = {},
    how?: TakenHow,
  ): Promise<Moved> => {
    const at = now();
    const order = await lockByNumber(trx, number, at);
    if (order.method !== 'shipping' || !mayFollow(order.state, 'shipped'))
      throw new OperationError('error.order.state', { number, state: order.state, to: 'shipped' });
    const before = await shipmentsOf(trx, order.id);
    if (request.seen !== undefined && request.seen !== before.length)
      throw new OperationError('error.order.changed', { number });
    const left = (await unsentOf(trx, [order])).get(order.id) ?? [];
    // What was left was refunded since.
    const isOver = left.length === 0 && before.length > 0 && !request.lines;
    const lines = isOver ? [] : chosenLines(left, request.lines, number);
    const money = await takeRest(deps, { trx, actor, at }, number, how);
    const isLast = unitsIn(left) === unitsIn(lines);
    const shipped = isLast
      ? (await step(trx, number, { to: 'shipped', at, reason: 'by the merchant' })).order
      : order;
    const id = isOver ? undefined : randomUUID();
    if (id) {
      await insertShipment(trx, { id, orderId: order.id, lines, ...trackingOf(request), at });
      await enqueueShipmentEmail(trx, mail, order, id);
    }
    if (isLast) await orderEvents.record(trx, 'order.shipped', shipped);
    note('order', order.number ?? '', [
      ...(isLast ? [{ field: 'state', from: order.state, to: 'shipped' }] : []),
      ...(isOver ? [] : [{ field: 'shipped', to: await unitsText(trx, order.id, lines) }]),
      ...(money.taken > 0 ? [{ field: 'paid', to: money.taken }] : []),
    ]);
    return { ...shipped, ...money, ...(id ? { shipment: id } : {}) };
  };
}

const unitsIn = (lines: readonly { quantity: number }[]) =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);

function createMoves(deps: FulfilmentDeps) {
  const { now } = deps;
  const ship = createShip(deps);
  return {
    ship,

    /**
     * Moves an order to its next state, with an email if its buyer expects one. Completing a reserved order sells its stock. What is
     * still due of an order that is shipped or completed is recorded as paid at the counter, as `how` says; by default only if it is
     * paid at the store. Returns how much that was, cents.
     * @throws {OperationError} if its state does not allow that, or money is due for an order that is paid online
     */
    async move(change: Change, number: string, to: FulfilmentState, how?: TakenHow): Promise<Moved> {
      if (to === 'shipped') return ship(change, number, {}, how);
      const { trx, actor, note } = change;
      // Before it is completed, after which an order that is paid at the store counts as paid.
      const at = now();
      const money = to === 'ready' ? nothing : await takeRest(deps, { trx, actor, at }, number, how);
      const { from, order } = await step(trx, number, { to, at, reason: 'by the merchant' });
      await recordMove(deps, trx, order, to);
      note('order', order.number ?? '', [
        { field: 'state', from, to },
        ...(money.taken > 0 ? [{ field: 'paid', to: money.taken }] : []),
      ]);
      return { ...order, ...money };
    },

    /** Says that an order is handed over although it is disputed. */
    async acceptDisputes({ trx, note }: Change, number: string): Promise<void> {
      const order = await lockByNumber(trx, number, now());
      const accepted = await acceptDisputes(trx, order.id, now());
      note('order', order.number ?? '', accepted ? [{ field: 'disputeAccepted', to: true }] : []);
    },

    /** Takes the last step of an order back. @throws {OperationError} as `takeBackStep` */
    takeBack: async (change: Change, number: string, reason: string): Promise<OrderHead> =>
      takeBackStep(deps, change, await lockByNumber(change.trx, number, now()), {
        reason,
        mayUndo: () => true,
      }),

    /**
     * Records money that staff took for an order: `amount` cents, all that is due if it is left out. Returns how much was taken, and
     * what is still due.
     * @throws {OperationError} if that much is not due, or something else is due than they had `seen`
     */
    async take(
      { trx, actor, note }: Change,
      number: string,
      kind: CounterKind,
      amount?: number,
      seen?: { due: number },
    ): Promise<{ order: OrderHead; due: number } & TakenMoney> {
      const order = await lockByNumber(trx, number, now());
      const balance = await balanceOf(trx, order.id);
      if (seen && seen.due !== balance.due) {
        rejectPaid(order, balance, kind);
        throw new OperationError('error.order.changed', { number: order.number ?? '' });
      }
      const { taken, cash, due, payment } = await takePayment(trx, order, { kind, amount, actor }, now());
      await recordReceived(deps, trx, order);
      await enqueuePaymentReceipt(trx, deps.mail, order, payment);
      note('order', order.number ?? '', [{ field: 'paid', to: taken }]);
      return { order, taken, cash, due };
    },
  };
}

/** What began at the provider of an order's payment: refunds that the shop did not request, and disputes. */
async function activityOf(
  reader: Reader,
  orderId: string,
): Promise<{ refunds: Refund[]; disputes: Dispute[] }> {
  const [refunds, disputes] = await Promise.all([refundsOf(reader, orderId), disputesOf(reader, orderId)]);
  // Ids of the shop's own refunds lack the provider's name.
  return { refunds: refunds.filter(({ id }) => id.includes(':')), disputes };
}

function createStockQuestions({ db, stock }: Pick<FulfilmentDeps, 'db' | 'stock'>) {
  return {
    /** Numbers of orders whose items may have to go back to stock, since their money went back without the shop. */
    stockQuestions: (): Promise<string[]> => stockQuestions(db.read),

    /**
     * Answers whether the items of an order go back to stock: with `restock` to the locations they were sold from. Returns how many
     * units did.
     * @throws {OperationError} if there is no such order, or nothing was asked about it
     */
    async answerAboutStock(change: Change, number: string, restock: boolean): Promise<number> {
      const units = await answerStockQuestion(change, stock, number, restock);
      change.note('order', number.trim().toUpperCase(), [{ field: 'restocked', to: units }]);
      return units;
    },
  };
}

async function answerStockQuestion(
  { trx, actor }: Change,
  stock: StockService,
  number: string,
  restock: boolean,
): Promise<number> {
  const order = await findByNumber(trx, number);
  if (!(await stockQuestions(trx)).includes(order.number ?? ''))
    throw new OperationError('error.order.nothingToRestock', { number });
  await answerAboutStock(trx, order.id);
  return restock ? stock.restock(trx, order.id, actor) : 0;
}

async function findByNumber(reader: Reader, number: string): Promise<OrderHead> {
  const order = await findOrderByNumber(reader, number.trim().toUpperCase());
  if (!order) throw new OperationError('error.order.unknown', { number });
  return order;
}

/** Moves an order to another state, if its present state and its delivery method allow that. */
async function step(
  trx: Trx,
  number: string,
  { to, at, reason }: { to: OrderState; at: number; reason: string },
): Promise<{ from: OrderState; order: OrderHead }> {
  const { id, state, method } = await findByNumber(trx, number);
  // A shipped order is never ready for pickup, and vice versa.
  const fits = to === 'ready' ? method === 'pickup' : to === 'shipped' ? method === 'shipping' : true;
  if (!mayFollow(state, to) || !fits)
    throw new OperationError('error.order.state', {
      number,
      state: method ? `${state} (${method})` : state,
      to,
    });
  const order = await transitionOrder(trx, id, { from: state, to, at, reason });
  if (!order) throw new OperationError('error.order.changed', { number });
  return { from: state, order };
}

async function lockByNumber(trx: Trx, number: string, at: number): Promise<OrderHead> {
  const { id } = await findByNumber(trx, number);
  const order = await updateOrder(trx, id, { updated_at: at });
  if (!order) throw new OperationError('error.order.unknown', { number });
  return order;
}

/**
 * Takes what is still due of an order that is handed over, unless it is left `unpaid`.
 * @throws {OperationError} if it is disputed, and staff have not said that it is handed over all the same
 */
async function takeRest(
  { mail }: Pick<FulfilmentDeps, 'mail'>,
  { trx, actor, at }: Pick<Change, 'trx' | 'actor'> & { at: number },
  number: string,
  how?: TakenHow,
): Promise<TakenMoney> {
  const order = await lockByNumber(trx, number, at);
  if (await hasUnansweredDispute(trx, order.id))
    throw new OperationError(
      actor.kind === 'terminal' ? 'error.order.disputedCommand' : 'error.order.disputed',
      { number },
    );
  const { due } = await balanceOf(trx, order.id);
  if (order.placedAt === null || due === 0 || (how === 'unpaid' && !order.payAtStore)) return nothing;
  if (how === 'unpaid' || !(how || order.payAtStore))
    throw new OperationError(actor.kind === 'terminal' ? 'error.order.dueCommand' : 'error.order.due', {
      amount: formatMerchantMoney(due, order.currency),
      number: order.number ?? '',
    });
  const { taken, cash, payment } = await takePayment(trx, order, { kind: how ?? 'other', actor }, at);
  await enqueuePaymentReceipt(trx, mail, order, payment);
  return { taken, cash };
}

/** The consequences of moving an order: sold stock, an email, an event. */
async function recordMove(
  deps: FulfilmentDeps,
  trx: Trx,
  order: OrderHead,
  to: Exclude<FulfilmentState, 'shipped'>,
): Promise<void> {
  const { stock, mail, orderEvents } = deps;
  if (to === 'completed') {
    await stock.sell(trx, order.id);
    if (order.payAtStore) await orderEvents.record(trx, 'order.paid', order);
    return;
  }
  await enqueueOrderEmail(trx, mail, order, { kind: 'orderReady' });
  await orderEvents.record(trx, 'order.ready', order);
}
