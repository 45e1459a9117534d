/** What of the books is one line of a bookkeeper's journal, and how the table of accounts names it. Pure. */
import { federalTaxes, taxLabel } from '#contract/rules/tax-labels.ts';
import { accounts, isApart, kindOf } from '#contract/staff/accounts-of-books.ts';
import type { FiledSum } from '#contract/staff/closing.ts';
import type { BookLine } from '#contract/staff/handover.ts';

type Facts = Pick<FiledSum, 'account' | 'way' | 'tax' | 'rate' | 'place' | 'treatment'>;

export function lineOf({ account, way, tax, rate, place, treatment }: Facts): BookLine {
  const bare = { account, way: '', tax: '', treatment: '' };
  if (account === 'money') return { ...bare, key: `money.${way}`, way };
  if (account === 'tax') {
    const label = taxLabel({ tax, rate });
    const named = federalTaxes.includes(tax) || place === '' ? label : `${label} ${place}`;
    return { ...bare, key: `tax.${named}`, tax: named };
  }
  const isOwn = kindOf(account) === 'income' && isApart(treatment);
  return isOwn ? { ...bare, key: `${account}.${treatment}`, treatment } : { ...bare, key: account };
}

export interface Line {
  key: string;
  /** Smallest units; debits are above zero. */
  amount: number;
}

/** Sums by line; none that is zero. In the order of the accounts. */
export function linesOf(sums: readonly FiledSum[]): (Line & { line: BookLine })[] {
  const all = new Map<string, Line & { line: BookLine }>();
  for (const sum of sums) {
    const line = lineOf(sum);
    const known = all.get(line.key) ?? { key: line.key, amount: 0, line };
    all.set(line.key, { ...known, amount: known.amount + sum.amount });
  }
  return [...all.values()].filter(({ amount }) => amount !== 0).sort((a, b) => byAccount(a.line, b.line));
}

export function byAccount(a: BookLine, b: BookLine): number {
  const [first, second] = [accounts.indexOf(a.account), accounts.indexOf(b.account)];
  return first - second || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

/** What of `after` is not in `before`. */
export function difference(after: readonly Line[], before: readonly Line[]): Line[] {
  const sums = new Map<string, number>();
  for (const { key, amount } of after) sums.set(key, (sums.get(key) ?? 0) + amount);
  for (const { key, amount } of before) sums.set(key, (sums.get(key) ?? 0) - amount);
  return [...sums].flatMap(([key, amount]) => (amount === 0 ? [] : [{ key, amount }]));
}
