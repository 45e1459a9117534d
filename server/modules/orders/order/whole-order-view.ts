/** Presents an order with its states, its refunds, and until when it waits to be picked up. */
import type { Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Database, Reader } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import { refundsOf } from '#server/modules/payments/index.ts';
import { type DeliveryDates, deliveryDates } from '#server/modules/pricing/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { currentDeadline } from '../fulfilment/reservation-deadline.ts';
import { statesOf } from './customer-orders.repository.ts';
import type { OrderHead } from './order.ts';
import type { OrderSettings } from './order-settings.ts';
import type { OrderViews } from './order-views.ts';
import { isEnded } from './states.ts';

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
    const [whole, timeline, sent, heldUntil, unlistedStore] = await Promise.all([
      view(reader, order, current, locale),
      timelineOf(db.read, order.id),
      refundsOf(reader, order.id),
      waits ? stock.heldUntil(reader, order.id) : null,
      order.storeId === null ? null : stores.unlisted(order.storeId, locale),
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
  };
}

/** The states of an order with their times. */
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
