import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyTemplate, type TestDatabase } from '#tests/databases.ts';
import { forEachEngine } from '#tests/test-app.ts';
import { recordCatalogueChange } from './catalogue-version.ts';
import { type Database, openDatabase } from './database.ts';
import type { KeyedQuery } from './keyed-reader.ts';

interface Counter {
  name: string;
  value: number;
}

const counters: KeyedQuery = { columns: 'counters.name, counters.value', from: 'counters', key: 'counters.name' };

forEachEngine((engine) => {
  let database: TestDatabase;
  let other: Database;
  beforeEach(async () => {
    database = await copyTemplate(engine, 'empty', async () => {});
    other = await openDatabase({ dataDir: database.dataDir, databaseUrl: database.databaseUrl, durable: false });
  });
  afterEach(async () => {
    await other.close();
    await database.drop();
  });

  const set = (db: Database, name: string, value: number) =>
    db.transaction((trx) =>
      trx
        .insertInto('counters')
        .values({ name, value })
        .onConflict((c) => c.column('name').doUpdateSet({ value }))
        .execute(),
    );

  describe('a keyed reader', () => {
    test('a read finds the row of its key as another process last wrote it', async () => {
      const reader = database.db.keyed<Counter>(counters);
      expect(await reader.read('a')).toBeNull();
      await set(other, 'a', 1);
      await set(other, 'b', 2);
      expect(await reader.read('a')).toMatchObject({ name: 'a', value: 1 });
      await set(other, 'a', 3);
      const read = await Promise.all(['a', 'b', 'c', 'a'].map((key) => reader.read(key)));
      expect(read.map((row) => row?.value)).toEqual([3, 2, undefined, 3]);
    });

    test('a read learns of what another process has changed in the catalogue, whether or not it finds a row', async () => {
      const { db } = database;
      const reader = db.keyed<Counter>(counters);
      expect(reader.refreshes).toBe(true);
      await set(db, 'a', 1);
      for (const key of ['a', 'none']) {
        await db.changes.refresh();
        const { moment } = db.changes;
        await other.transaction((trx) => recordCatalogueChange(trx, ['product:7']));
        // Requests over a network arrive in a turn of the event loop of their own.
        await new Promise((resolve) => setImmediate(resolve));
        await reader.read(key);
        expect(db.changes.changedSince(moment, ['product:7'])).toBe(true);
        expect(db.changes.changedSince(moment, ['product:8'])).toBe(false);
      }
    });

    test('a query that fails fails only for those who asked it', async () => {
      const { db } = database;
      await set(db, 'a', 1);
      const good = db.keyed<Counter>(counters);
      const bad = db.keyed<Counter>({ columns: '1 as one', from: 'no_such_table', key: 'no_such_table.id' });
      const refreshing = (async () => db.changes.refresh())();
      const results = await Promise.allSettled([bad.read('a'), good.read('a'), refreshing]);
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
      const [again] = await Promise.allSettled([bad.read('a')]);
      expect(again?.status).toBe('rejected');
      expect(await good.read('a')).toMatchObject({ value: 1 });
    });
  });
});
