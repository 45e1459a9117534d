/**
 * The returns of sales taxes, as the forms ask for them: each line by its code, and where its figure comes from. Pure.
 *
 * A line is a figure of the books, something that only the merchant knows, or computed from other lines. What is not known is null, and so
 * is what is computed from it: an input tax credit that nobody has entered is not zero.
 */
import { federalTaxes } from '../rules/tax-labels.ts';
import { treatmentsOf } from '../tax-treatments.ts';
import { soldAccounts } from './accounts-of-books.ts';
import { figuresOf } from './book-figures.ts';
import type { BooksFilter, BooksRow } from './books.ts';
import type { StaffMessageKey } from './messages.ts';

type Source =
  | { books: BooksFilter; of?: 'amount' | 'base'; sign?: 1 | -1 }
  /** Only the merchant knows it. */
  | { asked: true }
  /** The codes of lines that are added, and taken off. */
  | { plus: readonly string[]; minus?: readonly string[] }
  /** Computed from one line. */
  | { from: string; by: (cents: number) => number };

export interface ReturnLine {
  /** As the form prints it; with a point for what the form asks for in one sum. */
  code: string;
  name: StaffMessageKey;
  source: Source;
  /** What the return comes to. */
  isResult?: true;
}

export interface TaxReturn {
  name: StaffMessageKey;
  /** The code of the form. */
  form: string;
  source: { url: string /** When it was read: YYYY-MM-DD. */; readOn: string };
  lines: readonly ReturnLine[];
}

/** Bills as they stand: what was sold and changed, less what was cancelled. */
const bills = ['sold', 'cancelled'] as const;
const all = ['sold', 'cancelled', 'back'] as const;

const revenue = (more: Partial<BooksFilter> = {}): Source => ({
  books: { accounts: soldAccounts, movements: [...all], ...more },
});
const taxOf = (
  taxes: readonly string[],
  movements: readonly (typeof all)[number][],
  places?: readonly string[],
): Source => ({
  books: {
    accounts: ['tax'],
    taxes: [...taxes],
    movements: [...movements],
    ...(places ? { places: [...places] } : {}),
  },
});
/** Tax that refunds gave back, above zero. */
const taxBack = (taxes: readonly string[], places?: readonly string[]): Source => {
  const { books } = taxOf(taxes, ['back'], places) as { books: BooksFilter };
  return { books, sign: -1 };
};
const asked: Source = { asked: true };

const gstLines: readonly ReturnLine[] = [
  { code: '103', name: 'office.returns.collected', source: taxOf(federalTaxes, bills) },
  { code: '104', name: 'office.returns.toAdd', source: asked },
  { code: '105', name: 'office.returns.collectedTotal', source: { plus: ['103', '104'] } },
  { code: '106', name: 'office.returns.inputCredits', source: asked },
  { code: '107.1', name: 'office.returns.givenBack', source: taxBack(federalTaxes) },
  { code: '107.2', name: 'office.returns.toDeduct', source: asked },
  { code: '107', name: 'office.returns.deductions', source: { plus: ['107.1', '107.2'] } },
  { code: '108', name: 'office.returns.creditsTotal', source: { plus: ['106', '107'] } },
  { code: '109', name: 'office.returns.netTax', source: { plus: ['105'], minus: ['108'] }, isResult: true },
];

const gst: TaxReturn = {
  name: 'office.returns.gst',
  form: 'GST34-2',
  source: {
    url: 'https://www.canada.ca/en/revenue-agency/services/tax/businesses/topics/gst-hst-businesses/complete-file-instructions.html',
    readOn: '2026-11-29',
  },
  lines: [
    { code: '90', name: 'office.returns.taxableSales', source: revenue({ treatments: treatmentsOf(true) }) },
    { code: '91', name: 'office.returns.otherSales', source: revenue({ treatments: treatmentsOf(false) }) },
    { code: '101', name: 'office.returns.revenue', source: { plus: ['90', '91'] } },
    ...gstLines,
  ],
};

/** Revenu Québec takes both taxes on one form: its lines for the QST are those for the GST and a hundred more. */
const quebec: TaxReturn = {
  name: 'office.returns.quebec',
  form: 'FPZ-500-V',
  source: {
    url: 'https://www.revenuquebec.ca/en/online-services/forms-and-publications/current-details/fpz-2034cd-v/',
    readOn: '2026-11-29',
  },
  lines: [
    { code: '101', name: 'office.returns.revenue', source: revenue() },
    ...gstLines.map(({ isResult: _, ...line }) => line),
    { code: '203', name: 'office.returns.qstCollected', source: taxOf(['QST'], bills) },
    { code: '204', name: 'office.returns.toAdd', source: asked },
    { code: '205', name: 'office.returns.qstCollectedTotal', source: { plus: ['203', '204'] } },
    { code: '206', name: 'office.returns.inputRefunds', source: asked },
    { code: '207.1', name: 'office.returns.givenBack', source: taxBack(['QST']) },
    { code: '207.2', name: 'office.returns.toDeduct', source: asked },
    { code: '207', name: 'office.returns.deductions', source: { plus: ['207.1', '207.2'] } },
    { code: '208', name: 'office.returns.refundsTotal', source: { plus: ['206', '207'] } },
    { code: '209', name: 'office.returns.netQst', source: { plus: ['205'], minus: ['208'] } },
    { code: '109+209', name: 'office.returns.bothNet', source: { plus: ['109', '209'] }, isResult: true },
  ],
};

/** Of the tax on sales: all of the first $22, $22 up to $333.33, then 6.6 %, and $198 at most. Only for a return that is filed and paid in time. */
export const commissionBC = (cents: number): number =>
  cents <= 0 ? 0 : Math.min(Math.max(Math.min(cents, 22_00), Math.round((cents * 66) / 1000)), 198_00);

/** Of the tax on sales: all of the first $3, $3 up to $20, then 15 % of the first $200 and 1 % of what is above; nothing above $3,000. */
export function commissionMB(cents: number): number {
  if (cents <= 0 || cents > 3000_00) return 0;
  if (cents <= 20_00) return Math.min(cents, 3_00);
  const percent = Math.min(cents, 200_00) * 15 + Math.max(0, cents - 200_00);
  return Math.round(percent / 100);
}

const bc: TaxReturn = {
  name: 'office.returns.bc',
  form: 'FIN 400',
  source: {
    url: 'https://www2.gov.bc.ca/gov/content/taxes/sales-taxes/pst/report-pay/pst-return-guide',
    readOn: '2026-11-29',
  },
  lines: [
    {
      code: 'A',
      name: 'office.returns.provinceSales',
      source: revenue({ places: ['CA-BC'], movements: [...bills] }),
    },
    { code: 'B', name: 'office.returns.pstCollected', source: taxOf(['PST'], bills, ['CA-BC']) },
    { code: 'C', name: 'office.returns.commission', source: { from: 'B', by: commissionBC } },
    { code: 'D', name: 'office.returns.pstNet', source: { plus: ['B'], minus: ['C'] } },
    { code: 'E', name: 'office.returns.purchases', source: asked },
    { code: 'F', name: 'office.returns.purchaseTax', source: asked },
    { code: 'G', name: 'office.returns.beforeAdjustments', source: { plus: ['D', 'F'] } },
    { code: 'H', name: 'office.returns.badDebt', source: asked },
    { code: 'I', name: 'office.returns.givenBack', source: taxBack(['PST'], ['CA-BC']) },
    { code: 'J', name: 'office.returns.adjustments', source: { plus: ['H', 'I'] } },
    { code: 'K', name: 'office.returns.due', source: { plus: ['G'], minus: ['J'] }, isResult: true },
  ],
};

const sk: TaxReturn = {
  name: 'office.returns.sk',
  form: 'PST return',
  source: {
    url: 'https://saskatchewan.ca/business/taxes-licensing-and-reporting/provincial-taxes-policies-and-bulletins/provincial-sales-tax/file-your-pst-return',
    readOn: '2026-11-29',
  },
  lines: [
    { code: 'A', name: 'office.returns.provinceSales', source: revenue({ places: ['CA-SK'] }) },
    { code: 'B', name: 'office.returns.netCollected', source: taxOf(['PST'], all, ['CA-SK']) },
    { code: 'C', name: 'office.returns.consumption', source: asked },
    { code: 'D', name: 'office.returns.due', source: { plus: ['B', 'C'] }, isResult: true },
  ],
};

const mb: TaxReturn = {
  name: 'office.returns.mb',
  form: 'RST return',
  source: { url: 'https://www.gov.mb.ca/finance/taxation/bulletins.html', readOn: '2026-11-29' },
  lines: [
    { code: '1', name: 'office.returns.netCollected', source: taxOf(['RST'], all, ['CA-MB']) },
    { code: '2', name: 'office.returns.commission', source: { from: '1', by: commissionMB } },
    { code: '3', name: 'office.returns.consumption', source: asked },
    { code: '4', name: 'office.returns.due', source: { plus: ['1', '3'], minus: ['2'] }, isResult: true },
  ],
};

export const taxReturns = { gst, quebec, bc, sk, mb } as const satisfies Record<string, TaxReturn>;
export type TaxReturnId = keyof typeof taxReturns;
/** What returns are filed in. */
export const returnCurrency = 'CAD';

export interface FilledLine {
  line: ReturnLine;
  /** Smallest units; null: it is not known. */
  amount: number | null;
}

/** Fills a return. `answers` is what the merchant knows, by the codes of its lines. */
export function filledReturn(
  id: TaxReturnId,
  rows: readonly BooksRow[],
  answers: Readonly<Record<string, number>>,
): FilledLine[] {
  const own = rows.filter(({ currency }) => currency === returnCurrency);
  const known = new Map<string, number | null>();
  const sum = (codes: readonly string[]) =>
    codes.reduce<number | null>((total, code) => {
      const amount = known.get(code) ?? null;
      return total === null || amount === null ? null : total + amount;
    }, 0);
  const amountOf = ({ code, source }: ReturnLine): number | null => {
    if ('asked' in source) return answers[code] ?? null;
    if ('books' in source)
      return (source.sign ?? 1) * figuresOf(own, source.books)[source.of ?? 'amount'] + 0;
    if ('from' in source) {
      const amount = known.get(source.from) ?? null;
      return amount === null ? null : source.by(amount);
    }
    const [plus, minus] = [sum(source.plus), sum(source.minus ?? [])];
    return plus === null || minus === null ? null : plus - minus;
  };
  return taxReturns[id].lines.map((line) => {
    const amount = amountOf(line);
    known.set(line.code, amount);
    return { line, amount };
  });
}
