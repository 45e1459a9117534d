/** Says when a parcel would arrive and what shipping costs, for the shop's default destination (SPEC §3). */
import { addressDefaults } from '#contract/limits.ts';
import type { DeliveryPromise } from '#contract/schemas/order.ts';
import { deliveryDates, methodsTo, shippingPrice } from '#server/modules/pricing/index.ts';
import { findProvince } from '#server/platform/provinces.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import type { OrderSettings } from '../order-settings.ts';

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
