import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { resolveGroups } from '#server/modules/catalogue/modifiers/modifier-groups.ts';
import { differences, movementsOf, soldUnits } from '#server/modules/inventory/stock/movements.repository.ts';
import { addUnits } from '#server/modules/orders/cart/cart.repository.ts';
import type { OrderLine } from '#server/modules/orders/order/order.ts';
import { createLiveLines, frozenLinesOf } from '#server/modules/orders/order/order-lines.repository.ts';
import { createEmptyPostgres } from '#tests/databases.ts';
import { closeAtEnd } from '#tests/resources.ts';
import { createTestApp, onBothEngines } from '#tests/test-app.ts';
import { openDatabase } from './database.ts';
import { isMigrated, migrate, NewerDatabaseError } from './migrate.ts';
import { type Migration, migrations } from './migrations/index.ts';

const next: Migration = {
  id: Math.max(...migrations.map((migration) => migration.id)) + 1,
  name: 'next',
  up: async (trx) => {
    await trx.schema.createTable('next_table').addColumn('id', 'integer').execute();
  },
};

onBothEngines((engine) => {
  const open = async () => {
    const testApp = await createTestApp({ engine });
    const url = testApp.env.databaseUrl;
    return { db: testApp.db, again: () => openDatabase({ dataDir: testApp.dataDir, databaseUrl: url }) };
  };

  test('each migration runs once, even when several processes start together', async () => {
    const { db, again } = await open();
    const other = await again();
    const ran = await Promise.all([db, other, db].map((each) => migrate(each, [...migrations, next])));
    expect(ran.flat()).toEqual(['next']);
    expect(await isMigrated(db, [...migrations, next])).toBe(true);
    expect(await isMigrated(db)).toBe(false);
    await other.close();
  });

  test('a database of a newer program is rejected and left alone', async () => {
    const { db } = await open();
    await migrate(db, [...migrations, next]);
    await expect(migrate(db)).rejects.toThrow(NewerDatabaseError);
    await expect(migrate(db)).rejects.toThrow(/newer version/);
  });

  test('a failing migration leaves nothing behind', async () => {
    const { db } = await open();
    const broken: Migration = {
      ...next,
      up: async (trx) => {
        await trx.schema.createTable('half').addColumn('id', 'integer').execute();
        throw new Error('broken');
      },
    };
    await expect(migrate(db, [...migrations, broken])).rejects.toThrow('broken');
    await expect(sql`select * from half`.execute(db.read)).rejects.toThrow();
    expect(await isMigrated(db)).toBe(true);
  });

  test('emails and webhooks of an older database are carried over with their states', async () => {
    const databaseUrl = engine === 'postgres' ? await createEmptyPostgres() : null;
    const db = await openDatabase({ dataDir: ':memory:', databaseUrl, durable: false });
    closeAtEnd(() => db.close());
    await migrate(db, migrations.slice(0, 32));
    await db.transaction(async (trx) => {
      for (const [id, state, attempts, sentAt] of [
        ['m1', 'waiting', 2, null],
        ['m2', 'sending', 1, null],
        ['m3', 'sent', 1, 30],
      ] as const)
        await sql`insert into mails (id, kind, reference, recipient, language, data, state, attempts, due_at, created_at, sent_at, error)
          values (${id}, 'welcome', ${`r:${id}`}, 'mei@example.com', 'zh', '{}', ${state}, ${attempts}, 20, 10, ${sentAt}, 'E')`.execute(
          trx,
        );
      await sql`insert into webhook_endpoints (id, url, events, state, secret, created_at)
        values ('we', 'https://a.example/', '["stock.low"]', 'active', 'whsec_', 1)`.execute(trx);
      await sql`insert into webhook_events (id, type, reference, body, created_at)
        values ('evt', 'stock.low', 'stock.low:1', '{"id":"evt"}', 5)`.execute(trx);
      await sql`insert into webhook_deliveries (id, event_id, endpoint_id, state, attempts, due_at, give_up_at, attempted_at, answer, created_at)
        values ('dlv', 'evt', 'we', 'failed', 3, 40, 50, 35, '500', 5)`.execute(trx);
    });
    await migrate(db);
    const rows = await db.read.selectFrom('deliveries').selectAll().orderBy('id').execute();
    const mail = {
      kind: 'welcome',
      recipient: 'mei@example.com',
      language: 'zh',
      body: '{}',
      due_at: 20,
      created_at: 10,
    };
    const event = {
      endpoint_id: 'we',
      event_id: 'evt',
      kind: 'stock.low',
      reference: 'stock.low:1@we',
      body: '{"id":"evt"}',
    };
    expect(rows).toMatchObject([
      {
        ...event,
        id: 'dlv',
        state: 'failed',
        attempts: 3,
        due_at: 40,
        give_up_at: 50,
        attempted_at: 35,
        answer: '500',
      },
      { ...mail, id: 'm1', reference: 'r:m1', state: 'waiting', attempts: 2, answer: 'E', endpoint_id: null },
      { ...mail, id: 'm2', reference: 'r:m2', state: 'sending', attempts: 1 },
      { ...mail, id: 'm3', reference: 'r:m3', state: 'delivered', attempts: 1, attempted_at: 30 },
    ]);
  });

  test('lines of orders and carts of an older database get ids, and nothing else of them changes', async () => {
    const databaseUrl = engine === 'postgres' ? await createEmptyPostgres() : null;
    const db = await openDatabase({ dataDir: ':memory:', databaseUrl, durable: false });
    closeAtEnd(() => db.close());
    await migrate(
      db,
      migrations.filter(({ id }) => id < 38),
    );
    const bill = JSON.stringify({ subtotal: 6401, tax: 832, total: 7233, billVersion: 'v' });
    await db.transaction(async (trx) => {
      const run = (text: string) => sql.raw(text).execute(trx);
      await run(`insert into brands (id, name, story, position) values ('b', '{"en":"Kiln"}', '[]', 0)`);
      await run(`insert into categories (id, name, description, position) values ('c', '{}', '{}', 0)`);
      await run(`insert into products (no, id, published, name, short_description, description, brand_id, category_id, price_cents,
          clearance, new_arrival, in_store_only, tax_class, details, options, images, created_at, updated_at, sold_out)
        values (1, 'p', 1, '{"en":"Mug"}', '{}', '{}', 'b', 'c', 3333, 0, 0, 0, 'standard', '{}', '[]', '[]', 1, 1, 0)`);
      await run(`insert into skus (id, product_id, option_pairs, price_cents, position)
        values ('A', 'p', '', 3333, 0), ('B', 'p', '#Glaze:Sea', 3333, 1)`);
      for (const state of ['cart', 'placed'])
        await run(`insert into orders (id, order_number, state, version, language, customer_comment, pay_at_store, tip_basis_points,
            total_cents, currency, created_at, updated_at, bill, bill_version)
          values ('${state}', null, '${state}', 7, 'en', '', 0, 0, 7233, 'CAD', 500, 500,
            ${state === 'placed' ? `'${bill}'` : 'null'}, 'v')`);
      await run(`insert into order_lines (order_id, sku, product_id, quantity, position) values
        ('cart', 'B', 'p', 98, 1), ('cart', 'A', 'p', 1, 2), ('cart', 'GONE', 'q', 2, 3)`);
      await run(`insert into order_lines (order_id, sku, product_id, quantity, position, name, brand, option_pairs, option_text,
          unit_price_cents, tax_class, image, location_id) values
        ('placed', 'A', 'p', 2, 1, '{"en":"Old mug"}', '{"en":"Old kiln"}', '#Glaze:Oat', '{"en":"Oat"}', 3199, 'prepared-food', 'a.jpg', 'shop'),
        ('placed', 'GONE', 'q', 1, 2, '{"en":"Gone"}', null, '', '{"en":""}', 3, 'standard', null, null)`);
    });
    await migrate(db);
    const kept = (lines: OrderLine[]) =>
      lines.map(
        ({
          sku,
          quantity,
          unitPrice,
          taxClass,
          name,
          brand,
          optionPairs,
          image,
          note,
          modifiers,
          identity,
        }) => {
          expect([note, modifiers, identity]).toEqual(['', [], sku]);
          return [sku, quantity, unitPrice, taxClass, name.en, brand?.en ?? null, optionPairs, image];
        },
      );
    expect(kept((await createLiveLines(resolveGroups).of(db.read, 'cart')).lines)).toEqual([
      ['B', 98, 3333, 'standard', 'Mug', 'Kiln', '#Glaze:Sea', null],
      ['A', 1, 3333, 'standard', 'Mug', 'Kiln', '', null],
      ['GONE', 2, 0, 'standard', 'GONE', null, '', null],
    ]);
    expect(kept(await frozenLinesOf(db.read, 'placed'))).toEqual([
      ['A', 2, 3199, 'prepared-food', 'Old mug', 'Old kiln', '#Glaze:Oat', 'a.jpg'],
      ['GONE', 1, 3, 'standard', 'Gone', null, '', null],
    ]);
    const lines = await db.read.selectFrom('order_lines').select('id').execute();
    expect(new Set(lines.map(({ id }) => id)).size).toBe(5);
    const order = await db.read
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', 'placed')
      .executeTakeFirstOrThrow();
    expect(order).toMatchObject({ bill, bill_version: 'v', total_cents: 7233, version: 7 });
    const again = await db.transaction((trx) => addUnits(trx, 'cart', 'A', 2));
    expect(again?.quantity).toBe(3);
  });

  test('stock of an older database opens with movements whose sum is what is there, and sold units may come back', async () => {
    const databaseUrl = engine === 'postgres' ? await createEmptyPostgres() : null;
    const db = await openDatabase({ dataDir: ':memory:', databaseUrl, durable: false });
    closeAtEnd(() => db.close());
    const own = migrations.findIndex(({ name }) => name === 'stock movements');
    await migrate(db, migrations.slice(0, own));
    await db.transaction(async (trx) => {
      const run = (text: string) => sql.raw(text).execute(trx);
      await run(`insert into brands (id, name, story, position) values ('b', '{}', '[]', 0)`);
      await run(`insert into categories (id, name, description, position) values ('c', '{}', '{}', 0)`);
      await run(`insert into products (no, id, published, name, short_description, description, brand_id, category_id, price_cents,
          clearance, new_arrival, in_store_only, tax_class, details, options, images, created_at, updated_at, sold_out)
        values (1, 'p', 1, '{}', '{}', '{}', 'b', 'c', 100, 0, 0, 0, 'standard', '{}', '[]', '[]', 1, 1, 0)`);
      await run(
        `insert into skus (id, product_id, option_pairs, price_cents, position) values ('S', 'p', '', 100, 0)`,
      );
      await run(
        `insert into stock (sku, location_id, quantity) values ('S', 'warehouse', 7), ('S', 'shop', 0)`,
      );
      for (const [id, state] of [
        ['o1', 'placed'],
        ['o2', 'paying'],
      ])
        await run(`insert into orders (id, order_number, state, version, language, customer_comment, pay_at_store, tip_basis_points,
            total_cents, currency, created_at, updated_at, placed_at)
          values ('${id}', 'N-${id}', '${state}', 1, 'en', '', 0, 0, 100, 'CAD', 500, 500, ${state === 'placed' ? 600 : 'null'})`);
      await run(`insert into order_lines (id, identity, order_id, sku, product_id, quantity, position, location_id)
        values ('1', 'S', 'o1', 'S', 'p', 3, 0, 'warehouse'), ('2', 'S with milk', 'o1', 'S', 'p', 1, 1, 'warehouse'),
          ('3', 'S', 'o2', 'S', 'p', 2, 0, null), ('4', 'OLD', 'o1', 'OLD', 'gone', 3, 2, 'shop')`);
      await run(
        `insert into holds (order_id, sku, location_id, quantity) values ('o2', 'S', 'warehouse', 2)`,
      );
    });
    await migrate(db);
    expect(await differences(db.read)).toEqual([]);
    expect(await soldUnits(db.read, 'o1')).toEqual([
      { sku: 'OLD', location_id: 'shop', quantity: 3 },
      { sku: 'S', location_id: 'warehouse', quantity: 4 },
    ]);
    expect(await soldUnits(db.read, 'o2')).toEqual([]);
    expect(await movementsOf(db.read, { sku: 'S', most: 9 })).toMatchObject([
      { kind: 'sale', quantity: -4, orderNumber: 'N-o1', at: 600 },
      { kind: 'opening', quantity: 13, orderNumber: null, at: 599 },
    ]);
  });

  test('books of an older database stay as they are, append-only, and with payments are read by one index each', async () => {
    const databaseUrl = engine === 'postgres' ? await createEmptyPostgres() : null;
    const db = await openDatabase({ dataDir: ':memory:', databaseUrl, durable: false });
    closeAtEnd(() => db.close());
    const own = migrations.findIndex(({ name }) => name === 'indexes of a sale');
    await migrate(db, migrations.slice(0, own));
    const entry = (event: string, no: number, at: number, amount: number) => ({
      event_id: event,
      no,
      kind: 'payment',
      source: 'p',
      at,
      booked_at: at,
      order_id: 'o',
      store_id: null,
      currency: 'CAD',
      actor: null,
      rebuilt: 0 as const,
      account: 'money',
      part: '',
      line_id: null,
      product_id: null,
      sku: null,
      category_id: null,
      place: '',
      tax_class: '',
      treatment: '',
      tax: '',
      rate: 0,
      way: 'cash',
      amount_cents: amount,
      base_cents: 0,
      units: 0,
      note: `${event} ${no}`,
    });
    const older = [entry('b', 0, 1, 5), entry('b', 1, 1, -5), entry('a', 0, 2, 7), entry('a', 1, 2, -7)];
    await db.transaction((trx) => trx.insertInto('ledger_entries').values(older).execute());
    await migrate(db);
    const inOrder = () =>
      db.read.selectFrom('ledger_entries').selectAll().orderBy('booked_at').orderBy('event_id').orderBy('no');
    expect(
      (await inOrder().execute()).map((row) => ({ ...row, booked_at: Number(row.booked_at) })),
    ).toMatchObject(older.map(({ event_id, no, booked_at, note }) => ({ event_id, no, booked_at, note })));
    const { rows: indexes } = await (engine === 'sqlite'
      ? sql<{
          name: string;
        }>`select name from sqlite_master where type = 'index' and tbl_name = 'ledger_entries'`
      : sql<{ name: string }>`select indexname as name from pg_indexes where tablename = 'ledger_entries'`
    ).execute(db.read);
    expect(indexes).toHaveLength(3);
    for (const change of ['update ledger_entries set no = 9', 'delete from ledger_entries'])
      await expect(db.transaction((trx) => sql.raw(change).execute(trx))).rejects.toThrow(
        'the books are append-only',
      );
    await db.transaction((trx) =>
      sql`insert into ledger_periods (id, from_at, to_at, from_day, to_day, figures, closed_at, closed_by)
        values ('p', 0, 9, '', '', '', 9, '')`.execute(trx),
    );
    await expect(
      db.transaction((trx) =>
        trx
          .insertInto('ledger_entries')
          .values(entry('c', 0, 3, 0))
          .execute(),
      ),
    ).rejects.toThrow('the books of a closed period take no entries');
    if (engine === 'postgres') return;
    const readBy = async (query: string) => {
      const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(query)}`.execute(db.read);
      return rows.map(({ detail }) => detail).join();
    };
    const ofOrder = "payments.order_id = orders.id and payments.state = 'succeeded'";
    for (const query of [
      `select payments.id from orders left join payments on ${ofOrder} where orders.id = 'o' order by payments.created_at`,
      `select (select sum(amount_cents) from payments where ${ofOrder}) from orders`,
    ])
      expect(await readBy(query)).toContain('payments_order (order_id=? AND state=?)');
    expect(await readBy('select * from ledger_entries order by booked_at, event_id, no')).not.toContain(
      'TEMP B-TREE',
    );
  });
});
