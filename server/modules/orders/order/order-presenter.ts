import type { FieldErrors } from '#contract/errors.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { taxIn } from '#contract/rules/tax-labels.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Bill, LineItem, Order } from '#contract/schemas/order.ts';
import type { TaxExemption } from '#contract/tax-exemptions.ts';
import { registrableTax } from '#contract/tax-rates.ts';
import { type StockLevels, unitsThere } from '#server/modules/inventory/index.ts';
import type { CouponStatus } from '#server/modules/pricing/index.ts';
import { translate, translateFieldErrors } from '#server/platform/i18n.ts';
import { findProvince } from '#server/platform/provinces.ts';
import { billOf, tippedMethods } from './billing.ts';
import { deliveryOf } from './delivery.ts';
import {
  availableQuantities,
  lackedModifier,
  lineErrors,
  lineStatus,
  modifierTextOf,
  servingMethods,
} from './line-units.ts';
import type { AgreedBill, OrderHead, OrderLine } from './order.ts';
import type { OrderMoney } from './order-money.ts';
import type { OrderSettings } from './order-settings.ts';
import { unservedErrors } from './order-settings.ts';

export interface OrderParts {
  head: OrderHead & { exemptions?: readonly TaxExemption[] };
  lines: readonly OrderLine[];
  stock: StockLevels;
  images: ReadonlyMap<string, ImageInfo | null | undefined>;
  money: OrderMoney;
  /** The status of a cart's coupon; null if it has none, and once its bill is final. */
  coupon: CouponStatus | null;
  /** Epoch ms. */
  now: number;
}

export function viewOrder(
  { head, lines, stock, images, money, coupon, now }: OrderParts,
  settings: OrderSettings,
  locale: Locale,
): Order {
  const { bill, shippingMethod, deliveryMinutes, tips } = head.bill
    ? agreedView(head.bill, taxNumbersOf(head, settings))
    : live(head, lines, { settings, coupon, locale });
  const delivery = deliveryOf(head, settings);
  const there = head.state === 'cart' ? unitsThere(stock) : null;
  const tipped = head.bill ? bill.tip > 0 : head.tipBasisPoints > 0 || head.tipCents !== null;
  return {
    orderID: head.id,
    // A payment attempt gives a cart its number; customers see none until the order is placed.
    orderNumber: head.placedAt === null ? null : head.number,
    version: head.version,
    state: head.state,
    lineItems: lines.map((line, index) =>
      viewLine(line, lines.slice(0, index), { head, stock, there, images, now, settings, locale }),
    ),
    customerComment: head.comment,
    orderReserved: head.payAtStore,
    pickUpAtStore: head.method === 'pickup',
    inStore: head.method === 'instore',
    method: head.method,
    ...(head.state === 'cart' ? { methods: servingMethods(lines, stock, settings) } : {}),
    localStoreName: head.storeId,
    tableNumber: head.tableNumber,
    ...(head.partySize === null ? {} : { partySize: head.partySize }),
    pickupDate: head.pickupAt,
    orderContact: head.contact,
    shippingContact: head.shippingContact,
    shippingAddress: head.shippingAddress,
    billingAddress: head.billingAddress,
    shippingMethod,
    ...(delivery?.name ? { shippingNameContent: delivery.name } : {}),
    ...(deliveryMinutes === undefined ? {} : { deliveryMinutes }),
    addTips: tipped,
    tipRate: tipped && head.tipCents === null ? head.tipBasisPoints / 10_000 : 0,
    tipAmount: tipped ? head.tipCents : null,
    tips,
    bill,
    timeZone: timeZoneOf(head, settings),
    placedAt: head.placedAt,
    ...money,
  };
}

/** The store's time zone, even if it was removed; the shop's for an order that is shipped. */
export function timeZoneOf(
  { storeId }: OrderHead,
  { stores, removedStores, timeZone }: OrderSettings,
): string {
  return [...stores, ...removedStores].find(({ id }) => id === storeId)?.timeZone ?? timeZone;
}

type ViewedBill = Pick<Order, 'bill' | 'shippingMethod' | 'deliveryMinutes' | 'tips'>;

/** Bills from before coupons existed lack the coupon fields. */
export function agreedView(agreed: AgreedBill, taxNumbers: NonNullable<Bill['taxNumbers']>): ViewedBill {
  const {
    shippingMethod,
    shippingName: _,
    promise: __,
    taxed: ___,
    taxTerms: ____,
    couponTerms: _____,
    deliveryMinutes,
    ...bill
  } = agreed;
  return {
    bill: {
      ...bill,
      coupon: bill.coupon ?? null,
      shippingSaved: bill.shippingSaved ?? 0,
      ...(taxNumbers.length > 0 ? { taxNumbers } : {}),
    },
    shippingMethod,
    ...(deliveryMinutes === undefined ? {} : { deliveryMinutes }),
    tips: null,
  };
}

/** The numbers by which the shop was registered, on the day of the order at its store, for the taxes on its bill. */
export function taxNumbersOf(
  { bill, placedAt, storeId }: Pick<OrderHead, 'bill' | 'placedAt' | 'storeId'>,
  { dayAt, registrationsOn }: Pick<OrderSettings, 'dayAt' | 'registrationsOn'>,
): NonNullable<Bill['taxNumbers']> {
  if (!bill || placedAt === null) return [];
  const taxed = bill.taxed?.flatMap(({ place, taxes }) =>
    taxes.map(({ name }) => registrableTax(name, place)),
  );
  // Bills from before their parts were kept say no place.
  const charged = taxed ?? bill.taxLines.map(({ label }) => registrableTax(taxIn(label).name, ''));
  return registrationsOn(dayAt(storeId, placedAt))
    .filter(({ tax }) => charged.includes(tax))
    .map(({ tax, number }) => ({ tax, number }));
}

function live(
  head: OrderParts['head'],
  lines: readonly OrderLine[],
  { settings, coupon, locale }: { settings: OrderSettings; coupon: CouponStatus | null; locale: Locale },
): ViewedBill {
  const { bill, shippingMethod, tips, ...delivery } = billOf(head, lines, settings, coupon, locale);
  const methods = tippedMethods(lines, settings);
  return {
    bill,
    shippingMethod: shippingMethod?.id ?? null,
    ...delivery,
    tips: methods.length > 0 ? { methods: [...methods], choices: tips } : null,
  };
}

function viewLine(
  line: OrderLine,
  before: readonly OrderLine[],
  {
    head,
    stock,
    there,
    images,
    now,
    settings,
    locale,
  }: Pick<OrderParts, 'head' | 'stock' | 'images' | 'now'> & {
    /** Without what is sold beyond stock; null: nothing is. */
    there: StockLevels | null;
    settings: OrderSettings;
    locale: Locale;
  },
): LineItem {
  const isCart = head.state === 'cart';
  const obtainable = isCart ? availableQuantities(line, head, stock, settings, before) : line.quantity;
  const textOf = (errors: FieldErrors) => Object.values(translateFieldErrors(errors, locale))[0];
  const gone = isCart ? textOf(lineErrors([line], head, settings, locale)) : undefined;
  const lacked = isCart && obtainable < 1 ? lackedModifier(line, head, stock, settings, before) : null;
  const values = lacked && { product: inLocale(lacked.nameContent, locale) };
  // Another time can be chosen at checkout, so the line does not block the way there.
  const unavailable =
    gone ??
    (values ? translate(locale)('rule.outOfStockLine', values) : undefined) ??
    (isCart ? textOf(unservedErrors([line], head, settings, { locale, now })) : undefined);
  return {
    id: line.id,
    itemName: line.sku,
    sku: line.sku,
    product: line.productId,
    productName: inLocale(line.name, locale),
    nameContent: line.name,
    brandContent: line.brand,
    optionPairs: line.optionPairs,
    optionText: inLocale(line.optionText, locale),
    modifiers: [...line.modifiers],
    modifierText: modifierTextOf(line.modifiers, locale),
    note: line.note,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    listPrice: line.listPrice,
    lineTotal: line.unitPrice * line.quantity,
    image: (line.image && images.get(line.image)) || null,
    inStoreOnly: line.inStoreOnly,
    inventoryProcessingStatus:
      gone === undefined ? lineStatus(head.state, line.quantity, obtainable) : 'notAvailable',
    ...(unavailable === undefined ? {} : { unavailable }),
    obtainable,
    ...(there && availableQuantities(line, head, there, settings, before) < line.quantity
      ? { backorder: true }
      : {}),
  };
}

/** The cart of a customer who has added nothing yet. */
export function emptyCart({ currency, timeZone }: OrderSettings): Order {
  return {
    orderID: null,
    orderNumber: null,
    version: 0,
    state: 'cart',
    lineItems: [],
    customerComment: '',
    orderReserved: false,
    pickUpAtStore: false,
    inStore: false,
    method: null,
    localStoreName: null,
    tableNumber: null,
    pickupDate: null,
    orderContact: null,
    shippingContact: null,
    shippingAddress: null,
    billingAddress: null,
    shippingMethod: null,
    addTips: false,
    tipRate: 0,
    tipAmount: null,
    tips: null,
    bill: {
      subtotal: 0,
      discount: 0,
      couponCode: null,
      coupon: null,
      shipping: 0,
      shippingSaved: 0,
      final: false,
      taxLines: [],
      tax: 0,
      tip: 0,
      total: 0,
      currency,
      billVersion: '',
    },
    timeZone,
    placedAt: null,
    payment: null,
  };
}

/**
 * The order without text that its buyer typed: names, the note, and all of the address except province and country, which come
 * from lists. For emails to an unconfirmed address: an order may cost nothing, so its buyer must not choose text that a stranger
 * reads.
 */
export function withoutTypedWords(order: Order): Order {
  const { shippingAddress: address } = order;
  const typed = {
    streetNumberAndNameDetails: '',
    city: '',
    postCode: '',
    addressDescription: '',
    contactPhone: '',
  };
  return {
    ...order,
    lineItems: order.lineItems.map((line) => ({ ...line, note: '' })),
    customerComment: '',
    orderContact: null,
    shippingContact: null,
    shippingAddress: address && {
      ...address,
      ...typed,
      province: findProvince(address.countryISOCode, address.province) ? address.province : '',
    },
    billingAddress: null,
  };
}
