import { expect, test } from 'vitest';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { onUnreadableRow, type UnreadableRow } from '#server/platform/unreadable-rows.ts';
import { createTestApp } from '#tests/test-app.ts';

test('a setting and a store that cannot be read are left out and named once, and the shop goes on', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const rows: UnreadableRow[] = [];
  onUnreadableRow((row) => rows.push(row));
  await testApp.db.transaction(async (trx) => {
    await trx
      .insertInto('settings')
      .values({ key: 'shopName', value: '{damaged' })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: '{damaged' }))
      .execute();
    await trx.updateTable('stores').set({ address: '{damaged' }).where('id', '=', 'toronto-queen-west').execute();
    await recordCatalogueChange(trx, [topics.settings, topics.stores]);
  });
  const all = await testApp.db.read.selectFrom('stores').select('id').execute();
  expect((await testApp.services.stores.all()).map(({ id }) => id).sort()).toEqual(
    all.flatMap(({ id }) => (id === 'toronto-queen-west' ? [] : [id])).sort(),
  );
  await testApp.services.settings.all();
  expect((await testApp.app.inject('/api/istore/client/productManagement/brands')).statusCode).toBe(200);
  await testApp.services.stores.all();
  expect(rows.sort((a, b) => (a.table < b.table ? -1 : 1))).toEqual([
    { table: 'settings', id: 'shopName' },
    { table: 'stores', id: 'toronto-queen-west' },
  ]);
  onUnreadableRow(() => {});
});
