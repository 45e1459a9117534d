import { expect, test } from 'vitest';
import { createWorld, forEachEngine } from '#tests/world.ts';

forEachEngine((engine) => {
  test('a transaction is there afterwards', async () => {
    const { db } = await createWorld({ engine });
    await db.transaction(async (trx) => {
      await trx.insertInto('settings').values({ key: 'a', value: '1' }).execute();
    });
    expect(await db.read.selectFrom('settings').selectAll().execute()).toEqual([{ key: 'a', value: '1' }]);
  });
});
