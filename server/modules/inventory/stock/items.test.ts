/** What SKUs are called wherever staff read or count them. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { sellMugInColours } from '#tests/products.ts';
import { askStaff, joinDemo } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const place = 'toronto-queen-west';
const sku = 'MUG-OAT';
const called = { name: { en: 'Mug', zh: '马克杯' }, optionContent: { en: 'Oat', zh: '燕麦' } };

forEachEngine((engine) => {
  let testApp: TestApp;
  let mei: Shopper;
  let jonas: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    [mei, jonas] = [await joinDemo(testApp, 'demo-mei'), await joinDemo(testApp, 'demo-jonas')];
    await sellMugInColours(testApp);
  });

  it('the room Stock and stock-takes name the options of a SKU in every language', async () => {
    const params = { place };
    const { levels } = (await askStaff(testApp, 'stock', { as: mei, params, query: { text: sku } })).body;
    expect(levels.find((level) => level.sku === sku)).toMatchObject(called);
    const ledger = (await askStaff(testApp, 'stockLedger', { as: mei, params: { sku } })).body;
    expect(ledger).toMatchObject({ sku, ...called });
    const { id: take } = (
      await askStaff(testApp, 'startTake', { as: mei, params, body: { key: randomUUID() } })
    ).body;
    const now = testApp.clock.now();
    const counts = [{ id: randomUUID(), code: sku, units: 3, at: now }];
    const sent = (await askStaff(testApp, 'sendCounts', { as: mei, params: { take }, body: { now, counts } }))
      .body;
    expect(sent.found).toMatchObject([{ sku, ...called }]);
    const { items } = (await askStaff(testApp, 'takeItems', { as: mei, params: { take } })).body;
    expect(items.find((item) => item.sku === sku)).toMatchObject(called);
    const { lines } = (await askStaff(testApp, 'takeLines', { as: mei, params: { take } })).body;
    expect(lines).toMatchObject([{ sku, ...called }]);
  });

  it('the value of stock names the options of a SKU in every language, and its file in the one that is read', async () => {
    const today = new Date(testApp.clock.now()).toISOString().slice(0, 10);
    const days = { from: today, to: today };
    const { skus } = (await askStaff(testApp, 'stockValue', { as: jonas, query: days })).body;
    expect(skus.find((each) => each.sku === sku)).toMatchObject(called);
    expect(skus.some(({ optionContent }) => optionContent === null)).toBe(true);
    const file = { as: jonas, body: { ...days, form: 'csv' } };
    const { base64 } = (await askStaff(testApp, 'stockValueFile', { ...file, query: { lang: 'zh' } })).body;
    const row = Buffer.from(base64, 'base64')
      .toString()
      .split(/\r?\n/)
      .find((line) => line.startsWith(sku));
    expect(row?.split(',').slice(0, 3)).toEqual([sku, '马克杯', '燕麦']);
  });

  it('an item that is sold out today is named with its options in the language that is read', async () => {
    const query = { text: sku, lang: 'zh' };
    const { found } = (await askStaff(testApp, 'soldOut', { as: mei, params: { store: place }, query })).body;
    expect(found.find(({ item }) => item === `sku:${sku}`)).toMatchObject({
      name: '马克杯',
      detail: `${sku} · 燕麦`,
    });
  });
});
