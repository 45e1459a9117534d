/** Checkout by shipping: address, contacts and shipping method; and what a delivery costs before it is chosen. */
import type { FieldErrors } from '#contract/errors.ts';
import { addressDefaults, type CheckoutMethod } from '#contract/limits.ts';
import { inLocale, type Locale, locales } from '#contract/locales.ts';
import { contactErrors, contactNeeds } from '#contract/rules/contact.ts';
import { methodErrors, partySizeOf, pickupStores } from '#contract/rules/method.ts';
import type { DeliveryPromise, LocalDelivery, ShippingMethod } from '#contract/schemas/checkout.ts';
import type { AddressInput, Bill, ContactInput, Order } from '#contract/schemas/order.ts';
import { normalizeContact, type ResolvedAddress, resolveAddress } from '#server/modules/customers/index.ts';
import type { StockLevels } from '#server/modules/inventory/index.ts';
import {
  availableQuantities,
  billOf,
  deliveringStores,
  deliveryNamed,
  emptyCart,
  type OrderSettings,
  parcelPromise,
  type StoreDelivery,
  shippingTo,
  storeDelivery,
} from '#server/modules/orders/index.ts';
import {
  type DeliveryDates,
  type Destination,
  methodsTo,
  type ShippingMethodSetting,
  shippingPrice,
} from '#server/modules/pricing/index.ts';
import { type Point, zoneOf } from '#server/modules/stores/index.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import { translateFieldErrors } from '#server/platform/i18n.ts';
import { findProvince } from '#server/platform/provinces.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { deliveryProblem, type JudgedLines, shippingErrors } from '../placement/validation.ts';
import { type CheckoutDeps, changeCheckout, checkoutBuyer, rejectErrors } from './checkout-cart.ts';

export interface DeliveryInput {
  address: AddressInput;
  contact: ContactInput;
  /** The recipient, if it is another person. */
  shippingContact?: ContactInput;
  /** Left out: the cheapest. */
  shippingMethod?: string;
  /** The store that the customer viewed (SPEC §7). It ships nothing, but has to exist. */
  localStoreName?: string | undefined;
  /** Saves the address to the customer's account; ignored for a guest. */
  saveToMyProfile?: boolean | undefined;
}

/** The shipping methods and prices for the session's cart to a destination, cheapest first. */
export function listShippingMethods({ db, now, orders }: CheckoutDeps) {
  return async (
    session: SessionHandle,
    country: string,
    province: string | undefined,
    locale: Locale,
  ): Promise<ShippingMethod[]> => {
    const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
    const cart = buyer && (await orders.findCart(db.read, buyer));
    const lines = cart ? await orders.lines(db.read, cart) : [];
    const countryISOCode = country.toUpperCase();
    const provinceCode = findProvince(countryISOCode, province ?? '')?.code ?? null;
    const coupon = cart ? await orders.couponOf(db.read, cart) : null;
    return shippingTo({ countryISOCode, provinceCode }, lines, settings, coupon).map(({ method, price }) => ({
      id: method.id,
      nameContent: method.name,
      description: inLocale(method.description, locale),
      price,
      minBusinessDays: method.minBusinessDays,
      maxBusinessDays: method.maxBusinessDays,
      arrival: arrivalOf(method, settings, now()),
    }));
  };
}

/**
 * Chooses shipping, by parcel or by a store's own delivery, and clears the fields of pickup and dine-in. `client` is the address of
 * whoever calls.
 */
export function chooseDelivery(deps: CheckoutDeps) {
  return async (
    session: SessionHandle,
    input: DeliveryInput,
    client: string,
    locale: Locale,
  ): Promise<Order> => {
    const settings = await deps.orders.settings();
    const buyer = await checkoutBuyer(session, settings);
    const { localStoreName, shippingMethod } = input;
    if (localStoreName !== undefined && !settings.stores.some(({ id }) => id === localStoreName))
      throw notFound();
    const customerId = input.saveToMyProfile ? (await session.customer()).customerId : null;
    const address = validAddress(input, settings);
    const delivery = deliveryNamed(settings, shippingMethod);
    // Asked before the transaction begins, which waits for nothing but the database.
    const point = delivery ? await deps.geocode(address, client) : null;
    return changeCheckout(deps, { session, buyer, settings, locale }, async (trx, { lines, stock }) => {
      const judged = { lines, settings, locale, now: deps.now() };
      if (delivery) {
        const problem = choiceProblem(delivery, { address, point }, { ...judged, stock });
        if (problem) throw validationError({ shippingMethod: problem });
      } else rejectErrors(parcelErrors(address, shippingMethod, judged));
      if (customerId) await deps.accounts.profile.saveAddress(trx, customerId, 'shipping', address);
      return {
        method: 'shipping',
        store_id: delivery?.store.id ?? null,
        table_number: null,
        table_card: null,
        party_size: null,
        pickup_at: null,
        pay_at_store: 0,
        contact: JSON.stringify(normalizeContact(input.contact)),
        shipping_contact: JSON.stringify(normalizeContact(input.shippingContact ?? input.contact)),
        shipping_address: JSON.stringify(address),
        shipping_method: shippingMethod ?? null,
      };
    });
  };
}

function parcelErrors(
  address: ResolvedAddress,
  shippingMethod: string | undefined,
  { lines, settings, locale }: JudgedLines,
): FieldErrors {
  const offered = methodsTo(settings.shippingMethods, address, 0);
  if (offered.length === 0) return { shippingMethod: 'rule.shippingMethodNone' };
  if (shippingMethod !== undefined && !offered.some(({ id }) => id === shippingMethod))
    return { shippingMethod: 'rule.shippingMethodUnknown' };
  return shippingErrors(lines, settings, locale);
}

/** The resolved address. @throws {AppError} REQUEST_VALIDATION_ERROR with everything that is wrong with the address and contacts */
function validAddress(input: DeliveryInput, { checkout, countries }: OrderSettings): ResolvedAddress {
  const read = resolveAddress(input.address, countries);
  const errors = {
    ...methodErrors('shipping', checkout),
    ...contactErrors(input.contact, contactNeeds(checkout, 'shipping')),
    ...(input.shippingContact
      ? contactErrors(
          input.shippingContact,
          { requireMobile: false, requireEmail: false, requireName: true },
          'shippingContact',
        )
      : {}),
    ...('errors' in read ? read.errors : {}),
  };
  rejectErrors(errors);
  if ('errors' in read) throw validationError(errors);
  return read.address;
}

/** The days on which a parcel that is ordered at `now` (epoch ms) arrives. */
function arrivalOf(method: ShippingMethodSetting, settings: OrderSettings, now: number): DeliveryDates {
  const { earliest, latest } = parcelPromise(method, settings, now);
  return { earliest, latest };
}

/**
 * When a parcel to the shop's default destination arrives, and what it costs (SPEC §3): by the cheapest method there. Null if nothing
 * is shipped there.
 */
export function deliveryPromise(settings: OrderSettings, now: number): DeliveryPromise | null {
  if (!settings.checkout.domesticShippingEnabled) return null;
  const { countryISOCode, province } = addressDefaults;
  const provinceCode = findProvince(countryISOCode, province)?.code ?? null;
  const [method] = methodsTo(settings.shippingMethods, { countryISOCode, provinceCode }, 0);
  if (!method) return null;
  return {
    ...arrivalOf(method, settings, now),
    price: shippingPrice(method, 0),
    freeOver: method.freeOverCents,
    currency: settings.currency,
  };
}

export interface BillEstimateInput {
  methodName: CheckoutMethod;
  /** The store of a pickup or a table. */
  localStoreName?: string | undefined;
  /** The destination of a shipment: an ISO code, and a province's name or code. */
  country?: string | undefined;
  province?: string | undefined;
  /** Left out, or not offered there: the cheapest. */
  shippingMethod?: string | undefined;
  /** Of a table. */
  partySize?: string | undefined;
}

/** The bill if the cart were ordered this way. Not final while the destination is unknown. Changes nothing. */
export async function estimateBill(
  { db, orders }: CheckoutDeps,
  session: SessionHandle,
  input: BillEstimateInput,
  locale: Locale,
): Promise<Bill> {
  const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
  const cart = buyer && (await orders.findCart(db.read, buyer));
  if (!cart) return emptyCart(settings).bill;
  const [lines, coupon] = await Promise.all([orders.lines(db.read, cart), orders.couponOf(db.read, cart)]);
  const { methodName: method, localStoreName = null, shippingMethod = null } = input;
  const partySize = method === 'instore' ? partySizeOf(input.partySize) : null;
  const order = {
    ...(await orders.exempt(db.read, cart)),
    method,
    storeId:
      method === 'shipping' ? (deliveryNamed(settings, shippingMethod)?.store.id ?? null) : localStoreName,
    shippingMethod,
    partySize,
  };
  return billOf(order, lines, settings, coupon, locale, destinationFrom(input, settings)).bill;
}

function destinationFrom(
  { methodName, localStoreName, country, province }: BillEstimateInput,
  { stores }: OrderSettings,
) {
  if (methodName !== 'shipping') return stores.find(({ id }) => id === localStoreName)?.address ?? null;
  if (!country) return null;
  const countryISOCode = country.toUpperCase();
  return {
    countryISOCode,
    provinceCode: findProvince(countryISOCode, province ?? '')?.code ?? null,
  } satisfies Destination;
}

/** Where an order goes. */
interface Door {
  address: ResolvedAddress;
  /** Null if it is unknown; then the postal code decides. */
  point: Point | null;
}

interface DeliverableCart extends JudgedLines {
  stock: StockLevels;
}

/** The delivery of the session's cart to an address by a store itself, as of now. Stores nothing but where the address is. */
export function findLocalDelivery({ db, now, orders, geocode }: CheckoutDeps) {
  return async (
    session: SessionHandle,
    input: AddressInput,
    client: string,
    locale: Locale,
  ): Promise<LocalDelivery> => {
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
    const order = {
      ...(await orders.exempt(db.read, cart)),
      method: 'shipping' as const,
      storeId: delivery.store.id,
      shippingMethod: id,
    };
    const { bill } = billOf(order, parts.lines, settings, coupon, locale, read.address);
    const { minBusinessDays, maxBusinessDays, name: nameContent } = delivery.method;
    const method = {
      id,
      nameContent,
      description: '',
      price: bill.shipping,
      minBusinessDays,
      maxBusinessDays,
    };
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
function choiceProblem(chosen: StoreDelivery, door: Door, cart: DeliverableCart): Problem | null {
  if (zoneAt(chosen.store, door)?.id !== chosen.zone.id) return outside(cart.settings);
  return undeliverable(chosen, cart);
}

function zoneAt(
  { address: { countryISOCode }, deliveryZones }: StoreDelivery['store'],
  { address, point }: Door,
) {
  return countryISOCode === address.countryISOCode ? zoneOf(deliveryZones, address.postCode, point) : null;
}

function outside({ checkout, stores }: OrderSettings): Problem {
  return checkout.enablePickup && pickupStores(stores).length > 0
    ? 'rule.deliveryOutsidePickup'
    : 'rule.deliveryOutside';
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
  const products = new Intl.ListFormat(locales[locale].tag).format(
    new Set(lacking.map(({ name }) => inLocale(name, locale))),
  );
  return { key: 'rule.deliveryLacks', values: { store: inLocale(store.name, locale), products } };
}
