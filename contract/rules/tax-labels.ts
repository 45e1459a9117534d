/** The label of a tax on a bill, such as 'QST 9.975%', and what it says. */

interface Tax {
  /** Such as HST. */
  tax: string;
  /** Thousandths of a percent; 0 if the label does not say it. */
  rate: number;
}

export const taxLabel = ({ tax, rate }: Tax): string => (rate === 0 ? tax : `${tax} ${rate / 1000}%`);

export function taxIn(label: string): Tax {
  const [, tax = label, percent = '0'] = /^(.*?) ?([\d.]+)\s?%$/.exec(label) ?? [];
  return { tax, rate: Math.round(Number(percent) * 1000) };
}
