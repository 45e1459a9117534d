/**
 * Sales taxes of the provinces and territories of Canada by law, as forms suggest them and as they are compared with what a shop has.
 * GST and HST: Canada Revenue Agency, "GST/HST calculator (and rates)". Provincial taxes: the provinces' ministries of finance, and
 * Revenu Québec for QST. HST stands in place of GST and a provincial tax.
 */
export interface SalesTaxRate {
  provinceCode: string;
  /** In percent. */
  gstPercent: number;
  pstPercent: number;
  /** What the provincial tax is called; null for PST, or without one. */
  pstLabel: string | null;
  hstPercent: number;
}

/** The day from which all of them hold: the last change was that of Nova Scotia. */
export const taxRatesSince = '2025-04-01';

const gst = (pstPercent = 0, pstLabel: string | null = null) => ({ gstPercent: 5, pstPercent, pstLabel, hstPercent: 0 });
const hst = (hstPercent: number) => ({ gstPercent: 0, pstPercent: 0, pstLabel: null, hstPercent });

const byProvince: Readonly<Record<string, Omit<SalesTaxRate, 'provinceCode'>>> = {
  AB: gst(),
  BC: gst(7, 'PST'),
  MB: gst(7, 'RST'),
  NB: hst(15),
  NL: hst(15),
  NS: hst(14),
  NT: gst(),
  NU: gst(),
  ON: hst(13),
  PE: hst(15),
  QC: gst(9.975, 'QST'),
  SK: gst(6, 'PST'),
  YT: gst(),
};

/** Nothing is charged in a province that the table does not know. */
export const taxRateByLaw = (provinceCode: string): SalesTaxRate => ({
  provinceCode,
  ...(byProvince[provinceCode] ?? { gstPercent: 0, pstPercent: 0, pstLabel: null, hstPercent: 0 }),
});

export const taxNames = ['gstPercent', 'hstPercent', 'pstPercent'] as const;

/** Whether a rate is a fraction of what is meant, such as 0.13 for 13 percent: no sales tax is below one percent. */
export const isFraction = (percent: number): boolean => percent > 0 && percent < 1;

/** HST is GST and the provincial tax in one. */
export const isTaxedTwice = ({ gstPercent, pstPercent, hstPercent }: SalesTaxRate): boolean =>
  hstPercent > 0 && (gstPercent > 0 || pstPercent > 0);
