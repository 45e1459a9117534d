import { createHash } from 'node:crypto';
import { dateFormat, formatMoney } from '#contract/formatters.ts';
import type { CheckoutMethod } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { chargesAt } from '#contract/rules/method.ts';
import type { Bill, BillCoupon, CouponState, TipOffer } from '#contract/schemas/order.ts';
import { exemptionsFor, relievedTaxes, type TaxExemption } from '#contract/tax-exemptions.ts';
import { homeCountry } from '#contract/taxes.ts';
import {
  type CouponStatus,
  type Destination,
  discountOf,
  type EvaluatedCoupon,
  evaluateCoupon,
  goodsOf,
  isLimited,
  methodsTo,
  noTip,
  type PricedOrder,
  placeOf,
  priceOrder,
  type ShippingMethodSetting,
  type SoldOn,
  shippingPrice,
  type TaxedAmount,
  type Tip,
  tipOn,
} from '#server/modules/pricing/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { taxedOf } from './bill-parts.ts';
import { parcelPromise } from './delivery.ts';
import {
  type AgreedBill,
  type CouponTerms,
  deliveryNamed,
  locationOf,
  type OrderHead,
  type OrderLine,
  type TaxedPart,
} from './order.ts';
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
/** With what its buyer is exempt from (`exemptionsOf`); of an agreed bill, what was kept counts. */
export type ExemptHead = HeadToBill & { exemptions?: readonly TaxExemption[] };
export interface LineToBill
  extends Pick<
    OrderLine,
    | 'id'
    | 'identity'
    | 'sku'
    | 'productId'
    | 'category'
    | 'quantity'
    | 'unitPrice'
    | 'taxClass'
    | 'singleServings'
    | 'parts'
  > {
  /** Units that were sold before (`soldBefore`). */
  earlier?: (SoldOn & { quantity: number })[];
}

export interface BilledOrder {
  bill: Bill;
  /** The shipping method: the chosen one if it is still available there, else the cheapest. */
  shippingMethod: ShippingMethodSetting | null;
  /** Minutes from the order to the door, if its store delivers it itself. */
  deliveryMinutes?: number;
  /** Percentages of a tip, and the amount of each. */
  tips: TipOffer['choices'];
  /** What is kept of the coupon that applies; null if none does. */
  couponTerms: CouponTerms | null;
  /** What is kept of an agreed bill for the books. */
  forBooks: () => Required<Pick<AgreedBill, 'taxed' | 'taxTerms'>>;
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
  order: ExemptHead,
  lines: readonly LineToBill[],
  settings: OrderSettings,
  standing: CouponStatus | null,
  locale: Locale,
  destination: Destination | null = destinationOf(order, settings),
): BilledOrder {
  const coupon = evaluatedCoupon(standing, lines, settings, destination);
  const discount = coupon && discountOf(coupon);
  const day = settings.today(order.storeId);
  const table = settings.taxesOn(day);
  const terms = order.bill?.taxTerms;
  const consumption = terms
    ? { eatenIn: order.method === 'instore', ...terms }
    : consumptionOf(order, settings);
  const provinceCode = destination?.countryISOCode === homeCountry ? destination.provinceCode : null;
  const postCode = order.method === 'shipping' ? (order.shippingAddress?.postCode ?? null) : null;
  const exemptions = terms
    ? (terms.exemptions ?? [])
    : exemptionsFor(order.exemptions ?? [], { day, postCode, provinceCode });
  const input = {
    lines,
    discount,
    destination,
    day,
    sold: terms?.sold[0],
    relieved: exemptions.length > 0 ? relievedTaxes(exemptions) : undefined,
    consumption,
    serviceCharge: serviceChargeOf(order, settings),
    tip: tipOf(order, lines, settings),
  };
  const goods = goodsOf(input);
  const delivery =
    order.method === 'shipping' && order.storeId !== null
      ? deliveryNamed(settings, order.shippingMethod)
      : null;
  const offered =
    order.method === 'shipping' && order.storeId === null && destination
      ? methodsTo(
          settings.shippingMethods,
          destination,
          goods.subtotal - goods.discount,
          discount?.kind === 'freeShipping',
        )
      : [];
  const shippingMethod =
    delivery?.method ?? offered.find(({ id }) => id === order.shippingMethod) ?? offered[0] ?? null;
  const priced = priceOrder({ ...input, shipping: shippingMethod }, table);
  const { lines: pricedLines, shippingTaxes, serviceCharge, serviceChargeTaxes, taxed, ...sums } = priced;
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
        ? {
            serviceCharge: {
              nameContent: input.serviceCharge.name,
              amount: serviceCharge,
              taxes: serviceChargeTaxes,
            },
          }
        : {}),
      final,
      couponCode: discount?.code ?? null,
      coupon: coupon && { ...viewCoupon(coupon, settings, locale), ...sharesOf(coupon, lines, pricedLines) },
      currency: settings.currency,
      ...(exemptions.length > 0
        ? { taxExemptions: exemptions.map(({ kind, number }) => ({ kind, number })) }
        : {}),
      billVersion: fingerprint(order, lines, priced, { shippingMethod, currency: settings.currency, coupon }),
    },
    shippingMethod,
    couponTerms: coupon && termsOf(coupon, lines),
    ...(delivery ? { deliveryMinutes: delivery.zone.minutes } : {}),
    tips: settings.tips.percentages.map((percent) => ({
      percent,
      amount: tipOn(goods.subtotal - goods.discount, { basisPoints: basisPointsOf(percent) }),
    })),
    forBooks: () => {
      const parts = destination ? taxedParts(lines, taxed(), placeOf(destination)) : [];
      const days = [
        ...(terms?.sold ?? []),
        { day, rates: (destination && table.get(destination.provinceCode ?? '')) ?? [] },
      ];
      const ofDays = days.filter((each, at) => days.findIndex((other) => other.day === each.day) === at);
      const sold = ofDays.filter((each, at) => at === 0 || parts.some((part) => part.day === each.day));
      const { eatingEstablishment } = consumption;
      const used = exemptions.length > 0 ? { exemptions: [...exemptions] } : {};
      return { taxed: parts, taxTerms: { sold, eatingEstablishment, ...used } };
    },
  };
}

/** The tables of a store are an eating establishment of their own, within one that may be none (CRA, Policy Statement P-251). */
function consumptionOf(
  order: Pick<OrderHead, 'method' | 'storeId'>,
  { eatingEstablishments, tableFood }: OrderSettings,
) {
  const place = locationOf(order) ?? '';
  const eatenIn = order.method === 'instore';
  const isWhole = eatingEstablishments.includes(place);
  return { eatenIn, eatingEstablishment: isWhole || (eatenIn && tableFood[place] !== 'asSold') };
}

/**
 * What of a line of an agreed bill was sold when, at the rates of that day: at most its present units. More units are a sale of the day
 * on which they are added (Excise Tax Act, section 168: tax is payable when the price is paid or becomes due).
 */
export function soldBefore(
  { taxed = [], taxTerms }: AgreedBill,
  { id, quantity }: Pick<OrderLine, 'id' | 'quantity'>,
): NonNullable<LineToBill['earlier']> {
  let left = quantity;
  return (taxTerms?.sold ?? []).flatMap((sold) => {
    const units = Math.max(
      0,
      ...taxed.filter(({ line, day }) => line === id && day === sold.day).map((part) => part.quantity),
    );
    const kept = Math.min(left, units);
    left -= kept;
    return kept > 0 ? [{ ...sold, quantity: kept }] : [];
  });
}

function taxedParts(
  lines: readonly LineToBill[],
  taxed: ReturnType<PricedOrder['taxed']>,
  place: string,
): TaxedPart[] {
  const partsOf = (of: TaxedPart['of'], line: string | null, amounts: readonly TaxedAmount[] = []) =>
    amounts.map((each): TaxedPart => ({ of, line, place, ...each }));
  return [
    ...lines.flatMap(({ id }, index) => partsOf('line', id, taxed.lines[index])),
    ...partsOf('shipping', null, taxed.shipping),
    ...partsOf('serviceCharge', null, taxed.serviceCharge),
  ];
}

/**
 * An agreed bill with the terms by which it was taxed. Of one from before they were kept, they are the rates that its taxes name, and for
 * the rest those of the day on which it was placed.
 */
export function withTaxTerms(
  order: OrderHead,
  bill: AgreedBill,
  lines: readonly OrderLine[],
  settings: OrderSettings,
): AgreedBill & Required<Pick<AgreedBill, 'taxed' | 'taxTerms'>> {
  if (bill.taxed && bill.taxTerms) return { ...bill, taxed: bill.taxed, taxTerms: bill.taxTerms };
  const destination = destinationOf(order, settings);
  const day = settings.dayAt(order.storeId, order.placedAt ?? 0);
  const named = new Map(
    taxedOf(bill, lines).flatMap(({ taxes }) => taxes.map((tax) => [tax.name, tax] as const)),
  );
  const general = settings.taxesOn(day).get(destination?.provinceCode ?? '') ?? [];
  const rates = general.map((tax) => {
    const { label, rate } = named.get(tax.name) ?? tax;
    return { ...tax, label, rate };
  });
  const { eatingEstablishment } = consumptionOf(order, settings);
  return {
    ...bill,
    taxed: taxedOf(bill, lines, { day, ...(destination ? { place: placeOf(destination) } : {}) }),
    taxTerms: { sold: [{ day, rates }], eatingEstablishment },
  };
}

/**
 * The bill as it is agreed at `at`, epoch ms, with what was said of the delivery. Of a changed order, `kept` is the bill from before, whose
 * promises stay.
 */
export function agreedBill(
  { bill, shippingMethod, deliveryMinutes: minutes, couponTerms, forBooks }: Omit<BilledOrder, 'tips'>,
  {
    settings,
    at,
    kept,
  }: { settings: Pick<OrderSettings, 'timeZone' | 'packing'>; at: number; kept?: AgreedBill },
): AgreedBill {
  const deliveryMinutes = kept ? kept.deliveryMinutes : minutes;
  const parcel = deliveryMinutes === undefined ? shippingMethod : null;
  const before = kept?.shippingMethod === parcel?.id ? kept?.promise : undefined;
  // An order that falls below the minimum by a change gets its discount back by another one.
  const terms = couponTerms ?? kept?.couponTerms;
  return {
    ...bill,
    coupon: bill.coupon?.state === 'applied' ? bill.coupon : null,
    shippingMethod: shippingMethod?.id ?? null,
    ...(shippingMethod ? { shippingName: shippingMethod.name } : {}),
    ...(deliveryMinutes === undefined ? {} : { deliveryMinutes }),
    ...(terms ? { couponTerms: terms } : {}),
    ...(parcel ? { promise: before ?? parcelPromise(parcel, settings, at) } : {}),
    ...forBooks(),
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
  const coupon = evaluatedCoupon(standing, lines, settings, destination);
  const discount = coupon && discountOf(coupon);
  const priced = goodsOf({ lines, discount });
  const goods = priced.subtotal - priced.discount;
  const free = discount?.kind === 'freeShipping';
  return methodsTo(settings.shippingMethods, destination, goods, free).map((method) => ({
    method,
    price: shippingPrice(method, goods, free),
  }));
}

export function evaluatedCoupon(
  standing: CouponStatus | null,
  lines: readonly Pick<OrderLine, 'id' | 'productId' | 'category' | 'unitPrice' | 'quantity'>[],
  { categoriesAbove }: Pick<OrderSettings, 'categoriesAbove'>,
  destination: Destination | null,
): EvaluatedCoupon | null {
  if (!standing) return null;
  const seen = lines.map(({ id, productId, category, unitPrice, quantity }) => {
    return { id, total: unitPrice * quantity, product: productId, categories: categoriesAbove(category) };
  });
  return evaluateCoupon(standing, seen, destination?.countryISOCode ?? null);
}

/** Null for a coupon that does not apply. */
function termsOf({ coupon, state, on }: EvaluatedCoupon, lines: readonly LineToBill[]): CouponTerms | null {
  if (!coupon || state !== 'applied') return null;
  return {
    coupon,
    ...(on && { lines: Object.fromEntries(lines.map(({ id }, index) => [id, on[index] ?? false])) }),
  };
}

/** Of a coupon for certain items, what each line has of the discount. */
function sharesOf(
  { on }: EvaluatedCoupon,
  lines: readonly LineToBill[],
  priced: PricedOrder['lines'],
): Pick<BillCoupon, 'shares'> {
  if (!on) return {};
  const shares = lines.map(({ id }, index) => ({ line: id, amount: priced[index]?.discount ?? 0 }));
  return { shares: shares.filter(({ amount }) => amount > 0) };
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
  if (
    !serviceCharge ||
    !method ||
    !serviceCharge.methods.includes(method) ||
    !chargesAt(serviceCharge, storeId)
  )
    return null;
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

interface FingerprintOf {
  shippingMethod: ShippingMethodSetting | null;
  currency: string;
  coupon: EvaluatedCoupon | null;
}

/** A fingerprint that changes with anything that is billed, and only then. Unique per order. */
function fingerprint(
  order: HeadToBill,
  lines: readonly LineToBill[],
  priced: PricedOrder,
  { shippingMethod, currency, coupon }: FingerprintOf,
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
    ...(coupon?.on ? [priced.lines.map(({ discount }) => discount)] : []),
  ]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

export interface CouponMessage {
  key: `coupon.refused.${Exclude<CouponState, 'applied'> | 'minimumOfItems'}`;
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
    key:
      state === 'minimum' && coupon && isLimited(coupon)
        ? 'coupon.refused.minimumOfItems'
        : `coupon.refused.${state}`,
    values: {
      code,
      minimum: money(coupon?.minSubtotal ?? 0),
      missing: money(missing),
      date: coupon?.startsAt == null ? '' : day.format(coupon.startsAt),
    },
  };
}
