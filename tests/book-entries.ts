/** Events of the books for tests, written as the shop writes them. */
import { randomUUID } from 'node:crypto';
import type { Trx } from '#db/database.ts';
import type { Entry } from '#server/modules/ledger/index.ts';
import type { TestApp } from './test-app.ts';

const bare: Omit<Entry, 'account' | 'amount'> = {
  part: '',
  line: null,
  product: null,
  sku: null,
  category: null,
  place: '',
  taxClass: '',
  treatment: '',
  tax: '',
  rate: 0,
  way: '',
  base: 0,
  units: 0,
};

/** A sale of goods with 13 percent of tax, paid. Amounts in cents. */
export function soldEntries(
  base: number,
  { way = 'cash', treatment = 'taxable', place = 'CA-ON' } = {},
): Entry[] {
  const tax = treatment === 'taxable' ? Math.round((base * 13) / 100) : 0;
  const part = { ...bare, part: 'line', place, taxClass: 'standard', treatment };
  return [
    { ...part, account: 'sales', amount: -base, units: 1 },
    ...(tax === 0
      ? []
      : [{ ...part, account: 'tax' as const, tax: 'HST', rate: 13_000, amount: -tax, base }]),
    { ...bare, account: 'money', way, amount: base + tax },
  ];
}

interface Sold extends NonNullable<Parameters<typeof soldEntries>[1]> {
  store?: string | null;
  currency?: string;
}

/** Writes such a sale into the books, in a transaction of the caller or one of its own. */
export async function bookSale(
  testApp: TestApp,
  at: number,
  base: number,
  sold: Sold = {},
  trx?: Trx,
): Promise<void> {
  const { store = 'toronto-queen-west', currency = 'CAD', ...rest } = sold;
  const event = {
    kind: 'sale' as const,
    source: randomUUID(),
    order: null,
    store,
    currency,
    actor: null,
    at,
    note: null,
  };
  const events = [{ ...event, entries: soldEntries(base, rest) }];
  const write = (each: Trx) => testApp.container.ledger.record(each, events);
  await (trx ? write(trx) : testApp.db.transaction(write));
}
