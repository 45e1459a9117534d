import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { hourMs, wallClock } from '#server/platform/time-zone.ts';
import {
  type Agent,
  type AgentBody,
  agentOf,
  agentProfile,
  approveAgent,
  buyer,
  destination,
  lines,
  pays,
  shipped,
} from '#tests/agents.ts';
import { issueCoupon } from '#tests/coupons.ts';
import { sellProduct, stockEverywhere } from '#tests/products.ts';
import { createTestApp, onBothEngines, Shopper, type TestApp } from '#tests/test-app.ts';
import { agentOfOrder } from './agents.repository.ts';
import { operations } from './operations.ts';
import { restRoutes } from './routes.ts';

const sku = 'MC-HT-02';
const codes = ({ messages = [] }: { messages?: { code: string }[] }) => messages.map(({ code }) => code);
const sum = (totals: { type: string; amount: number }[]) =>
  totals.reduce((all, { type, amount }) => (type === 'total' ? all : all + amount), 0);
const totalOf = ({ totals }: { totals: { type: string; amount: number }[] }) =>
  totals.find(({ type }) => type === 'total')?.amount;
const orderCount = async ({ db }: TestApp) =>
  (await db.read.selectFrom('orders').select('id').where('placed_at', 'is not', null).execute()).length;

/** Opens a link as a browser does; with `presses`, the button of its page as well. */
async function visit(
  testApp: TestApp,
  url: string,
  shopper: Shopper,
  presses: boolean,
  site = 'same-origin',
) {
  const { pathname, search } = new URL(url);
  const ask = async (method: 'GET' | 'POST', more: Record<string, string> = {}) => {
    const cookie = shopper.cookies.size > 0 ? { cookie: shopper.header } : {};
    const headers = { ...cookie, ...more };
    const answer = await testApp.app.inject({
      method,
      url: pathname + search,
      headers,
      remoteAddress: shopper.address,
    });
    shopper.keep(answer.headers['set-cookie']);
    return answer;
  };
  const shown = await ask('GET');
  if (!presses || shown.statusCode !== 200) return shown;
  return ask('POST', { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site });
}

/** Follows a link to where it leads. */
async function follow(testApp: TestApp, url: string, shopper: Shopper): Promise<string> {
  const answer = await visit(testApp, url, shopper, true);
  expect(answer.statusCode).toBe(303);
  return String(answer.headers.location);
}

onBothEngines((engine) => {
  let testApp: TestApp;
  let agent: Agent;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, connections: 10 });
    agent = await approveAgent(testApp);
  });

  const start = async (more: object = shipped): Promise<AgentBody> => {
    const { status, body } = await agent.ask('POST', '/checkout-sessions', { ...lines([sku, 2]), ...more });
    expect(status).toBe(201);
    return body;
  };

  test('the profile offers what the setting allows, and nothing at all while it is off', async () => {
    const profile = async () => (await testApp.app.inject('/.well-known/ucp')).json();
    const { ucp, keys } = await profile();
    expect(Object.keys(ucp.capabilities)).toContain('dev.ucp.shopping.checkout');
    expect(ucp.payment_handlers).toEqual({ 'localhost.house': [expect.objectContaining({ id: 'house' })] });
    expect(keys).toEqual([expect.objectContaining({ kty: 'EC', crv: 'P-256' })]);
    expect(JSON.stringify(keys)).not.toContain('"d"');
    await testApp.services.settings.update({ agents: 'carts' });
    const names = Object.keys((await profile()).ucp.capabilities);
    expect(names).toContain('dev.ucp.shopping.cart');
    expect(names).not.toContain('dev.ucp.shopping.checkout');
    const refused = await agent.ask('POST', '/checkout-sessions', { ...lines([sku, 1]), ...shipped });
    expect([refused.status, codes(refused.body)]).toEqual([200, ['capabilities_incompatible']]);
    await testApp.services.settings.update({ agents: 'off' });
    expect((await testApp.app.inject('/.well-known/ucp')).statusCode).toBe(404);
    expect((await agent.ask('POST', '/catalog/search', { query: 'mug' })).status).toBe(404);
    await testApp.services.settings.update({ agents: 'all' });
  });

  test('an agent finds products with the prices that the storefront shows', async () => {
    const { body } = await agent.ask('POST', '/catalog/search', { query: 'mug', pagination: { limit: 3 } });
    const { products } = await testApp.call('products', { query: { nameLike: 'mug', numberToLoad: 3 } });
    expect(body.products.map(({ id }) => id)).toEqual(products.map(({ id }) => id));
    expect(body.products.map(({ price_range: range }) => range.min.amount)).toEqual(
      products.map(({ priceInfo }) => priceInfo.price),
    );
    const next = await agent.ask('POST', '/catalog/search', { query: 'mug', pagination: body.pagination });
    expect(next.body.products.map(({ id }) => id)).not.toContain(products[0]?.id);
    const cheap = await agent.ask('POST', '/catalog/search', {
      query: '*',
      filters: { price: { max: 900 } },
    });
    expect(cheap.body.products.length).toBeGreaterThan(0);
    for (const { variants } of cheap.body.products)
      for (const { price } of variants) expect(price.amount).toBeLessThanOrEqual(900);
    expect((await agent.ask('POST', '/catalog/search', {})).status).toBe(400);
  });

  test('a search shows what the merchant changed just before', async () => {
    const search = () => agent.ask('POST', '/catalog/search', { query: 'wagara' });
    const shown = async () =>
      (await search()).body.products.map(({ title, categories, variants }) => [title, categories, variants]);
    const is = (title: string, amount: number, status: string, category: string) => [
      [
        title,
        [{ value: category, taxonomy: 'merchant' }],
        [expect.objectContaining(variant(amount, status))],
      ],
    ];
    const variant = (amount: number, status: string) => ({
      price: { amount, currency: 'CAD' },
      availability: { available: status === 'in_stock', status },
    });
    const { editor, stock } = testApp.services;
    await sellProduct(testApp, 'WAGARA');
    expect(await shown()).toEqual(is('wagara', 3200, 'in_stock', 'Cups'));
    await sellProduct(testApp, 'WAGARA', { name: { en: 'Wagara cup' } });
    expect(await shown()).toEqual(is('Wagara cup', 3200, 'in_stock', 'Cups'));
    await sellProduct(testApp, 'WAGARA', { name: { en: 'Wagara cup' }, priceCents: 2900 });
    expect(await shown()).toEqual(is('Wagara cup', 2900, 'in_stock', 'Cups'));
    const places = Object.keys(await stockEverywhere(testApp, 0));
    await stock.count(places.map((place) => ({ sku: 'WAGARA', place, units: 0 })));
    expect(await shown()).toEqual(is('Wagara cup', 2900, 'out_of_stock', 'Cups'));
    await editor.upsertCategories([
      { id: 'cups', parent: null, name: { en: 'Bowls' }, description: { en: '' }, image: null },
    ]);
    expect(await shown()).toEqual(is('Wagara cup', 2900, 'out_of_stock', 'Bowls'));
  });

  test('a lookup names each product once, with the ids that led to it, and unknown ids are told', async () => {
    const ids = ['lapsang', 'MC-BT-02-100', 'MC-BT-02-100', 'nothing'];
    const { body } = await agent.ask('POST', '/catalog/lookup', { ids });
    expect(body.products).toHaveLength(1);
    const inputs = body.products[0]?.variants.flatMap(({ inputs: each }) => each);
    expect(inputs).toContainEqual({ id: 'MC-BT-02-100', match: 'exact' });
    expect(inputs).toContainEqual({ id: 'lapsang', match: 'featured' });
    expect(body.messages).toEqual([{ type: 'info', code: 'not_found', content: 'nothing' }]);
    const one = await agent.ask('POST', '/catalog/product', { id: 'MC-BT-02-100' });
    expect(one.body.product.variants[0]?.id).toBe('MC-BT-02-100');
    const none = await agent.ask('POST', '/catalog/product', { id: 'nothing' });
    expect([none.status, none.body.ucp.status, codes(none.body)]).toEqual([200, 'error', ['not_found']]);
  });

  test('a cart is the shop’s own: it is replaced as a whole, adds up, and ends when it is cancelled', async () => {
    const { status, body } = await agent.ask(
      'POST',
      '/carts',
      lines([sku, 2], ['MC-BT-02-50', 1], ['no-such', 1]),
    );
    expect([status, codes(body)]).toEqual([201, ['item_unavailable']]);
    expect(body.line_items.map(({ item, quantity }) => [item.id, quantity])).toEqual([
      [sku, 2],
      ['MC-BT-02-50', 1],
    ]);
    expect(totalOf(body)).toBe(sum(body.totals));
    const path = `/carts/${body.id}`;
    const changed = await agent.ask('PUT', path, lines(['MC-BT-02-50', 3]));
    expect(changed.body.line_items).toMatchObject([{ item: { id: 'MC-BT-02-50' }, quantity: 3 }]);
    expect((await agent.ask('GET', path)).body.totals).toEqual(changed.body.totals);
    const other = await approveAgent(testApp, 'https://other.example/profile');
    expect(codes((await other.ask('GET', path)).body)).toEqual(['not_found']);
    expect((await agent.ask('POST', `${path}/cancel`)).body.line_items).toHaveLength(1);
    expect(codes((await agent.ask('GET', path)).body)).toEqual(['not_found']);
  });

  test('the link of a cart fills the cart of whoever follows it, once, and the agent sees nothing of them', async () => {
    const { body: cart } = await agent.ask('POST', '/carts', lines([sku, 2]));
    const { body } = await agent.ask('POST', '/checkout-sessions', {
      cart_id: cart.id,
      line_items: [],
      ...shipped,
    });
    const person = new Shopper('203.0.113.9');
    expect(await follow(testApp, body.continue_url, person)).toBe('/checkout');
    await follow(testApp, body.continue_url, person);
    const own = await testApp.call('myCart', { session: person });
    expect(own.lineItems.map(({ sku: each, quantity }) => [each, quantity])).toEqual([[sku, 2]]);
    expect(own.orderContact?.email ?? '').not.toBe(buyer.email);
    expect(JSON.stringify(own)).not.toContain(destination.street_address);
    await testApp.call('updateCustomerComment', { session: person, body: { value: 'Ring at Zoë’s door' } });
    const seen = JSON.stringify((await agent.ask('GET', `/checkout-sessions/${body.id}`)).body);
    expect(seen).not.toContain('Zoë');
    const same = await agent.ask('POST', '/checkout-sessions', { cart_id: cart.id, line_items: [] });
    expect(same.body.id).toBe(body.id);
  });

  test('a link changes nothing until its visitor presses the button, on the shop’s own page', async () => {
    const { body } = await agent.ask('POST', '/carts', lines([sku, 2]));
    const person = new Shopper('203.0.113.21');
    await testApp.call('addToCart', {
      session: person,
      params: { itemName: 'MC-BT-02-50' },
      body: { quantity: 1 },
    });
    const cart = async () =>
      (await testApp.call('myCart', { session: person })).lineItems.map(({ sku: each, quantity }) => [
        each,
        quantity,
      ]);
    for (const url of [body.continue_url, `http://shop/buy/${sku}:2`]) {
      const page = await visit(testApp, url, person, false);
      expect([page.statusCode, page.headers['content-security-policy']]).toEqual([
        200,
        expect.stringContaining("frame-ancestors 'none'"),
      ]);
      expect(page.body).toContain('The item in your cart stays in it.');
      for (const site of ['cross-site', 'same-site', 'none'])
        expect((await visit(testApp, url, person, true, site)).statusCode).toBe(403);
      expect(await cart()).toEqual([['MC-BT-02-50', 1]]);
      const stranger = new Shopper('203.0.113.22');
      await visit(testApp, url, stranger, false);
      expect(stranger.cookies.size).toBe(0);
    }
    await follow(testApp, body.continue_url, person);
    expect(await cart()).toEqual([
      ['MC-BT-02-50', 1],
      [sku, 2],
    ]);
    await follow(testApp, `http://shop/buy/${sku}:2`, person);
    expect(await cart()).toEqual([
      ['MC-BT-02-50', 1],
      [sku, 2],
    ]);
  });

  test('an order is an agent’s only while it has nothing but what the agent brought', async () => {
    const { body } = await agent.ask('POST', '/carts', lines([sku, 2]));
    const seesOrder = async (person: Shopper) => {
      const { orderID } = await testApp.call('myCart', { session: person });
      return (await agentOfOrder(testApp.db.read, orderID ?? ''))?.profile === agent.profile;
    };
    const empty = new Shopper('203.0.113.23');
    await follow(testApp, body.continue_url, empty);
    expect(await seesOrder(empty)).toBe(true);
    await testApp.call('addToCart', { session: empty, params: { itemName: sku }, body: { quantity: 1 } });
    expect(await seesOrder(empty)).toBe(false);
    const busy = new Shopper('203.0.113.24');
    await testApp.call('addToCart', {
      session: busy,
      params: { itemName: 'MC-BT-02-50' },
      body: { quantity: 1 },
    });
    await follow(testApp, body.continue_url, busy);
    expect(await seesOrder(busy)).toBe(false);
  });

  test('the link of a cart does not name the cart, and other links lead to the visitor’s own', async () => {
    const { body } = await agent.ask('POST', '/carts', lines([sku, 1]));
    const [, key = ''] = body.id.split('_');
    expect(body.continue_url).not.toContain(key);
    const person = new Shopper('203.0.113.25');
    for (const link of [key, 'x'.repeat(43), 'null'])
      expect(await follow(testApp, `http://shop/api/ucp/continue/${link}`, person)).toBe('/cart');
    expect((await testApp.call('myCart', { session: person })).lineItems).toEqual([]);
  });

  test('the link to an order that an agent gets reads it, and cancels, moves and revokes nothing', async () => {
    const { id } = await start();
    const { body } = await agent.ask('POST', `/checkout-sessions/${id}/complete`, pays());
    const token = new URL(body.order.permalink_url).pathname.split('/').at(-1) ?? '';
    expect((await testApp.ask('orderLink', { params: { token } })).status).toBe(200);
    expect((await testApp.ask('orderLinkCancel', { params: { token } })).status).toBe(403);
    expect(
      (await testApp.ask('orderLinkPickup', { params: { token }, body: { pickupDate: 1 } })).status,
    ).toBe(403);
    expect((await testApp.ask('orderLinkRevoke', { params: { token } })).status).toBe(403);
    expect((await testApp.ask('orderLink', { params: { token } })).status).toBe(200);
  });

  test('an agent that publishes keys signs every call, and another one is told nothing of a person', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }];
    const keyed = await approveAgent(testApp, 'https://keyed.example/profile', agentProfile({ keys }));
    for (const { name } of operations) {
      const [method = '', path = ''] = restRoutes[name].split(' ');
      const url = path.replace(':id', 'x');
      const { status, body } = await keyed.ask(method as 'GET', url, method === 'GET' ? undefined : {});
      expect([name, status, body.code]).toEqual([name, 401, 'signature_missing']);
    }
    const open = await start();
    const read = await agent.ask('GET', `/checkout-sessions/${open.id}`);
    for (const said of [open, read.body])
      for (const secret of [
        buyer.email,
        buyer.last_name,
        buyer.phone_number,
        destination.street_address,
        destination.postal_code,
      ])
        expect(JSON.stringify(said)).not.toContain(secret);
  });

  test('calls of agents are limited by what they cost, reads as well', async () => {
    const many = await approveAgent(testApp, 'https://many.example/profile');
    const ids = Array.from({ length: 50 }, (_, index) => `no-such-${index}`);
    const lookUp = () => many.ask('POST', '/catalog/lookup', { ids });
    let status = 200;
    let asked = 0;
    for (; status === 200 && asked < 200; asked += 1) ({ status } = await lookUp());
    expect([status, asked]).toEqual([429, 25 - 1]);
    expect((await many.ask('GET', '/carts/cart_x')).status).toBe(200);
    testApp.clock.advance(2000);
    expect((await lookUp()).status).toBe(200);
    testApp.clock.advance(hourMs);
  });

  test('too many ids of a lookup are refused at their field, by REST and MCP, however often they are sent', async () => {
    const eager = await approveAgent(testApp, 'https://eager.example/profile');
    const ids = Array.from({ length: 2000 }, (_, index) => `no-such-${index}`);
    for (const _ of [1, 2, 3]) {
      const { status, body } = await eager.ask('POST', '/catalog/lookup', { ids });
      const content = expect.stringContaining('50');
      expect([status, body.messages]).toMatchObject([
        400,
        [{ code: 'request_too_large', path: '$.ids', content }],
      ]);
    }
    const { result, error } = await eager.tool('lookup_catalog', { catalog: { ids } });
    expect(JSON.stringify(error ?? result)).toContain('"path":"$.ids"');
    expect((await eager.ask('POST', '/catalog/lookup', { ids: ids.slice(0, 50) })).status).toBe(200);
  });

  test('a checkout lists what it lacks, then is ready, and its completion places one paid order', async () => {
    const open = await start({});
    expect(open.status).toBe('incomplete');
    expect(open.messages.every(({ severity }) => severity === 'recoverable')).toBe(true);
    const path = `/checkout-sessions/${open.id}`;
    const { body: ready } = await agent.ask('PUT', path, { ...lines([sku, 2]), ...shipped });
    expect([ready.status, ready.messages]).toEqual(['ready_for_complete', []]);
    expect(totalOf(ready)).toBe(sum(ready.totals));
    const [option] = ready.fulfillment.methods[0]?.groups[0]?.options ?? [];
    const dayOf = (time = '') => wallClock(Date.parse(time), 'America/Toronto').date;
    const promised = await testApp.call('deliveryPromise');
    expect([dayOf(option?.earliest_fulfillment_time), dayOf(option?.latest_fulfillment_time)]).toEqual([
      promised?.earliest,
      promised?.latest,
    ]);
    const before = await orderCount(testApp);
    const declined = await agent.ask('POST', `${path}/complete`, pays('house_decline'));
    expect([declined.status, declined.body.status, codes(declined.body)]).toEqual([
      200,
      'ready_for_complete',
      ['payment_failed'],
    ]);
    expect(codes((await agent.ask('POST', `${path}/complete`, pays('4242424242424242'))).body)).toEqual([
      'payment_failed',
    ]);
    const { body: done } = await agent.ask('POST', `${path}/complete`, pays());
    expect([done.status, await orderCount(testApp)]).toEqual(['completed', before + 1]);
    expect(totalOf(done)).toBe(totalOf(ready));
    expect(done.continue_url).toBeUndefined();
    expect((await agent.ask('PUT', path, { ...lines([sku, 1]), ...shipped })).status).toBe(409);
    const { body: order } = await agent.ask('GET', `/orders/${done.order.id}`);
    expect(order).toMatchObject({
      checkout_id: open.id,
      totals: done.totals,
      line_items: [{ status: 'processing' }],
    });
    for (const secret of [buyer.email, buyer.last_name, '12 Queen'])
      expect(JSON.stringify(order)).not.toContain(secret);
    expect(await agentOfOrder(testApp.db.read, done.order.id)).toMatchObject({ profile: agent.profile });
    const other = await approveAgent(testApp, 'https://other.example/profile');
    expect(codes((await other.ask('GET', `/orders/${done.order.id}`)).body)).toEqual(['not_found']);
    expect((await testApp.app.inject(new URL(done.order.permalink_url).pathname)).statusCode).toBeLessThan(
      500,
    );
  });

  test('a pickup is chosen by store and time, and placed with the time that was chosen', async () => {
    const at = (more: object) => ({ buyer, fulfillment: { methods: [{ type: 'pickup', ...more }] } });
    const { fulfillment } = await start(at({}));
    const [store] = fulfillment.methods[0]?.destinations ?? [];
    const chosen = await start(at({ selected_destination_id: store?.id }));
    const options = chosen.fulfillment.methods[0]?.groups[0]?.options ?? [];
    const slot = options.find(({ title }) => title.includes('3:40')) ?? options[2];
    if (!slot) throw new Error('No time is free');
    const groups = [{ selected_option_id: slot.id }];
    const ready = await start(at({ selected_destination_id: store?.id, groups }));
    expect([ready.status, codes(ready)]).toEqual(['ready_for_complete', []]);
    const { body } = await agent.ask('POST', `/checkout-sessions/${ready.id}/complete`, pays());
    const { body: order } = await agent.ask('GET', `/orders/${body.order.id}`);
    expect(order.fulfillment.expectations).toMatchObject([
      { method_type: 'pickup', fulfillable_on: slot.earliest_fulfillment_time },
    ]);
  });

  test('a question of the bank is escalated to the shop’s own checkout', async () => {
    const { id } = await start();
    const { body } = await agent.ask('POST', `/checkout-sessions/${id}/complete`, pays('house_challenge'));
    expect([body.status, codes(body)]).toEqual(['requires_escalation', ['requires_3ds']]);
    const person = new Shopper('203.0.113.10');
    expect(await follow(testApp, body.continue_url, person)).toBe('/checkout');
    expect((await testApp.call('myCart', { session: person })).lineItems).toHaveLength(1);
  });

  test('a code is applied or told, and the totals still add up, with free shipping as well', async () => {
    const { discounts, totals } = await start({ ...shipped, discounts: { codes: ['welcome10'] } });
    expect(discounts.applied).toMatchObject([{ code: 'welcome10' }]);
    expect(totals).toContainEqual({
      type: 'discount',
      display_text: 'Discount',
      amount: -(discounts.applied[0]?.amount ?? 0),
    });
    expect(totalOf({ totals })).toBe(sum(totals));
    const code = await issueCoupon(testApp, { kind: 'freeShipping' });
    const [plain, free] = [await start(), await start({ ...shipped, discounts: { codes: [code] } })];
    const saved = plain.totals.find(({ type }) => type === 'fulfillment');
    expect(saved?.amount).toBeGreaterThan(0);
    expect(free.totals).toContainEqual(saved);
    expect(free.totals).toContainEqual(
      expect.objectContaining({ type: 'discount', amount: -(saved?.amount ?? 0) }),
    );
    expect(totalOf(free)).toBe(sum(free.totals));
    const wrong = await start({ ...shipped, discounts: { codes: ['NOPE'] } });
    expect([wrong.discounts.applied, codes(wrong)]).toEqual([[], ['discount_code_invalid']]);
  });

  test('a key is answered once: again with the same answer, and with 409 for another request', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await agent.ask('POST', '/carts', lines([sku, 1]), key);
    const again = await Promise.all(
      Array.from({ length: 20 }, () => agent.ask('POST', '/carts', lines([sku, 1]), key)),
    );
    for (const answer of again) expect([answer.status, answer.body]).toEqual([201, first.body]);
    expect((await agent.ask('POST', '/carts', lines([sku, 2]), key)).status).toBe(409);
    testApp.clock.advance(25 * hourMs);
    expect((await agent.ask('POST', '/carts', lines([sku, 1]), key)).body.id).toBe(first.body.id);
  });

  test('completions that race, by one key and by many, place one order', async () => {
    const { id } = await start();
    const before = await orderCount(testApp);
    const one = { 'idempotency-key': randomUUID() };
    const race = Array.from({ length: 24 }, (_, index) =>
      agent.ask('POST', `/checkout-sessions/${id}/complete`, pays(), index % 2 ? one : {}),
    );
    const answers = await Promise.all(race);
    const orders = answers.flatMap(({ body }) => body.order?.id ?? []);
    expect(orders.length).toBeGreaterThan(0);
    expect([new Set(orders).size, await orderCount(testApp)]).toEqual([1, before + 1]);
    expect((await agent.ask('POST', `/checkout-sessions/${id}/complete`, pays())).body.order.id).toBe(
      orders[0],
    );
  });

  test('a request whose process died is answered by the next that repeats it', async () => {
    const key = randomUUID();
    const { body } = await agent.ask('POST', '/carts', lines([sku, 1]), { 'idempotency-key': key });
    const died = { status: null, answer: null, claimed_until: testApp.clock.now() - 1 };
    await testApp.db.transaction((trx) =>
      trx.updateTable('agent_requests').set(died).where('key', '=', key).execute(),
    );
    const again = await agent.ask('POST', '/carts', lines([sku, 1]), { 'idempotency-key': key });
    expect([again.status, again.body.line_items.length]).toEqual([201, 1]);
    expect(again.body.id).not.toBe(body.id);
  });

  test('MCP serves the same operations with the same answers', async () => {
    const rpc = async (method: string, params: object = {}) => {
      const payload = { jsonrpc: '2.0', id: 7, method, params };
      return (await testApp.app.inject({ method: 'POST', url: '/api/ucp/mcp', payload })).json();
    };
    expect((await rpc('initialize', { protocolVersion: '2025-06-18' })).result.protocolVersion).toBe(
      '2025-06-18',
    );
    const { tools } = (await rpc('tools/list')).result;
    expect(tools.map(({ name }: { name: string }) => name)).toContain('complete_checkout');
    expect((await rpc('none')).error.code).toBe(-32601);
    const alone = async (method: string, more: object = {}, headers: Record<string, string> = {}) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const payload = { jsonrpc: '2.0', id: 8, method, params: { _meta, ...more } };
      const own = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...headers };
      const answer = await testApp.app.inject({ method: 'POST', url: '/api/ucp/mcp', payload, headers: own });
      return [answer.statusCode, answer.json().error?.code ?? answer.json().result.resultType];
    };
    expect(await alone('server/discover')).toEqual([200, 'complete']);
    expect(await alone('tools/list')).toEqual([200, 'complete']);
    expect(await alone('initialize')).toEqual([404, -32601]);
    expect(await alone('tools/list', { _meta: {} })).toEqual([400, -32602]);
    expect(await alone('tools/list', {}, { 'mcp-protocol-version': '2025-11-25' })).toEqual([400, -32020]);
    expect(await alone('tools/call', { name: 'get_cart' }, { 'mcp-name': 'get_order' })).toEqual([
      400, -32020,
    ]);
    expect(await alone('tools/list', {}, { origin: 'https://evil.example', host: 'evil.example' })).toEqual([
      403, -32000,
    ]);
    const searched = await agent.tool('search_catalog', { catalog: { query: 'mug' } });
    const { body } = await agent.ask('POST', '/catalog/search', { query: 'mug' });
    expect(searched.result.structuredContent).toEqual(body);
    const made = await agent.tool('create_checkout', { checkout: { ...lines([sku, 1]), ...shipped } });
    const { id, status } = made.result.structuredContent;
    expect(status).toBe('ready_for_complete');
    const done = await agent.tool('complete_checkout', { id, checkout: pays() });
    expect(done.result.structuredContent.status).toBe('completed');
    expect(
      (await agentOf(testApp, '').tool('search_catalog', { catalog: { query: 'mug' } })).error,
    ).toMatchObject({
      code: -32001,
      data: { code: 'invalid_profile_url' },
    });
  });

  test('a link to buy below the address of a language opens in that language', async () => {
    const [address = '', opened = ''] = [
      `/zh/buy/${sku}:2?continue_to=/checkout`,
      `/buy/${sku}:2?lang=zh&continue_to=/checkout`,
    ];
    const answer = await testApp.app.inject({ url: address });
    expect([answer.statusCode, answer.headers.location]).toEqual([302, opened]);
    expect((await testApp.app.inject({ url: opened })).body).toContain('<html lang="zh');
  });

  test('links are opened as often as a person does; then a page says when they open again', async () => {
    const ids = await testApp.db.read
      .selectFrom('skus')
      .select('id')
      .where('id', 'not like', '% %')
      .limit(100)
      .execute();
    const url = `/buy/${ids.map(({ id }) => `~${Buffer.from(id).toString('base64url')}`).join(',')}?lang=zh`;
    const open = (remoteAddress: string) => testApp.app.inject({ url, remoteAddress });
    const answers = [];
    for (let n = 0; n < 20; n++) answers.push(await open('203.0.113.71'));
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect([answers[0]?.statusCode, answers.length - refused.length]).toEqual([200, expect.closeTo(15, 0)]);
    expect(refused.at(-1)?.body).toMatch(/<html lang="zh[\s\S]*尝试次数过多/);
    expect(Number(refused.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await open('203.0.113.72')).statusCode).toBe(200);
    testApp.clock.advance(60_000);
    expect((await open('203.0.113.71')).statusCode).toBe(200);
  });

  test('a link to buy fills the visitor’s cart and places nothing', async () => {
    const person = new Shopper('203.0.113.11');
    const before = await orderCount(testApp);
    expect(await follow(testApp, `http://shop/buy/${sku}:2,MC-BT-02-50?continue_to=/checkout`, person)).toBe(
      '/checkout',
    );
    await follow(testApp, `http://shop/buy/~${Buffer.from(sku).toString('base64url')}:2`, person);
    for (const elsewhere of [
      'https://evil.example',
      '//evil.example',
      '/.//evil.example',
      '/\\evil.example',
      '/checkout&continue_to=/',
    ])
      expect(await follow(testApp, `http://shop/buy?continue_to=${elsewhere}`, person)).toBe('/cart');
    const { lineItems } = await testApp.call('myCart', { session: person });
    expect(lineItems.map(({ sku: each, quantity }) => [each, quantity])).toEqual([
      [sku, 2],
      ['MC-BT-02-50', 1],
    ]);
    expect(await orderCount(testApp)).toBe(before);
  });

  test('a blocked agent is not served, and the journal says who blocked it', async () => {
    const blocked = await approveAgent(testApp, 'https://blocked.example/profile');
    const by = { kind: 'terminal' } as const;
    await testApp.container.changes.run(by, 'agents block', (change) =>
      testApp.container.agentsDesk.block(change, blocked.id, true),
    );
    testApp.clock.advance(10_000);
    const { status, body } = await blocked.ask('POST', '/catalog/search', { query: 'mug' });
    expect([status, body.code]).toEqual([403, 'profile_not_trusted']);
    const [entry] = await testApp.container.changes.journal({ most: 1 });
    expect(entry).toMatchObject({ actor: by, kind: 'agent', id: blocked.id });
  });

  test('calls and orders of agents are counted for the merchant', async () => {
    const agents = await testApp.container.agents();
    await agents.flush();
    const report = (await testApp.container.agentsDesk.list()).find(({ id }) => id === agent.id);
    expect(report?.orders).toMatchObject([{ currency: 'CAD' }]);
    expect(report?.calls).toContainEqual(
      expect.objectContaining({ operation: 'complete_checkout', problem: 'payment_failed' }),
    );
  });
});
