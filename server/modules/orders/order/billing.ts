import { createHash } from 'node:crypto';
import { dateFormat, formatMoney } from '#contract/formatters.ts';
import type { CheckoutMethod } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { chargesAt } from '#contract/rules/method.ts';
import type { Bill, BillCoupon, CouponState, TipOffer } from '#contract/schemas/order.ts';
import {
  type CouponStatus,
  type Destination,
  discountOf,
  type EvaluatedCoupon,
  evaluateCoupon,
  methodsTo,
  noTip,
  type PricedOrder,
  priceOrder,
  type ShippingMethodSetting,
  shippingPrice,
  type Tip,
  tipOn,
} from '#server/modules/pricing/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { parcelPromise } from './delivery.ts';
import { type AgreedBill, deliveryNamed, locationOf, type OrderHead, type OrderLine } from './order.ts';
import type { OrderSettings } from './order-settings.ts';

/** What the bill of an order depends on, which also an order that nobody has placed can have. */
export type HeadToBill = Pick<
  OrderHead,
  | 'id'
  | 'method'
  | 'storeId'
  | 'shippingAddress'
  | 'shippingMethod'
  | 'couponCode'
  | 'bill'
  | 'tipBasisPoints'
  | 'tipCents'
  | 'partySize'
>;
export type LineToBill = Pick<
  OrderLine,
  'id' | 'identity' | 'sku' | 'quantity' | 'unitPrice' | 'taxClass' | 'singleServings' | 'parts'
>;

export interface BilledOrder {
  bill: Bill;
  /** The shipping method: the chosen one if it is still available there, else the cheapest. */
  shippingMethod: ShippingMethodSetting | null;
  /** Minutes from the order to the door, if its store delivers it itself. */
  deliveryMinutes?: number;
  /** Percentages of a tip, and the amount of each. */
  tips: TipOffer['choices'];
}

/** The destination that decides an order's tax. Null while unknown. */
export function destinationOf(
  order: Pick<OrderHead, 'method' | 'storeId' | 'shippingAddress'>,
  settings: OrderSettings,
): Destination | null {
  if (order.method === 'shipping') return order.shippingAddress;
  const store = order.method && settings.stores.find(({ id }) => id === order.storeId);
  return store ? store.address : null;
}

/** Calculates the bill. `standing` is the status of the order's coupon, null if it has none. `destination` decides the tax. */
export function billOf(
  order: HeadToBill,
  lines: readonly LineToBill[],
  settings: OrderSettings,
  standing: CouponStatus | null,
  locale: Locale,
  destination: Destination | null = destinationOf(order, settings),
): BilledOrder {
  const coupon = couponOf(standing, lines, destination);
  const discount = coupon && discountOf(coupon);
  const consumption = {
    eatenIn: order.method === 'instore',
    eatingEstablishment: settings.eatingEstablishments.includes(locationOf(order) ?? ''),
  };
  const input = {
    lines,
    discount,
    destination,
    consumption,
    serviceCharge: serviceChargeOf(order, settings),
    tip: tipOf(order, lines, settings),
  };
  const goods = priceOrder({ ...input, shipping: null }, settings.taxes);
  const delivery = order.method === 'shipping' && order.storeId !== null ? deliveryNamed(settings, order.shippingMethod) : null;
  const offered =
    order.method === 'shipping' && order.storeId === null && destination
      ? methodsTo(settings.shippingMethods, destination, goods.subtotal - goods.discount, discount?.kind === 'freeShipping')
      : [];
  const shippingMethod = delivery?.method ?? offered.find(({ id }) => id === order.shippingMethod) ?? offered[0] ?? null;
  const priced = shippingMethod ? priceOrder({ ...input, shipping: shippingMethod }, settings.taxes) : goods;
  const { lines: pricedLines, shippingTaxes, serviceCharge, serviceChargeTaxes, ...sums } = priced;
  // Without a shipping method for the address the bill is not final: there is nothing to pay yet.
  const final = priced.final && (order.method !== 'shipping' || shippingMethod !== null);
  return {
    bill: {
      ...sums,
      lineTaxes: [
        ...lines.map(({ id, sku }, index) => ({ sku, line: id, taxes: pricedLines[index]?.taxes ?? [] })),
        ...(shippingTaxes.length > 0 ? [{ sku: null, line: null, taxes: shippingTaxes }] : []),
      ],
      ...(input.serviceCharge
        ? { serviceCharge: { nameContent: input.serviceCharge.name, amount: serviceCharge, taxes: serviceChargeTaxes } }
        : {}),
      final,
      couponCode: discount?.code ?? null,
      coupon: coupon && viewCoupon(coupon, settings, locale),
      currency: settings.currency,
      billVersion: fingerprint(order, lines, priced, { shippingMethod, currency: settings.currency }),
    },
    shippingMethod,
    ...(delivery ? { deliveryMinutes: delivery.zone.minutes } : {}),
    tips: settings.tips.percentages.map((percent) => ({
      percent,
      amount: tipOn(goods.subtotal - goods.discount, { basisPoints: basisPointsOf(percent) }),
    })),
  };
}

/**
 * The bill as it is agreed at `at`, epoch ms, with what was said of the delivery. Of a changed order, `kept` is the bill from before, whose
 * promises stay.
 */
export function agreedBill(
  { bill, shippingMethod, deliveryMinutes: minutes }: Omit<BilledOrder, 'tips'>,
  { settings, at, kept }: { settings: Pick<OrderSettings, 'timeZone' | 'packing'>; at: number; kept?: AgreedBill },
): AgreedBill {
  const deliveryMinutes = kept ? kept.deliveryMinutes : minutes;
  const parcel = deliveryMinutes === undefined ? shippingMethod : null;
  const before = kept?.shippingMethod === parcel?.id ? kept?.promise : undefined;
  return {
    ...bill,
    coupon: bill.coupon?.state === 'applied' ? bill.coupon : null,
    shippingMethod: shippingMethod?.id ?? null,
    ...(shippingMethod ? { shippingName: shippingMethod.name } : {}),
    ...(deliveryMinutes === undefined ? {} : { deliveryMinutes }),
    ...(parcel ? { promise: before ?? parcelPromise(parcel, settings, at) } : {}),
  };
}

/** Hundredths of a percent. */
export function basisPointsOf(percent: number): number {
  return Math.round(percent * 100);
}

/** The methods that ship to a destination with their prices for these lines, cheapest first. */
export function shippingTo(
  destination: Destination,
  lines: readonly LineToBill[],
  settings: OrderSettings,
  standing: CouponStatus | null,
): { method: ShippingMethodSetting; price: number }[] {
  const coupon = couponOf(standing, lines, destination);
  const discount = coupon && discountOf(coupon);
  const priced = priceOrder({ lines, discount, shipping: null, destination: null, tip: noTip }, settings.taxes);
  const goods = priced.subtotal - priced.discount;
  const free = discount?.kind === 'freeShipping';
  return methodsTo(settings.shippingMethods, destination, goods, free).map((method) => ({
    method,
    price: shippingPrice(method, goods, free),
  }));
}

export function couponOf(
  standing: CouponStatus | null,
  lines: readonly Pick<OrderLine, 'unitPrice' | 'quantity'>[],
  destination: Destination | null,
): EvaluatedCoupon | null {
  const subtotal = lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
  return standing && evaluateCoupon(standing, subtotal, destination?.countryISOCode ?? null);
}

/** The delivery methods for which tips are offered for these lines: none if no line has a tax class that is served. */
export function tippedMethods(
  lines: readonly Pick<OrderLine, 'taxClass' | 'parts'>[],
  { tips }: OrderSettings,
): readonly CheckoutMethod[] {
  const served =
    tips.taxClasses.length === 0 ||
    lines.some((line) => [line, ...line.parts].some(({ taxClass }) => tips.taxClasses.includes(taxClass)));
  return served ? tips.methods : [];
}

/** Once it was agreed, it stays. */
function tipOf(
  { bill, method, tipBasisPoints, tipCents }: HeadToBill,
  lines: readonly LineToBill[],
  settings: OrderSettings,
): Tip {
  if (bill) return { cents: bill.tip };
  if (!method || !tippedMethods(lines, settings).includes(method)) return noTip;
  return tipCents === null ? { basisPoints: tipBasisPoints } : { cents: tipCents };
}

/** None is added to an order that was agreed without. */
function serviceChargeOf(
  { bill, method, storeId, partySize }: HeadToBill,
  { serviceCharge }: OrderSettings,
): OrderSettings['serviceCharge'] {
  if (!serviceCharge || !method || !serviceCharge.methods.includes(method) || !chargesAt(serviceCharge, storeId)) return null;
  if (bill && !bill.serviceCharge) return null;
  const { fromPartySize } = serviceCharge;
  return fromPartySize === null || (partySize ?? 0) >= fromPartySize ? serviceCharge : null;
}

function viewCoupon(coupon: EvaluatedCoupon, settings: OrderSettings, locale: Locale): BillCoupon {
  const words = couponMessage(coupon, locale, settings);
  return {
    code: coupon.code,
    nameContent: coupon.coupon?.name ?? { en: coupon.code },
    kind: coupon.coupon?.kind ?? null,
    state: coupon.state,
    message: words ? translate(locale)(words.key, words.values) : '',
  };
}

/** A fingerprint that changes with anything that is billed, and only then. Unique per order. */
function fingerprint(
  order: HeadToBill,
  lines: readonly LineToBill[],
  priced: PricedOrder,
  { shippingMethod, currency }: { shippingMethod: ShippingMethodSetting | null; currency: string },
): string {
  const { method, storeId, shippingAddress, couponCode } = order;
  const billed = lines.map(({ identity, quantity, unitPrice }) => [identity, quantity, unitPrice]);
  const text = JSON.stringify([
    order.id,
    method,
    storeId,
    shippingAddress,
    shippingMethod?.id,
    couponCode,
    priced.discount,
    priced.tip,
    billed,
    priced.shipping,
    priced.taxLines,
    priced.total,
    currency,
    ...(priced.serviceCharge > 0 ? [priced.serviceCharge] : []),
  ]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

export interface CouponMessage {
  key: `coupon.refused.${Exclude<CouponState, 'applied'>}`;
  values: Record<string, string>;
}

/** Null if it applies. `timeZone` is the shop's, for the day from which a code can be used. */
export function couponMessage(
  { code, coupon, state, missing }: EvaluatedCoupon,
  locale: Locale,
  shop: { currency: string; timeZone: string },
): CouponMessage | null {
  if (state === 'applied') return null;
  const money = (cents: number) => formatMoney(cents, locale, shop.currency);
  const day = dateFormat(locale, { dateStyle: 'long', timeZone: shop.timeZone });
  return {
    key: `coupon.refused.${state}`,
    values: {
      code,
      minimum: money(coupon?.minSubtotal ?? 0),
      missing: money(missing),
      date: coupon?.startsAt == null ? '' : day.format(coupon.startsAt),
    },
  };
}
