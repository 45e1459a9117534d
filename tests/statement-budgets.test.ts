/**
 * How many statements and commits the calls of a sale may take: each is a round trip on PostgreSQL, and time of the thread that
 * answers on SQLite. A call that needs one more fails here. Lower the figure when a call needs fewer.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeEach, expect, it } from 'vitest';
import type { EngineName } from '#db/database.ts';
import { approveAgent, lines } from './agents.ts';
import { sellProduct } from './products.ts';
import { add, deliver, pay } from './shop-actions.ts';
import { createTestApp, forEachEngine, type TestApp } from './test-app.ts';

interface Spent {
  statements: number;
  commits: number;
}

/** The read of the catalogue version, which is one message without parameters. */
const unprepared = 'select version from catalogue_version where id = 1';

/** For one line, in a shop without webhook endpoints; the read of the catalogue version included. */
const shared: Record<string, Spent> = {
  'first item of a new shopper': { statements: 6, commits: 1 },
  'another unit of it': { statements: 6, commits: 1 },
  'the cart': { statements: 4, commits: 0 },
  'the account of a guest': { statements: 1, commits: 0 },
  'the delivery': { statements: 6, commits: 1 },
};
// Six of a payment's are for the books, seven on PostgreSQL, which locks, and two for what the goods cost. Three are for the staff: two read the items and write by what they find the order, one tells their desk of it at once.
const budgets: Record<EngineName, Record<string, Spent>> = {
  sqlite: { ...shared, 'the payment by card': { statements: 32, commits: 3 } },
  postgres: { ...shared, 'the payment by card': { statements: 34, commits: 3 } },
};

const mug = 'MUG-BUDGET';
const spent: Spent & { texts: string[]; planned: string[] } = {
  statements: 0,
  commits: 0,
  texts: [],
  planned: [],
};

function note({ text, name }: Query): void {
  if (/^\s*commit/i.test(text)) spent.commits += 1;
  if (/^\s*(?:begin|commit|rollback|savepoint|release)/i.test(text)) return;
  spent.statements += 1;
  spent.texts.push(text.replace(/\s+/g, ' '));
  if (name === undefined) spent.planned.push(text);
}

/** `name`: under which PostgreSQL has the query prepared. */
interface Query {
  text: string;
  name?: string;
}
type Text = (self: unknown, input: readonly unknown[]) => Query;

/** Notes the statements that a method gets, whoever calls it. Returns a function that ends that. */
function watch(prototype: object, method: string, textOf: Text): () => void {
  const original = Reflect.get(prototype, method) as (...input: unknown[]) => unknown;
  Reflect.set(prototype, method, function (this: unknown, ...input: unknown[]): unknown {
    note(textOf(this, input));
    return Reflect.apply(original, this, input);
  });
  return () => Reflect.set(prototype, method, original);
}

const givenText: Text = (_, [query]) => (typeof query === 'string' ? { text: query } : (query as Query));

function watchEngines(): (() => void)[] {
  return [
    ...['all', 'get', 'run'].map((method) =>
      watch(StatementSync.prototype, method, (statement) => ({
        text: (statement as StatementSync).sourceSQL,
        name: '',
      })),
    ),
    watch(DatabaseSync.prototype, 'exec', givenText),
    watch(pg.Client.prototype, 'query', givenText),
  ];
}

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeEach(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
  });

  /** A whole sale; returns what each call took, with its statements. */
  async function sell(): Promise<Record<string, typeof spent>> {
    const session = testApp.shopper();
    const taken: Record<string, typeof spent> = {};
    const take = async (name: string, call: () => Promise<unknown>) => {
      Object.assign(spent, { statements: 0, commits: 0, texts: [], planned: [] });
      await call();
      taken[name] = { ...spent };
    };
    await take('first item of a new shopper', () => add(testApp, session, mug));
    await take('another unit of it', () => add(testApp, session, mug));
    await take('the cart', () => testApp.call('myCart', { session }));
    await take('the account of a guest', () => testApp.call('userInfo2', { session }));
    await take('the delivery', () => deliver(testApp, session));
    await take('the payment by card', async () => expect((await pay(testApp, session)).status).toBe(200));
    return taken;
  }

  it('an agent’s cart is written in one go: a line more takes at most three statements, and no commit', async () => {
    const agent = await approveAgent(testApp);
    const rows = await testApp.db.read
      .selectFrom('skus')
      .innerJoin('products', 'products.id', 'skus.product_id')
      .select('skus.id')
      .where('products.modifier_groups', '=', '[]')
      .orderBy('skus.id')
      .limit(45)
      .execute();
    const take = async (count: number) => {
      Object.assign(spent, { statements: 0, commits: 0, texts: [], planned: [] });
      await agent.ask('POST', '/carts', lines(...rows.slice(0, count).map(({ id }) => [id, 1] as const)));
      return { ...spent };
    };
    await take(45);
    const watching = watchEngines();
    const [few, many] = [await take(5), await take(45)];
    for (const end of watching) end();
    expect(many.commits).toBe(few.commits);
    // One of a line, and its part of the reads of products, which share a batch if they wait at the same time.
    expect((many.statements - few.statements) / 40, many.texts.join('\n')).toBeLessThanOrEqual(3);
  });

  it('a sale takes no more statements and commits than its budget', async () => {
    // What is prepared, cached or read once per process.
    await sell();
    const watching = watchEngines();
    const taken = await sell();
    for (const end of watching) end();
    for (const [name, budget] of Object.entries(budgets[engine])) {
      const { statements, commits, texts, planned } = taken[name] ?? spent;
      expect({ statements, commits }, `${name}:\n${texts.join('\n')}`).toEqual(budget);
      expect(
        planned.filter((text) => text !== unprepared),
        `${name}: not prepared`,
      ).toEqual([]);
    }
  });

  it.runIf(engine === 'sqlite')('no statement of a sale reads a table as a whole', async () => {
    await sell();
    const watching = watchEngines();
    const taken = await sell();
    for (const end of watching) end();
    const texts = new Set(Object.values(taken).flatMap((call) => call.texts));
    expect(texts.size).toBeGreaterThan(30);
    for (const text of texts) {
      const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(text)}`.execute(
        testApp.db.read,
      );
      const tables = rows.filter(({ detail }) => /^SCAN (?!CONSTANT|\d+-ROW)|AUTOMATIC/.test(detail));
      expect(tables, text).toEqual([]);
    }
  });

  it('no index of the orders holds the version or the time that every change of a cart writes', async () => {
    const { rows } = await (engine === 'sqlite'
      ? sql<{
          text: string;
        }>`select sql as text from sqlite_master where type = 'index' and tbl_name = 'orders' and sql is not null`
      : sql<{ text: string }>`select indexdef as text from pg_indexes where tablename = 'orders'`
    ).execute(testApp.db.read);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ text }) => /\b(?:version|updated_at)\b/.test(text))).toEqual([]);
  });
});
