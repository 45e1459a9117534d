/** Orders: carts, views of orders for customers and merchants, and the steps by which orders are placed. */
import { defaultLocale, type Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Database } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { AlertsService, OutboxService } from '#server/modules/notifications/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { PickupService, StoresService } from '#server/modules/stores/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { createCartRecords } from '../cart/cart-records.ts';
import type { CouponsService } from '../coupons/coupons.service.ts';
import { createClosedPickups } from '../fulfilment/closed-pickups.ts';
import { createFulfilment } from '../fulfilment/fulfilment.ts';
import { orderCounter } from '../order-confirmation.ts';
import { createOrderPayments } from '../order-payments.ts';
import { createPlacement } from '../placement.ts';
import { createProviderActivity } from '../provider-activity.ts';
import { createRefundProblems } from '../refund-problems.ts';
import { createRefunds } from '../refunds.ts';
import { createTableCards } from '../table-cards.ts';
import { createCustomerOrders } from './customer-orders.ts';
import { type ImportedOrder, importOrders } from './import.ts';
import type { Buyer, OrderHead } from './order.ts';
import { createOrderCompletion } from './order-completion.ts';
import type { OrderMetrics } from './order-metrics.ts';
import { createOrderSettings } from './order-settings.ts';
import { createOrderViews } from './order-views.ts';
import { findOrder, raiseOrderNumber } from './orders.repository.ts';
import { createWholeOrderView } from './whole-order-view.ts';

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
  const { db } = deps;
  const settings = createOrderSettings(deps);
  const refunds = createRefunds(deps);
  const providerActivity = createProviderActivity(deps);
  const placement = createPlacement({ ...deps, refunds });
  const { linesOf, partsOf, couponOf, view } = createOrderViews(deps);
  const wholeView = createWholeOrderView({ ...deps, settings, refunds, view });
  const customers = createCustomerOrders({
    ...deps,
    view: async (reader, order, locale) => view(reader, order, await settings(), locale),
    wholeView,
  });

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
    closedPickups: createClosedPickups(deps),
    /** The merchant's operations on orders. */
    fulfilment: createFulfilment({
      ...deps,
      refunds,
      providerActivity,
      view: (reader, order) => wholeView(reader, order, defaultLocale),
    }),

    ...createCartRecords(deps),
    ...createTableCards(deps),
    ...createOrderCompletion({ ...deps, settings, placement }),

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

    /** Adds orders that were placed elsewhere. */
    import: (imported: readonly ImportedOrder[]): Promise<void> => importOrders(db, imported),

    /** Numbers future orders above this one, for shops that have sold before. */
    startNumbersAfter: (number: number): Promise<void> => db.transaction((trx) => raiseOrderNumber(trx, orderCounter, number)),
  };
}

function isOwn(order: OrderHead, buyer: Buyer): boolean {
  return order.sessionHash === buyer.idHash || (order.customerId !== null && order.customerId === buyer.customerId);
}
