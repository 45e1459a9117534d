/** All entries of days as a table, and as a journal that hledger reads. No customer is named in them. */
import { setImmediate } from 'node:timers/promises';
import type { Row } from '#contract/csv.ts';
import { decimalText } from '#contract/money.ts';
import { taxLabel } from '#contract/rules/tax-labels.ts';
import { type Account, type AccountKind, kindOf } from '#contract/staff/accounts-of-books.ts';
import type { Reader } from '#db/database.ts';
import { isoTime, wallClock } from '#server/platform/time-zone.ts';
import { nameOf } from '../closing/periods.ts';
import { type EntriesAsked, type EntryRow, entriesAfter } from './handover.repository.ts';

/** Rows that are read at once. */
const atOnce = 500;

async function* entriesOf(reader: Reader, asked: EntriesAsked): AsyncGenerator<EntryRow[]> {
  for (let last: EntryRow | null = null; ; ) {
    const rows: EntryRow[] = await entriesAfter(reader, asked, last, atOnce);
    if (rows.length > 0) yield rows;
    if (rows.length < atOnce) return;
    last = rows.at(-1) ?? null;
  }
}

export const entryHeader = [
  'Booked',
  'Happened',
  'Event',
  'No.',
  'What',
  'Order',
  'Store',
  'Account',
  'Part',
  'Product',
  'SKU',
  'Category',
  'Place',
  'Tax class',
  'Treatment',
  'Tax',
  'Rate %',
  'Way',
  'Currency',
  'Debit',
  'Credit',
  'Base',
  'Units',
  'By',
  'Rebuilt',
  'Note',
];

/** A row for each entry. */
export async function* entryRows(
  reader: Reader,
  asked: EntriesAsked,
  { timeZone, names }: { timeZone: string; names: ReadonlyMap<string, string> },
): AsyncGenerator<Row[]> {
  for await (const rows of entriesOf(reader, asked))
    yield rows.map((row): Row => {
      const decimal = (cents: number) => ({ decimal: decimalText(cents, row.currency) });
      const { amount_cents: amount } = row;
      return [
        isoTime(row.booked_at, timeZone),
        isoTime(row.at, timeZone),
        row.event_id,
        row.no,
        row.kind,
        row.order_number,
        row.store_id,
        row.account,
        row.part,
        row.product_id,
        row.sku === null ? null : { code: row.sku },
        row.category_id,
        row.place,
        row.taxClass,
        row.treatment,
        row.tax,
        row.rate === 0 ? null : { decimal: String(row.rate / 1000) },
        row.way,
        row.currency,
        amount > 0 ? decimal(amount) : null,
        amount < 0 ? decimal(0 - amount) : null,
        row.base_cents === 0 ? null : decimal(row.base_cents),
        row.units === 0 ? null : row.units,
        row.actor === null ? '' : nameOf(row.actor, names),
        row.rebuilt === 1,
        row.note,
      ];
    });
}

const roots: Readonly<Record<AccountKind, string>> = {
  income: 'income',
  liability: 'liabilities',
  asset: 'assets',
  expense: 'expenses',
};

/** Single spaces only: two of them end the name of an account. */
const plain = (text: string) => text.replace(/[;:\s]+/g, ' ').trim();

export function hledgerAccount({
  account,
  way,
  tax,
  rate,
  place,
}: Pick<EntryRow, 'account' | 'way' | 'tax' | 'rate' | 'place'>): string {
  // Written from `Account`.
  const root = `${roots[kindOf(account as Account)]}:${account}`;
  const below =
    account === 'tax' ? `${plain(place || 'unknown')}:${plain(taxLabel({ tax, rate }))}` : plain(way);
  return below === '' ? root : `${root}:${below}`;
}

/**
 * A journal of hledger, a transaction for each event (https://hledger.org/hledger.html, "Journal", version 1.25 and newer, read
 * 2026-11-29).
 */
export async function* hledgerJournal(
  reader: Reader,
  asked: EntriesAsked,
  timeZone: string,
): AsyncGenerator<string> {
  const currencies = new Set<string>();
  let event: EntryRow[] = [];
  yield 'decimal-mark .\n';
  const written = () => {
    const text = transactionText(event, timeZone, currencies);
    event = [];
    return text;
  };
  for await (const rows of entriesOf(reader, asked)) {
    let piece = '';
    for (const row of rows) {
      if (event.length > 0 && event[0]?.event_id !== row.event_id) piece += written();
      event.push(row);
    }
    if (piece !== '') yield piece;
    await setImmediate();
  }
  if (event.length > 0) yield written();
}

function transactionText(rows: readonly EntryRow[], timeZone: string, currencies: Set<string>): string {
  const [first] = rows;
  if (!first) return '';
  const { currency } = first;
  const sums = new Map<string, number>();
  for (const row of rows)
    sums.set(hledgerAccount(row), (sums.get(hledgerAccount(row)) ?? 0) + row.amount_cents);
  const postings = [...sums].filter(([, amount]) => amount !== 0);
  if (postings.length === 0) return '';
  // A form without decimals ends with its mark.
  const form = decimalText(100_000, currency);
  const declared = currencies.has(currency)
    ? ''
    : `\ncommodity ${form.includes('.') ? form : `${form}.`} ${currency}\n`;
  currencies.add(currency);
  const day = wallClock(first.booked_at, timeZone).date;
  const tags = [
    `event:${first.event_id}`,
    ...(first.store_id === null ? [] : [`store:${first.store_id}`]),
  ].join(', ');
  const lines = postings.map(
    ([account, amount]) => `    ${account}  ${decimalText(amount, currency)} ${currency}\n`,
  );
  return `${declared}\n${day} ${[first.kind, first.order_number ?? ''].join(' ').trim()}  ; ${tags}\n${lines.join('')}`;
}
