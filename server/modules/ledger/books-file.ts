/** Files of the books: the report, what is owed and tax returns, as tables that spreadsheets open. */
import type { Row } from '#contract/csv.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { decimalText } from '#contract/money.ts';
import { type Account, entryFields, soldAccounts } from '#contract/staff/accounts-of-books.ts';
import { ageOf, type BookGroup, otherGroups, type TableForm } from '#contract/staff/book-figures.ts';
import { accountText, fieldText, groupText, movementText, personText } from '#contract/staff/book-words.ts';
import type { BooksOwed, BooksReport, TableFile } from '#contract/staff/books.ts';
import { type StaffTranslate, staffTranslate } from '#contract/staff/messages.ts';
import { filledReturn, returnCurrency, type TaxReturnId, taxReturns } from '#contract/staff/tax-returns.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { type Table, tableFile } from '#server/platform/table-file.ts';
import type { BooksService, BooksWanted } from './books.ts';

export interface FileWanted extends BooksWanted {
  what: 'report' | 'return' | 'owed';
  by?: BookGroup | undefined;
  return?: TaxReturnId | undefined;
  /** What the merchant knows, by the codes of lines. Smallest units. */
  answers?: Readonly<Record<string, number>> | undefined;
  form: TableForm;
}

interface FileDeps {
  books: BooksService;
  stores: StoresService;
  now: () => number;
}

export type BookTables = ReturnType<typeof createBookTables>;

/** The books as tables, for files and commands. */
export function createBookTables({ books, stores, now }: FileDeps) {
  /** @throws {AppError} as `books.report`, and for a return that is not named */
  async function of(
    permit: Permit<'books.export'>,
    wanted: Omit<FileWanted, 'form'>,
    locale: Locale,
  ): Promise<Table> {
    const t = staffTranslate(locale);
    const names = new Map((await stores.all()).map(({ id, name }) => [id, inLocale(name, locale)]));
    const storeName = (id: string | null) =>
      id === null ? t('office.takings.shipped') : (names.get(id) ?? id);
    if (wanted.what === 'owed') {
      const owed = await books.owed(permit, { day: wanted.to, store: wanted.store }, Number.MAX_SAFE_INTEGER);
      return owedTable(owed, t, storeName);
    }
    if (wanted.what === 'report')
      return reportTable(await books.report(permit, wanted, locale), wanted.by ?? null, {
        t,
        locale,
        storeName,
      });
    const id = wanted.return;
    if (id === undefined) throw validationError({ return: 'error.fields' });
    const { from, to, store } = wanted;
    return returnTable(await books.report(permit, { from, to, store }, locale), id, wanted.answers ?? {}, t);
  }

  return {
    of,

    /** @throws {AppError} as `of` */
    async file(permit: Permit<'books.export'>, wanted: FileWanted, locale: Locale): Promise<TableFile> {
      return tableFile(await of(permit, wanted, locale), wanted.form, now());
    },
  };
}

interface Words {
  t: StaffTranslate;
  locale: Locale;
  storeName: (id: string | null) => string;
}

const sold: readonly Account[] = [...soldAccounts, 'tax'];
const isOfSales = (account: Account) => sold.includes(account);

/** A row for each sum, for a pivot table. */
function reportTable(
  { from, to, rows, names }: BooksReport,
  by: BookGroup | null,
  { t, locale, storeName }: Words,
): Table {
  const named = new Map(names.map(({ id, name }) => [id, name]));
  const columns = [
    ...(['currency', 'store', 'movement', 'account'] as const),
    ...(by === null ? ([...entryFields, 'person'] as const) : []),
    ...(['amount', 'base', 'units'] as const),
  ];
  const header = columns.map((column) => t(`office.books.column.${column}`));
  const group = by === null ? [] : [t(`office.books.by.${by}`)];
  return {
    name: `books-${from}-${to}${by === null ? '' : `-${by}`}`,
    header: [...group, ...header],
    rows: rows.map((row): Row => {
      const decimal = (cents: number) => ({ decimal: decimalText(cents, row.currency) });
      const details = [
        ...entryFields.map((field) => {
          // Money and costs belong to no place and are not taxed: nothing about them is unknown.
          const text = row[field] === '' && !isOfSales(row.account) ? '' : fieldText[field](t, row, named);
          return field === 'rate' && text !== '' ? { decimal: text } : text;
        }),
        row.person === '' ? '' : personText(t, row.person, named),
      ];
      return [
        ...(by === null
          ? []
          : [
              row.group === otherGroups
                ? t('office.books.others')
                : groupText(t, locale, by, row.group, named),
            ]),
        row.currency,
        storeName(row.store),
        movementText(t, row.movement),
        accountText(t, row.account),
        ...(by === null ? details : []),
        decimal(row.amount),
        decimal(row.base),
        row.units,
      ];
    }),
  };
}

function returnTable(
  { from, to, rows }: BooksReport,
  id: TaxReturnId,
  answers: Readonly<Record<string, number>>,
  t: StaffTranslate,
): Table {
  return {
    name: `return-${id}-${from}-${to}`,
    header: (['line', 'what', 'amount', 'note'] as const).map((column) => t(`office.books.column.${column}`)),
    rows: [
      ['', `${t(taxReturns[id].name)} · ${taxReturns[id].form}`, null, `${from} – ${to}`],
      ...filledReturn(id, rows, answers).map(
        ({ line, amount }): Row => [
          // No code of goods: it has no zeros to lose.
          line.code,
          t(line.name),
          amount === null ? null : { decimal: decimalText(amount, returnCurrency) },
          amount === null
            ? t('asked' in line.source ? 'office.returns.notKnown' : 'office.returns.notYet')
            : '',
        ],
      ),
    ],
  };
}

function owedTable(
  { day, orders }: BooksOwed,
  t: StaffTranslate,
  storeName: (id: string | null) => string,
): Table {
  return {
    name: `owed-${day}`,
    header: (['order', 'store', 'currency', 'since', 'days', 'age', 'amount'] as const).map((column) =>
      t(`office.books.column.${column}`),
    ),
    rows: orders.map(({ order, store, currency, since, days, amount }) => [
      { code: order },
      storeName(store),
      currency,
      since,
      days,
      ageOf(days),
      { decimal: decimalText(amount, currency) },
    ]),
  };
}
