/** How the books are read: what a figure sums, and by what figures are grouped. No schema, so that the office loads none. */
import { fieldLists } from './accounts-of-books.ts';
import type { BooksFilter, BooksRow } from './books.ts';

/** What rows can be grouped by besides what each row says. */
export const bookGroups = ['product', 'category', 'hour', 'weekday'] as const;
export type BookGroup = (typeof bookGroups)[number];
/** Groups that are listed by themselves at most; those with the least are one. */
export const mostBookGroups = 500;
/** The group of those that are not listed by themselves. */
export const otherGroups = '*';

/** Days since an amount began to be owed, from which each age counts. */
export const ages = [0, 31, 61, 91] as const;

/** Forms in which a page of the books is saved. */
export const tableForms = ['csv', 'xlsx'] as const;
export type TableForm = (typeof tableForms)[number];

type Figures = Pick<BooksRow, 'amount' | 'base' | 'units'>;
const tests = {
  accounts: 'account',
  movements: 'movement',
  persons: 'person',
  ...fieldLists,
} as const satisfies Partial<Record<keyof BooksFilter, keyof BooksRow>>;

/** Whether a filter's figure sums a row: what `booksEvents` lists for the same filter is the row's entries. */
export function isSummed(row: BooksRow, { group, ...lists }: BooksFilter): boolean {
  if (group && row.group !== group.key) return false;
  return (Object.keys(tests) as (keyof typeof tests)[]).every((name) => {
    const wanted: readonly (string | number)[] | undefined = lists[name];
    return wanted === undefined || wanted.includes(row[tests[name]]);
  });
}

/** The sums of the rows that a filter asks for. */
export function figuresOf(rows: readonly BooksRow[], filter: BooksFilter): Figures {
  const sums = { amount: 0, base: 0, units: 0 };
  for (const row of rows)
    if (isSummed(row, filter)) {
      sums.amount += row.amount;
      sums.base += row.base;
      sums.units += row.units;
    }
  return sums;
}

/** Such as `31–60`; the last has no end: `91+`. */
export const ageName = (index: number): string => {
  const next = ages[index + 1];
  return next === undefined ? `${ages[index]}+` : `${ages[index]}–${next - 1}`;
};
/** The name of the age of so many days. */
export const ageOf = (days: number): string => ageName(ages.findLastIndex((from) => days >= from));
