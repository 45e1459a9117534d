/**
 * Taxes of a sale. Each part of it (goods of a class, shipping, a service charge) is charged nothing, the federal tax, or everything;
 * each tax is rounded half up once for a line and rate, on the price before any tax.
 */
import { taxLabel } from '#contract/rules/tax-labels.ts';
import {
  provincialTax,
  type RegistrableTax,
  ratesOn,
  type TaxRates,
  type TaxSettings,
  taxChangeDays,
} from '#contract/tax-rates.ts';
import type { Treatment } from '#contract/tax-treatments.ts';
import { homeCountry } from '#contract/taxes.ts';
import { allocate, mulDivHalfUp } from './cents.ts';
import { canada } from './food-tax/canada.ts';
import {
  type Charge,
  type Consumption,
  type FoodItem,
  type FoodRules,
  foodCharges,
  isFoodClass,
} from './food-tax/food-tax.ts';

/** Thousandths of a percent in 100 %. */
export const whole = 100_000;

/** By ISO code of the country. */
export const foodRules: ReadonlyMap<string, FoodRules> = new Map([['CA', canada]]);

/** A sales tax. */
export interface TaxPart {
  /** GST, HST, or what the provincial tax is called. */
  name: string;
  /** For the bill, such as 'HST 13%'. */
  label: string;
  /** Thousandths of a percent: Quebec's 9.975 % is 9975. */
  rate: number;
  kind: 'gst' | 'hst' | 'provincial';
}

/** What is charged in general, by province code. */
export type TaxTable = ReadonlyMap<string, readonly TaxPart[]>;

/** Or where items are handed over. */
export interface Destination {
  countryISOCode: string;
  provinceCode: string | null;
}

/** @throws {RangeError} if a rate has more than three decimals */
export function taxTableOf(rates: readonly (TaxRates & { provinceCode: string })[]): TaxTable {
  return new Map(
    rates.map(({ provinceCode, hstPercent, gstPercent, pstPercent, pstLabel }) => [
      provinceCode,
      [
        part('HST', hstPercent, 'hst'),
        part('GST', gstPercent, 'gst'),
        part(pstLabel ?? 'PST', pstPercent, 'provincial'),
      ].filter(({ rate }) => rate > 0),
    ]),
  );
}

/** What is charged on a day, which is one table for all days of a period. @throws as `taxTableOf` */
export function taxTables(settings: TaxSettings): (day: string) => TaxTable {
  const days = taxChangeDays(settings);
  const first = taxTableOf(ratesOn('', settings));
  const later = days.map((date) => ({ date, table: taxTableOf(ratesOn(date, settings)) }));
  return (day) => later.findLast(({ date }) => date <= day)?.table ?? first;
}

function part(name: string, percent: number, kind: TaxPart['kind']): TaxPart {
  const rate = Math.round(percent * 1000);
  if (Math.abs(rate - percent * 1000) > 1e-6 || rate < 0)
    throw new RangeError(`Not a tax rate: ${name} ${percent}%`);
  return { name, label: taxLabel({ tax: name, rate }), rate, kind };
}

/** Known well enough to determine the tax. */
export function isTaxable(destination: Destination, table: TaxTable): boolean {
  return (
    destination.countryISOCode !== homeCountry ||
    (destination.provinceCode !== null && table.has(destination.provinceCode))
  );
}

/** As returns ask: the place that a sale belongs to, such as 'CA-ON' or 'US'. */
export const placeOf = ({ countryISOCode, provinceCode }: Destination): string =>
  countryISOCode === homeCountry && provinceCode !== null
    ? `${countryISOCode}-${provinceCode}`
    : countryISOCode;

export interface TaxAmount extends Pick<TaxPart, 'name' | 'label' | 'rate'> {
  /** Cents; 0 where so little is taxed. */
  amount: number;
}

/** What is taxed alike within a line, shipping or the service charge. Cents. */
export interface TaxedAmount {
  /** Of the sale, in the store's calendar: its rates hold. */
  day: string;
  taxClass: string;
  treatment: Treatment;
  /** Units of the line that were sold on this day: they stand with the first of its parts, so that their sum counts each once. */
  quantity: number;
  /** Already off `base`. */
  discount: number;
  base: number;
  taxes: TaxAmount[];
}

/** A part of a unit's price that is taxed by itself, after its share of the discount. */
export interface Taxable extends FoodItem {
  discount: number;
  /** Units of the line, of which this is a part. */
  units: number;
  /** Of the sale that it belongs to. */
  day: string;
  /** In general, in the province of the sale. */
  rates: readonly TaxPart[];
}

/** What the buyer does not pay in the province of the sale. */
type Relief = (tax: TaxPart) => boolean;

/** A line, shipping or the service charge, with the taxes of each of its parts. */
export interface TaxedLine {
  parts: readonly JudgedPart[];
  /** Without those of 0. */
  taxes: Tax[];
}

export interface Tax {
  label: string;
  amount: number;
}

/** Groceries that nothing is charged on, whoever buys them. */
export const isZeroRated = (taxClass: string): boolean => taxClass === 'zero-rated-grocery';

type PartsByCharge = Readonly<Record<Charge, readonly TaxPart[]>>;
/** Of rates, which are the same for many orders. */
const byCharge = new WeakMap<readonly TaxPart[], PartsByCharge>();

/** Of a joint tax, the federal part is GST. */
function chargedParts(general: readonly TaxPart[], federal: FoodRules['federal']): PartsByCharge {
  const known = byCharge.get(general);
  if (known) return known;
  const gst = general.filter(({ kind }) => kind === 'gst');
  const isJoint = general.some(({ kind }) => kind === 'hst');
  const ofFederal = gst.length === 0 && isJoint ? [{ name: 'GST', kind: 'gst' as const, ...federal }] : gst;
  const parts = { nothing: [], federal: ofFederal, rebated: ofFederal, everything: general };
  byCharge.set(general, parts);
  return parts;
}

interface Sale {
  /** What is taxed by itself of each line. */
  lines: readonly (readonly Taxable[])[];
  /** `taxClass` is null if it is not taxed. */
  serviceCharge: (Charged & { taxClass: string | null }) | null;
  shipping: Charged | null;
  /** What the buyer is exempt from. */
  relieved?: ReadonlySet<RegistrableTax> | undefined;
}

interface Charged extends Pick<Taxable, 'day' | 'rates'> {
  /** Cents. */
  amount: number;
}

/** Taxes of a sale. All of it is passed together: rules for food depend on the whole. */
export function taxSale(
  { lines, serviceCharge, shipping, relieved }: Sale,
  destination: Destination,
  consumption: Consumption,
): { lines: TaxedLine[]; serviceCharge: TaxedLine; shipping: TaxedLine } {
  const rules = destination.countryISOCode === homeCountry ? foodRules.get(homeCountry) : undefined;
  const items = lines.flat();
  const ofGoods = items.length;
  if (serviceCharge && serviceCharge.taxClass !== null)
    items.push({ ...serviceCharge, ...noItem, taxClass: serviceCharge.taxClass });
  const charges = rules ? foodCharges(items, destination.provinceCode, consumption, rules) : null;
  const relief = relieved && relieved.size > 0 ? reliefIn(destination, relieved) : null;
  const judged = items.map((item, index) => judge(item, charges?.[index] ?? null, rules, relief));
  let at = 0;
  const next = (length: number) => {
    at += length;
    return judged.slice(at - length, at);
  };
  const untaxed = serviceCharge && serviceCharge.taxClass === null ? [outOfScope(serviceCharge)] : [];
  return {
    lines: lines.map(({ length }) => taxLine(next(length))),
    serviceCharge: taxLine([...judged.slice(ofGoods), ...untaxed]),
    shipping: taxLine(shipping ? shippingParts(shipping, judged.slice(0, ofGoods), rules, relief) : []),
  };
}

/** Food is served with a charge, which is no serving. */
const noItem = { discount: 0, quantity: 1, units: 0, singleServings: 0 };

const outOfScope = ({ amount, day, rates }: Charged): JudgedPart => ({
  item: { amount, day, rates, ...noItem, taxClass: '' },
  treatment: 'outOfScope',
  charge: 'nothing',
  taxes: noTaxes,
});

interface JudgedPart {
  item: Taxable;
  treatment: Treatment;
  charge: Charge;
  taxes: readonly TaxPart[];
}

const noTaxes: readonly TaxPart[] = [];

/** `charge` is null abroad. */
function judge(
  item: Taxable,
  charge: Charge | null,
  rules: FoodRules | undefined,
  relief: Relief | null,
): JudgedPart {
  if (charge === null || !rules) return { item, treatment: 'export', charge: 'nothing', taxes: noTaxes };
  const { taxClass, rates } = item;
  if (isZeroRated(taxClass)) return { item, treatment: 'zeroRated', charge: 'nothing', taxes: noTaxes };
  if (charge === 'nothing')
    return { item, treatment: untaxedTreatment(taxClass, rules), charge, taxes: noTaxes };
  const taxes = chargedParts(rates, rules.federal)[charge];
  return { item, charge, ...relievedOf(taxes, relief) };
}

const reliefIn =
  ({ provinceCode }: Destination, relieved: ReadonlySet<RegistrableTax>): Relief =>
  ({ kind }) => {
    const tax = kind === 'provincial' ? provincialTax[provinceCode ?? ''] : 'GST/HST';
    return tax !== undefined && relieved.has(tax);
  };

/** What bears no tax any more since its buyer is exempt is exempt. */
function relievedOf(
  taxes: readonly TaxPart[],
  relief: Relief | null,
): Pick<JudgedPart, 'treatment' | 'taxes'> {
  const left = relief ? taxes.filter((tax) => !relief(tax)) : taxes;
  return { treatment: left.length === 0 && taxes.length > 0 ? 'exempt' : 'taxable', taxes: left };
}

/** What is no food and never taxed is no supply: a refundable deposit. */
const untaxedTreatment = (taxClass: string, { classes }: FoodRules): Treatment =>
  isFoodClass(taxClass) && classes[taxClass].belowAtEstablishment === null ? 'outOfScope' : 'zeroRated';

/** Each tax is rounded once for the line. */
function taxLine(parts: readonly JudgedPart[]): TaxedLine {
  const taxes: Tax[] = [];
  if (parts.length === 1) {
    const [first] = parts;
    for (const { label, rate } of first?.taxes ?? noTaxes) {
      const amount = mulDivHalfUp(first?.item.amount ?? 0, rate, whole);
      if (amount > 0) taxes.push({ label, amount });
    }
    return { parts, taxes };
  }
  const bases = new Map<string, { rate: number; base: number }>();
  for (const { item, taxes: own } of parts)
    for (const { label, rate } of own) {
      const known = bases.get(label);
      if (known) known.base += item.amount;
      else bases.set(label, { rate, base: item.amount });
    }
  for (const [label, { rate, base }] of bases) {
    const amount = mulDivHalfUp(base, rate, whole);
    if (amount > 0) taxes.push({ label, amount });
  }
  return { parts, taxes };
}

/** What of a line is taxed alike, by class and day; each tax of the line is divided among them by their amounts. */
export function taxedAmounts({ parts, taxes }: TaxedLine): TaxedAmount[] {
  const merged = new Map<string, TaxedAmount>();
  const counted = new Set<string>();
  for (const { item, treatment, charge, taxes: own } of parts) {
    const { day, taxClass, units, discount, amount } = item;
    const key = `${taxClass} ${treatment} ${charge} ${day}`;
    const known = merged.get(key);
    if (known) {
      known.base += amount;
      known.discount += discount;
      continue;
    }
    const fresh = own.map(({ name, label, rate }) => ({ name, label, rate, amount: 0 }));
    const quantity = counted.has(day) ? 0 : units;
    counted.add(day);
    merged.set(key, { day, taxClass, treatment, quantity, discount, base: amount, taxes: fresh });
  }
  const amounts = [...merged.values()];
  for (const { label, amount } of taxes) {
    const own = amounts.flatMap(({ base, taxes: each }) =>
      each.filter((tax) => tax.label === label).map((tax) => ({ tax, base })),
    );
    const shares = allocate(
      amount,
      own.map(({ base }) => base),
    );
    own.forEach(({ tax }, index) => {
      tax.amount = shares[index] ?? 0;
    });
  }
  return amounts;
}

/**
 * Sending follows what is sent: each tax is charged on the share of it, by value, that belongs to items which bear that tax. What is no
 * supply at all does not count.
 */
function shippingParts(
  { amount, day, rates }: Charged,
  goods: readonly JudgedPart[],
  rules: FoodRules | undefined,
  relief: Relief | null,
): JudgedPart[] {
  const groups = new Map<string, JudgedPart[]>();
  for (const part of goods) {
    if (part.treatment === 'outOfScope') continue;
    const key = `${part.treatment} ${shippingCharge(part)}`;
    const known = groups.get(key);
    if (known) known.push(part);
    else groups.set(key, [part]);
  }
  const piece = (like: JudgedPart | undefined, cents: number): JudgedPart => {
    const charge = like ? shippingCharge(like) : 'everything';
    const item = { ...noItem, taxClass: 'standard', amount: cents, day, rates };
    const treatment = like?.treatment ?? (rules ? 'taxable' : 'export');
    if (treatment !== 'taxable' || !rules) return { item, treatment, charge, taxes: noTaxes };
    return { item, charge, ...relievedOf(chargedParts(rates, rules.federal)[charge], relief) };
  };
  const kinds = [...groups.values()];
  if (kinds.length <= 1) return [piece(kinds[0]?.[0], amount)];
  const worth = (of: (item: Taxable) => number) =>
    kinds.map((group) => group.reduce((total, { item }) => total + of(item), 0));
  const byPaid = worth((item) => item.amount);
  const byPrice = byPaid.some(isPositive) ? byPaid : worth((item) => item.amount + item.discount);
  const weights = byPrice.some(isPositive) ? byPrice : worth((item) => item.quantity);
  return allocate(amount, weights).map((share, index) => piece(kinds[index]?.[0], share));
}

const isPositive = (amount: number) => amount > 0;

/** What is rebated are the items alone. */
const shippingCharge = ({ charge }: JudgedPart): Charge => (charge === 'rebated' ? 'everything' : charge);
