/** The lines of the table of accounts, and what the books sum to by them, as a person reads them: `Money: Cash`, `PST 6% · Saskatchewan`. */
import { taxLabel } from '../rules/tax-labels.ts';
import { type Account, accounts, reportSign } from './accounts-of-books.ts';
import { accountText, treatmentText } from './book-words.ts';
import type { FiledSum } from './closing.ts';
import type { BookLine } from './handover.ts';
import { type StaffTranslate, wayText } from './messages.ts';

export function bookLineText(
  t: StaffTranslate,
  { account, way, tax, place, treatment }: Omit<BookLine, 'key'>,
): string {
  if (tax !== '') return place === '' ? tax : `${tax} · ${place}`;
  const name = accountText(t, account);
  const named = (value: string) => t('office.books.named', { name, value });
  if (way !== '') return named(wayText(t, way));
  return treatment === '' ? name : named(treatmentText(t, treatment));
}

export interface LineSum {
  account: Account;
  name: string;
  currency: string;
  /** Income, taxes and tips are above zero where they were earned. */
  amount: number;
  base: number;
}

/** What sums come to by account, way of paying and tax; none that is zero. `places`: names of provinces and countries, by their codes. */
export function accountSums(
  sums: readonly FiledSum[],
  t: StaffTranslate,
  places: ReadonlyMap<string, string>,
): LineSum[] {
  const all = new Map<string, LineSum>();
  for (const sum of sums) {
    const { account, currency, place, way } = sum;
    const ofTax =
      account === 'tax' ? { tax: taxLabel(sum), place: places.get(place) ?? place } : { tax: '', place: '' };
    const name = bookLineText(t, { account, way: account === 'money' ? way : '', ...ofTax, treatment: '' });
    const key = `${account} ${name} ${currency}`;
    const known = all.get(key) ?? { account, name, currency, amount: 0, base: 0 };
    all.set(key, {
      ...known,
      amount: known.amount + reportSign(account) * sum.amount,
      base: known.base + sum.base,
    });
  }
  return [...all.values()]
    .filter(({ amount, base }) => amount !== 0 || base !== 0)
    .sort((a, b) => accounts.indexOf(a.account) - accounts.indexOf(b.account) || (a.name < b.name ? -1 : 1));
}
