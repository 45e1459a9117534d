/** Orders: carts, views of orders for customers and merchants, and the steps by which orders are placed. */
import { randomUUID } from 'node:crypto';
import { defaultLocale, type Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { AlertsService, OutboxService } from '#server/modules/notifications/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { PickupService, StoresService } from '#server/modules/stores/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { arrivalOf } from './checkout/delivery-promise.ts';
import type { CouponsService } from './coupons/coupons.service.ts';
import { createCustomerOrders } from './customer-orders.ts';
import { createFulfilment } from './fulfilment.ts';
import { type ImportedOrder, importOrders } from './import.ts';
import type { Buyer, OrderHead } from './order.ts';
import { orderCounter } from './order-confirmation.ts';
import type { OrderMetrics } from './order-metrics.ts';
import { createOrderPayments } from './order-payments.ts';
import { createOrderSettings, type OrderSettings } from './order-settings.ts';
import { createOrderViews } from './order-views.ts';
import {
  changeCart,
  deleteAbandonedCarts,
  findCart,
  findOrder,
  insertCart,
  lockBuyersCart,
  type OrderChange,
  raiseOrderNumber,
} from './orders.repository.ts';
import { type CompletedOrder, createPlacement } from './placement.ts';
import { createProviderActivity } from './provider-activity.ts';
import { createRefundProblems } from './refund-problems.ts';
import { createRefunds } from './refunds.ts';
import { currentDeadline } from './reservation-deadline.ts';

export interface OrdersDeps {
  db: Database;
  /** The clock: epoch ms. */
  now: () => number;
  settings: SettingsService;
  stores: StoresService;
  media: MediaService;
  stock: StockService;
  pickup: PickupService;
  mail: OutboxService;
  alerts: AlertsService;
  webhookEvents: WebhookEvents;
  coupons: CouponsService;
  metrics: OrderMetrics;
}

export type OrdersService = ReturnType<typeof createOrdersService>;

export function createOrdersService(deps: OrdersDeps) {
  const { db, stock } = deps;
  const settings = createOrderSettings(deps);
  const refunds = createRefunds(deps);
  const providerActivity = createProviderActivity(deps);
  const placement = createPlacement({ ...deps, refunds });
  const { linesOf, partsOf, couponOf, view } = createOrderViews(deps);

  /** Like `view`, with its states, its refunds, and until when it waits to be picked up. */
  async function wholeView(reader: Reader, order: OrderHead, locale: Locale): Promise<Order> {
    const waits = order.payAtStore && order.method === 'pickup' && (order.state === 'reserved' || order.state === 'ready');
    const current = await settings();
    const [whole, timeline, sent, heldUntil, unlistedStore] = await Promise.all([
      view(reader, order, current, locale),
      customers.timeline(order),
      refunds.of(reader, order.id),
      waits ? stock.heldUntil(reader, order.id) : null,
      order.storeId === null ? null : deps.stores.unlisted(order.storeId, locale),
    ]);
    const viewed = sent.map(({ amount, tip, state, createdAt }) => ({ amount, tip, done: state === 'done', at: createdAt }));
    const deadline = heldUntil === null ? {} : { reservedUntil: currentDeadline(order, heldUntil, current) };
    const arrival = arrivalOf(whole, current);
    return {
      ...whole,
      timeline,
      refunds: viewed,
      ...deadline,
      ...(arrival ? { arrival } : {}),
      ...(unlistedStore ? { unlistedStore } : {}),
    };
  }

  const customers = createCustomerOrders({
    ...deps,
    view: async (reader, order, locale) => view(reader, order, await settings(), locale),
    wholeView,
  });

  async function expire(orderId: string): Promise<boolean> {
    const current = await settings();
    return db.transaction((trx) => placement.expire(trx, orderId, current));
  }

  return {
    /** The merchant's settings that orders need. Read them before a transaction, not inside one. */
    settings,
    /** Customers' operations on their orders. */
    customers,
    /** The steps by which a cart becomes an order. */
    placement,
    payments: createOrderPayments(deps),
    refunds,
    refundProblems: createRefundProblems(deps),
    /** Refunds and disputes that began at a provider. */
    providerActivity,
    /** The merchant's operations on orders. */
    fulfilment: createFulfilment({
      ...deps,
      refunds,
      providerActivity,
      view: (reader, order) => wholeView(reader, order, defaultLocale),
    }),

    ...createCarts(deps),

    findById: findOrder,
    lines: linesOf,
    /** A cart's lines with their stock; an order's lines as they were agreed, without. */
    parts: partsOf,
    couponOf,
    view,

    /** A placed order. @throws {AppError} NOT_FOUND unless `buyer` placed it */
    async placedOrder(id: string, buyer: Buyer | null, locale: Locale): Promise<Order> {
      const order = await findOrder(db.read, id);
      if (!order || order.placedAt === null || !buyer || !isOwn(order, buyer)) throw notFound();
      return wholeView(db.read, order, locale);
    },

    /** Places the order of a payment that succeeded (`completePayment`). Null for an unknown reference. */
    async completeOrder({ provider, reference }: { provider: string; reference: string }): Promise<CompletedOrder | null> {
      const current = await settings();
      return db.transaction((trx) => placement.complete(trx, provider, reference, current));
    },

    /** Ends an order whose hold has expired. Returns false if it has ended already. */
    expire,

    /** Ends orders whose hold has expired, except those in `except`. Returns how many. */
    async expireHolds(except: ReadonlySet<string> = new Set()): Promise<number> {
      let expired = 0;
      for (const id of await stock.expiredHolds()) if (!except.has(id) && (await expire(id))) expired += 1;
      return expired;
    },

    /** Adds orders that were placed elsewhere. */
    import: (imported: readonly ImportedOrder[]): Promise<void> => importOrders(db, imported),

    /** Numbers future orders above this one, for shops that have sold before. */
    startNumbersAfter: (number: number): Promise<void> => db.transaction((trx) => raiseOrderNumber(trx, orderCounter, number)),

    /** Deletes guests' carts that outlived their sessions. Returns how many. */
    deleteAbandonedCarts: (): Promise<number> => db.transaction(deleteAbandonedCarts),
  };
}

/** The statements of carts, for the services that change them. */
function createCarts({ db, now }: Pick<OrdersDeps, 'db' | 'now'>) {
  return {
    /** The session's cart, null if it has none. */
    findCart: (reader: Reader, buyer: Buyer): Promise<OrderHead | null> => findCart(reader, db.engine, buyer),

    /** Locks the session's cart and increments its version. Null if there is none, or if it is being paid. */
    lockCart: (trx: Trx, buyer: Buyer): Promise<OrderHead | null> => lockBuyersCart(trx, db.engine, buyer, now()),

    /** A new cart for the session; null if it has one. */
    startCart: (trx: Trx, buyer: Buyer, { currency }: OrderSettings, locale: Locale): Promise<OrderHead | null> =>
      insertCart(trx, db.engine, { id: randomUUID(), buyer, language: locale, currency, at: now() }),

    /** Changes a cart's own fields and increments its version. Returns the changed cart; null if it is no longer a cart. */
    changeCart: (trx: Trx, id: string, change: OrderChange = {}): Promise<OrderHead | null> => changeCart(trx, id, now(), change),
  };
}

function isOwn(order: OrderHead, buyer: Buyer): boolean {
  return order.sessionHash === buyer.idHash || (order.customerId !== null && order.customerId === buyer.customerId);
}
