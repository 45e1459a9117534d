/** Places that repeat what a bill says, read apart from the shop's own code, for tests that compare them with the bill. */
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import type { Order } from '#contract/schemas/order.ts';
import type { Takings } from '#contract/staff/takings.ts';
import { createTakings } from '#server/modules/ledger/takings.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import type { TestApp } from './test-app.ts';

export const origin = 'https://shop.example';

export const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
/** Not asked of the shop, which could be wrong everywhere alike. */
const digitsOf = (currency: string) => ({ JPY: 0, KWD: 3 })[currency] ?? 2;
export const decimal = (amount: number, currency: string) =>
  (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency));
/** In the smallest unit, of text such as `12.34 CAD`. */
export const amountIn = (text: string, currency: string) =>
  Math.round(Number(/-?\d+(?:\.\d+)?/.exec(text)?.[0]) * 10 ** digitsOf(currency));

/** The rows of a file that the shop exports, each by the names of its columns. */
export async function exported(testApp: TestApp, table: 'products' | 'stock' | 'customers' | 'orders') {
  let file = '';
  for await (const piece of testApp.container.exports.table({ table, origin })) file += piece;
  return parse(file, { bom: true, columns: true }) as Record<string, string>[];
}

/** The rows of an order in the file of orders add up to its bill and to what was paid, and name the method as it was offered. */
export async function expectInFile(
  testApp: TestApp,
  order: Order,
  { paid, refunded, due }: { paid: number; refunded: number; due: number },
  shippingName = '',
): Promise<void> {
  const rows = (await exported(testApp, 'orders')).filter(({ Name }) => Name === order.orderNumber);
  const [head = {}] = rows;
  const { bill } = order;
  const amount = (text = '') => (text === '' ? 0 : amountIn(text, bill.currency));
  const cell = (name: string) => amount(head[name]);
  const lines = sum(rows.map((row) => Number(row['Lineitem quantity']) * amount(row['Lineitem price'])));
  const off = sum(rows.map((row) => amount(row['Lineitem discount'])));
  expect([lines, off, cell('Subtotal')], 'lines of the file').toEqual([
    bill.subtotal,
    bill.discount,
    lines - off,
  ]);
  expect(cell('Subtotal') + cell('Shipping') + cell('Service charge') + cell('Taxes') + cell('Tip')).toBe(
    cell('Total'),
  );
  expect([cell('Total'), cell('Outstanding Balance'), cell('Refunded Amount')]).toEqual([
    bill.total,
    due,
    refunded,
  ]);
  expect([cell('Tip'), cell('Service charge')]).toEqual([bill.tip, bill.serviceCharge?.amount ?? 0]);
  expect(sum([1, 2, 3, 4, 5].map((tax) => cell(`Tax ${tax} Value`)))).toBe(bill.tax);
  // How it is handed over, if nothing is shipped.
  const handedOver = { shipping: shippingName, pickup: 'Pickup', instore: 'Dine in' } as const;
  expect(head['Shipping Method']).toBe(handedOver[order.method ?? 'shipping']);
  expect(head['Financial Status']).toBe(
    refunded > 0
      ? refunded === paid
        ? 'refunded'
        : 'partially_refunded'
      : due === 0
        ? 'paid'
        : paid === 0
          ? 'pending'
          : 'partially_paid',
  );
  expect(rows.map((row) => row['Lineitem taxable'])).toEqual(
    order.lineItems.map((_, index) => String((bill.lineTaxes?.[index]?.taxes ?? []).length > 0)),
  );
}

/** What came and went since then equals the payments. Returns the tips in it. */
export async function expectTakings(testApp: TestApp, since: number): Promise<number> {
  const [from, to] = [since, testApp.clock.now()].map((at) => wallClock(at, 'America/Toronto').date);
  const takings = createTakings({ db: testApp.db, now: testApp.clock.now, stores: testApp.container.stores });
  const { cells }: Takings = await takings.of(mintPermit('reports.read', { kind: 'terminal' }, null), {
    from,
    to,
  });
  const all = cells.flatMap((each) => each.money);
  const payments = await testApp.db.read
    .selectFrom('payments')
    .select(['amount_cents', 'refunded_cents', 'received_at'])
    .where('state', 'in', ['succeeded', 'refundDue', 'refunded'])
    .execute();
  // Orders that were brought along as paid at the store have no payment.
  const paidBefore = await testApp.db.read
    .selectFrom('orders')
    .leftJoin('payments', 'payments.order_id', 'orders.id')
    .select(['total_cents as amount_cents', 'orders.updated_at as received_at'])
    .where('pay_at_store', '=', 1)
    .where('orders.state', '=', 'completed')
    .where('payments.id', 'is', null)
    .execute();
  const dayOf = (at: number | null) => wallClock(at ?? 0, 'America/Toronto').date;
  const rows = [...payments, ...paidBefore.map((each) => ({ ...each, refunded_cents: 0 }))].filter(
    ({ received_at: at }) => dayOf(at) >= (from ?? '') && dayOf(at) <= (to ?? ''),
  );
  expect(
    [sum(all.map(({ received }) => received)), sum(all.map(({ refunded }) => refunded))],
    'takings',
  ).toEqual([
    sum(rows.map(({ amount_cents }) => amount_cents)),
    sum(rows.map(({ refunded_cents }) => refunded_cents)),
  ]);
  return sum(all.map(({ tips, refundedTips }) => tips - refundedTips));
}
