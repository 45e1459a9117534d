/** `books takings`, `returns`, `owed` and `stock`: the reports of the office's books, printed, as CSV, or as JSON. */
import { Argument, Option } from 'commander';
import { byteOrderMark, cellText, csvText, type Row } from '#contract/csv.ts';
import { formatMerchantMoney } from '#contract/formatters.ts';
import { taxLabel } from '#contract/rules/tax-labels.ts';
import { accountsIn, soldAccounts } from '#contract/staff/accounts-of-books.ts';
import { figuresOf } from '#contract/staff/book-figures.ts';
import { accountText } from '#contract/staff/book-words.ts';
import type { BooksFilter, BooksReport } from '#contract/staff/books.ts';
import { wayText } from '#contract/staff/messages.ts';
import { type TaxReturnId, taxReturns } from '#contract/staff/tax-returns.ts';
import type { Services } from '#server/container.ts';
import { mintPermit } from '#server/platform/permits.ts';
import type { Table } from '#server/platform/table-file.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { printable, printTable, type ShopCommand, type Terminal, withShop } from '../command.ts';

const permit = mintPermit('books.export', { kind: 'terminal' }, null);

interface Form {
  csv?: boolean;
  json?: boolean;
}

interface Days {
  from: string;
  to: string;
}

/** What a report answers, and how it is a table. */
interface Report {
  answer: unknown;
  table: () => Promise<Table>;
  /** What is printed where the table would be too wide. */
  print?: () => void;
}

/** `spanOf`: the days of a period, as it is typed. */
export function addReports(command: ShopCommand, terminal: Terminal, spanOf: (typed: string) => Days): void {
  const report = (
    name: string,
    says: string,
    read: (services: Services, words: readonly string[]) => Promise<Report>,
  ) => {
    const added = command.command(name).description(says);
    added
      .addOption(new Option('--csv', 'As CSV.').conflicts('json'))
      .addOption(new Option('--json', 'As JSON.'));
    return added.reads((...given: unknown[]) => {
      const words = given.filter((each): each is string => typeof each === 'string');
      const form = added.opts<Form>();
      return withShop(terminal, async (services) => printReport(await read(services, words), form, terminal));
    });
  };
  const daysOf = async ({ stores }: Services, typed: string | undefined): Promise<Days> => {
    if (typed !== undefined) return spanOf(typed);
    const to = wallClock(Date.now(), await stores.timeZone()).date;
    return { from: `${to.slice(0, 7)}-01`, to };
  };
  report(
    'takings [period]',
    'Prints what was sold, taxed, received and given back; this month if no period is named.',
    async (services, [typed]) => {
      const days = await daysOf(services, typed);
      const answer = await services.books.report(permit, days, terminal.locale);
      return {
        answer,
        table: () => services.bookTables.of(permit, { ...days, what: 'report' }, terminal.locale),
        print: () => printTakings(answer, terminal),
      };
    },
  );
  const returns = report(
    'returns',
    'Prints a tax return filled in as far as the shop knows it.',
    async (services, [id = '', typed]) => {
      const days = await daysOf(services, typed);
      // One of the choices.
      const wanted = { ...days, what: 'return', return: id as TaxReturnId } as const;
      const table = await services.bookTables.of(permit, wanted, terminal.locale);
      return { answer: table, table: async () => table };
    },
  );
  returns
    .addArgument(new Argument('<return>', 'The return.').choices(Object.keys(taxReturns)))
    .argument('[period]');
  report(
    'owed [day]',
    'Prints what buyers owed at the end of a day, and what was owed to them; today if none is named.',
    async (services, [typed]) => {
      const day = typed ?? (await daysOf(services, undefined)).to;
      const answer = await services.books.owed(permit, { day }, Number.MAX_SAFE_INTEGER);
      return {
        answer,
        table: () => services.bookTables.of(permit, { from: day, to: day, what: 'owed' }, terminal.locale),
      };
    },
  );
  report(
    'stock [period]',
    'Prints what stock is worth at the end of a period, and what the goods cost that were sold in it.',
    async (services, [typed]) => {
      const { to: today } = await daysOf(services, undefined);
      const { from, to } = await daysOf(services, typed);
      // A month that is not over is valued as of today.
      const days = { from, to: to < today ? to : today };
      const answer = await services.stockValue.of(permit, days, Number.MAX_SAFE_INTEGER);
      return { answer, table: async () => services.stockValue.table(answer, terminal.locale) };
    },
  );
}

async function printReport(
  { answer, table, print }: Report,
  { csv, json }: Form,
  terminal: Terminal,
): Promise<void> {
  if (json) return terminal.print(JSON.stringify(answer, null, 2));
  if (!csv && print) return print();
  const { header, rows } = await table();
  if (csv) return terminal.print(byteOrderMark + csvText([header, ...rows]).trimEnd());
  if (rows.length === 0) return terminal.print(terminal.t('office.books.empty'));
  const cells = (row: Row) => row.map((cell) => printable(cellText(cell)));
  printTable(terminal, [[...header], ...rows.map(cells)]);
}

/** Sales by account, taxes by place and rate, and money by way of paying, as the office's report has them. */
function printTakings({ rows, names }: BooksReport, terminal: Terminal): void {
  const { t } = terminal;
  if (rows.length === 0) terminal.print(t('office.books.empty'));
  const places = new Map(names.map(({ id, name }) => [id, name]));
  for (const currency of [...new Set(rows.map((row) => row.currency))].sort()) {
    const own = rows.filter((row) => row.currency === currency);
    const line = (
      name: string,
      filter: BooksFilter,
      columns: readonly (readonly ('sold' | 'cancelled' | 'back' | 'received')[])[],
    ) => [
      `  ${name}`,
      ...columns.map((movements) =>
        formatMerchantMoney(figuresOf(own, { ...filter, movements: [...movements] }).amount, currency),
      ),
    ];
    const ofSale = [['sold'], ['cancelled'], ['back'], ['sold', 'cancelled', 'back']] as const;
    const ofMoney = [['received'], ['back'], ['received', 'back']] as const;
    const has = (filter: BooksFilter) => own.some((row) => (filter.accounts ?? []).includes(row.account));
    const taxes = new Map(
      own.flatMap((row) => (row.account === 'tax' ? [[`${row.place} ${row.tax} ${row.rate}`, row]] : [])),
    );
    const ways = [...new Set(own.flatMap(({ account, way }) => (account === 'money' ? [way] : [])))].sort();
    const heads = ['sold', 'cancelled', 'given', 'net'] as const;
    printTable(terminal, [
      [`${t('office.books.sales')} ${currency}`, ...heads.map((head) => t(`office.books.${head}`))],
      ...soldAccounts
        .filter((account) => has({ accounts: [account] }))
        .map((account) => line(accountText(t, account), { accounts: [account] }, ofSale)),
      line(t('office.books.netSales'), { accounts: soldAccounts }, ofSale),
      ...[...taxes.values()].map(({ place, tax, rate }) =>
        line(
          [places.get(place) ?? place, taxLabel({ tax, rate })].filter(Boolean).join(' · '),
          { accounts: ['tax'], places: [place], taxes: [tax], rates: [rate] },
          ofSale,
        ),
      ),
      ...accountsIn('passedOn')
        .filter((account) => has({ accounts: [account] }))
        .map((account) => line(accountText(t, account), { accounts: [account] }, ofSale)),
    ]);
    if (ways.length === 0) continue;
    printTable(terminal, [
      [
        t('office.books.money'),
        t('office.takings.received'),
        t('office.takings.refunded'),
        t('office.takings.net'),
      ],
      ...ways.map((way) => line(wayText(t, way), { accounts: ['money'], ways: [way] }, ofMoney)),
      line(t('office.takings.total'), { accounts: ['money'] }, ofMoney),
    ]);
  }
}
