/** Orders: carts, and views of orders for customers and merchants. */
import { randomUUID } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { TaxExemption } from '#contract/tax-exemptions.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import { exemptionsOf } from '#server/modules/customers/index.ts';
import type { StockLevels, StockService } from '#server/modules/inventory/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { type Balance, balanceOf, refundsOf } from '#server/modules/payments/index.ts';
import type { CouponStatus } from '#server/modules/pricing/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import type { Env } from '#server/platform/env.ts';
import { notFound } from '#server/platform/errors.ts';
import { recordReads, topics } from '#server/platform/recorded-reads.ts';
import { Counter, countAfterCommit } from '#server/platform/telemetry/metric.ts';
import { statesOf } from './customer-orders.repository.ts';
import { createCustomerOrders } from './customer-orders.ts';
import { currentDeadline } from './deadlines.ts';
import { deliveryOf } from './delivery.ts';
import { createOrderArchive, type ImportedOrder, importOrders } from './import.ts';
import { unitsOf } from './line-units.ts';
import { type Buyer, type OrderHead, type OrderLine, storeDelivery } from './order.ts';
import { createLiveLines, frozenLinesOf, type LiveLines } from './order-lines.repository.ts';
import { findByDueVersion, moneyOf, type OrderMoney, receivedOf } from './order-money.ts';
import { emptyCart, viewOrder, withoutTypedWords } from './order-presenter.ts';
import { createOrderSettings, type OrderSettings, type OrderStore } from './order-settings.ts';
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
import { shipmentsOf, viewShipment } from './shipments.repository.ts';

/** Far more than the images of a shop's products, at some hundred bytes each. */
const mostKept = 5000;

export interface OrdersDeps {
  db: Database;
  now: () => number;
  env: Pick<Env, 'pushContact'>;
  connections: Pick<ConnectionsService, 'current'>;
  settings: SettingsService;
  stores: StoresService;
  media: MediaService;
  stock: StockService;
  catalogue: Pick<CatalogueService, 'modifierGroups' | 'names'>;
  webhookEvents: WebhookEvents;
  coupons: CouponStatuses;
}

interface CouponStatuses {
  status(
    reader: Reader,
    code: string,
    order: Pick<OrderHead, 'id' | 'customerId' | 'contact' | 'method'>,
  ): Promise<CouponStatus>;
}

export type OrdersService = ReturnType<typeof createOrdersService>;

export function createOrdersService(deps: OrdersDeps) {
  const { db } = deps;
  const metrics = createOrderMetrics();
  const settings = createOrderSettings(deps);
  const { liveLines, linesOf, partsOf, couponOf, exempt, view } = createOrderViews(deps);
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

    ...createCartRecords(deps),

    metrics,
    findById: findOrder,
    lines: linesOf,
    liveLines,
    /** A cart's lines with their stock; an order's lines as they were agreed, without. */
    parts: partsOf,
    couponOf,
    exempt,
    view,
    /** With its history, refunds, shipments and promises. */
    wholeView,
    deliveriesOf: (store: OrderStore) => store.deliveryZones.map((zone) => storeDelivery(store, zone)),

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
    startNumbersAfter: (number: number): Promise<void> =>
      db.transaction((trx) => raiseOrderNumber(trx, orderCounter, number)),
  };
}

function isOwn(order: OrderHead, buyer: Buyer): boolean {
  return (
    order.sessionHash === buyer.idHash || (order.customerId !== null && order.customerId === buyer.customerId)
  );
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

    startCart: (
      trx: Trx,
      buyer: Buyer,
      { currency }: OrderSettings,
      locale: Locale,
    ): Promise<OrderHead | null> =>
      insertCart(trx, { id: randomUUID(), buyer, language: locale, currency, at: now() }),

    /** Changes a cart's own fields and increments its version. Returns the changed cart; null if it is no longer a cart. */
    changeCart: (trx: Trx, id: string, change: OrderChange = {}): Promise<OrderHead | null> =>
      changeCart(trx, id, now(), change),

    /**
     * Stores which bill the buyer is given with this answer, if it can be paid: a call that pays and names no bill pays this one.
     * Returns the answer.
     */
    async showBill(trx: Trx, order: Order): Promise<Order> {
      const { orderID, state, bill } = order;
      if (orderID !== null && state === 'cart' && bill.final)
        await keepShownBill(trx, orderID, bill.billVersion);
      return order;
    },

    deleteAbandonedCarts: (): Promise<number> => db.transaction(deleteAbandonedCarts),
  };
}

interface KnownParts {
  lines?: readonly OrderLine[];
  stock?: StockLevels;
  balance?: Balance;
}

interface OrderViewsDeps {
  db: Database;
  now: () => number;
  media: MediaService;
  stock: StockService;
  catalogue: Pick<CatalogueService, 'modifierGroups'>;
  coupons: CouponStatuses;
}

type OrderViews = ReturnType<typeof createOrderViews>;

/** Presents an order in its wire shape, reading everything that the view needs. */
function createOrderViews({ db, now, media, stock, catalogue, coupons }: OrderViewsDeps) {
  const imagesOf = createImageReader(db, media);
  const liveLines = createLiveLines(catalogue.modifierGroups);

  /** A cart's lines and stock as they are now; an order's lines as they were agreed. */
  const partsOf = async (reader: Reader, order: OrderHead): Promise<LiveLines> =>
    order.state === 'cart'
      ? liveLines.of(reader, order.id)
      : { lines: await frozenLinesOf(reader, order.id), stock: new Map() };

  const linesOf = async (reader: Reader, order: OrderHead): Promise<readonly OrderLine[]> =>
    (await partsOf(reader, order)).lines;

  const levelsOf = (reader: Reader, order: OrderHead, lines: readonly OrderLine[]): Promise<StockLevels> =>
    stock.levels(reader, order.state === 'cart' ? unitsOf(lines).map(({ sku }) => sku) : []);

  /** The status of a cart's coupon; null if it has none. */
  async function couponOf(
    reader: Reader,
    { bill, couponCode, ...order }: OrderHead,
  ): Promise<CouponStatus | null> {
    if (bill !== null || couponCode === null) return null;
    return coupons.status(reader, couponCode, order);
  }

  /** With what the buyer of a cart is exempt from. */
  async function exempt<H extends OrderHead>(
    reader: Reader,
    order: H,
  ): Promise<H & { exemptions?: TaxExemption[] }> {
    if (order.bill !== null || order.customerId === null) return order;
    const exemptions = await exemptionsOf(reader, order.customerId);
    return exemptions.length > 0 ? { ...order, exemptions } : order;
  }

  return {
    exempt,
    liveLines,
    partsOf,
    linesOf,
    couponOf,

    /** The order, or an empty cart for null. `known` is data that has been read already. */
    async view(
      reader: Reader,
      order: OrderHead | null,
      settings: OrderSettings,
      locale: Locale,
      known: KnownParts = {},
    ): Promise<Order> {
      if (!order) return emptyCart(settings);
      const { lines, stock: read } = known.lines
        ? { lines: known.lines, stock: known.stock }
        : await partsOf(reader, order);
      const levels = read ?? (await levelsOf(reader, order, lines));
      const images = await imagesOf(reader, lines);
      const coupon = await couponOf(reader, order);
      const money: OrderMoney =
        order.placedAt === null
          ? { payment: null }
          : moneyOf(order, known.balance ?? (await balanceOf(reader, order.id)));
      return viewOrder(
        { head: await exempt(reader, order), lines, stock: levels, images, money, coupon, now: now() },
        settings,
        locale,
      );
    },
  };
}

/**
 * Returns a reader of the images of lines by file name, null for one that was never imported. Read the settings before: what has
 * changed is then known.
 */
function createImageReader({ changes }: Pick<Database, 'changes'>, media: Pick<MediaService, 'images'>) {
  const kept = new Map<string, { moment: number; image: ImageInfo | null }>();

  function known(file: string): ImageInfo | null | undefined {
    const found = kept.get(file);
    return found && !changes.changedSince(found.moment, [topics.image(file)]) ? found.image : undefined;
  }

  return async (
    reader: Reader,
    lines: readonly Pick<OrderLine, 'image'>[],
  ): Promise<ReadonlyMap<string, ImageInfo | null | undefined>> => {
    const files = lines.flatMap(({ image }) => image ?? []);
    recordReads(...files.map(topics.image));
    const images = new Map(files.map((file) => [file, known(file)]));
    const missing = files.filter((file) => images.get(file) === undefined);
    if (missing.length > 0) {
      const { moment } = changes;
      const found = await media.images(missing, reader);
      if (kept.size > mostKept) kept.clear();
      for (const file of missing) {
        const image = found.get(file) ?? null;
        images.set(file, image);
        kept.set(file, { moment, image });
      }
    }
    return images;
  };
}

interface WholeOrderViewDeps {
  db: Database;
  stock: StockService;
  stores: StoresService;
  settings: () => Promise<OrderSettings>;
  view: OrderViews['view'];
}

function createWholeOrderView({ db, stock, stores, settings, view }: WholeOrderViewDeps) {
  return async function wholeView(reader: Reader, order: OrderHead, locale: Locale): Promise<Order> {
    const waits =
      order.payAtStore &&
      order.method === 'pickup' &&
      (order.state === 'reserved' || order.state === 'ready');
    const current = await settings();
    const balance = await balanceOf(reader, order.id);
    const [whole, timeline, sent, heldUntil, unlistedStore, shipments] = await Promise.all([
      view(reader, order, current, locale, { balance }),
      timelineOf(db.read, order.id),
      refundsOf(reader, order.id),
      waits ? stock.heldUntil(reader, order.id) : null,
      order.storeId === null ? null : stores.unlisted(order.storeId, locale),
      order.method === 'shipping' && order.placedAt !== null ? shipmentsOf(reader, order.id) : [],
    ]);
    const viewed = sent.map(({ amount, tip, state, createdAt }) => ({
      amount,
      tip,
      done: state === 'done',
      at: createdAt,
    }));
    const reservedUntil = heldUntil === null ? null : currentDeadline(order, heldUntil, current);
    const delivery = deliveryOf(order, current);
    return {
      ...whole,
      ...(order.placedAt === null ? {} : receivedOf(balance)),
      timeline,
      ...(shipments.length > 0 ? { shipments: shipments.map(viewShipment) } : {}),
      refunds: viewed,
      ...(reservedUntil === null ? {} : { reservedUntil }),
      ...(delivery?.arrival ? { arrival: delivery.arrival } : {}),
      ...(delivery?.sendBy ? { sendBy: delivery.sendBy } : {}),
      ...(unlistedStore ? { unlistedStore } : {}),
    };
  };
}

async function timelineOf(db: Reader, orderId: string): Promise<NonNullable<Order['timeline']>> {
  const states = await statesOf(db, orderId);
  // The states of the cart are not shown.
  return states
    .filter(({ state }) => state !== 'cart' && state !== 'paying')
    .map(({ state, at }) => ({ state, at }));
}
