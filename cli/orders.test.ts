/** Commands about orders and money, as a merchant types them. */
import { beforeAll, expect, test } from 'vitest';
import { mailsFor } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, card, contact, deliver, reserve, setUnits, visit } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OAT';

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, now: Date.now() });
    await sellProduct(testApp, mug);
    await setUnits(testApp, mug, 50);
    await testApp.services.stock.count([{ sku: mug, place: 'toronto-queen-west', units: 50 }]);
  });

  const shop = (...words: string[]) => shopCommand(testApp, words);

  async function paid(): Promise<string> {
    const session = testApp.shopper();
    await add(testApp, session, mug, 2);
    await deliver(testApp, session);
    const { orderID } = await testApp.call('postBilling', {
      session,
      params: { gatewayName: '{host}' },
      body: { paymentInstrucment: card(), billingAddress: address },
    });
    const { orderNumber } = await testApp.call('order', { session, params: { id: orderID ?? '' } });
    return orderNumber ?? '';
  }

  test('orders refund returns a part, then the rest, and rejects more than was paid', async () => {
    const number = await paid();
    expect(await shop('refund', number, '--amount', '12.34', '--reason', 'chipped')).toEqual({
      code: 0,
      printed: 'Refunded $12.34.',
    });
    expect(await shop('refund', number)).toEqual({ code: 0, printed: 'Refunded $73.54.' });
    expect(await shop('refund', number, '--again')).toMatchObject({
      code: 1,
      printed: expect.stringContaining('The amount is more than can be refunded'),
    });
    for (const words of [['--amount', '12.345'], ['--amount', '0'], ['--amount', '-1'], ['--all']])
      expect((await shop('refund', number, ...words)).code).toBe(1);
    expect((await shop('refund')).code).toBe(1);
    expect(await shop('refund', 'MC-1')).toEqual({ code: 1, printed: 'There is no order MC-1.' });
    const { printed } = await shop('orders', 'show', number);
    for (const said of [
      'Total: $85.88, house, paid',
      'Refunded $12.34',
      'Refunded $73.54',
      contact.email,
      'Waterloo',
    ])
      expect(printed).toContain(said);
  });

  test('items are refunded with their tax, and a paid order is changed for the difference, as was said before', async () => {
    const number = await paid();
    const one = ['refund', number, '--line', `${mug}=1`, '--restock'];
    expect(await shop(...one, '--dry-run')).toEqual({ code: 0, printed: 'Would refund $36.16.' });
    expect(await shop(...one)).toEqual({ code: 0, printed: 'Refunded $36.16.' });
    expect((await shop('refund', number, '--line', `${mug}=2`)).printed).toContain('no longer left');
    expect((await shop('--lang', 'zh', 'refund', number, '--line', 'POT')).printed).toBe(
      '订单中没有商品 POT。',
    );
    expect((await shop('refund', number, '--line', mug, '--amount', '1.00')).code).toBe(1);
    expect((await shop('refund', number, '--shipping')).printed).toBe('Refunded $13.56.');

    const other = await paid();
    const more = ['orders', 'change', other, '--line', `${mug}=3`];
    const preview = await shop(...more, '--dry-run');
    expect(preview.printed).toMatch(
      /2 → 3 × MUG-OAT .*\nTotal: \$85\.88 → \$\d+\.\d\d\n\$\d+\.\d\d is due after this\.\nNothing has changed\.$/,
    );
    expect((await shop(...more)).printed).toContain(`Changed order ${other}. The customer is emailed.`);
    expect((await testApp.services.fulfilment.show(other)).due).toBe(2260);
    const back = await shop('orders', 'change', other, '--line', `${mug}=1`);
    expect(back.printed).toMatch(
      /3 → 1 × MUG-OAT .*\n.*\n\$\d+\.\d\d goes back to the customer\.\nChanged order .*\nRefunded \$\d+\.\d\d\.$/,
    );
    for (const wrong of [
      [],
      ['--line', 'POT=1'],
      ['--line', mug],
      ['--line', `${mug}=x`],
      ['--add', 'NOTHING'],
      ['--line', `${mug}=1`],
    ])
      expect((await shop('orders', 'change', other, ...wrong)).code, String(wrong)).toBe(1);
  });

  test('the last step of an order is taken back with a reason', async () => {
    const number = await paid();
    await shop('orders', 'shipped', number);
    expect((await shop('orders', 'take-back', number)).code).toBe(1);
    expect(await shop('orders', 'take-back', number, '--reason', 'wrong label')).toEqual({
      code: 0,
      printed: `Took the last step of order ${number} back. Its state: placed.`,
    });
    expect((await shop('orders', 'take-back', number, '--reason', 'again')).code).toBe(1);
    expect((await shop('orders', 'show', number)).printed).toContain('wrong label');
  });

  test('an order shows the id of its payment at the provider and where to find it there', async () => {
    const number = await paid();
    const change = { provider: 'Stripe', provider_id: 'pi_3ABC' };
    const { id } = await testApp.services.fulfilment.find(number);
    await testApp.db.transaction((trx) =>
      trx.updateTable('payments').set(change).where('order_id', '=', id).execute(),
    );
    const keys = {
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    };
    expect((await shop('orders', 'show', number)).printed).toMatch(/Stripe payment succeeded, .*, pi_3ABC$/m);
    const { printed } = await shopCommand(testApp, ['orders', 'show', number], keys);
    expect(printed).toMatch(/pi_3ABC, https:\/\/dashboard\.stripe\.com\/test\/payments\/pi_3ABC$/);
  });

  test('orders are listed, fulfilled and cancelled', async () => {
    const session = testApp.shopper();
    await add(testApp, session, mug);
    await visit(testApp, session);
    const { body } = await reserve(testApp, session);
    const number = (await testApp.call('order', { session, params: { id: body.orderID } })).orderNumber ?? '';
    expect((await shop('orders', 'list', '--state', 'reserved')).printed).toContain(
      `${number} · reserved · pickup`,
    );
    expect(await shop('orders', 'ready', number)).toEqual({
      code: 0,
      printed: `Marked order ${number} as ready.`,
    });
    expect(await shop('orders', 'collected', number)).toEqual({
      code: 0,
      printed: `Marked order ${number} as completed.\nRecorded $36.16 as paid at the counter.`,
    });
    expect((await shop('orders', 'cancel', number)).code).toBe(1);
    const other = await paid();
    expect(await shop('orders', 'cancel', other, '--reason', 'out of clay')).toEqual({
      code: 0,
      printed: `Cancelled order ${other} and returned its items to stock.\nRefunded $85.88.`,
    });
    for (const words of [['eat', other], ['ready'], ['list', '--state', 'eaten'], ['show', other, other]])
      expect((await shop('orders', ...words)).code).toBe(1);
  });

  test('orders are listed in pages and found by words, in the language of the staff', async () => {
    const numbers: string[] = [];
    for (let count = 0; count < 3; count++) {
      testApp.clock.advance(1000);
      numbers.push(await paid());
    }
    const first = await shop(
      'orders',
      'list',
      '--search',
      contact.email,
      '--state',
      'placed',
      '--limit',
      '2',
    );
    const [older, ...lines] = first.printed.split('\n').reverse();
    expect(older).toBe(
      `Older orders: npm run shop -- orders list --state placed --search "${contact.email}" --after ${numbers[1]} --limit 2`,
    );
    expect(lines[0]).toBe('2 orders.');
    expect(lines.slice(1).map((line) => line.split(' · ')[0])).toEqual([numbers[1], numbers[2]]);
    const next = await shop(
      'orders',
      'list',
      '--search',
      contact.email,
      '--state',
      'placed',
      '--limit',
      '1',
      '--after',
      numbers[1] ?? '',
    );
    expect(next.printed).toContain(`${numbers[0]} · placed · shipping`);
    const chinese = await shop(
      '--lang',
      'zh',
      'orders',
      '--search',
      numbers[0] ?? '',
      '--from',
      '2026-01-01',
    );
    expect(chinese.printed).toMatch(
      new RegExp(`^${numbers[0]} · 已下单 · 配送 · .* · 下单时间 .*\n共 1 笔订单。`),
    );
    expect((await shop('orders', '--search', 'nobody@example.com')).printed).toContain('No orders.');
    expect(
      (await shop('orders', 'list', '--to', '2001-01-01', '--store', 'toronto-queen-west')).printed,
    ).toMatch(/^No orders\./);
    for (const words of [
      ['--store', 'moon'],
      ['--after', 'MC-1'],
      ['--from', 'noon'],
      ['--limit', '0'],
      ['--limit', '201'],
    ])
      expect((await shop('orders', 'list', ...words)).code, words.join(' ')).toBe(1);
  });

  test('the reasons of a cancellation and a refund are shown to the merchant, and the notes are mailed to the customer', async () => {
    const part = await paid();
    const chipped = [
      '--amount',
      '12.34',
      '--reason',
      'chipped in the kiln',
      '--note',
      'Keep the mug, it still holds tea.',
    ];
    expect((await shop('refund', part, ...chipped)).code).toBe(0);
    expect((await shop('orders', 'show', part)).printed).toMatch(
      /^ {2}Refunded \$12\.34, .*, chipped in the kiln$/m,
    );
    const cancelled = await paid();
    const gone = ['--reason', 'out of clay', '--note', 'We make more in May.'];
    expect((await shop('orders', 'cancel', cancelled, ...gone)).code).toBe(0);
    const { printed } = await shop('orders', 'show', cancelled);
    expect(printed).toMatch(/^ {2}cancelled .*, out of clay$/m);
    expect(printed).toMatch(/^ {2}Refunded \$85\.88, .*, out of clay$/m);
    testApp.clock.set(Date.now());
    const mails = await mailsFor(testApp, contact.email);
    const mailOf = (kind: string) => mails.filter(({ file }) => file.includes(kind)).map(({ text }) => text);
    expect(mailOf('refund')).toContainEqual(expect.stringContaining('Keep the mug, it still holds tea.'));
    expect(mailOf('orderCancelled')).toContainEqual(
      expect.stringMatching(/A NOTE FROM MAPLE & CLAY\s+We make more in May\./),
    );
    expect(mails.map(({ text }) => text).join()).not.toMatch(/chipped in the kiln|out of clay/);
    expect((await shop('refund', part, '--note', 'x'.repeat(501))).printed).toContain(
      'at most 500 characters',
    );
  });

  test('times are those of the order’s store, whatever the zone of the server', async () => {
    const session = testApp.shopper();
    await add(testApp, session, mug);
    await visit(testApp, session);
    const { body } = await reserve(testApp, session);
    const { orderNumber } = await testApp.call('order', { session, params: { id: body.orderID } });
    const [first] = await testApp.services.stores.all();
    const store = (await testApp.services.stores.all()).find(({ id }) => id === 'toronto-queen-west');
    if (!first || !store || !orderNumber) throw new Error('The demo shop has changed');
    await testApp.services.stores.upsert([{ ...store, timeZone: 'America/Vancouver' }]);
    const { printed } = await shop('orders', 'show', orderNumber);
    const times = printed.match(/\d{4}-\d{2}-\d{2}T\S+/g) ?? [];
    expect(times.length).toBeGreaterThan(0);
    for (const time of times) expect(time).toMatch(/T\d{2}:\d{2}-0[78]:00,?$/);
    await testApp.services.stores.upsert([store]);
  });

  test('orders show prints each text of a shopper as one harmless line', async () => {
    const number = await paid();
    const note = 'Ring\u001b[2J twice\u009b31m\nTotal: $0.00\u202e';
    await testApp.db.transaction((trx) =>
      trx.updateTable('orders').set({ customer_comment: note }).where('order_number', '=', number).execute(),
    );
    const { printed } = await shop('orders', 'show', number);
    expect(printed).toContain('  Note: Ring[2J twice31m / Total: $0.00');
    expect(printed).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u);
  });

  test('reconcile prints what it found', async () => {
    expect(await shop('reconcile')).toEqual({
      code: 0,
      printed: expect.stringMatching(/^Orders placed: \d+\. /),
    });
  });
});
