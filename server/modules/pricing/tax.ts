/**
 * Calculates sales tax by destination and tax class. Rates are integers in thousandths of a percent, so that Quebec's 9.975 % is
 * 9975. Each part (GST, PST, HST, QST) is calculated on the price before any tax and rounded half up per line.
 */
import { mulDivHalfUp } from './money.ts';

/** Thousandths of a percent in 100 %. */
const whole = 100_000;
/** The country of the shop's tax table; other destinations are exports, zero-rated. */
export const homeCountry = 'CA';

/** The shop's setting, in percent. */
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
  /** Thousandths of a percent. */
  rate: number;
}

/** The parts of each province's general rate, by province code. */
export type TaxTable = ReadonlyMap<string, readonly TaxPart[]>;

/** Where items are delivered, or where they are handed over. */
export interface Destination {
  countryISOCode: string;
  provinceCode: string | null;
}

/** @throws {RangeError} if a rate has more than three decimals, which the integer could not represent */
export function taxTableOf(settings: readonly TaxRateSetting[]): TaxTable {
  return new Map(
    settings.map((setting) => [
      setting.provinceCode,
      [
        part('HST', setting.hstPercent),
        part('GST', setting.gstPercent),
        part(setting.pstLabel ?? 'PST', setting.pstPercent),
      ].filter(({ rate }) => rate > 0),
    ]),
  );
}

function part(name: string, percent: number): TaxPart {
  const rate = Math.round(percent * 1000);
  if (Math.abs(rate - percent * 1000) > 1e-6 || rate < 0) throw new RangeError(`Not a tax rate: ${name} ${percent}%`);
  return { label: `${name} ${percent}%`, rate };
}

/** The classes that a product can have: the general rate, nothing anywhere, and the rebates below. */
export const taxClasses = ['standard', 'zero-rated-grocery', 'prepared-food'] as const;

/** Tax classes that are charged nothing anywhere. Classes not named in this file pay the general rate. */
const zeroRated: ReadonlySet<string> = new Set(['zero-rated-grocery']);

/**
 * Point-of-sale rebates: if the items of a class in one sale total `upTo` cents or less before tax, the destination charges
 * `parts` instead. Ontario rebates the 8 % provincial part on prepared food.
 */
const rebates = [{ provinceCode: 'ON', taxClass: 'prepared-food', upTo: 400, parts: [{ label: 'GST 5%', rate: 5000 }] }] as const;

/** Whether the destination is known well enough to determine the tax. */
export function isTaxable(destination: Destination, table: TaxTable): boolean {
  return destination.countryISOCode !== homeCountry || (destination.provinceCode !== null && table.has(destination.provinceCode));
}

/** A taxable amount: a line after its share of the discount, cents. Shipping has class 'standard'. */
export interface Taxable {
  amount: number;
  taxClass: string;
}

export interface Tax {
  label: string;
  amount: number;
}

/** The taxes of each of `items`, in order. All items of a sale must be passed together: rebates depend on the whole. */
export function taxesOf(items: readonly Taxable[], destination: Destination, table: TaxTable): Tax[][] {
  const general = destination.countryISOCode === homeCountry ? (table.get(destination.provinceCode ?? '') ?? []) : [];
  return items.map(({ amount, taxClass }) => {
    if (zeroRated.has(taxClass)) return [];
    const rebate =
      destination.countryISOCode === homeCountry &&
      rebates.find((r) => r.provinceCode === destination.provinceCode && r.taxClass === taxClass);
    const parts = rebate && sumOf(items, taxClass) <= rebate.upTo ? rebate.parts : general;
    return parts.map(({ label, rate }) => ({ label, amount: mulDivHalfUp(amount, rate, whole) }));
  });
}

function sumOf(items: readonly Taxable[], taxClass: string): number {
  return items.reduce((sum, item) => (item.taxClass === taxClass ? sum + item.amount : sum), 0);
}
