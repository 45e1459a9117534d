/**
 * Calculates the price of an order. Pure, in integer cents, in this order: lines → coupon → shipping → service charge → tax → tip.
 *
 * - A line is unit price × quantity. Its parts can be taxed differently (`line-parts.ts`).
 * - A percentage coupon reduces each line, rounded half up; an amount coupon is divided among the lines
 *   in proportion, so that the shares sum to it exactly, and within a line likewise among its parts.
 * - Shipping is free if the items after discount reach the method's threshold, or by a coupon.
 * - Tax is calculated per part of a line on its amount after its share of the discount, and on shipping, each tax
 *   separately, rounded half up (`tax.ts`).
 * - A service charge is a share of the items after discount, rounded half up. It is taxed as an item of its own, or not.
 * - The tip is a share of the items after discount, rounded half up, or an amount. It is neither taxed
 *   nor discounted, and the service charge does not count for it.
 */
import type { Consumption } from './food-tax/food-tax.ts';
import type { LinePart } from './line-parts.ts';
import { allocate, mulDivHalfUp } from './money.ts';
import { type ShippingMethodSetting, shippingPrice } from './shipping.ts';
import { type Destination, isTaxable, type Tax, type Taxable, type TaxTable, taxesOf } from './tax.ts';

/** Thousandths of a percent in 100 %. */
const whole = 100_000;

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
}

export type Discount =
  /** In thousandths of a percent. */
  | { code: string; kind: 'percent'; percent: number }
  /** Never more than the items cost. */
  | { code: string; kind: 'amount'; cents: number }
  /** For methods that can be free. */
  | { code: string; kind: 'freeShipping' };

export interface OrderToPrice {
  lines: readonly LineToPrice[];
  discount: Discount | null;
  /** Null if nothing is shipped. */
  shipping: ShippingMethodSetting | null;
  /** Null while unknown: shipping and tax are then left out and the price is not final. */
  destination: Destination | null;
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

export interface PricedLine {
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
}

export function priceOrder(order: OrderToPrice, table: TaxTable): PricedOrder {
  const totals = order.lines.map((line) => line.unitPrice * line.quantity);
  const subtotal = sum(totals);
  const shares = discountsOn(totals, subtotal, order.discount);
  const discount = sum(shares);
  const goods = subtotal - discount;

  const { destination } = order;
  const final = destination !== null && isTaxable(destination, table);
  const method = final ? order.shipping : null;
  const fullShipping = method ? shippingPrice(method, goods) : 0;
  const shipping = method ? shippingPrice(method, goods, order.discount?.kind === 'freeShipping') : 0;
  const taxable = order.lines.map((line, index) => taxablesOf(line, shares[index] ?? 0));
  const parcel = { amount: shipping, taxClass: 'standard', quantity: 1, singleServings: 1 };
  const serviceCharge = order.serviceCharge ? mulDivHalfUp(goods, order.serviceCharge.rate, whole) : 0;
  const chargeClass = order.serviceCharge?.taxClass ?? null;
  const charge = chargeClass === null ? [] : [{ amount: serviceCharge, taxClass: chargeClass, quantity: 1, singleServings: 0 }];
  const items = [...taxable.flat(), parcel, ...charge];
  const taxes = final ? taxesOf(items, destination, table, order.consumption ?? takenOut) : [];
  const rest = [...taxes];
  const ofLines = taxable.map((parts) => byLabel(rest.splice(0, parts.length).flat()));
  const [ofShipping = [], ofCharge = []] = rest;
  const taxLines = byLabel(taxes.flat());
  const tax = sum(taxLines.map(({ amount }) => amount));
  const tip = tipOn(goods, order.tip);

  return {
    lines: order.lines.map(({ sku }, index) => ({
      sku,
      lineTotal: totals[index] ?? 0,
      discount: shares[index] ?? 0,
      taxes: ofLines[index] ?? [],
    })),
    shippingTaxes: byLabel(ofShipping),
    serviceChargeTaxes: byLabel(ofCharge),
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
  };
}

/** After the line's share of the discount. */
function taxablesOf({ quantity, unitPrice, taxClass, singleServings = 1, parts = [] }: LineToPrice, discount: number): Taxable[] {
  const total = unitPrice * quantity;
  if (parts.length === 0) return [{ amount: total - discount, taxClass, quantity, singleServings }];
  const totals = parts.map(({ price }) => price * quantity);
  const shares = allocate(discount, totals);
  return parts.map((part, index) => ({
    amount: (totals[index] ?? 0) - (shares[index] ?? 0),
    taxClass: part.taxClass,
    quantity: part.quantity * quantity,
    singleServings: part.singleServings,
  }));
}

function discountsOn(totals: readonly number[], subtotal: number, discount: Discount | null): number[] {
  if (discount?.kind === 'percent') return totals.map((total) => Math.min(total, mulDivHalfUp(total, discount.percent, whole)));
  return allocate(discount?.kind === 'amount' ? Math.min(subtotal, discount.cents) : 0, totals);
}

/** Cents; `goods` is after discount. */
export function tipOn(goods: number, tip: Tip): number {
  return 'cents' in tip ? tip.cents : mulDivHalfUp(goods, tip.basisPoints, 10_000);
}

function byLabel(taxes: readonly Tax[]): Tax[] {
  const sums = new Map<string, number>();
  for (const { label, amount } of taxes) {
    if (amount > 0) sums.set(label, (sums.get(label) ?? 0) + amount);
  }
  return [...sums].map(([label, amount]) => ({ label, amount }));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
