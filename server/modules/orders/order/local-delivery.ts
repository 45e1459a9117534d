/** Delivery by a store itself: each zone of a store is a shipping method, for the bill as for the customer. */
import type { ShippingMethodSetting } from '#server/modules/pricing/index.ts';
import type { DeliveryZone } from '#server/modules/stores/index.ts';
import type { OrderSettings, OrderStore } from './order-settings.ts';

export interface StoreDelivery {
  store: OrderStore;
  zone: DeliveryZone;
  method: ShippingMethodSetting;
}

export function storeDelivery(store: OrderStore, zone: DeliveryZone): StoreDelivery {
  const method = {
    id: `${store.id}.${zone.id}`,
    name: zone.name,
    description: zone.name,
    countries: [store.address.countryISOCode],
    provinceCodes: [],
    priceCents: zone.feeCents,
    freeOverCents: zone.freeFromCents,
    minBusinessDays: 0,
    maxBusinessDays: 0,
  };
  return { store, zone, method };
}

/** Stores that deliver and that customers see. */
export function deliveringStores({ stores, checkout }: Pick<OrderSettings, 'stores' | 'checkout'>): OrderStore[] {
  return checkout.domesticShippingEnabled
    ? stores.filter(({ display, deliveryZones }) => display && deliveryZones.length > 0)
    : [];
}

/** The delivery that a shipping method's id names; null for a parcel, and if the zone is gone. */
export function deliveryNamed(
  settings: Pick<OrderSettings, 'stores' | 'checkout'>,
  methodId: string | null | undefined,
): StoreDelivery | null {
  const all = deliveringStores(settings).flatMap((store) => store.deliveryZones.map((zone) => storeDelivery(store, zone)));
  return all.find(({ method }) => method.id === methodId) ?? null;
}
