/**
 * Calculates the price of an order. Pure, in integer cents, in this order: lines → coupon → shipping → service charge → tax → tip.
 *
 * - A line is unit price × quantity. Its parts can be taxed differently (`line-parts.ts`).
 * - A percentage coupon reduces each line, rounded half up; an amount coupon is divided among the lines
 *   in proportion, so that the shares sum to it exactly, and within a line likewise among its parts. A coupon of certain
 *   items reduces their lines alone.
 * - Shipping is free if the items after discount reach the method's threshold, or by a coupon.
 * - Tax is calculated on each line after its share of the discount, and on shipping, by part: each tax is rounded half up once for a
 *   line and rate (`tax.ts`).
 * - A service charge is a share of the items after discount, rounded half up. It is taxed as an item of its own, or not.
 * - The tip is a share of the items after discount, rounded half up, or an amount. It is neither taxed
 *   nor discounted, and the service charge does not count for it.
 */
import type { PriceInfo } from '#contract/schemas/catalogue.ts';
import type { RegistrableTax } from '#contract/tax-rates.ts';
import { allocate, mulDivHalfUp, sum } from './cents.ts';
import type { Consumption } from './food-tax/food-tax.ts';
import { type ShippingMethodSetting, shippingPrice } from './shipping.ts';
import {
  type Destination,
  isTaxable,
  type Tax,
  type Taxable,
  type TaxedAmount,
  type TaxedLine,
  type TaxPart,
  type TaxTable,
  taxedAmounts,
  taxSale,
  whole,
} from './tax.ts';

export function skuPriceInfo(
  sku: { priceCents: number; compareAtCents: number | null },
  currency: string,
): PriceInfo {
  const { priceCents, compareAtCents } = sku;
  return {
    price: priceCents,
    listPrice: compareAtCents !== null && compareAtCents > priceCents ? compareAtCents : null,
    currency,
    from: false,
  };
}

export interface LineToPrice {
  sku: string;
  quantity: number;
  /** Cents. */
  unitPrice: number;
  taxClass: string;
  /** Single servings of food in a unit; left out, 1. */
  singleServings?: number;
  /** What a unit consists of, if not of one part with the fields above. They sum to `unitPrice`. */
  parts?: readonly LinePart[];
  /** Units that were sold before, at the rates of their day: together at most `quantity`. */
  earlier?: readonly (SoldOn & { quantity: number })[];
}

/** When something was sold, and what was charged in general in the province of the sale. */
export interface SoldOn {
  /** In the store's calendar. */
  day: string;
  rates: readonly TaxPart[];
}

/** `on`: whether it is taken off a line, in their order; left out, it is taken off all. */
export type Discount =
  /** In thousandths of a percent. */
  | { code: string; kind: 'percent'; percent: number; on?: readonly boolean[] }
  /** Never more than the items cost. */
  | { code: string; kind: 'amount'; cents: number; on?: readonly boolean[] }
  /** For methods that can be free. */
  | { code: string; kind: 'freeShipping' };

export interface OrderToPrice {
  lines: readonly LineToPrice[];
  discount: Discount | null;
  /** Null if nothing is shipped. */
  shipping: ShippingMethodSetting | null;
  /** Null while unknown: shipping and tax are then left out and the price is not final. */
  destination: Destination | null;
  /** The day whose rates are passed along, in the store's calendar; left out where nobody keeps it. */
  day?: string;
  /** Of an order that was sold before: shipping and the service charge belong to it. */
  sold?: SoldOn | undefined;
  /** The taxes that the buyer is exempt from; left out, none. */
  relieved?: ReadonlySet<RegistrableTax> | undefined;
  /** Left out, it is taken out of, or delivered from, a place that is no eating establishment. */
  consumption?: Consumption;
  /** Left out or null, there is none. */
  serviceCharge?: ServiceCharge | null | undefined;
  tip: Tip;
}

export interface ServiceCharge {
  /** Thousandths of a percent of the discounted items. */
  rate: number;
  /** Null: not taxed. */
  taxClass: string | null;
}

/** Hundredths of a percent of the discounted items, or cents. */
export type Tip = { basisPoints: number } | { cents: number };
export const noTip: Tip = { cents: 0 };
const takenOut: Consumption = { eatenIn: false, eatingEstablishment: false };

interface PricedLine {
  sku: string;
  lineTotal: number;
  /** Of the line. */
  discount: number;
  taxes: Tax[];
}

/** Cents. `total` = subtotal − discount + shipping + serviceCharge + tax + tip. */
export interface PricedOrder {
  lines: PricedLine[];
  shippingTaxes: Tax[];
  serviceChargeTaxes: Tax[];
  subtotal: number;
  discount: number;
  shipping: number;
  shippingSaved: number;
  serviceCharge: number;
  /** One entry per label. They sum to `tax`. */
  taxLines: Tax[];
  tax: number;
  tip: number;
  total: number;
  final: boolean;
  /** What is taxed how, which few ask for; nothing as long as the destination is unknown. */
  taxed: () => { lines: TaxedAmount[][]; shipping: TaxedAmount[]; serviceCharge: TaxedAmount[] };
}

export function priceOrder(order: OrderToPrice, table: TaxTable): PricedOrder {
  const totals = order.lines.map((line) => line.unitPrice * line.quantity);
  const subtotal = sum(totals);
  const shares = discountsOn(totals, order.discount);
  const discount = sum(shares);
  const goods = subtotal - discount;

  const { destination } = order;
  const final = destination !== null && isTaxable(destination, table);
  const method = final ? order.shipping : null;
  const fullShipping = method ? shippingPrice(method, goods) : 0;
  const shipping = method ? shippingPrice(method, goods, order.discount?.kind === 'freeShipping') : 0;
  const serviceCharge = order.serviceCharge ? mulDivHalfUp(goods, order.serviceCharge.rate, whole) : 0;
  const now = { day: order.day ?? '', rates: (final && table.get(destination.provinceCode ?? '')) || [] };
  const sold = order.sold ?? now;
  const taxed = final
    ? taxSale(
        {
          lines: order.lines.map((line, index) => taxablesOf(line, shares[index] ?? 0, now)),
          serviceCharge: order.serviceCharge
            ? { ...sold, amount: serviceCharge, taxClass: order.serviceCharge.taxClass }
            : null,
          shipping: method ? { ...sold, amount: shipping } : null,
          relieved: order.relieved,
        },
        destination,
        order.consumption ?? takenOut,
      )
    : null;
  const taxLines = taxed ? byLabel([...taxed.lines, taxed.shipping, taxed.serviceCharge]) : [];
  const tax = sum(taxLines.map(({ amount }) => amount));
  const tip = tipOn(goods, order.tip);

  return {
    lines: order.lines.map(({ sku }, index) => ({
      sku,
      lineTotal: totals[index] ?? 0,
      discount: shares[index] ?? 0,
      taxes: taxed?.lines[index]?.taxes ?? [],
    })),
    shippingTaxes: taxed?.shipping.taxes ?? [],
    serviceChargeTaxes: taxed?.serviceCharge.taxes ?? [],
    subtotal,
    discount,
    shipping,
    shippingSaved: fullShipping - shipping,
    serviceCharge,
    taxLines,
    tax,
    tip,
    total: goods + shipping + serviceCharge + tax + tip,
    final,
    taxed: () => ({
      lines: (taxed?.lines ?? []).map(taxedAmounts),
      shipping: taxed ? taxedAmounts(taxed.shipping) : [],
      serviceCharge: taxed ? taxedAmounts(taxed.serviceCharge) : [],
    }),
  };
}

/** What the items of an order cost, and what a coupon takes off them. Cents. */
export function goodsOf({ lines, discount }: Pick<OrderToPrice, 'lines' | 'discount'>): {
  subtotal: number;
  discount: number;
} {
  const totals = lines.map(({ unitPrice, quantity }) => unitPrice * quantity);
  return { subtotal: sum(totals), discount: sum(discountsOn(totals, discount)) };
}

/** What of a line is taxed by itself: each of its parts, on each day of sale, after the line's share of the discount. */
function taxablesOf(line: LineToPrice, discount: number, now: SoldOn): Taxable[] {
  const { quantity, unitPrice, taxClass, singleServings = 1, parts = [], earlier = [] } = line;
  if (parts.length === 0 && earlier.length === 0)
    return [
      {
        amount: unitPrice * quantity - discount,
        discount,
        taxClass,
        quantity,
        singleServings,
        units: quantity,
        day: now.day,
        rates: now.rates,
      },
    ];
  const left = quantity - sum(earlier.map((each) => each.quantity));
  const days = left > 0 ? [...earlier, { ...now, quantity: left }] : earlier;
  const own = parts.length > 0 ? parts : [{ price: unitPrice, quantity: 1, taxClass, singleServings }];
  const pieces = days.flatMap(({ quantity: units, day, rates }) =>
    own.map((part) => ({
      ...part,
      total: part.price * units,
      quantity: part.quantity * units,
      units,
      day,
      rates,
    })),
  );
  const shares = allocate(
    discount,
    pieces.map(({ total }) => total),
  );
  return pieces.map(({ total, price: _, ...piece }, index) => {
    const off = shares[index] ?? 0;
    return { ...piece, amount: total - off, discount: off };
  });
}

/** Of each line. */
function discountsOn(totals: readonly number[], discount: Discount | null): number[] {
  if (!discount || discount.kind === 'freeShipping') return totals.map(() => 0);
  const { on } = discount;
  const reduced = on ? totals.map((total, index) => (on[index] ? total : 0)) : totals;
  if (discount.kind === 'percent')
    return reduced.map((total) => Math.min(total, mulDivHalfUp(total, discount.percent, whole)));
  return allocate(Math.min(sum(reduced), discount.cents), reduced);
}

/** Cents; `goods` is after discount. */
export function tipOn(goods: number, tip: Tip): number {
  return 'cents' in tip ? tip.cents : mulDivHalfUp(goods, tip.basisPoints, 10_000);
}

function byLabel(lines: readonly TaxedLine[]): Tax[] {
  const sums = new Map<string, number>();
  for (const { taxes } of lines)
    for (const { label, amount } of taxes) sums.set(label, (sums.get(label) ?? 0) + amount);
  return [...sums].map(([label, amount]) => ({ label, amount }));
}

/** A part of a unit's price that can be taxed differently: the product, a modifier, a product of a set. */
export interface LinePart {
  price: number;
  quantity: number;
  taxClass: string;
  /** Of food, in each. */
  singleServings: number;
}

export interface ModifierToPrice {
  quantity: number;
  /** Of all of its quantity, cents, without what it opened. */
  amount: number;
  /** Null: it belongs to what it modifies. */
  taxClass: string | null;
  singleServings: number;
  /** Of one alone, cents, if it is a product of a set; null for any other modifier. */
  ownPrice: number | null;
  modifiers: readonly ModifierToPrice[];
}

/** They sum to the unit's price. A set's price is divided by what its products cost alone, surcharges apart. */
export function linePartsOf(
  sku: Pick<LinePart, 'price' | 'taxClass' | 'singleServings'>,
  modifiers: readonly ModifierToPrice[],
): LinePart[] {
  const main: LinePart = { ...sku, quantity: 1 };
  const parts: LinePart[] = [];
  const ofSet: { part: LinePart; weight: number }[] = [];
  const add = (chosen: readonly ModifierToPrice[], owner: LinePart, times: number) => {
    for (const { quantity, amount, taxClass, singleServings, ownPrice, modifiers: opened } of chosen) {
      let part = owner;
      if (taxClass !== null || ownPrice !== null) {
        part = { price: 0, quantity: quantity * times, taxClass: taxClass ?? owner.taxClass, singleServings };
        parts.push(part);
      }
      part.price += amount * times;
      if (ownPrice !== null) ofSet.push({ part, weight: ownPrice * quantity * times });
      add(opened, part, quantity * times);
    }
  };
  add(modifiers, main, 1);
  const weights = ofSet.map(({ weight }) => weight);
  if (weights.some((weight) => weight > 0)) {
    allocate(sku.price, weights).forEach((share, index) => {
      const { part } = ofSet[index] ?? {};
      if (part) part.price += share;
    });
    main.price -= sku.price;
    if (main.price === 0) return parts;
  }
  return [main, ...parts];
}
