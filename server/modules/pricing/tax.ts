/**
 * Sales tax by destination and tax class. Rates are integers in thousandths of a percent, so that
 * Quebec's 9.975 % is 9975. Each part (GST, PST, HST, QST) is worked out on the price before any tax
 * and rounded half up per line.
 */
import { mulDivHalfUp } from './money.ts';

/** Thousandths of a percent in 100 %. */
const whole = 100_000;
/** Where the shop's tax table applies; elsewhere is export, zero-rated. */
const homeCountry = 'CA';

/** As the shop's settings have it, in percent. */
export interface TaxRateSetting {
  provinceCode: string;
  gstPercent: number;
  pstPercent: number;
  pstLabel: string | null;
  hstPercent: number;
}

export interface TaxPart {
  /** For the bill, for instance 'HST 13%'. */
  label: string;
  /** Thousandths of a percent. */
  rate: number;
}

/** The parts of each province's general rate, by province code. */
export type TaxTable = ReadonlyMap<string, readonly TaxPart[]>;

/** Where goods go, or where they are handed over. */
export interface Destination {
  countryISOCode: string;
  provinceCode: string | null;
}

/** @throws RangeError where a rate has more than three decimals, which an integer could not carry */
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

/** Tax classes that are charged nothing anywhere. A class not named in this file pays the general rate. */
const zeroRated: ReadonlySet<string> = new Set(['zero-rated-grocery']);

/**
 * Rebates at the till: where the goods of a class in one sale come to `upTo` cents or less before tax,
 * the destination charges `parts` instead. Ontario gives the 8 % provincial part back on prepared food.
 */
const rebates = [{ provinceCode: 'ON', taxClass: 'prepared-food', upTo: 400, parts: [{ label: 'GST 5%', rate: 5000 }] }] as const;

/** Whether the destination is known well enough to say what the tax is. */
export function isTaxable(destination: Destination, table: TaxTable): boolean {
  return destination.countryISOCode !== homeCountry || (destination.provinceCode !== null && table.has(destination.provinceCode));
}

/** What is taxed: a line after its share of the discount, cents. Shipping goes as class 'standard'. */
export interface Taxable {
  amount: number;
  taxClass: string;
}

export interface Tax {
  label: string;
  amount: number;
}

/** The taxes of each of `items`, in order. All items of a sale must come together: rebates look at the whole. */
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
