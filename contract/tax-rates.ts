/**
 * Sales taxes of the provinces and territories of Canada: what a shop charges on a day, and what the law says, as forms suggest it and
 * `doctor` compares it. HST stands in place of GST and a provincial tax.
 */
import { federalTaxes } from './rules/tax-labels.ts';

/** In percent. */
export interface TaxRates {
  gstPercent: number;
  pstPercent: number;
  /** What the provincial tax is called; null for PST, or without one. */
  pstLabel: string | null;
  hstPercent: number;
}

/** Rates that hold from a day of the store's calendar on. */
export interface DatedTaxRates extends TaxRates {
  date: string;
}

export interface SalesTaxRate extends TaxRates {
  provinceCode: string;
  /** What holds later, in any order. */
  changes?: readonly DatedTaxRates[];
}

/** What a shop registers for, each with its own number. */
export const registrableTaxes = ['GST/HST', 'QST', 'BC PST', 'MB RST', 'SK PST'] as const;
export type RegistrableTax = (typeof registrableTaxes)[number];

export interface TaxRegistration {
  tax: RegistrableTax;
  /** False: the shop charges none of it. */
  registered: boolean;
  /** As it is printed on receipts; '' if it is not known yet. */
  number: string;
  /** The first and the last day on which it holds, in the store's calendar; null for always and for no end. */
  from: string | null;
  until: string | null;
}

export const provincialTax: Readonly<Record<string, RegistrableTax>> = {
  QC: 'QST',
  BC: 'BC PST',
  MB: 'MB RST',
  SK: 'SK PST',
};

/** What a shop is registered for that charges a tax of this name in a place such as `CA-BC`; null if it registers for nothing. */
export function registrableTax(name: string, place: string): RegistrableTax | null {
  if (federalTaxes.includes(name)) return 'GST/HST';
  const [country, province = ''] = place.split('-');
  const own = country === 'CA' ? provincialTax[province] : undefined;
  return own ?? registrableTaxes.find((tax) => tax === name) ?? null;
}

export interface TaxSettings {
  taxRates: readonly SalesTaxRate[];
  taxRegistrations: readonly TaxRegistration[];
}

/** Whether the shop charges a tax on a day. What it says nothing about, it charges as its rates say. */
export function chargesTax(
  tax: RegistrableTax,
  day: string,
  registrations: readonly TaxRegistration[],
): boolean {
  const own = registrations.find((each) => each.tax === tax);
  return (
    !own ||
    (own.registered && (own.from === null || own.from <= day) && (own.until === null || day <= own.until))
  );
}

/** The registrations that hold on a day and have a number. */
export function registrationsOn(day: string, registrations: readonly TaxRegistration[]): TaxRegistration[] {
  return registrations.filter(({ tax, number }) => number !== '' && chargesTax(tax, day, registrations));
}

/** What the shop charges in each province on a day. */
export function ratesOn(
  day: string,
  { taxRates, taxRegistrations }: TaxSettings,
): (TaxRates & { provinceCode: string })[] {
  const charges = (tax: RegistrableTax | undefined) =>
    tax === undefined || chargesTax(tax, day, taxRegistrations);
  return taxRates.map((rate) => {
    const { gstPercent, hstPercent, pstPercent, pstLabel } = heldOn(day, rate);
    const { provinceCode } = rate;
    const isFederal = charges('GST/HST');
    return {
      provinceCode,
      pstLabel,
      gstPercent: isFederal ? gstPercent : 0,
      hstPercent: isFederal ? hstPercent : 0,
      pstPercent: charges(provincialTax[provinceCode]) ? pstPercent : 0,
    };
  });
}

function heldOn(day: string, { changes = [], ...first }: SalesTaxRate): TaxRates {
  const past = changes.filter(({ date }) => date <= day);
  return past.reduce<TaxRates & { date?: string }>(
    (last, each) => (each.date > (last.date ?? '') ? each : last),
    first,
  );
}

/** The days on which what the shop charges changes. */
export function taxChangeDays({ taxRates, taxRegistrations }: TaxSettings): string[] {
  const days = [
    ...taxRates.flatMap(({ changes = [] }) => changes.map(({ date }) => date)),
    ...taxRegistrations.flatMap(({ from, until }) =>
      [from ?? [], until === null ? [] : dayAfter(until)].flat(),
    ),
  ];
  return [...new Set(days)].sort();
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** What holds by law from a day on, and where it says so. */
export interface LawfulRates extends DatedTaxRates {
  source: string;
}

const cra = 'Canada Revenue Agency, "GST/HST calculator (and rates)"';
const gst = (pstPercent = 0, pstLabel: string | null = null) => ({
  gstPercent: 5,
  pstPercent,
  pstLabel,
  hstPercent: 0,
});
const hst = (hstPercent: number) => ({ gstPercent: 0, pstPercent: 0, pstLabel: null, hstPercent });
/** GST of 5 %: Excise Tax Act, subsection 165(1). */
const since2008 = '2008-01-01';

/** In order. They begin where the tax was last replaced by another. */
const byProvince: Readonly<Record<string, readonly LawfulRates[]>> = {
  AB: [{ date: since2008, ...gst(), source: cra }],
  BC: [
    {
      date: '2013-04-01',
      ...gst(7, 'PST'),
      source: 'Provincial Sales Tax Act (S.B.C. 2012, c. 35), in force on 2013-04-01; before, HST',
    },
  ],
  MB: [
    { date: since2008, ...gst(7, 'RST'), source: 'The Retail Sales Tax Act (C.C.S.M. c. R130)' },
    { date: '2013-07-01', ...gst(8, 'RST'), source: 'RST Bulletin 030 of July 2013: 8 per cent' },
    { date: '2019-07-01', ...gst(7, 'RST'), source: 'RST Bulletin 030 of December 2021: 7 per cent' },
  ],
  NB: [
    { date: since2008, ...hst(13), source: cra },
    { date: '2016-07-01', ...hst(15), source: cra },
  ],
  NL: [
    { date: since2008, ...hst(13), source: cra },
    { date: '2016-07-01', ...hst(15), source: cra },
  ],
  NS: [
    { date: '2010-07-01', ...hst(15), source: cra },
    {
      date: '2025-04-01',
      ...hst(14),
      source:
        'Regulations Amending Various GST/HST Regulations, No. 14 (SOR/2025-77); CRA, GST/HST Notice 342 of March 2025',
    },
  ],
  NT: [{ date: since2008, ...gst(), source: cra }],
  NU: [{ date: since2008, ...gst(), source: cra }],
  ON: [{ date: '2010-07-01', ...hst(13), source: cra }],
  PE: [
    { date: '2013-04-01', ...hst(14), source: cra },
    { date: '2016-10-01', ...hst(15), source: cra },
  ],
  QC: [
    {
      date: '2013-01-01',
      ...gst(9.975, 'QST'),
      source: 'Act respecting the Québec sales tax (CQLR, c. T-0.1), section 16',
    },
  ],
  SK: [
    { date: since2008, ...gst(5, 'PST'), source: 'The Provincial Sales Tax Act (R.S.S. 1978, c. P-34.1)' },
    {
      date: '2017-03-23',
      ...gst(6, 'PST'),
      source: 'Information Notice IN 2017-01, PST Rate Transition Rules',
    },
  ],
  YT: [{ date: since2008, ...gst(), source: cra }],
};

/** All that is known of a province, in order; empty for one that the table does not know. */
export const lawfulRates = (provinceCode: string): readonly LawfulRates[] => byProvince[provinceCode] ?? [];

/** What holds by law on a day, and since when; null before the table begins, and for a province that it does not know. */
export const lawOn = (provinceCode: string, day: string): LawfulRates | null =>
  lawfulRates(provinceCode).findLast(({ date }) => date <= day) ?? null;

/** By law, for a shop that begins on a day: what holds then, and what is known to follow. */
export function taxRateByLaw(provinceCode: string, day: string): SalesTaxRate {
  const now = lawOn(provinceCode, day);
  const changes = lawfulRates(provinceCode).filter(({ date }) => date > day);
  const plain = ({ gstPercent, pstPercent, pstLabel, hstPercent }: TaxRates) => ({
    gstPercent,
    pstPercent,
    pstLabel,
    hstPercent,
  });
  return {
    provinceCode,
    ...plain(now ?? { gstPercent: 0, pstPercent: 0, pstLabel: null, hstPercent: 0 }),
    ...(changes.length > 0 ? { changes: changes.map((each) => ({ date: each.date, ...plain(each) })) } : {}),
  };
}

export const taxNames = ['gstPercent', 'hstPercent', 'pstPercent'] as const;

/** Whether a rate is a fraction of what is meant, such as 0.13 for 13 percent: no sales tax is below one percent. */
export const isFraction = (percent: number): boolean => percent > 0 && percent < 1;

/** HST is GST and the provincial tax in one. */
export const isTaxedTwice = ({ gstPercent, pstPercent, hstPercent }: TaxRates): boolean =>
  hstPercent > 0 && (gstPercent > 0 || pstPercent > 0);
