/** Kills the server while it imports. The next process goes on by itself, and each product is whole or not there. */
import { Readable } from 'node:stream';
import { beforeAll, expect, it } from 'vitest';
import { mintPermit } from '#server/platform/permits.ts';
import { startShop } from '#tests/processes.ts';
import { type SampleProduct, shopifyCsv } from '#tests/sheets.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import { environment } from './buying.ts';

const permit = mintPermit('goods.import', { kind: 'terminal' }, null);
const sizes = ['Small', 'Medium', 'Large'];
const goods = Array.from(
  { length: 60 },
  (_, at): SampleProduct => ({
    handle: `crate-${at}`,
    title: `Crate ${at}`,
    html: '<p>Made of <b>oak</b>.</p>',
    vendor: 'Oak & Ash',
    type: 'Crates',
    tags: 'oak',
    options: ['Size'],
    variants: sizes.map((size, place) => ({
      values: [size],
      sku: `CR-${at}-${size}`,
      price: '12.00',
      units: at + place,
    })),
  }),
);

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, now: Date.now() });
  });

  it('an import goes on in the next process after SIGKILL, and each product is whole or not there', async () => {
    const { importRuns, stock } = testApp.container;
    const send = async () => {
      const { id } = await importRuns.upload(
        permit,
        'crates.csv',
        Readable.from([shopifyCsv('2021', goods)]),
        'en',
      );
      await importRuns.work();
      return id;
    };
    const id = await send();
    await importRuns.apply(permit, id, 'en');

    const shop = await startShop(environment(testApp));
    const begun = async () => (await progress(testApp, id)).done;
    await expect.poll(begun, { interval: 5 }).toBeGreaterThanOrEqual(goods.length / 6);
    shop.child.kill('SIGKILL');
    await shop.end();
    const { state, done } = await progress(testApp, id);
    expect([state, done < goods.length]).toEqual(['running', true]);
    expect(await wholeProducts(testApp)).toBe(done);

    // The time for which it belongs to the dead process has passed.
    await testApp.db.transaction((trx) =>
      trx.updateTable('bulk_changes').set({ owned_until: 0 }).where('id', '=', id).execute(),
    );
    const next = await startShop(environment(testApp));
    await expect.poll(async () => (await progress(testApp, id)).state).toBe('done');
    expect(await next.end('SIGTERM')).toBe(0);
    expect(await wholeProducts(testApp)).toBe(goods.length);
    expect(await stock.history({ sku: 'CR-7-Small', most: 5 })).toMatchObject([
      { kind: 'count', quantity: 7 },
    ]);
    expect(await stock.differences()).toEqual([]);
    expect((await importRuns.read(await send(), 'en')).counts).toMatchObject({
      new: 0,
      changed: 0,
      unchanged: goods.length,
    });
  });
});

function progress({ db }: TestApp, id: string) {
  return db.read
    .selectFrom('bulk_changes')
    .select(['state', 'done'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** How many are there, each with all of its SKUs and their units. */
async function wholeProducts({ container }: TestApp): Promise<number> {
  const stored = await container.catalogueExport.productsOf(
    goods.map(({ handle }) => handle),
    new Set(['warehouse']),
  );
  for (const [id, { skus, brand }] of stored) {
    const at = Number(id.slice('crate-'.length));
    expect(skus.map(({ stock }) => stock.warehouse)).toEqual([at, at + 1, at + 2]);
    expect(brand).toBe('oak-ash');
  }
  return stored.size;
}
