/** Calculates the bill of a cart for a delivery that is not stored yet, by the function that bills the order. */
import type { CheckoutMethod } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { Bill } from '#contract/schemas/order.ts';
import type { OrderSettings } from '#server/modules/orders/index.ts';
import { billOf, emptyCart } from '#server/modules/orders/index.ts';
import type { Destination } from '#server/modules/pricing/index.ts';
import { findProvince } from '#server/platform/provinces.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { CheckoutDeps } from './checkout-cart.ts';

export interface BillEstimateInput {
  methodName: CheckoutMethod;
  /** The store of a pickup or a table. */
  localStoreName?: string | undefined;
  /** The destination of a shipment: an ISO code, and a province's name or code. */
  country?: string | undefined;
  province?: string | undefined;
  /** Left out, or not offered there: the cheapest. */
  shippingMethod?: string | undefined;
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
  const order = { ...cart, method, storeId: method === 'shipping' ? null : localStoreName, shippingMethod };
  return billOf(order, lines, settings, coupon, locale, destinationFrom(input, settings)).bill;
}

function destinationFrom({ methodName, localStoreName, country, province }: BillEstimateInput, { stores }: OrderSettings) {
  if (methodName !== 'shipping') return stores.find(({ id }) => id === localStoreName)?.address ?? null;
  if (!country) return null;
  const countryISOCode = country.toUpperCase();
  return { countryISOCode, provinceCode: findProvince(countryISOCode, province ?? '')?.code ?? null } satisfies Destination;
}
