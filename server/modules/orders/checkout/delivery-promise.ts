/** Says when a parcel arrives: one to the shop's default destination with its price (SPEC §3), or that of an order. */
import { addressDefaults } from '#contract/limits.ts';
import type { DeliveryPromise, Order } from '#contract/schemas/order.ts';
import { type DeliveryDates, deliveryDates, methodsTo, shippingPrice } from '#server/modules/pricing/index.ts';
import { findProvince } from '#server/platform/provinces.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { isEnded } from '../order/states.ts';

/** The cheapest method there, by the functions that bill an order. Null if nothing is shipped there. */
export function deliveryPromise(settings: OrderSettings, now: number): DeliveryPromise | null {
  if (!settings.checkout.domesticShippingEnabled) return null;
  const { countryISOCode, province } = addressDefaults;
  const provinceCode = findProvince(countryISOCode, province)?.code ?? null;
  const [method] = methodsTo(settings.shippingMethods, { countryISOCode, provinceCode }, 0);
  if (!method) return null;
  return {
    ...deliveryDates(method, wallClock(now, settings.timeZone).date, settings.packing),
    price: shippingPrice(method, 0),
    freeOver: method.freeOverCents,
    currency: settings.currency,
  };
}

/** The days on which a placed order arrives. Null if it is not shipped, has ended, or its method no longer exists. */
export function arrivalOf(
  { state, method, placedAt, shippingMethod }: Pick<Order, 'state' | 'method' | 'placedAt' | 'shippingMethod'>,
  settings: OrderSettings,
): DeliveryDates | null {
  if (method !== 'shipping' || placedAt === null || isEnded(state)) return null;
  const chosen = settings.shippingMethods.find(({ id }) => id === shippingMethod);
  return chosen ? deliveryDates(chosen, wallClock(placedAt, settings.timeZone).date, settings.packing) : null;
}
