import { beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, onBothEngines } from '#tests/test-app.ts';
import type { Database, Trx } from './database.ts';

onBothEngines((engine) => {
  let db: Database;
  beforeAll(async () => {
    ({ db } = await createTestApp({ engine, connections: 10 }));
  });

  const put = (trx: Trx, key: string, value = '1') =>
    trx.insertInto('settings').values({ key, value }).execute();
  const keys = async (prefix: string) => {
    const rows = await db.read
      .selectFrom('settings')
      .select('key')
      .where('key', 'like', `${prefix}%`)
      .orderBy('key')
      .execute();
    return rows.map((row) => row.key);
  };

  test('the writes of a transaction are visible when it returns', async () => {
    const answer = await db.transaction(async (trx) => {
      await put(trx, 'done');
      return 42;
    });
    expect(answer).toBe(42);
    expect(await keys('done')).toEqual(['done']);
  });

  test('the writes of a transaction are invisible before its end', async () => {
    await db.transaction(async (trx) => {
      await put(trx, 'early');
      expect(await keys('early')).toEqual([]);
    });
    expect(await keys('early')).toEqual(['early']);
  });

  test('a failing transaction rolls back alone, though it shares a commit with others', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) =>
        db.transaction(async (trx) => {
          await put(trx, `mixed-${String(i).padStart(3, '0')}`);
          if (i % 3 === 0) throw new Error(`no ${i}`);
          return i;
        }),
      ),
    );
    const succeeded = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(succeeded).toEqual(Array.from({ length: 100 }, (_, i) => i).filter((i) => i % 3 !== 0));
    expect(outcomes[3]).toMatchObject({ reason: new Error('no 3') });
    expect(await keys('mixed-')).toEqual(succeeded.map((i) => `mixed-${String(i).padStart(3, '0')}`));
  });

  test('a rejected statement rolls back its transaction, and its kind is known', async () => {
    const twice = db.transaction(async (trx) => {
      await put(trx, 'unique-before');
      await put(trx, 'unique');
      await put(trx, 'unique');
    });
    const error = await twice.catch((thrown: unknown) => thrown);
    expect(db.queries.isUniqueViolation(error)).toBe(true);
    expect(db.queries.isCheckViolation(error)).toBe(false);
    expect(await keys('unique')).toEqual([]);

    const negative = db.transaction((trx) =>
      trx.insertInto('pickup_slots').values({ store_id: 'nowhere', slot_at: 1, taken: -1 }).execute(),
    );
    const refused = await negative.catch((thrown: unknown) => thrown);
    expect(db.queries.isCheckViolation(refused)).toBe(true);
  });

  test('concurrent increments lose nothing', async () => {
    await db.transaction((trx) => trx.insertInto('counters').values({ name: 'n', value: 0 }).execute());
    const count = () =>
      db.transaction((trx) =>
        trx
          .updateTable('counters')
          .set((eb) => ({ value: eb('value', '+', 1) }))
          .where('name', '=', 'n')
          .returning('value')
          .executeTakeFirstOrThrow(),
      );
    const seen = await Promise.all(Array.from({ length: 200 }, count));
    expect(new Set(seen.map((row) => row.value)).size).toBe(200);
    expect(
      await db.read.selectFrom('counters').select('value').where('name', '=', 'n').executeTakeFirst(),
    ).toEqual({
      value: 200,
    });
  });

  test('an update reports how many rows it touched, with and without returning', async () => {
    await db.transaction(async (trx) => {
      await put(trx, 'rows-1');
      await put(trx, 'rows-2');
      const updated = await trx
        .updateTable('settings')
        .set({ value: '2' })
        .where('key', 'like', 'rows-%')
        .executeTakeFirst();
      expect(updated.numUpdatedRows).toBe(2n);
      const none = await trx.deleteFrom('settings').where('key', '=', 'rows-none').executeTakeFirst();
      expect(none.numDeletedRows).toBe(0n);
      expect(
        await trx.deleteFrom('settings').where('key', 'like', 'rows-%').returning('key').execute(),
      ).toHaveLength(2);
    });
  });

  test('large integers are returned as numbers', async () => {
    const value = Number.MAX_SAFE_INTEGER;
    await db.transaction((trx) => trx.insertInto('counters').values({ name: 'large', value }).execute());
    const row = await db.read
      .selectFrom('counters')
      .select((eb) => [
        'value',
        eb.fn.countAll<number>().over().as('rows'),
        eb.fn.sum<number>('value').over().as('sum'),
      ])
      .where('name', '=', 'large')
      .executeTakeFirst();
    expect(row).toEqual({ value, rows: 1, sum: value });
  });

  describe('the catalogue version', () => {
    test('the catalogue version is the committed one, at once', async () => {
      const { recordCatalogueChange } = await import('./catalogue-version.ts');
      const before = await db.catalogueVersion();
      await db.transaction((trx) => recordCatalogueChange(trx, ['settings']));
      expect(await db.catalogueVersion()).toBe(before + 1);
      await db
        .transaction(async (trx) => {
          await recordCatalogueChange(trx, ['settings']);
          throw new Error('undone');
        })
        .catch(() => {});
      expect(await db.catalogueVersion()).toBe(before + 1);
    });

    test('the catalogue version is never older than the question, however many ask together', async () => {
      const { recordCatalogueChange } = await import('./catalogue-version.ts');
      for (let round = 0; round < 20; round++) {
        const early = Array.from({ length: 5 }, () => db.catalogueVersion());
        const before = await db.catalogueVersion();
        await db.transaction((trx) => recordCatalogueChange(trx, ['settings']));
        const after = await Promise.all(Array.from({ length: 5 }, () => db.catalogueVersion()));
        expect(Math.max(...(await Promise.all(early)))).toBe(before);
        expect(after).toEqual(Array(5).fill(before + 1));
      }
    });
  });
});
