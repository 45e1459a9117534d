/** What of the books is one line of a bookkeeper's journal, and how the table of accounts names it. Pure. */
import type { Locale } from '#contract/locales.ts';
import { federalTaxes, taxLabel } from '#contract/rules/tax-labels.ts';
import { accounts, kindOf } from '#contract/staff/accounts-of-books.ts';
import type { FiledSum } from '#contract/staff/closing.ts';
import type { BookLine } from '#contract/staff/handover.ts';
import { isApart } from '#contract/tax-treatments.ts';
import { placeName } from '#server/platform/provinces.ts';

type Facts = Pick<FiledSum, 'account' | 'way' | 'tax' | 'rate' | 'place' | 'treatment'>;

/** The line that a sum stands in. Its place is a code, such as `CA-SK`: `named` says it to people. */
export function lineOf({ account, way, tax, rate, place, treatment }: Facts): BookLine {
  const bare = { account, way: '', tax: '', place: '', treatment: '' };
  if (account === 'money') return { ...bare, key: `money.${way}`, way };
  if (account === 'tax') {
    const label = taxLabel({ tax, rate });
    if (federalTaxes.includes(tax) || place === '') return { ...bare, key: `tax.${label}`, tax: label };
    return { ...bare, key: `tax.${label} ${place}`, tax: label, place };
  }
  const isOwn = kindOf(account) === 'income' && isApart(treatment);
  return isOwn ? { ...bare, key: `${account}.${treatment}`, treatment } : { ...bare, key: account };
}

/** The line of a key, as `lineOf` made it. */
export function lineIn(key: string): BookLine {
  const [, account = '', rest = ''] = /^([^.]+)\.?(.*)$/.exec(key) ?? [];
  const bare = { key, account: account as BookLine['account'], way: '', tax: '', place: '', treatment: '' };
  if (account === 'money') return { ...bare, way: rest };
  if (account !== 'tax') return { ...bare, treatment: rest };
  const [, tax = rest, place = ''] = /^(.*) ([A-Z]{2}(?:-[A-Z\d]{1,3})?)$/.exec(rest) ?? [];
  return { ...bare, tax, place };
}

/** A line with the name of its place. */
export const named = (line: BookLine, locale: Locale): BookLine =>
  line.place === '' ? line : { ...line, place: placeName(line.place, locale) };

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
