import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '#tests/test-app.ts';
import { openDatabase, type Reader } from '../database.ts';

const nobodyListens = 'postgres://postgres@127.0.0.1:1/shop';

async function open() {
  const { env } = await createTestApp({ engine: 'postgres' });
  const databaseUrl = env.databaseUrl ?? '';
  return openDatabase({ dataDir: '', databaseUrl });
}

test('one of two deadlocked transactions is retried, and both succeed', async () => {
  const db = await open();
  await db.transaction((trx) =>
    trx
      .insertInto('counters')
      .values(['a', 'b'].map((name) => ({ name, value: 0 })))
      .execute(),
  );
  let arrived = 0;
  let everybodyIsHere = () => {};
  const meeting = new Promise<void>((resolve) => {
    everybodyIsHere = resolve;
  });
  const inOrder = (first: string, second: string) =>
    db.transaction(async (trx) => {
      const add = (name: string) =>
        trx
          .updateTable('counters')
          .set((eb) => ({ value: eb('value', '+', 1) }))
          .where('name', '=', name)
          .execute();
      await add(first);
      arrived += 1;
      if (arrived === 2) everybodyIsHere();
      await meeting;
      await add(second);
    });
  await Promise.all([inOrder('a', 'b'), inOrder('b', 'a')]);
  expect(arrived).toBeGreaterThanOrEqual(3);
  expect(await db.read.selectFrom('counters').select('value').execute()).toEqual([
    { value: 2 },
    { value: 2 },
  ]);
  await db.close();
});

test('requests wait for a connection that the shop has when PostgreSQL gives no further one', async () => {
  const { env } = await createTestApp({ engine: 'postgres' });
  const own = new URL(env.databaseUrl ?? '');
  const all = await openDatabase({ dataDir: '', databaseUrl: own.href });
  const role = `limited_${process.pid}_${Date.now()}`;
  await sql.raw(`create role ${role} login password 'test' connection limit 2`).execute(all.read);
  await sql.raw(`grant select on counters to ${role}`).execute(all.read);
  const limited = new URL(own);
  limited.username = role;
  limited.password = 'test';
  const db = await openDatabase({ dataDir: '', databaseUrl: limited.href });
  const slow = () =>
    sql<{ done: number }>`select 1 as done from counters right join pg_sleep(0.05) on true limit 1`.execute(
      db.read,
    );
  const answers = await Promise.all(Array.from({ length: 4 }, slow));
  expect(answers.map(({ rows }) => rows.length)).toEqual(Array.from({ length: 4 }, () => 1));
  await db.close();
  await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(all.read);
  await all.close();
});

test('a transaction that cannot be serialized is retried, and nothing is lost', async () => {
  const db = await open();
  await db.transaction((trx) => trx.insertInto('counters').values({ name: 'a', value: 0 }).execute());
  let runs = 0;
  let readers = 0;
  const bothHaveRead = Promise.withResolvers<void>();
  const increment = () =>
    db.transaction(async (trx) => {
      runs += 1;
      await sql`set transaction isolation level repeatable read`.execute(trx);
      const { value } = await trx.selectFrom('counters').select('value').executeTakeFirstOrThrow();
      readers += 1;
      // Both have read before either writes, so the database rejects the second writer.
      if (readers === 2) bothHaveRead.resolve();
      await bothHaveRead.promise;
      await trx
        .updateTable('counters')
        .set({ value: value + 1 })
        .execute();
    });
  await Promise.all([increment(), increment()]);
  expect(runs).toBeGreaterThanOrEqual(3);
  expect(await db.read.selectFrom('counters').select('value').execute()).toEqual([{ value: 2 }]);
  await db.close();
});

test('a prepared query is answered after a migration has changed its columns, also in a transaction', async () => {
  const db = await open();
  const counter = (reader: Reader) =>
    reader.selectFrom('counters').selectAll().where('name', '=', 'a').executeTakeFirst();
  await db.transaction((trx) => trx.insertInto('counters').values({ name: 'a', value: 1 }).execute());
  const read = () => counter(db.read);
  const readInTransaction = () => db.transaction((trx) => counter(trx));
  expect(await read()).toEqual({ name: 'a', value: 1 });
  for (const [column, reading] of [['first', read] as const, ['second', readInTransaction] as const]) {
    await reading();
    await sql`alter table counters add column ${sql.ref(column)} integer`.execute(db.read);
    expect(await reading()).toMatchObject({ name: 'a', [column]: null });
  }
  await db.close();
});

test('a transaction whose failed query was caught is not taken for a success', async () => {
  const db = await open();
  const work = db.transaction(async (trx) => {
    await trx.insertInto('counters').values({ name: 'lost', value: 1 }).execute();
    await sql`select 1 / 0`.execute(trx).catch(() => {});
  });
  await expect(work).rejects.toThrow(/rolled back/);
  expect(await db.read.selectFrom('counters').selectAll().execute()).toEqual([]);
  await db.close();
});

test('a query that fails undoes the others that are asked together with it', async () => {
  const db = await open();
  const insert = (name: string) =>
    db.transaction((trx) => trx.insertInto('counters').values({ name, value: 0 }).execute());
  await insert('taken');
  const work = db.transaction((trx) =>
    Promise.all(
      ['new', 'taken', 'late', 'later', 'last'].map((name) =>
        trx.insertInto('counters').values({ name, value: 0 }).execute(),
      ),
    ),
  );
  await expect(work).rejects.toMatchObject({ code: '23505' });
  expect(await db.read.selectFrom('counters').select('name').execute()).toEqual([{ name: 'taken' }]);
  await insert('after');
  await db.close();
});

test('a database that is out of reach is an error at once', async () => {
  await expect(openDatabase({ dataDir: '', databaseUrl: nobodyListens })).rejects.toThrow(/ECONNREFUSED/);
});
