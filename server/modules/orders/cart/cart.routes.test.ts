import { beforeAll, expect, it } from 'vitest';
import { cartForm, limits } from '#contract/limits.ts';
import { requestOf } from '#contract/transport.ts';
import { plainGroup, plainModifier } from '#tests/modifiers.ts';
import { sellProduct } from '#tests/products.ts';
import { createTestApp, forEachEngine, Shopper, type TestApp } from '#tests/test-app.ts';

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await testApp.services.editor.upsertModifierGroups([
      plainGroup('heat', [plainModifier('hot'), plainModifier('iced', { default: 1, opens: ['cubes'] })], {
        min: 1,
      }),
      plainGroup('cubes', [plainModifier('regular', { default: 1 }), plainModifier('less')], { min: 1 }),
      plainGroup(
        'extras',
        [plainModifier('pearls', { priceCents: 75 }), plainModifier('jelly', { priceCents: 60 })],
        {
          max: 3,
          quantities: true,
        },
      ),
    ]);
    const modifierGroups = [{ group: 'heat' }, { group: 'extras' }];
    await sellProduct(testApp, 'TEA', { priceCents: 600, modifierGroups });
  });

  const chosen = {
    sku: 'TEA',
    product: 'tea',
    quantity: '2',
    note: 'no straw',
    'modifiers/heat': 'iced',
    'modifiers/heat/iced/cubes': 'less',
    'modifiers/heat/hot/cubes': 'regular',
    'modifiers/extras/pearls': '2',
    'modifiers/extras/jelly': '0',
  };
  const send = (
    form: Record<string, string>,
    headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ) =>
    testApp.app.inject({
      method: 'POST',
      url: `${cartForm}?lang=zh`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(form).toString(),
    });
  const cartOf = async (cookie: string) => {
    const answer = await testApp.app.inject({ url: requestOf('myCart', {}, 'en').url, headers: { cookie } });
    return answer.json();
  };

  it('a form without scripts puts a product in the cart as it was chosen, and leads to the cart', async () => {
    const answer = await send(chosen);
    expect([answer.statusCode, answer.headers.location], answer.body).toEqual([303, '/zh/cart']);
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    const { lineItems } = await cartOf(cookie);
    expect(lineItems).toMatchObject([{ sku: 'TEA', quantity: 2, unitPrice: 750, note: 'no straw' }]);
    expect(lineItems[0].modifiers).toMatchObject([
      { group: 'heat', modifier: 'iced', modifiers: [{ group: 'cubes', modifier: 'less' }] },
      { group: 'extras', modifier: 'pearls', quantity: 2, amount: 150 },
    ]);
  });

  it('a cart of a hundred lines is read and changed as often as a person does, and another network’s as ever', async () => {
    const shopper = new Shopper('203.0.113.61');
    for (let n = 0; n < limits.cartLinesMax; n++) {
      const body = {
        quantity: 1,
        note: `cup ${n}`,
        modifiers: [{ group: 'heat', modifier: 'hot', quantity: 1, modifiers: [] }],
      };
      await testApp.call('addToCart', { session: shopper, params: { itemName: 'TEA' }, body });
      testApp.clock.advance(1000);
    }
    testApp.clock.advance(60_000);
    const read = (lang: 'en' | 'zh') => testApp.ask('myCart', { session: shopper, lang });
    let answered = 0;
    for (; answered < 500 && (await read('en')).status === 200; answered++);
    expect(answered).toBeGreaterThan(50);
    expect(answered).toBeLessThan(200);
    const refused = await read('zh');
    expect([refused.status, refused.body]).toMatchObject([
      429,
      { message: expect.stringContaining('尝试次数过多') },
    ]);
    const body = { quantity: 2 };
    const change = () =>
      testApp.ask('updateCartItem', { session: shopper, params: { itemName: 'TEA' }, body });
    expect((await change()).status).toBe(429);
    // Whoever pays is not stopped.
    expect((await testApp.ask('reserve', { session: shopper, body: {} })).status).not.toBe(429);
    expect((await testApp.ask('myCart', { session: new Shopper('203.0.113.62') })).status).toBe(200);
    testApp.clock.advance(5000);
    expect((await read('en')).status).toBe(200);
  });

  it('a form that lacks a choice is answered with the sentence and the way back, and starts no cart', async () => {
    const { 'modifiers/heat': _, ...without } = chosen;
    const answer = await send(without);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.body).toContain('请选择heat');
    expect(answer.body).toContain('<a href="/zh/product/tea">');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }],
    ['another site, by a browser that does not say so', { origin: 'https://elsewhere.example' }],
    ['nowhere', {}],
  ])('a form from %s is rejected', async (_, headers: Record<string, string>) => {
    expect((await send(chosen, headers)).statusCode).toBe(403);
  });

  it('names that a form repeats at each depth are read once each', async () => {
    const levels = Array.from({ length: 12 }, (_, depth) => `modifiers${'/a'.repeat(2 * depth + 2)}`);
    const names = levels.flatMap((name) => Array.from({ length: 10 }, () => `${name}=1`));
    const answer = await testApp.app.inject({
      method: 'POST',
      url: cartForm,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      payload: ['sku=TEA&quantity=1', ...names].join('&'),
    });
    expect(answer.statusCode).toBe(400);
  });

  it('a form with a value that no page sends is rejected as a call is', async () => {
    const odd = [
      { sku: '' },
      { quantity: 'many' },
      { 'modifiers/extras/pearls': '1e9' },
      { note: 'x'.repeat(1001) },
    ];
    for (const field of odd) {
      const answer = await send({ ...chosen, ...field } as Record<string, string>);
      expect([field, answer.statusCode]).toEqual([field, 400]);
    }
    expect((await send({ ...chosen, note: 'x'.repeat(20_000) })).statusCode).toBe(413);
  });
});
