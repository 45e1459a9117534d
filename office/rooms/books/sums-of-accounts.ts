/** What a period's sums come to by account, as a person reads them: income, taxes and tips above zero where they were earned. */
import { taxLabel } from '#contract/rules/tax-labels.ts';
import { type Account, accountKinds, accounts } from '#contract/staff/accounts-of-books.ts';
import { bookLineText } from '#contract/staff/book-lines.ts';
import type { FiledSum } from '#contract/staff/closing.ts';
import type { StaffTranslate } from '#contract/staff/messages.ts';

export interface LineSum {
  account: Account;
  name: string;
  currency: string;
  amount: number;
  base: number;
}

/** Accounts whose usual side is the credit. */
const isCredit = (account: Account) => accountKinds[account] === 'income' || accountKinds[account] === 'liability';

export function accountSums(sums: readonly FiledSum[], t: StaffTranslate): LineSum[] {
  const all = new Map<string, LineSum>();
  for (const sum of sums) {
    const { account, currency, place, way } = sum;
    const tax = account === 'tax' ? [taxLabel(sum), place].filter(Boolean).join(' ') : '';
    const name = bookLineText(t, { account, way: account === 'money' ? way : '', tax, treatment: '' });
    const key = `${account} ${name} ${currency}`;
    const known = all.get(key) ?? { account, name, currency, amount: 0, base: 0 };
    const amount = isCredit(account) ? 0 - sum.amount : sum.amount;
    all.set(key, { ...known, amount: known.amount + amount, base: known.base + sum.base });
  }
  return [...all.values()]
    .filter(({ amount, base }) => amount !== 0 || base !== 0)
    .sort((a, b) => accounts.indexOf(a.account) - accounts.indexOf(b.account) || (a.name < b.name ? -1 : 1));
}
