/**
 * Calculates the price of an order. Pure, in integer cents, in this order: lines → coupon → shipping → tax → tip.
 *
 * - A line is unit price × quantity.
 * - A percentage coupon reduces each line, rounded half up; an amount coupon is divided among the lines
 *   in proportion, so that the shares sum to it exactly.
 * - Shipping is free if the items after discount reach the method's threshold, or by a coupon.
 * - Tax is calculated per line on its amount after its share of the discount, and on shipping, each part
 *   of the tax separately, rounded half up per line (`tax.ts`).
 * - The tip is a share of the items after discount, rounded half up, or an amount. It is neither taxed
 *   nor discounted.
 */
import type { Consumption } from './food-tax/food-tax.ts';
import { allocate, mulDivHalfUp } from './money.ts';
import { type ShippingMethodSetting, shippingPrice } from './shipping.ts';
import { type Destination, isTaxable, type Tax, type TaxTable, taxesOf } from './tax.ts';

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
}

/** The effect of a coupon that applies. */
export type Discount =
  /** `percent` of each line, in thousandths of a percent. */
  | { code: string; kind: 'percent'; percent: number }
  /** This many cents off all items, but never more than they cost. */
  | { code: string; kind: 'amount'; cents: number }
  /** Free shipping, for methods that can be free. */
  | { code: string; kind: 'freeShipping' };

export interface OrderToPrice {
  lines: readonly LineToPrice[];
  discount: Discount | null;
  /** The chosen method; null if nothing is shipped. */
  shipping: ShippingMethodSetting | null;
  /** Null if unknown: shipping and tax are then left out and the price is not final. */
  destination: Destination | null;
  /** Left out, it is taken out of, or delivered from, a place that is no eating establishment. */
  consumption?: Consumption;
  tip: Tip;
}

/** Hundredths of a percent of the discounted items, or cents. */
export type Tip = { basisPoints: number } | { cents: number };
export const noTip: Tip = { cents: 0 };
const takenOut: Consumption = { eatenIn: false, eatingEstablishment: false };

export interface PricedLine {
  sku: string;
  lineTotal: number;
  /** Its share of the discount. */
  discount: number;
  taxes: Tax[];
}

/** All in cents. `total` = subtotal − discount + shipping + tax + tip. */
export interface PricedOrder {
  lines: PricedLine[];
  shippingTaxes: Tax[];
  subtotal: number;
  discount: number;
  shipping: number;
  /** The amount that the coupon has taken off shipping. */
  shippingSaved: number;
  /** Taxes of all lines and of shipping, one entry per label. They sum to `tax`. */
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
  const taxable = order.lines.map((line, index) => ({
    amount: (totals[index] ?? 0) - (shares[index] ?? 0),
    taxClass: line.taxClass,
    quantity: line.quantity,
    singleServings: line.singleServings ?? 1,
  }));
  const parcel = { amount: shipping, taxClass: 'standard', quantity: 1, singleServings: 1 };
  const taxes = final ? taxesOf([...taxable, parcel], destination, table, order.consumption ?? takenOut) : [];
  const taxLines = byLabel(taxes.flat());
  const tax = sum(taxLines.map(({ amount }) => amount));
  const tip = tipOn(goods, order.tip);

  return {
    lines: order.lines.map(({ sku }, index) => ({
      sku,
      lineTotal: totals[index] ?? 0,
      discount: shares[index] ?? 0,
      taxes: charged(taxes[index]),
    })),
    shippingTaxes: charged(taxes[order.lines.length]),
    subtotal,
    discount,
    shipping,
    shippingSaved: fullShipping - shipping,
    taxLines,
    tax,
    tip,
    total: goods + shipping + tax + tip,
    final,
  };
}

/** The discount of each line. */
function discountsOn(totals: readonly number[], subtotal: number, discount: Discount | null): number[] {
  if (discount?.kind === 'percent') return totals.map((total) => Math.min(total, mulDivHalfUp(total, discount.percent, whole)));
  return allocate(discount?.kind === 'amount' ? Math.min(subtotal, discount.cents) : 0, totals);
}

/** The amount of a tip on items after discount, cents. */
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

function charged(taxes: readonly Tax[] = []): Tax[] {
  return taxes.filter(({ amount }) => amount > 0);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
