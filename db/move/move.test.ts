import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import type { Database } from '#db/database.ts';
import { openDatabase } from '#db/database.ts';
import { migrate, NewerDatabaseError } from '#db/migrate.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { createEmptyPostgres } from '#tests/databases.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, type TestApp } from '#tests/test-app.ts';
import { contentOf, moveDatabase } from './move.ts';

/** MOVED_ORDERS=10000 takes longer than the other tests may (docs/reliability.md). */
const orders = Number(process.env.MOVED_ORDERS ?? 500);

/** Adds orders with a line and an event each, and texts and numbers that engines may treat differently. */
async function addOrders(db: Database): Promise<void> {
  const [order] = await db.read
    .selectFrom('orders')
    .selectAll()
    .where('state', '<>', 'cart')
    .limit(1)
    .execute();
  if (!order) throw new Error('The demo shop has no orders');
  const line = await db.read
    .selectFrom('order_lines')
    .selectAll()
    .where('order_id', '=', order.id)
    .limit(1)
    .executeTakeFirstOrThrow();
  const comments = ['', 'naïve 茶 🍵', 'it\'s \\ "quoted" {a,b} NULL', ' \t\r\n', 'é'.normalize('NFD')];
  for (let start = 0; start < orders; start += 100) {
    const numbers = Array.from({ length: Math.min(100, orders - start) }, (_, i) => start + i);
    await db.transaction(async (trx) => {
      const made = numbers.map((n) => ({
        ...order,
        id: `moved-${n}`,
        order_number: `MV-${n}`,
        customer_comment: comments[n % comments.length] ?? '',
        created_at: Number.MAX_SAFE_INTEGER - n,
        tip_cents: n % 2 ? n : null,
      }));
      await trx.insertInto('orders').values(made).execute();
      await trx
        .insertInto('order_lines')
        .values(numbers.map((n) => ({ ...line, id: `moved-line-${n}`, order_id: `moved-${n}` })))
        .execute();
      await trx
        .insertInto('order_events')
        .values(
          numbers.map((n) => ({
            order_id: `moved-${n}`,
            version: 1,
            from_state: 'cart',
            to_state: 'paid',
            at: n,
            reason: '',
          })),
        )
        .execute();
    });
  }
  await db.transaction((trx) =>
    sql`update stores set lat = 43.64567890123, lng = -79.41234567890123`.execute(trx),
  );
}

async function filledShop(): Promise<TestApp> {
  const shop = await createTestApp({ engine: 'sqlite', demo: true });
  await addOrders(shop.db);
  return shop;
}

const newFolder = () => mkdtempSync(join(inject('runDir'), 'moved-'));

test('a shop with orders moves to PostgreSQL and back, and every row is equal', async () => {
  const shop = await filledShop();
  const before = await contentOf({ dataDir: shop.dataDir });
  expect(before.get('orders')?.rows).toBeGreaterThan(orders);
  expect(before.get('search_index')?.rows).toBeGreaterThan(50);

  const databaseUrl = await createEmptyPostgres();
  const there = await shopCommand(shop, ['move', databaseUrl]);
  expect(there).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/^Copied \d+ tables with \d+ rows in .* all rows are equal\.$/m),
  });
  expect(await contentOf({ databaseUrl })).toEqual(before);

  // No column numbers its rows by itself, so no counter has to follow.
  const moved = await openDatabase({ dataDir: shop.dataDir, databaseUrl });
  const { rows: sequences } = await sql`select from information_schema.sequences`.execute(moved.read);
  expect(sequences).toEqual([]);
  const { rows: keys } = await sql`select from pg_constraint where contype = 'f'`.execute(moved.read);
  expect(keys.length).toBeGreaterThan(10);
  expect(await migrate(moved)).toEqual([]);
  await moved.close();

  const folder = newFolder();
  const back = await shopCommand(shop, ['move', folder], { DATABASE_URL: databaseUrl });
  expect(back.printed).toContain('all rows are equal');
  expect(await contentOf({ dataDir: folder })).toEqual(before);
  expect(readdirSync(folder)).toEqual([sqliteFileName]);
  expect(await contentOf({ dataDir: shop.dataDir })).toEqual(before);
}, 600_000);

test('a move that was killed is started again, and no shop opens what it left', async () => {
  const shop = await filledShop();
  const databaseUrl = await createEmptyPostgres();
  const folder = newFolder();
  const stop = new Error('killed');
  for (const target of [{ databaseUrl }, { dataDir: folder }])
    await expect(
      moveDatabase({ dataDir: shop.dataDir }, target, (line) => {
        if (line.startsWith('Making indexes')) throw stop;
      }),
    ).rejects.toBe(stop);
  const half = await openDatabase({ dataDir: shop.dataDir, databaseUrl });
  await expect(migrate(half)).rejects.toThrow(NewerDatabaseError);
  await expect(migrate(half)).rejects.toThrow('run the command "move" again');
  await half.close();
  expect(existsSync(join(folder, sqliteFileName))).toBe(false);
  for (const target of [databaseUrl, folder])
    expect((await shopCommand(shop, ['move', target])).code).toBe(0);
  expect(await contentOf({ databaseUrl })).toEqual(await contentOf({ dataDir: folder }));
});

test('a target with data is refused and stays as it is', async () => {
  const shop = await createTestApp({ engine: 'sqlite', demo: true });
  const other = await createTestApp({ engine: 'postgres', demo: true });
  const databaseUrl = other.env.databaseUrl ?? '';
  const before = await contentOf({ databaseUrl });
  const { code, printed } = await shopCommand(shop, ['move', databaseUrl]);
  expect({ code, printed }).toMatchObject({
    code: 1,
    printed: expect.stringMatching(/The target database is not empty\. Name/),
  });
  expect(await contentOf({ databaseUrl })).toEqual(before);
  expect(await shopCommand(shop, ['move', shop.dataDir])).toMatchObject({
    code: 1,
    printed: expect.stringContaining('exists already'),
  });
  expect((await shopCommand(shop, ['move', 'mysql://x'])).code).toBe(1);
});

test('a source that a shop changes meanwhile is copied as of one moment, and the command says so', async () => {
  const shop = await createTestApp({ engine: 'sqlite', demo: true });
  const before = await contentOf({ dataDir: shop.dataDir });
  const folder = newFolder();
  const writer = new DatabaseSync(join(shop.dataDir, sqliteFileName));
  const { sourceInUse } = await moveDatabase({ dataDir: shop.dataDir }, { dataDir: folder }, () =>
    writer.exec('update products set price_cents = price_cents + 1'),
  );
  writer.close();
  expect(sourceInUse).toBe(true);
  expect(await contentOf({ dataDir: folder })).toEqual(before);
});
