/** Checkout by a store's own delivery: which store delivers a cart to an address now, or why none does. */
import type { FieldErrors } from '#contract/errors.ts';
import { inLocale, type Locale, locales } from '#contract/locales.ts';
import { pickupStores } from '#contract/rules/method.ts';
import type { LocalDelivery } from '#contract/schemas/checkout.ts';
import type { AddressInput } from '#contract/schemas/order.ts';
import { type ResolvedAddress, resolveAddress } from '#server/modules/customers/index.ts';
import type { StockLevels } from '#server/modules/inventory/index.ts';
import {
  availableQuantities,
  billOf,
  deliveringStores,
  type OrderSettings,
  type StoreDelivery,
  storeDelivery,
} from '#server/modules/orders/index.ts';
import { type Point, zoneOf } from '#server/modules/stores/index.ts';
import { validationError } from '#server/platform/errors.ts';
import { translateFieldErrors } from '#server/platform/i18n.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { deliveryProblem, type JudgedLines } from '../placement/validation.ts';
import type { CheckoutDeps } from './checkout-cart.ts';

/** Where an order goes. */
export interface Door {
  address: ResolvedAddress;
  /** Null if it is unknown; then the postal code decides. */
  point: Point | null;
}

interface DeliverableCart extends JudgedLines {
  stock: StockLevels;
}

/** The delivery of the session's cart to an address by a store itself, as of now. Stores nothing but where the address is. */
export function findLocalDelivery({ db, now, orders, geocode }: CheckoutDeps) {
  return async (session: SessionHandle, input: AddressInput, client: string, locale: Locale): Promise<LocalDelivery> => {
    const settings = await orders.settings();
    const buyer = await session.get();
    const cart = buyer && (await orders.findCart(db.read, buyer));
    if (!cart || !settings.checkout.localDelivery) return { method: null, message: '' };
    const read = resolveAddress(input, settings.countries);
    if ('errors' in read) throw validationError(read.errors);
    const door = { address: read.address, point: await geocode(read.address, client) };
    const parts = await orders.parts(db.read, cart);
    const { delivery, problem } = deliveryTo(door, { ...parts, settings, locale, now: now() });
    if (!delivery) return { method: null, message: translateFieldErrors({ problem }, locale).problem ?? '' };
    const coupon = await orders.couponOf(db.read, cart);
    const { id } = delivery.method;
    const order = { ...cart, method: 'shipping' as const, storeId: delivery.store.id, shippingMethod: id };
    const { bill } = billOf(order, parts.lines, settings, coupon, locale, read.address);
    const { minBusinessDays, maxBusinessDays, name: nameContent } = delivery.method;
    const method = { id, nameContent, description: '', price: bill.shipping, minBusinessDays, maxBusinessDays };
    return { method: { ...method, minutes: delivery.zone.minutes }, message: '' };
  };
}

type Problem = FieldErrors[string];

/** The cheapest delivery of those stores whose zones hold an address; otherwise why there is none. */
function deliveryTo(
  door: Door,
  cart: DeliverableCart,
): { delivery: StoreDelivery; problem?: never } | { delivery: null; problem: Problem } {
  const holding = deliveringStores(cart.settings)
    .flatMap((store) => {
      const zone = zoneAt(store, door);
      return zone ? [storeDelivery(store, zone)] : [];
    })
    .toSorted((a, b) => a.zone.feeCents - b.zone.feeCents);
  const problems: Problem[] = [];
  for (const delivery of holding) {
    const problem = undeliverable(delivery, cart);
    if (!problem) return { delivery };
    problems.push(problem);
  }
  return { delivery: null, problem: problems[0] ?? outside(cart.settings) };
}

/** Why a delivery that a customer chose is not possible; null if it is. */
export function choiceProblem(chosen: StoreDelivery, door: Door, cart: DeliverableCart): Problem | null {
  if (zoneAt(chosen.store, door)?.id !== chosen.zone.id) return outside(cart.settings);
  return undeliverable(chosen, cart);
}

function zoneAt({ address: { countryISOCode }, deliveryZones }: StoreDelivery['store'], { address, point }: Door) {
  return countryISOCode === address.countryISOCode ? zoneOf(deliveryZones, address.postCode, point) : null;
}

function outside({ checkout, stores }: OrderSettings): Problem {
  return checkout.enablePickup && pickupStores(stores).length > 0 ? 'rule.deliveryOutsidePickup' : 'rule.deliveryOutside';
}

/** Why a store cannot deliver a cart now. */
function undeliverable(delivery: StoreDelivery, cart: DeliverableCart): Problem | null {
  const { lines, stock, settings, locale } = cart;
  const { store } = delivery;
  const place = { method: 'shipping' as const, storeId: store.id };
  const lacking = lines.filter(
    (line, index) => availableQuantities(line, place, stock, settings, lines.slice(0, index)) < line.quantity,
  );
  if (lacking.length === 0) return deliveryProblem(delivery, cart);
  const products = new Intl.ListFormat(locales[locale].tag).format(new Set(lacking.map(({ name }) => inLocale(name, locale))));
  return { key: 'rule.deliveryLacks', values: { store: inLocale(store.name, locale), products } };
}
