/** The past of the demo shop: made beside the server, whole after a kill, and right by a second set of books. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { taxLabel } from '#contract/rules/tax-labels.ts';
import { type Database, openDatabase, type Reader } from '#db/database.ts';
import { createContainer } from '#server/container.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { type ShopProcess, startShop } from '#tests/processes.ts';
import { type Figures, openSecondBooks } from '#tests/second-books.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type TestApp, testEnv } from '#tests/test-app.ts';
import { makePast } from './past.ts';
import { isPastWanted, nextSlice, wantPast } from './progress.ts';

const cleaning: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'shopwright-past-'));
  cleaning.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function start(variables: Record<string, string>): Promise<ShopProcess> {
  const shop = await startShop({ DEMO: '1', LOG_LEVEL: 'error', ...variables });
  cleaning.push(() => shop.end('SIGKILL'));
  return shop;
}

const until = (reached: () => Promise<boolean>) =>
  expect.poll(reached, { timeout: 900_000, interval: 200 }).toBe(true);

/** How many rows each table has that the past writes. */
async function counts({ read }: Pick<Database, 'read'>) {
  const taken = await read.selectFrom('payments').select('id').where('state', '=', 'succeeded').execute();
  const count = async (
    table: 'orders' | 'refunds' | 'stock_movements' | 'ledger_entries' | 'deliveries' | 'journal',
  ) =>
    Number(
      (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(read)).rows[0]?.n,
    );
  return {
    orders: await count('orders'),
    payments: taken.length,
    refunds: await count('refunds'),
    movements: await count('stock_movements'),
    entries: await count('ledger_entries'),
    emails: await count('deliveries'),
    journal: await count('journal'),
  };
}

const imported = 'demo-order-';

/** What the books hold of orders, but those that came with the demo. */
async function booked(reader: Reader): Promise<Figures> {
  const { rows } = await sql<{
    account: string;
    place: string;
    tax: string;
    rate: number;
    way: string;
    amount: number;
  }>`
    select account, place, tax, rate, way, sum(amount_cents) as amount from ledger_entries
    where order_id is not null and order_id not like ${`${imported}%`} group by account, place, tax, rate, way`.execute(
    reader,
  );
  const figures: Figures = { taxes: {}, net: 0, tips: 0, money: {}, lost: 0 };
  const add = (to: Record<string, number>, key: string, cents: number) => {
    to[key] = (to[key] ?? 0) + cents;
    if (to[key] === 0) delete to[key];
  };
  for (const row of rows) {
    const amount = Number(row.amount);
    if (row.account === 'tax')
      add(figures.taxes, `${row.place} ${taxLabel(row as Parameters<typeof taxLabel>[0])}`, -amount);
    if (row.account === 'tips') figures.tips -= amount;
    if (row.account === 'money') add(figures.money, row.way, amount);
    if (['sales', 'discounts', 'shipping', 'service', 'kept'].includes(row.account)) figures.net -= amount;
  }
  return figures;
}

/** The same, by code that knows nothing of the shop's. */
async function secondBooks(reader: Reader): Promise<Figures> {
  const second = openSecondBooks(async (statement) => {
    const { rows } = await sql.raw<Record<string, unknown>>(statement).execute(reader);
    return rows.filter(({ id }) => !String(id).startsWith(imported));
  });
  await second.look('all');
  return second.of('all');
}

/** What the simulated gateway says that it has taken, less what it gave back, cents. */
async function atGateway(reader: Reader): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select sum(amount_cents - refunded_cents) as sum from house_charges where state = 'succeeded'`.execute(
    reader,
  );
  return Number(rows[0]?.sum);
}

async function requireRight(db: Database): Promise<void> {
  const books = await booked(db.read);
  expect(books).toEqual(await secondBooks(db.read));
  expect(books.money.house).toBe(await atGateway(db.read));
  const services = createContainer({ db, env: testEnv(), now: Date.now });
  expect(await services.stock.differences()).toEqual([]);
}

async function requireNoHalfOrder({ read }: Database): Promise<void> {
  const half = await read
    .selectFrom('orders')
    .select('id')
    .where('state', 'in', ['cart', 'paying'])
    .execute();
  expect(half).toEqual([]);
  const waiting = await read
    .selectFrom('deliveries')
    .select('id')
    .where('state', '!=', 'delivered')
    .execute();
  expect(waiting).toEqual([]);
}

describe('the past of a demo', () => {
  it('the past is made once the server answers, is whole after a kill, and a later start adds nothing', {
    timeout: 1_200_000,
  }, async () => {
    const dataDir = folder();
    const db = () => {
      const opened = openDatabase({ dataDir });
      cleaning.push(async () => (await opened).close());
      return opened;
    };
    const first = await start({ DATA_DIR: dataDir, DEMO_PAST: '1' });
    const reader = await db();
    // Nothing of it delays the first start.
    expect((await nextSlice(reader.read))?.slice).toBeLessThan(3);
    await until(async () => ((await nextSlice(reader.read))?.slice ?? 0) >= 40);
    await first.end('SIGKILL');
    await requireNoHalfOrder(reader);
    await requireRight(reader);
    const before = await counts(reader);
    expect(before.orders).toBeGreaterThan(30);

    const second = await start({ DATA_DIR: dataDir });
    await until(async () => !(await isPastWanted(reader)));
    expect(second.stderr()).toBe('');
    expect(await second.end('SIGTERM')).toBe(0);

    const orders = await reader.read
      .selectFrom('orders')
      .selectAll()
      .where('placed_at', 'is not', null)
      .execute();
    expect(orders.length).toBeGreaterThan(850);
    expect(orders.length).toBeLessThan(950);
    expect(new Set(orders.map(({ order_number }) => order_number)).size).toBe(orders.length);
    const kinds = Map.groupBy(orders, ({ method, store_id }) =>
      method === 'shipping' && store_id ? 'bike' : method,
    );
    for (const kind of ['shipping', 'bike', 'pickup', 'instore'])
      expect([kind, kinds.get(kind)?.length]).not.toEqual([kind, undefined]);
    const states = new Set(orders.map(({ state }) => state));
    for (const state of ['placed', 'reserved', 'ready', 'shipped', 'completed', 'cancelled', 'lapsed'])
      expect(states).toContain(state);
    const ways = await reader.read.selectFrom('payments').select('kind').distinct().execute();
    expect(ways.map(({ kind }) => kind ?? 'card').sort()).toEqual(['card', 'cash', 'other', 'terminal']);
    const atDesk = orders.filter(({ state }) => ['placed', 'reserved', 'ready'].includes(state));
    expect(atDesk).toHaveLength(8);
    const span =
      Math.max(...orders.map(({ placed_at }) => placed_at ?? 0)) -
      Math.min(...orders.map((row) => row.placed_at ?? 0));
    expect(span).toBeGreaterThan(110 * dayMs);
    const some = async (
      table: 'ledger_periods' | 'stock_takes' | 'bulk_changes' | 'form_messages' | 'cash_moves' | 'refunds',
    ) =>
      Number(
        (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(reader.read)).rows[0]
          ?.n,
      );
    expect(await some('ledger_periods')).toBeGreaterThan(1);
    expect(await some('stock_takes')).toBe(1);
    expect(await some('bulk_changes')).toBe(2);
    expect(await some('form_messages')).toBeGreaterThan(10);
    expect(await some('cash_moves')).toBeGreaterThan(50);
    expect(await some('refunds')).toBeGreaterThan(5);

    await requireNoHalfOrder(reader);
    await requireRight(reader);
    // No mail was written for what never was.
    expect(readdirSync(dataDir)).not.toContain('outbox');
    const { printed } = await shopCommand(
      { env: testEnv({ DATA_DIR: dataDir }), db: reader } as TestApp,
      ['doctor'],
      {
        DEMO: '1',
      },
    );
    expect(printed.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect(printed).toContain('OK    Books: each event sums to zero');

    const after = await counts(reader);
    const third = await start({ DATA_DIR: dataDir, DEMO_PAST: '1' });
    expect(await isPastWanted(reader)).toBe(false);
    expect(await third.end('SIGTERM')).toBe(0);
    expect((await counts(reader)).orders).toBe(after.orders);
    expect((await counts(reader)).payments).toBe(after.payments);
  });

  it('a shop that is no demo any more gets no more of its past', { timeout: 600_000 }, async () => {
    const dataDir = folder();
    const first = await start({ DATA_DIR: dataDir, DEMO_PAST: '1' });
    await first.end('SIGKILL');
    const db = await openDatabase({ dataDir });
    cleaning.push(() => db.close());
    expect(await isPastWanted(db)).toBe(true);
    const before = await counts(db);
    const real = await start({ DATA_DIR: dataDir, DEMO: '0' });
    expect(await isPastWanted(db)).toBe(false);
    expect(await real.end('SIGTERM')).toBe(0);
    expect((await counts(db)).orders).toBe(before.orders);
  });
});

forEachEngine((engine) => {
  it('two processes that make the past at once make each slice of it once', {
    timeout: 600_000,
  }, async () => {
    const { db, env } = await createTestApp({ engine, demo: true });
    const at = Date.UTC(2026, 10, 29, 20);
    await db.transaction((trx) => wantPast(trx, at));
    const problems: string[] = [];
    let slices = 0;
    const options = { isOver: () => slices++ > 60, log: (problem: string) => problems.push(problem) };
    await Promise.all([makePast(db, env, options), makePast(db, env, options)]);
    expect(problems).toEqual([]);
    await requireNoHalfOrder(db);
    await requireRight(db);
    const numbers = await db.read
      .selectFrom('orders')
      .select('order_number')
      .where('id', 'not like', `${imported}%`)
      .execute();
    expect(numbers.length).toBeGreaterThan(20);
    expect(new Set(numbers.map(({ order_number }) => order_number)).size).toBe(numbers.length);
  });
});
