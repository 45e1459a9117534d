/** Orders: carts, views of orders for customers and merchants, their fulfilment, and the end of what they hold. */
import { randomUUID } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { PickupService, StoresService } from '#server/modules/stores/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import type { DeliveryQueue } from '#server/platform/deliveries/delivery-queue.ts';
import type { Env } from '#server/platform/env.ts';
import { notFound } from '#server/platform/errors.ts';
import { Counter, countAfterCommit } from '#server/platform/telemetry/metric.ts';
import type { CouponsService } from '../coupons/coupons.service.ts';
import { withoutTypedWords } from '../emails/order-parts.ts';
import { createClosedPickups } from '../fulfilment/closed-pickups.ts';
import { createFulfilment } from '../fulfilment/fulfilment.ts';
import { createOrderArchive } from './archive.ts';
import { createCustomerOrders } from './customer-orders.ts';
import { createHoldEnds } from './end-holds.ts';
import { type ImportedOrder, importOrders } from './import.ts';
import type { Buyer, OrderHead } from './order.ts';
import { findByDueVersion } from './order-payment.ts';
import { createOrderSettings, type OrderSettings } from './order-settings.ts';
import { createOrderViews, createWholeOrderView } from './order-views.ts';
import {
  changeCart,
  deleteAbandonedCarts,
  findCart,
  findOrder,
  insertCart,
  keepShownBill,
  lockBuyersCart,
  type OrderChange,
  orderCounter,
  raiseOrderNumber,
} from './orders.repository.ts';

export interface OrdersDeps {
  db: Database;
  now: () => number;
  env: Pick<Env, 'ticketPrinters' | 'pushContact'>;
  settings: SettingsService;
  stores: StoresService;
  media: MediaService;
  stock: StockService;
  catalogue: Pick<CatalogueService, 'modifierGroups' | 'names'>;
  pickup: PickupService;
  mail: OutboxService;
  webhookEvents: WebhookEvents;
  deliveries: DeliveryQueue;
  coupons: CouponsService;
}

export type OrdersService = ReturnType<typeof createOrdersService>;

export function createOrdersService(deps: OrdersDeps) {
  const { db } = deps;
  const metrics = createOrderMetrics();
  const settings = createOrderSettings(deps);
  const { liveLines, linesOf, partsOf, couponOf, view } = createOrderViews(deps);
  const wholeView = createWholeOrderView({ ...deps, settings, view });
  const customers = createCustomerOrders({
    ...deps,
    view: async (reader, order, locale) => view(reader, order, await settings(), locale),
    wholeView,
  });

  return {
    /** The merchant's settings that orders need. Read them before a transaction, not inside one. */
    settings,
    customers,
    closedPickups: createClosedPickups(deps),
    fulfilment: createFulfilment({ ...deps, view: wholeView }),

    ...createCartRecords(deps),
    ...createHoldEnds({ ...deps, settings }),

    metrics,
    findById: findOrder,
    lines: linesOf,
    liveLines,
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

    /**
     * The placed order of a `dueVersion`, for its buyer or for whoever pays for them, who does not learn who they are.
     * @throws {AppError} NOT_FOUND if there is none
     */
    async dueOrder(version: string, buyer: Buyer | null, locale: Locale): Promise<Order> {
      const order = await findByDueVersion(db.read, version);
      if (!order) throw notFound();
      const whole = await wholeView(db.read, order, locale);
      return buyer && isOwn(order, buyer) ? whole : { ...withoutTypedWords(whole), shippingAddress: null };
    },

    archive: createOrderArchive(deps),
    import: (imported: readonly ImportedOrder[]): Promise<void> => importOrders(db, imported),

    /** Numbers future orders above this one, for shops that have sold before. */
    startNumbersAfter: (number: number): Promise<void> => db.transaction((trx) => raiseOrderNumber(trx, orderCounter, number)),
  };
}

function isOwn(order: OrderHead, buyer: Buyer): boolean {
  return order.sessionHash === buyer.idHash || (order.customerId !== null && order.customerId === buyer.customerId);
}

function createOrderMetrics() {
  const placed = new Counter({
    name: 'shopwright_orders_placed_total',
    help: 'Orders placed, by delivery method, and by whether they were paid online, are paid in store or cost nothing.',
    labels: ['method', 'payment'],
  });
  return {
    sources: [{ name: 'orders', metrics: [placed] }],

    orderPlaced(trx: Trx, { method, payAtStore, bill }: OrderHead): void {
      const payment = bill?.total === 0 ? 'none' : payAtStore ? 'store' : 'online';
      countAfterCommit(trx, () => placed.add(method ?? 'unknown', payment));
    },
  };
}

function createCartRecords({ db, now }: { db: Database; now: () => number }) {
  return {
    findCart: (reader: Reader, buyer: Buyer): Promise<OrderHead | null> => findCart(reader, buyer),

    /** Locks the session's cart and increments its version. Null if there is none, or if it is being paid. */
    lockCart: (trx: Trx, buyer: Buyer): Promise<OrderHead | null> => lockBuyersCart(trx, buyer, now()),

    startCart: (trx: Trx, buyer: Buyer, { currency }: OrderSettings, locale: Locale): Promise<OrderHead | null> =>
      insertCart(trx, { id: randomUUID(), buyer, language: locale, currency, at: now() }),

    /** Changes a cart's own fields and increments its version. Returns the changed cart; null if it is no longer a cart. */
    changeCart: (trx: Trx, id: string, change: OrderChange = {}): Promise<OrderHead | null> => changeCart(trx, id, now(), change),

    /**
     * Stores which bill the buyer is given with this answer, if it can be paid: a call that pays and names no bill pays this one.
     * Returns the answer.
     */
    async showBill(trx: Trx, order: Order): Promise<Order> {
      const { orderID, state, bill } = order;
      if (orderID !== null && state === 'cart' && bill.final) await keepShownBill(trx, orderID, bill.billVersion);
      return order;
    },

    deleteAbandonedCarts: (): Promise<number> => db.transaction(deleteAbandonedCarts),
  };
}
