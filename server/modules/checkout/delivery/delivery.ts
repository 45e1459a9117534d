/** Checkout by shipping: address, contacts and shipping method; and what a delivery costs before it is chosen. */

import type { FieldErrors } from '#contract/errors.ts';
import type { CheckoutMethod } from '#contract/limits.ts';
import { addressDefaults } from '#contract/limits.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { contactErrors } from '#contract/rules/contact.ts';
import { methodErrors, partySizeOf } from '#contract/rules/method.ts';
import type { DeliveryPromise, ShippingMethod } from '#contract/schemas/checkout.ts';
import type { AddressInput, Bill, ContactInput, Order } from '#contract/schemas/order.ts';
import { normalizeContact, type ResolvedAddress, resolveAddress } from '#server/modules/customers/index.ts';
import type { OrderSettings } from '#server/modules/orders/index.ts';
import { billOf, deliveryNamed, emptyCart, shippingTo } from '#server/modules/orders/index.ts';
import type { Destination } from '#server/modules/pricing/index.ts';
import { deliveryDates, methodsTo, shippingPrice } from '#server/modules/pricing/index.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import { findProvince } from '#server/platform/provinces.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { type JudgedLines, shippingErrors } from '../placement/validation.ts';
import { type CheckoutDeps, changeCheckout, checkoutBuyer, rejectErrors } from './checkout-cart.ts';
import { choiceProblem } from './local-delivery.ts';

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
export function listShippingMethods({ db, orders }: CheckoutDeps) {
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
    }));
  };
}

/**
 * Chooses shipping, by parcel or by a store's own delivery, and clears the fields of pickup and dine-in. `client` is the address of
 * whoever calls.
 */
export function chooseDelivery(deps: CheckoutDeps) {
  return async (session: SessionHandle, input: DeliveryInput, client: string, locale: Locale): Promise<Order> => {
    const settings = await deps.orders.settings();
    const buyer = await checkoutBuyer(session, settings);
    const { localStoreName, shippingMethod } = input;
    if (localStoreName !== undefined && !settings.stores.some(({ id }) => id === localStoreName)) throw notFound();
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
    ...contactErrors(input.contact, checkout),
    ...(input.shippingContact
      ? contactErrors(input.shippingContact, { requireMobile: false, requireEmail: false }, 'shippingContact')
      : {}),
    ...('errors' in read ? read.errors : {}),
  };
  rejectErrors(errors);
  if ('errors' in read) throw validationError(errors);
  return read.address;
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
    ...deliveryDates(method, wallClock(now, settings.timeZone).date, settings.packing),
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
    ...cart,
    method,
    storeId: method === 'shipping' ? (deliveryNamed(settings, shippingMethod)?.store.id ?? null) : localStoreName,
    shippingMethod,
    partySize,
  };
  return billOf(order, lines, settings, coupon, locale, destinationFrom(input, settings)).bill;
}

function destinationFrom({ methodName, localStoreName, country, province }: BillEstimateInput, { stores }: OrderSettings) {
  if (methodName !== 'shipping') return stores.find(({ id }) => id === localStoreName)?.address ?? null;
  if (!country) return null;
  const countryISOCode = country.toUpperCase();
  return { countryISOCode, provinceCode: findProvince(countryISOCode, province ?? '')?.code ?? null } satisfies Destination;
}
