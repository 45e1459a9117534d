/** Orders: what a shopper may see of them, and the steps by which they are placed. */
import { randomUUID } from 'node:crypto';
import { defaultLocale, type Locale } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { StockLevels, StockService } from '#server/modules/inventory/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { AlertsService, OutboxService } from '#server/modules/notifications/index.ts';
import type { CouponStatus } from '#server/modules/pricing/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { PickupService, StoresService } from '#server/modules/stores/index.ts';
import { notFound } from '#server/platform/errors.ts';
import type { CouponsService } from './coupons/coupons.service.ts';
import { type CustomerOrders, createCustomerOrders } from './customer-orders.ts';
import { createFulfilment, type Fulfilment } from './fulfilment.ts';
import { type ImportedOrder, importOrders } from './import.ts';
import type { Buyer, OrderHead, OrderLine } from './order.ts';
import { orderCounter } from './order-confirmation.ts';
import { createOrderPayments, type OrderPayments } from './order-payments.ts';
import { emptyCart, viewOrder } from './order-presenter.ts';
import { createOrderSettings, type OrderSettings } from './order-settings.ts';
import {
  bumpCartVersion,
  changeCart,
  deleteAbandonedCarts,
  findCart,
  findOrder,
  frozenLinesOf,
  insertCart,
  liveLinesOf,
  type OrderChange,
  raiseOrderNumber,
} from './orders.repository.ts';
import { findPaymentOf } from './payments.repository.ts';
import { type CompletedOrder, createPlacement, type Placement } from './placement.ts';
import { createProviderActivity, type ProviderActivityRecords } from './provider-activity.ts';
import { createRefundProblems, type RefundProblems } from './refund-problems.ts';
import { createRefunds, type Refunds } from './refunds.ts';

export interface OrdersService {
  /** What the shop has decided; read it before a transaction, not inside one. */
  settings(): Promise<OrderSettings>;
  /** The session's cart, null where it has none. */
  findCart(db: Reader, buyer: Buyer): Promise<OrderHead | null>;
  /** An empty cart for the session, or the one it has got meanwhile. */
  startCart(trx: Trx, buyer: Buyer, facts: OrderSettings, locale: Locale): Promise<OrderHead>;
  findById(db: Reader, id: string): Promise<OrderHead | null>;
  lines(db: Reader, order: OrderHead): Promise<OrderLine[]>;
  /** Changes a cart's own fields; null where it has left that state. */
  changeCart(trx: Trx, id: string, change?: OrderChange): Promise<number | null>;
  /** The order as the wire has it. `known` is what has been read of it already. */
  view(db: Reader, order: OrderHead | null, facts: OrderSettings, locale: Locale, known?: KnownParts): Promise<Order>;
  /** How the coupon of a cart stands now; null where it carries none. */
  couponOf(db: Reader, order: OrderHead): Promise<CouponStatus | null>;
  /** An order that has been placed, for whoever placed it; 404 for everybody else. */
  placedOrder(id: string, buyer: Buyer | null, locale: Locale): Promise<Order>;
  /** As their customers have them. */
  customers: CustomerOrders;
  /** Adds orders that were placed elsewhere (`import.ts`). */
  import(orders: readonly ImportedOrder[]): Promise<void>;
  placement: Placement;
  /** Places the order of a payment that succeeded (`completePayment`). Null for an unknown reference. */
  completeOrder(payment: { provider: string; reference: string }): Promise<CompletedOrder | null>;
  payments: OrderPayments;
  refunds: Refunds;
  refundProblems: RefundProblems;
  /** Refunds and disputes that began at a provider. */
  providerActivity: ProviderActivityRecords;
  /** For the merchant. */
  fulfilment: Fulfilment;
  /** Ends an order whose hold has expired. False if it is not open any more. */
  expire(orderId: string): Promise<boolean>;
  /** Ends orders whose hold has expired, except those in `except`. Returns how many. */
  expireHolds(except?: ReadonlySet<string>): Promise<number>;
  /** Numbers of orders to come are above this one, for shops that have sold before. */
  startNumbersAfter(number: number): Promise<void>;
  /** Deletes guests' carts that outlived their sessions. Returns how many. */
  deleteAbandonedCarts(): Promise<number>;
}

export interface KnownParts {
  lines?: readonly OrderLine[];
  stock?: StockLevels;
}

export interface OrdersDeps {
  db: Database;
  now: () => number;
  settings: SettingsService;
  stores: StoresService;
  media: MediaService;
  stock: StockService;
  pickup: PickupService;
  mail: OutboxService;
  alerts: AlertsService;
  coupons: CouponsService;
}

export function createOrdersService(deps: OrdersDeps): OrdersService {
  const { db, now, media, stock } = deps;
  const facts = createOrderSettings(deps);
  const refunds = createRefunds(deps);
  const providerActivity = createProviderActivity(deps);
  const placement = createPlacement({ ...deps, refunds });
  const linesOfOrder = (reader: Reader, order: OrderHead) =>
    order.state === 'cart' ? liveLinesOf(reader, db.engine, order.id) : frozenLinesOf(reader, order.id);

  /** Pictures by file name. They are as settled as the facts: both change with the catalogue version. */
  const pictures = new WeakMap<OrderSettings, Map<string, ImageInfo | null>>();
  async function imagesOf(
    reader: Reader,
    lines: readonly OrderLine[],
    shop: OrderSettings,
  ): Promise<Map<string, ImageInfo | null>> {
    const known = pictures.get(shop) ?? new Map<string, ImageInfo | null>();
    pictures.set(shop, known);
    const missing = lines.flatMap(({ image }) => (image !== null && !known.has(image) ? [image] : []));
    if (missing.length > 0) {
      const found = await media.images(missing, reader);
      for (const file of missing) known.set(file, found.get(file) ?? null);
    }
    return known;
  }

  async function view(
    reader: Reader,
    order: OrderHead | null,
    shop: OrderSettings,
    locale: Locale,
    known: KnownParts = {},
  ): Promise<Order> {
    if (!order) return emptyCart(shop);
    const lines = known.lines ?? (await linesOfOrder(reader, order));
    const levels = known.stock ?? (await stock.levels(reader, order.state === 'cart' ? lines.map(({ sku }) => sku) : []));
    const images = await imagesOf(reader, lines, shop);
    const coupon = await couponOf(reader, order);
    return viewOrder(
      { head: order, lines, stock: levels, images, payment: await paymentOf(reader, order), coupon },
      shop,
      locale,
    );
  }

  /** How a cart's coupon stands now; null where it carries none. */
  async function couponOf(reader: Reader, order: OrderHead): Promise<CouponStatus | null> {
    if (order.bill !== null || order.couponCode === null) return null;
    return deps.coupons.status(reader, order.couponCode, order);
  }

  /** As `view`, with what became of it: its states, what was refunded, and until when it waits to be picked up. */
  async function wholeView(reader: Reader, order: OrderHead, shop: OrderSettings, locale: Locale): Promise<Order> {
    const waits = order.payAtStore && order.method === 'pickup' && (order.state === 'reserved' || order.state === 'ready');
    const [whole, timeline, given, reservedUntil] = await Promise.all([
      view(reader, order, shop, locale),
      customers.timeline(order),
      refunds.of(reader, order.id),
      waits ? stock.heldUntil(reader, order.id) : null,
    ]);
    const viewed = given.map(({ amount, tip, state, createdAt }) => ({ amount, tip, done: state === 'done', at: createdAt }));
    return { ...whole, timeline, refunds: viewed, ...(reservedUntil === null ? {} : { reservedUntil }) };
  }

  const customers = createCustomerOrders({
    ...deps,
    view: async (reader, order, locale) => view(reader, order, await facts(), locale),
    wholeView: async (reader, order, locale) => wholeView(reader, order, await facts(), locale),
  });

  return {
    settings: facts,
    findCart: (reader, buyer) => findCart(reader, db.engine, buyer),
    async startCart(trx, buyer, { currency }, locale) {
      const cart = { id: randomUUID(), buyer, language: locale, currency, at: now() };
      const started = (await insertCart(trx, db.engine, cart)) ?? (await findCart(trx, db.engine, buyer));
      if (!started) throw new Error('A cart that was just started is not there');
      return started;
    },
    findById: findOrder,
    lines: linesOfOrder,
    changeCart: (trx, id, change) => (change ? changeCart(trx, id, now(), change) : bumpCartVersion(trx, db.engine, id, now())),
    view,
    couponOf,

    async placedOrder(id, buyer, locale) {
      const order = await findOrder(db.read, id);
      if (!order || order.placedAt === null || !buyer || !isOwn(order, buyer)) throw notFound();
      return wholeView(db.read, order, await facts(), locale);
    },

    customers,
    import: (imported) => importOrders(db, imported),
    placement,
    async completeOrder({ provider, reference }) {
      const shop = await facts();
      return db.transaction((trx) => placement.complete(trx, provider, reference, shop));
    },
    payments: createOrderPayments(deps),
    providerActivity,
    refunds,
    refundProblems: createRefundProblems(deps),
    fulfilment: createFulfilment({
      ...deps,
      refunds,
      providerActivity,
      view: async (reader, order) => wholeView(reader, order, await facts(), defaultLocale),
    }),
    startNumbersAfter: (number) => db.transaction((trx) => raiseOrderNumber(trx, orderCounter, number)),
    deleteAbandonedCarts: () => db.transaction(deleteAbandonedCarts),
    expire: (orderId) => db.transaction((trx) => placement.expire(trx, orderId)),
    async expireHolds(except = new Set()) {
      let expired = 0;
      for (const id of await stock.expiredHolds()) {
        if (!except.has(id) && (await db.transaction((trx) => placement.expire(trx, id)))) expired += 1;
      }
      return expired;
    },
  };
}

function isOwn(order: OrderHead, buyer: Buyer): boolean {
  return order.sessionHash === buyer.idHash || (order.customerId !== null && order.customerId === buyer.customerId);
}

async function paymentOf(db: Reader, order: OrderHead): Promise<Order['payment']> {
  if (order.placedAt === null) return null;
  if (order.payAtStore) return { method: 'payAtStore', paid: order.state === 'completed', refunded: 0 };
  const payment = await findPaymentOf(db, order.id, 'succeeded');
  return payment && { method: payment.provider, paid: true, refunded: payment.refunded };
}
