/**
 * By destination and tax class. Rates are integers in thousandths of a percent: Quebec's 9.975 % is 9975. Each part (GST, PST,
 * HST, QST) is calculated on the price before any tax and rounded half up per line.
 */
import { homeCountry } from '#contract/taxes.ts';
import { canada } from './food-tax/canada.ts';
import { type Charge, type Consumption, type FoodItem, type FoodRules, foodCharges } from './food-tax/food-tax.ts';
import { mulDivHalfUp } from './money.ts';

/** Thousandths of a percent in 100 %. */
const whole = 100_000;

/** By ISO code of the country. */
export const foodRules: ReadonlyMap<string, FoodRules> = new Map([['CA', canada]]);

export interface TaxRateSetting {
  provinceCode: string;
  gstPercent: number;
  pstPercent: number;
  pstLabel: string | null;
  hstPercent: number;
}

export interface TaxPart {
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
export type Taxable = FoodItem;

export interface Tax {
  label: string;
  amount: number;
}

/** In order. All items of a sale must be passed together: rules for food depend on the whole. */
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
