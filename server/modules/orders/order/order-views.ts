/** Presents an order in its wire shape, reading everything that the view needs. */
import type { Locale } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Database, Reader } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { StockLevels, StockService } from '#server/modules/inventory/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { balanceOf, refundsOf } from '#server/modules/payments/index.ts';
import type { CouponStatus } from '#server/modules/pricing/index.ts';
import { type DeliveryDates, deliveryDates } from '#server/modules/pricing/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { recordReads } from '#server/platform/recorded-reads.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { topics } from '#server/platform/topics.ts';
import type { CouponsService } from '../coupons/coupons.service.ts';
import { currentDeadline } from '../fulfilment/reservation-deadline.ts';
import { statesOf } from './customer-orders.repository.ts';
import { unitsOf } from './line-modifiers.ts';
import type { OrderHead, OrderLine } from './order.ts';
import { isEnded } from './order.ts';
import { createLiveLines, frozenLinesOf, type LiveLines } from './order-lines.repository.ts';
import { moneyOf, receivedOf } from './order-payment.ts';
import { emptyCart, viewOrder } from './order-presenter.ts';
import type { OrderSettings } from './order-settings.ts';
import { shipmentsOf, viewShipment } from './shipments.repository.ts';

export interface KnownParts {
  lines?: readonly OrderLine[];
  stock?: StockLevels;
}

export interface OrderViewsDeps {
  db: Database;
  now: () => number;
  media: MediaService;
  stock: StockService;
  catalogue: Pick<CatalogueService, 'modifierGroups'>;
  coupons: CouponsService;
}

export type OrderViews = ReturnType<typeof createOrderViews>;

export function createOrderViews({ db, now, media, stock, catalogue, coupons }: OrderViewsDeps) {
  const imagesOf = createImageReader(db, media);
  const liveLines = createLiveLines(catalogue.modifierGroups);

  /** A cart's lines and stock as they are now; an order's lines as they were agreed. */
  const partsOf = async (reader: Reader, order: OrderHead): Promise<LiveLines> =>
    order.state === 'cart' ? liveLines.of(reader, order.id) : { lines: await frozenLinesOf(reader, order.id), stock: new Map() };

  const linesOf = async (reader: Reader, order: OrderHead): Promise<readonly OrderLine[]> => (await partsOf(reader, order)).lines;

  const levelsOf = (reader: Reader, order: OrderHead, lines: readonly OrderLine[]): Promise<StockLevels> =>
    stock.levels(reader, order.state === 'cart' ? unitsOf(lines).map(({ sku }) => sku) : []);

  /** The status of a cart's coupon; null if it has none. */
  async function couponOf(reader: Reader, { bill, couponCode, ...order }: OrderHead): Promise<CouponStatus | null> {
    if (bill !== null || couponCode === null) return null;
    return coupons.status(reader, couponCode, order);
  }

  return {
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
      const { lines, stock: read } = known.lines ? { lines: known.lines, stock: known.stock } : await partsOf(reader, order);
      const levels = read ?? (await levelsOf(reader, order, lines));
      const images = await imagesOf(reader, lines);
      const coupon = await couponOf(reader, order);
      const money = await moneyOf(reader, order);
      return viewOrder({ head: order, lines, stock: levels, images, money, coupon, now: now() }, settings, locale);
    },
  };
}

/** Far more than the images of a shop's products, at some hundred bytes each. */
const mostKept = 5000;

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

export interface WholeOrderViewDeps {
  db: Database;
  stock: StockService;
  stores: StoresService;
  settings: () => Promise<OrderSettings>;
  view: OrderViews['view'];
}

export function createWholeOrderView({ db, stock, stores, settings, view }: WholeOrderViewDeps) {
  return async function wholeView(reader: Reader, order: OrderHead, locale: Locale): Promise<Order> {
    const waits = order.payAtStore && order.method === 'pickup' && (order.state === 'reserved' || order.state === 'ready');
    const current = await settings();
    const [whole, timeline, balance, sent, heldUntil, unlistedStore, shipments] = await Promise.all([
      view(reader, order, current, locale),
      timelineOf(db.read, order.id),
      balanceOf(reader, order.id),
      refundsOf(reader, order.id),
      waits ? stock.heldUntil(reader, order.id) : null,
      order.storeId === null ? null : stores.unlisted(order.storeId, locale),
      order.method === 'shipping' && order.placedAt !== null ? shipmentsOf(reader, order.id) : [],
    ]);
    const viewed = sent.map(({ amount, tip, state, createdAt }) => ({ amount, tip, done: state === 'done', at: createdAt }));
    const deadline = heldUntil === null ? {} : { reservedUntil: currentDeadline(order, heldUntil, current) };
    const arrival = arrivalOf(whole, current);
    return {
      ...whole,
      ...(order.placedAt === null ? {} : receivedOf(balance)),
      timeline,
      ...(shipments.length > 0 ? { shipments: shipments.map(viewShipment) } : {}),
      refunds: viewed,
      ...deadline,
      ...(arrival ? { arrival } : {}),
      ...(unlistedStore ? { unlistedStore } : {}),
    };
  };
}

async function timelineOf(db: Reader, orderId: string): Promise<NonNullable<Order['timeline']>> {
  const states = await statesOf(db, orderId);
  // The states of the cart are not shown.
  return states.filter(({ state }) => state !== 'cart' && state !== 'paying').map(({ state, at }) => ({ state, at }));
}

/** The days on which a placed order arrives. Null if it is not shipped, has ended, or its method no longer exists. */
function arrivalOf(
  { state, method, placedAt, shippingMethod }: Pick<Order, 'state' | 'method' | 'placedAt' | 'shippingMethod'>,
  settings: OrderSettings,
): DeliveryDates | null {
  if (method !== 'shipping' || placedAt === null || isEnded(state)) return null;
  const chosen = settings.shippingMethods.find(({ id }) => id === shippingMethod);
  return chosen ? deliveryDates(chosen, wallClock(placedAt, settings.timeZone).date, settings.packing) : null;
}
