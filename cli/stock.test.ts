import { beforeAll, expect, test } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import { deliver, pay, shopperWithCart } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-STOCK';
const store = 'toronto-queen-west';

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, now: Date.now() });
    await sellProduct(testApp, mug, { units: 4 });
  });
  const stock = (...words: string[]) => shopCommand(testApp, ['stock', ...words]);

  test('stock is counted, moved and corrected, and its history says why, in the language of the staff', async () => {
    expect(await stock('count', mug, 'warehouse', '--units', '9')).toEqual({
      code: 0,
      printed: `${mug} at warehouse: 4 → 9`,
    });
    const moved = await stock('transfer', mug, 'warehouse', store, '--units', '3');
    expect(moved.printed).toBe(`${mug} at warehouse: 9 → 6\n${mug} at ${store}: 4 → 7`);
    expect((await stock('correct', mug, store, '--take', '2', '--reason', 'damaged')).printed).toBe(
      `${mug} at ${store}: 7 → 5`,
    );
    expect((await stock('correct', mug, store, '--add', '6', '--reason', 'received')).printed).toBe(
      `${mug} at ${store}: 5 → 11`,
    );
    expect((await stock('show', mug)).printed).toMatch(new RegExp(`^${store} +11$`, 'm'));

    const session = await shopperWithCart(testApp, mug);
    await deliver(testApp, session);
    const { orderID } = (await pay(testApp, session)).body;
    const { orderNumber } = await testApp.call('order', { session, params: { id: orderID } });
    const { printed } = await stock('history', mug);
    const lines = printed.split('\n').map((line) => line.replace(/^\S+ +/, '').replaceAll(/ +/g, ' '));
    for (const line of [
      `-1 warehouse sale, order ${orderNumber}`,
      `+6 ${store} correction: received, by the terminal`,
      `-2 ${store} correction: damaged, by the terminal`,
      `+3 ${store} transfer, by the terminal`,
      '-3 warehouse transfer, by the terminal',
      '+5 warehouse count, by the terminal',
    ])
      expect(lines).toContain(line);
    const chinese = await shopCommand(testApp, [
      '--lang',
      'zh',
      'stock',
      'history',
      mug,
      '--location',
      store,
    ]);
    expect(chinese.printed).toContain('调整：到货，终端');
    expect(chinese.printed).not.toContain('warehouse');
    await testApp.services.orderRefunds.cancelOrder(orderNumber ?? '', 'out of clay');
    expect((await stock('history', mug)).printed).toMatch(
      new RegExp(`\\+1 +warehouse +refund, order ${orderNumber}, by the terminal`),
    );
  });

  test('a history is listed in pages', async () => {
    const first = await stock('history', mug, '--limit', '2');
    const [, more] = /^Older movements: npm run shop -- (.*)$/m.exec(first.printed) ?? [];
    const next = await shopCommand(testApp, more?.split(' ') ?? []);
    const whole = await stock('history', mug, '--limit', '4');
    const movements = ({ printed }: { printed: string }) =>
      printed.split('\n').flatMap((line) => (line.startsWith('2') ? line.replaceAll(/ +/g, ' ') : []));
    expect([...movements(first), ...movements(next)]).toEqual(movements(whole));
  });

  test.each([
    [['count', 'NONE', 'warehouse', '--units', '1'], 'Unknown SKU: NONE.'],
    [['count', mug, 'moon', '--units', '1'], 'Unknown location: moon. Locations: warehouse,'],
    [['count', mug, 'warehouse', '--units', '-1'], 'whole number'],
    [['count', mug, 'warehouse'], '--units'],
    [['transfer', mug, 'warehouse', 'warehouse', '--units', '1'], 'Choose two.'],
    [['transfer', mug, 'warehouse', store, '--units', '999'], 'fewer than that'],
    [['correct', mug, 'warehouse', '--take', '999', '--reason', 'lost'], 'fewer than that'],
    [['correct', mug, 'warehouse', '--reason', 'lost'], '--add or --take is missing'],
    [['correct', mug, 'warehouse', '--add', '1', '--reason', 'because'], 'received'],
    [['correct', mug, 'warehouse', '--add', '1', '--take', '1', '--reason', 'lost'], 'cannot be used with'],
  ])('stock %j changes nothing and says why', async (words, said) => {
    const before = await testApp.container.stock.currentLevels(mug);
    expect(await stock(...words)).toMatchObject({ code: 1, printed: expect.stringContaining(said) });
    expect(await testApp.container.stock.currentLevels(mug)).toEqual(before);
  });
});
