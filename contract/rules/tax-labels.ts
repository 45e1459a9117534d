/** The label of a tax on a bill, such as 'QST 9.975%', and what it says: its name, and its rate in thousandths of a percent. */

/** A rate of 0 is none that is known, and the label is the name. */
export const taxLabel = ({ tax, rate }: { tax: string; rate: number }): string =>
  rate === 0 ? tax : `${tax} ${rate / 1000}%`;

export function taxIn(label: string): { name: string; rate: number } {
  const [, name = label, percent = '0'] = /^(.*?) ?([\d.]+)\s?%$/.exec(label) ?? [];
  return { name, rate: Math.round(Number(percent) * 1000) };
}

/** Taxes of the whole country; others are owed to a province. */
export const federalTaxes: readonly string[] = ['GST', 'HST'];
