import { expect, test } from 'vitest';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { onUnreadableRow, type UnreadableRow } from '#server/platform/unreadable-rows.ts';
import { sellProduct } from '#tests/products.ts';
import { pay, shopperWithCart } from '#tests/shop-actions.ts';
import { askStaff, joinStaff, lookedFor } from '#tests/staff.ts';
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
    await trx
      .updateTable('stores')
      .set({ address: '{damaged' })
      .where('id', '=', 'toronto-queen-west')
      .execute();
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

test('a damaged product, bill and line are left out and named once, and lists, desk, exports and what finds them go on', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const { db } = testApp;
  await sellProduct(testApp, 'MUG-OAT');
  await sellProduct(testApp, 'CUP-OAT');
  const order = async () => {
    const session = await shopperWithCart(testApp, 'CUP-OAT');
    const { body } = await pay(testApp, session);
    return {
      session,
      id: body.orderID,
      number: (await testApp.call('order', { session, params: { id: body.orderID } })).orderNumber ?? '',
    };
  };
  const orders = { whole: await order(), bill: await order(), line: await order() };
  const rows: UnreadableRow[] = [];
  onUnreadableRow((row) => rows.push(row));
  const damaged = '{damaged';
  const { product, no } = await db.read
    .selectFrom('products')
    .innerJoin('skus', 'skus.product_id', 'products.id')
    .select(['products.id as product', 'products.no as no'])
    .where('skus.id', '=', 'MUG-OAT')
    .executeTakeFirstOrThrow();
  await db.transaction(async (trx) => {
    await trx
      .updateTable('products')
      .set({ details: damaged, images: damaged })
      .where('id', '=', product)
      .execute();
    await trx.updateTable('orders').set({ bill: damaged }).where('id', '=', orders.bill.id).execute();
    await trx
      .updateTable('order_lines')
      .set({ name: damaged })
      .where('order_id', '=', orders.line.id)
      .execute();
    await recordCatalogueChange(trx, [topics.counts, topics.product(no), topics.list('all', 'all')]);
  });

  expect(
    (await testApp.app.inject(`/api/istore/client/productManagement/product/${product}`)).statusCode,
  ).toBe(404);
  expect((await testApp.app.inject('/api/istore/client/productManagement2/products')).statusCode).toBe(200);
  expect((await testApp.app.inject('/sitemap-products-1.xml')).statusCode).not.toBe(500);
  const as = await joinStaff(testApp, 'owner@unreadable.example');
  const { body: desk } = await askStaff(testApp, 'deskOrders', { as });
  const mine = (all: readonly { number: string }[]) =>
    all.flatMap(({ number }) =>
      Object.values(orders).some((each) => each.number === number) ? [number] : [],
    );
  expect(mine(desk.orders)).toEqual([orders.whole.number]);
  const { body: listed } = await askStaff(testApp, 'orders', { as });
  expect(mine(listed.orders).sort()).toEqual([orders.whole.number, orders.line.number]);
  expect(rows).toEqual(
    expect.arrayContaining([
      { table: 'products', id: product },
      { table: 'orders', id: orders.bill.number },
      { table: 'orders', id: orders.line.number },
    ]),
  );
  expect(new Set(rows.map(({ table, id }) => `${table} ${id}`)).size).toBe(rows.length);

  const { findings } = await lookedFor(testApp, as);
  const found = findings.find(({ subject }) => subject === 'Stored data');
  expect(found?.level).toBe('fail');
  expect(found?.places.map(({ text }) => text)).toEqual([
    `products ${product}`,
    `orders ${orders.bill.number}`,
    `order_lines ${orders.line.id}`,
  ]);
  onUnreadableRow(() => {});
});
