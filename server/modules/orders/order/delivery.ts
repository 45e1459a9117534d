/** How an order that is sent gets to its receiver, and what was promised: for the screens, papers and tickets of the staff. */
import type { LocalText } from '#contract/locales.ts';
import type { Promised } from '#contract/schemas/order.ts';
import {
  type DeliveryDates,
  deliveryDates,
  packedBy,
  type ShippingMethodSetting,
} from '#server/modules/pricing/index.ts';
import { minuteMs, wallClock } from '#server/platform/time-zone.ts';
import { deliveryNamed, isEnded, type OrderHead, type ParcelPromise } from './order.ts';
import type { OrderSettings } from './order-settings.ts';

type Settings = Pick<OrderSettings, 'shippingMethods' | 'stores' | 'checkout' | 'packing' | 'timeZone'>;
type Sent = Pick<OrderHead, 'method' | 'state' | 'placedAt' | 'bill'>;

export interface Delivery {
  /** Of the shipping method as it was agreed; null if it has none any more. */
  name: LocalText | null;
  /** When a store that delivers itself promised to be at the door, epoch ms; null for parcels. */
  dueAt: number | null;
  /** The day by which a parcel leaves, YYYY-MM-DD; null for others, and once the order has ended. */
  sendBy: string | null;
  /** The days on which a parcel arrives; null as `sendBy`. */
  arrival: DeliveryDates | null;
}

/** What is promised of a parcel that is ordered at `at`, epoch ms. Pages, checkout, agents and bills all ask this. */
export function parcelPromise(
  method: ShippingMethodSetting,
  { timeZone, packing }: Pick<Settings, 'timeZone' | 'packing'>,
  at: number,
): ParcelPromise {
  const today = wallClock(at, timeZone).date;
  return { sendBy: packedBy(today, packing), ...deliveryDates(method, today, packing) };
}

/** As the staff's screens and papers are told of it. */
export function promisedOf(order: Sent, settings: Settings): Promised | null {
  const delivery = deliveryOf(order, settings);
  if (!delivery) return null;
  const { name, ...promised } = delivery;
  return { nameContent: name, ...promised };
}

/** Null unless the order is sent. */
export function deliveryOf({ method, state, placedAt, bill }: Sent, settings: Settings): Delivery | null {
  if (method !== 'shipping' || placedAt === null || !bill) return null;
  const { shippingMethod: id, deliveryMinutes, shippingName } = bill;
  const chosen = settings.shippingMethods.find((each) => each.id === id);
  const name = shippingName ?? chosen?.name ?? deliveryNamed(settings, id)?.method.name ?? null;
  if (deliveryMinutes !== undefined)
    return { name, dueAt: placedAt + deliveryMinutes * minuteMs, sendBy: null, arrival: null };
  const promise = bill.promise ?? (chosen && parcelPromise(chosen, settings, placedAt));
  if (!promise || isEnded(state)) return { name, dueAt: null, sendBy: null, arrival: null };
  const { sendBy, ...arrival } = promise;
  return { name, dueAt: null, sendBy, arrival };
}
