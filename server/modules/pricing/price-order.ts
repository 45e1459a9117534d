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
import type { PriceInfo } from '#contract/schemas/catalogue.ts';
import { homeCountry } from '#contract/taxes.ts';
import { canada } from './food-tax/canada.ts';
import { type Charge, type Consumption, type FoodItem, type FoodRules, foodCharges } from './food-tax/food-tax.ts';
import { type ShippingMethodSetting, shippingPrice } from './shipping.ts';

/** For amounts of 0 or more; exact at any size. */
export function mulDivHalfUp(amount: number, factor: number, divisor: number): number {
  const product = amount * factor;
  if (Number.isSafeInteger(2 * product)) return Math.floor((2 * product + divisor) / (2 * divisor));
  return Number((2n * BigInt(amount) * BigInt(factor) + BigInt(divisor)) / (2n * BigInt(divisor)));
}

/**
 * In proportion to `weights`, in whole cents that sum to `total` exactly: each share is rounded down, and the cents left over go
 * to the largest remainders, the earlier one first. `total` must not exceed the sum of the weights, so that no share exceeds its
 * weight.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  if (sum === 0) return weights.map(() => 0);
  const exact = weights.map((weight, index) => {
    const product = BigInt(total) * BigInt(weight);
    return { index, share: Number(product / BigInt(sum)), remainder: product % BigInt(sum) };
  });
  let left = total - exact.reduce((a, { share }) => a + share, 0);
  const shares = exact.map(({ share }) => share);
  for (const { index } of exact.toSorted((a, b) => compare(b.remainder, a.remainder) || a.index - b.index)) {
    if (left === 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}

export function skuPriceInfo(sku: { priceCents: number; compareAtCents: number | null }, currency: string): PriceInfo {
  const { priceCents, compareAtCents } = sku;
  return {
    price: priceCents,
    listPrice: compareAtCents !== null && compareAtCents > priceCents ? compareAtCents : null,
    currency,
    from: false,
  };
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

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

/** By ISO code of the country. */
export const foodRules: ReadonlyMap<string, FoodRules> = new Map([['CA', canada]]);

/** Rates in thousandths of a percent: Quebec's 9.975 % is 9975. */
interface TaxRateSetting {
  provinceCode: string;
  gstPercent: number;
  pstPercent: number;
  pstLabel: string | null;
  hstPercent: number;
}

interface TaxPart {
  /** For the bill, such as 'HST 13%'. */
  label: string;
  rate: number;
  /** Alone. */
  federal: boolean;
}

/** Of the general rate, by province code. */
export type TaxTable = ReadonlyMap<string, readonly TaxPart[]>;

/** Or where items are handed over. */
export interface Destination {
  countryISOCode: string;
  provinceCode: string | null;
}

/** @throws {RangeError} if a rate has more than three decimals */
export function taxTableOf(settings: readonly TaxRateSetting[]): TaxTable {
  return new Map(
    settings.map((setting) => [
      setting.provinceCode,
      [
        part('HST', setting.hstPercent, false),
        part('GST', setting.gstPercent, true),
        part(setting.pstLabel ?? 'PST', setting.pstPercent, false),
      ].filter(({ rate }) => rate > 0),
    ]),
  );
}

function part(name: string, percent: number, federal: boolean): TaxPart {
  const rate = Math.round(percent * 1000);
  if (Math.abs(rate - percent * 1000) > 1e-6 || rate < 0) throw new RangeError(`Not a tax rate: ${name} ${percent}%`);
  return { label: `${name} ${percent}%`, rate, federal };
}

const zeroRated: ReadonlySet<string> = new Set(['zero-rated-grocery']);

/** Known well enough to determine the tax. */
export function isTaxable(destination: Destination, table: TaxTable): boolean {
  return destination.countryISOCode !== homeCountry || (destination.provinceCode !== null && table.has(destination.provinceCode));
}

/** A line after its share of the discount, cents. Shipping has class 'standard'. */
type Taxable = FoodItem;

interface Tax {
  label: string;
  amount: number;
}

/**
 * In order. All items of a sale must be passed together: rules for food depend on the whole. Each part (GST, PST, HST, QST) is
 * calculated on the price before any tax and rounded half up per line.
 */
export function taxesOf(items: readonly Taxable[], destination: Destination, table: TaxTable, consumption: Consumption): Tax[][] {
  const { countryISOCode, provinceCode } = destination;
  const rules = foodRules.get(countryISOCode);
  if (countryISOCode !== homeCountry || !rules) return items.map(() => []);
  const general = table.get(provinceCode ?? '') ?? [];
  const ownFederal = general.filter(({ federal }) => federal);
  const parts: Record<Charge, readonly Pick<TaxPart, 'label' | 'rate'>[]> = {
    nothing: [],
    federal: ownFederal.length > 0 ? ownFederal : [rules.federal],
    everything: general,
  };
  const charges = foodCharges(items, provinceCode, consumption, rules);
  return items.map(({ amount, taxClass }, index) => {
    if (zeroRated.has(taxClass)) return [];
    return parts[charges[index] ?? 'everything'].map(({ label, rate }) => ({ label, amount: mulDivHalfUp(amount, rate, whole) }));
  });
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
