/**
 * The update of a shop from before the books: a year of orders of every kind, placed by the code of that version, and then today's
 * program on its data. What its takings said of each month is what the books say after.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { taxLabel } from '#contract/rules/tax-labels.ts';
import type { BookEvent } from '#contract/staff/accounts-of-books.ts';
import type { TakingsCell } from '#contract/staff/takings.ts';
import { isMarked } from '#db/counters.ts';
import { openDatabase, type Reader } from '#db/database.ts';
import { createContainer } from '#server/container.ts';
import { booksFindings } from '#server/modules/bookkeeping/index.ts';
import { pastIsBooked } from '#server/modules/ledger/ledger.ts';
import { createTakings } from '#server/modules/ledger/takings.ts';
import { lossesWithoutRefund } from '#server/modules/payments/payment/activity.repository.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { createEmptyPostgres } from './databases.ts';
import { startShop } from './processes.ts';
import { forEachEngine, testEnv } from './test-app.ts';

/** The last version whose takings were sums of orders. Its packages are among today's. */
const older = '032e3672';
const year = 2025;
/** Ten a day. */
const orders = 3650;

const root = join(import.meta.dirname, '..');
const work = mkdtempSync(join(tmpdir(), 'shopwright-older-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** As the older version answers it. */
type OlderCell = Pick<
  TakingsCell,
  'at' | 'store' | 'currency' | 'orders' | 'cancelled' | 'cancelledTotal' | 'money' | 'taxes'
> &
  Record<Part, number>;
type Part = 'subtotal' | 'discount' | 'shipping' | 'serviceCharge' | 'tip' | 'total';

interface Older {
  steps: number[];
  cells: OlderCell[];
  /** Payments at the counter that were undone: those takings still counted them. */
  undone: { kind: string; amount: number; receivedAt: number; undoneAt: number }[];
  /** Disputes that were lost: those takings knew none. */
  lost: { amount: number; at: number }[];
  orders: { id: string; state: string; placedAt: number }[];
}

/** The tree of the older version, made once for both engines. */
function olderTree(): string {
  const tree = join(work, 'tree');
  if (existsSync(tree)) return tree;
  const archive = join(work, 'tree.tar');
  mkdirSync(tree);
  execFileSync('git', ['archive', '--output', archive, older], { cwd: root });
  execFileSync('tar', ['-xf', archive, '-C', tree]);
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  copyFileSync(join(import.meta.dirname, 'older-shop/a-year.mjs'), join(tree, 'tests/a-year.mjs'));
  return tree;
}

function fillOlderShop(dataDir: string, databaseUrl: string | null): Older {
  const tree = olderTree();
  const script = join(tree, 'tests/a-year.mjs');
  const { PATH = '', HOME = '' } = process.env;
  const printed = execFileSync(
    process.execPath,
    [script, dataDir, databaseUrl ?? '', String(year), String(orders)],
    {
      cwd: tree,
      env: { PATH, HOME, BRAND: 'demo/brand' },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Older;
}

function hasHistory(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${older}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Sums of cells of all stores, by a month and a key of it. */
function byMonth<C extends { at: number }>(
  cells: readonly C[],
  entriesOf: (cell: C) => [key: string, amount: number][],
) {
  const sums = new Map<string, number>();
  for (const cell of cells)
    for (const [key, amount] of entriesOf(cell)) {
      const name = `${new Date(cell.at).toISOString().slice(0, 7)} ${key}`;
      sums.set(name, (sums.get(name) ?? 0) + amount);
    }
  return Object.fromEntries([...sums].filter(([, amount]) => amount !== 0).sort());
}

/** What bills of standing orders come to in the books, by the step in which they were placed, as the older takings counted them. */
async function billsOf(reader: Reader, steps: readonly number[], standing: Older['orders']) {
  const placed = new Map(
    standing.map(({ id, placedAt }) => [id, steps.findLast((step) => step <= placedAt) ?? placedAt]),
  );
  const { rows } = await sql<{
    order_id: string;
    account: string;
    tax: string;
    rate: number;
    amount: number;
  }>`select
    order_id, account, tax, rate, sum(amount_cents) as amount from ledger_entries where source = 'bill'
    group by order_id, account, tax, rate`.execute(reader);
  return rows.flatMap((row) => {
    const at = placed.get(row.order_id);
    return at === undefined ? [] : [{ ...row, at }];
  });
}

const partOf: Readonly<Record<string, Part>> = {
  sales: 'subtotal',
  discounts: 'discount',
  shipping: 'shipping',
  service: 'serviceCharge',
  tips: 'tip',
};

forEachEngine((engine) => {
  it.skipIf(!hasHistory())(
    'a shop with a year of orders updates by itself, and each month stands to the cent',
    {
      timeout: 1_800_000,
    },
    async () => {
      const dataDir = join(work, `data-${engine}`);
      const databaseUrl = engine === 'postgres' ? await createEmptyPostgres() : null;
      const before = fillOlderShop(dataDir, databaseUrl);
      expect(before.orders.length).toBeGreaterThanOrEqual(orders);

      // As whoever runs the shop updates it: the next version starts on the same data.
      const place = { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
      const shop = await startShop(place);
      const db = await openDatabase({ dataDir, databaseUrl, durable: false });
      const container = createContainer({ db, env: testEnv(place), now: Date.now });
      await expect.poll(() => isMarked(db.read, pastIsBooked), { timeout: 600_000 }).toBe(true);
      await expect.poll(() => lossesWithoutRefund(db.read), { timeout: 600_000 }).toEqual([]);
      expect(await shop.end('SIGTERM')).toBe(0);
      expect(await container.ledger.wrong()).toEqual([]);

      const takings = createTakings({ db, now: Date.now, stores: container.stores });
      const permit = mintPermit('reports.read', { kind: 'terminal' }, null);
      const { steps, cells } = await takings.of(permit, { from: `${year}-01-01`, to: `${year}-12-31` });
      expect([steps.length, steps]).toEqual([12, before.steps]);

      // Sales as they were made, whatever became of them, and how many.
      const sold = (cell: Pick<TakingsCell, 'at' | 'total' | 'cancelledTotal'>): [string, number][] => [
        ['sold', cell.total + cell.cancelledTotal],
      ];
      expect(byMonth(cells, sold)).toEqual(byMonth(before.cells, sold));
      expect(byMonth(cells, (cell) => [['orders', cell.orders]])).toEqual(
        byMonth(before.cells, (cell) => [['orders', cell.orders + cell.cancelled]]),
      );

      // Bills of orders that stand, in all their parts and taxes, by the month in which they were placed.
      const standing = before.orders.filter(({ state }) => state !== 'cancelled' && state !== 'lapsed');
      const bills = await billsOf(db.read, steps, standing);
      expect(
        byMonth(bills, ({ account, amount, ...tax }) => {
          if (account === 'tax') return [[taxLabel(tax), -amount]];
          const part = partOf[account];
          return part ? [[part, account === 'discounts' ? amount : -amount]] : [];
        }),
      ).toEqual(
        byMonth(before.cells, (cell) => [
          ...cell.taxes.map(({ label, amount }): [string, number] => [label, amount]),
          ...(['subtotal', 'discount', 'shipping', 'serviceCharge', 'tip'] as const).map(
            (part): [string, number] => [part, cell[part]],
          ),
        ]),
      );

      // Money by its way. Those takings counted what was undone twice, and not what banks took by disputes: the books have each when it was.
      const money = ({ money: ways }: Pick<TakingsCell, 'money'>) =>
        ways.flatMap(({ way, received, tips, refunded, refundedTips }): [string, number][] => [
          [`${way} received`, received],
          [`${way} tips`, tips],
          [`${way} refunded`, refunded],
          [`${way} refunded tips`, refundedTips],
        ]);
      const stepOf = (at: number) => steps.findLast((step) => step <= at) ?? at;
      const mended = [
        ...before.undone.map(({ kind, amount, undoneAt }) => ({
          at: stepOf(undoneAt),
          key: `${kind} received`,
          amount: -amount,
        })),
        ...before.lost.map(({ amount, at }) => ({ at: stepOf(at), key: 'Stripe refunded', amount })),
      ];
      expect([before.undone.length > 0, before.lost.length > 0]).toEqual([true, true]);
      expect(byMonth(cells, money)).toEqual(
        byMonth([...before.cells, ...mended], (each) =>
          'key' in each ? [[each.key, each.amount]] : money(each),
        ),
      );

      // All of the year is marked as made again, but for what the newer version learnt of it, and nothing is left over.
      const [first = 0] = steps;
      const { rows } = await sql<{
        kind: BookEvent;
        rebuilt: number;
        count: number;
      }>`select kind, rebuilt, count(*) as count
      from ledger_entries where kind <> 'cost' and at >= ${first} and at < ${Date.UTC(year + 1, 0, 2)} group by kind, rebuilt`.execute(
        db.read,
      );
      expect(rows.filter(({ kind, rebuilt }) => rebuilt !== 1 && kind !== 'dispute')).toEqual([]);
      expect([...new Set(rows.map(({ kind }) => kind))].sort()).toEqual(
        ['cancellation', 'dispute', 'lapse', 'payment', 'paymentUndone', 'refund', 'sale'].sort(),
      );
      expect(await booksFindings(db.read)).toEqual({ periods: [], unreadable: [], events: [] });
      const suspense = await sql<{
        amount: number | null;
      }>`select sum(amount_cents) as amount from ledger_entries
    where account = 'suspense'`.execute(db.read);
      expect(total(suspense.rows.map(({ amount }) => Number(amount ?? 0)))).toBe(0);

      // And the year can be closed, month by month, as it stands.
      const { periods, changes } = container;
      const next = (await periods.all()).next;
      expect(next?.from).toBe(`${year}-01-01`);
      await periods.close(
        changes.by({ kind: 'terminal' }, 'books close'),
        { from: `${year}-01-01`, to: `${year}-01-31` },
        null,
      );
      expect(await booksFindings(db.read)).toEqual({ periods: [], unreadable: [], events: [] });
      await db.close();
    },
  );
});
