/** Drafts of the protocol: stores and food. Each situation is one that an example of the draft shows. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Agent, type AgentBody, approveAgent, buyer, destination, pays } from '#tests/agents.ts';
import { plainGroup, plainModifier } from '#tests/modifiers.ts';
import { sellProduct } from '#tests/products.ts';
import { createTestApp, type TestApp } from '#tests/test-app.ts';
import { metresBetween } from './locations.ts';

const store = 'toronto-queen-west';
const latte = 'MC-DR-03';
const codes = ({ messages = [] }: { messages?: { code: string; path?: string }[] }) =>
  messages.map(({ code }) => code);
const placeOf = ({ messages = [] }: { messages?: { code: string; path?: string }[] }, code: string) =>
  messages.find((each) => each.code === code)?.path;

let testApp: TestApp;
let agent: Agent;
/** Thursday noon in Toronto. */
const noon = Date.parse('2026-03-12T16:00:00Z');

beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true });
  testApp.clock.advance(noon - testApp.clock.now());
  agent = await approveAgent(testApp);
});

describe('stores for agents', () => {
  const find = async (body: object) =>
    (await agent.ask('POST', '/locations/search', body)).body.locations.map(({ id }) => id);

  test('stores are found by distance, reach, hours and stock, each of which has to hold', async () => {
    const center = { latitude: 43.6469, longitude: -79.4057 };
    expect(await find({})).toContain(store);
    expect(await find({ distance: { center, max: 0 } })).toEqual([store]);
    expect(await find({ serves: { address: { postal_code: 'M6J 1E4', address_country: 'CA' } } })).toEqual([
      store,
    ]);
    expect(await find({ serves: { point: { latitude: 43.645, longitude: -79.41 } } })).toEqual([store]);
    expect(
      await find({ distance: { center, max: 1000 }, serves: { address: { postal_code: 'V5K' } } }),
    ).toEqual([]);
    const hours = (at: string) => find({ query: 'Queen', filters: { hours: { open_at: at } } });
    expect(await hours('2026-03-12T12:00:00-04:00')).toContain(store);
    expect(await hours('2026-03-12T21:00:00-04:00')).toEqual([]);
    expect(await find({ filters: { inventory: [{ id: 'no-such' }] } })).toEqual([]);
    expect(await find({ filters: { inventory: [{ id: latte }] } })).toContain(store);
    for (const serves of [{}, { 'com.example.grid': 1 }, { address: { address_region: 'ON' } }])
      expect((await agent.ask('POST', '/locations/search', { serves })).status).toBe(400);
  });

  test('a lookup names each store once, with the ids that led to it', async () => {
    const { body } = await agent.ask('POST', '/locations/lookup', { ids: [store, store, 'none'] });
    expect(body.locations).toMatchObject([
      { id: store, inputs: [{ id: store }], timezone: 'America/Toronto' },
    ]);
    expect(codes(body)).toEqual(['not_found']);
  });

  test('distances are those over the ellipsoid', () => {
    // Flinders Peak to Buninyong, the example of the Australian geodetic manual, on its own ellipsoid to 0.1 m.
    const from = { latitude: -37.951_033_416, longitude: 144.424_867_889 };
    const to = { latitude: -37.652_821_139, longitude: 143.926_495_528 };
    expect(metresBetween(from, to)).toBeCloseTo(54_972.271, 0);
    expect(metresBetween({ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 })).toBeCloseTo(
      111_319.491,
      2,
    );
  });
});

describe('food for agents', () => {
  const dish = (more: object = {}, quantity = 1) => ({ quantity, dish: { id: latte, ...more } });
  const meal = (more: object = {}, lines: object[] = [dish()]) => ({
    food_establishment: { id: store },
    line_items: lines,
    buyer,
    ...more,
  });
  const pickup = (more: object = {}) => ({ fulfillment: { methods: [{ type: 'pickup', ...more }] } });
  const delivery = (address: object, more: object = {}) => ({
    fulfillment: {
      methods: [{ type: 'delivery', destination: { type: 'delivery_address', address }, ...more }],
    },
  });
  const near = { ...destination, street_address: '700 Queen Street West', postal_code: 'M6J 1E8' };
  const start = async (body: object): Promise<AgentBody> =>
    (await agent.ask('POST', '/food/checkout-sessions', body)).body;

  test('dishes are priced with their modifications, and a note never changes the price', async () => {
    const oat = [{ id: 'milk:oat' }, { id: 'half' }];
    const body = await start(
      meal({}, [dish({ modifications: oat, note: 'Extra hot, please' }, 2), dish({ note: 'Oat milk' })]),
    );
    expect(body).toMatchObject({ status: 'incomplete', food_establishment: { id: store } });
    const [first, second] = body.line_items;
    expect(first?.dish).toMatchObject({ id: latte, price: 725, note: 'Extra hot, please' });
    expect(first?.dish.modifications).toContainEqual({
      id: 'milk:oat',
      title: 'Oat milk',
      price: 80,
      quantity: 1,
    });
    expect(first?.dish.modifications.map(({ id }) => id)).toContain('temperature:hot');
    expect(first?.totals).toContainEqual({ type: 'subtotal', amount: 2 * 805 });
    expect(second?.totals).toContainEqual({ type: 'subtotal', amount: 725 });
    expect(placeOf(body, 'note_contains_modification')).toBe('$.line_items[1].dish.note');
    expect(placeOf(body, 'allergens')).toBe('$.line_items[0]');
    const twice = await start(
      meal({}, [dish({ modifications: [{ id: 'milk:oat' }, { id: 'milk:oat' }] }), dish()]),
    );
    expect([codes(twice)[0], placeOf(twice, 'invalid')]).toEqual(['invalid', '$.line_items[0].dish']);
  });

  test('a dish that is reduced has both prices with the modifications that it cannot be without', async () => {
    await testApp.services.editor.upsertModifierGroups([
      plainGroup('bowl', [plainModifier('large', { default: 1, priceCents: 150 })], { min: 1 }),
    ]);
    await sellProduct(testApp, 'SOUP', {
      priceCents: 900,
      compareAtCents: 1200,
      modifierGroups: [{ group: 'bowl' }],
    });
    const { body } = await agent.ask('POST', '/catalog/lookup', { ids: ['SOUP'] });
    expect(body.products[0]).toMatchObject({
      price_range: { min: { amount: 1050 } },
      list_price_range: { min: { amount: 1350 } },
      variants: [{ price: { amount: 1050 }, list_price: { amount: 1350 } }],
    });
  });

  test('an order is completed with a pickup as soon as possible and a tip, and can be followed', async () => {
    const open = await start(meal());
    expect(placeOf(open, 'field_required')).toBe('$.fulfillment.methods');
    expect(open.tip.options).toContainEqual({ id: 'tip_15', unit: 'percentage', amount: 15 });
    const path = `/food/checkout-sessions/${open.id}`;
    const update = (more: object) => agent.ask('PUT', path, meal(more));
    const { body: ready } = await update({ ...pickup(), tip: { selected_option_id: 'tip_15' } });
    expect([ready.status, codes(ready)]).toEqual(['ready_for_complete', ['allergens']]);
    expect(ready.totals).toContainEqual({ type: 'tip', display_text: 'Tip', amount: 109 });
    const { body: custom } = await update({ ...pickup(), tip: { custom_amount: 300 } });
    expect(custom.totals).toContainEqual(expect.objectContaining({ type: 'tip', amount: 300 }));
    const { body: both } = await update({
      ...pickup(),
      tip: { custom_amount: 300, selected_option_id: 'tip_15' },
    });
    expect(placeOf(both, 'invalid')).toBe('$.tip');
    await update({ ...pickup(), tip: { custom_amount: 0 } });
    const { body: done } = await agent.ask('POST', `${path}/complete`, pays());
    expect(done).toMatchObject({
      status: 'completed',
      food_establishment: { id: store },
      line_items: [{ dish: { id: latte } }],
    });
    expect(done.totals.map(({ type }) => type)).not.toContain('tip');
    expect(done.order.tracking_url).toContain('/order/');
    expect((await agent.ask('GET', path)).body.order).toEqual(done.order);
  });

  test('a requested time is met by the window that holds it, and refused with the nearest ones', async () => {
    const at = await start(meal(pickup({ requested_fulfillment_time: '2026-03-12T15:40:00-04:00' })));
    const [method] = at.fulfillment.methods;
    expect([at.status, method?.selected_option_id]).toEqual([
      'ready_for_complete',
      `pickup_${Date.parse('2026-03-12T15:40:00-04:00')}`,
    ]);
    const late = await start(meal(pickup({ requested_fulfillment_time: '2026-03-12T22:30:00-04:00' })));
    expect(placeOf(late, 'location_closed')).toBe('$.fulfillment.methods[0].requested_fulfillment_time');
    expect([late.status, late.fulfillment.methods[0]?.options.length]).toEqual(['incomplete', 8]);
  });

  test('a store delivers within its zone, from its minimum on, and now', async () => {
    const far = await start(meal(delivery({ ...near, postal_code: 'M1B 2K9' }), [dish({}, 4)]));
    expect(placeOf(far, 'address_undeliverable')).toBe('$.fulfillment.methods[0].destination');
    const little = await start(meal(delivery(near)));
    expect(placeOf(little, 'minimum_order_unmet')).toBe('$.totals');
    const { fulfillment, status } = await start(
      meal(delivery(near, { notes: 'Gate code 4210' }), [dish({}, 4)]),
    );
    const [method] = fulfillment.methods;
    // The note for the courier was taken, and is not told to an agent that anybody can claim to be.
    expect([status, method?.notes, method?.selected_option_id]).toEqual([
      'ready_for_complete',
      undefined,
      `${store}.downtown-west`,
    ]);
    const pin = {
      fulfillment: {
        methods: [{ type: 'delivery', destination: { geo: { latitude: 43.645, longitude: -79.41 } } }],
      },
    };
    expect(placeOf(await start(meal(pin, [dish({}, 4)])), 'field_required')).toBe(
      '$.fulfillment.methods[0].destination',
    );
  });

  test('a dish that is sold out, unknown or of a place that takes no orders is told where it stands', async () => {
    const none = await start(meal({ food_establishment: { id: 'nowhere' } }));
    expect([none.ucp.status, codes(none)]).toEqual(['error', ['location_closed']]);
    const unknown = await start(meal({}, [dish(), { quantity: 1, dish: { id: 'no-such-dish' } }]));
    expect(placeOf(unknown, 'item_unavailable')).toBe('$.line_items[1].dish');
    const many = await start(meal(pickup(), [{ quantity: 98, dish: { id: 'MC-SE-01' } }, dish()]));
    expect(codes(many).some((code) => code === 'out_of_stock' || code === 'invalid')).toBe(true);
  });

  test('a cart becomes an order of food, and MCP serves the same tools at an address of its own', async () => {
    const { body: cart } = await agent.ask('POST', '/carts', {
      line_items: [{ item: { id: latte }, quantity: 2 }],
    });
    const body = await start({ cart_id: cart.id, line_items: [], tip: { selected_option_id: 'tip_20' } });
    expect(body).toMatchObject({
      line_items: [{ dish: { id: latte }, quantity: 2 }],
      tip: { selected_option_id: 'tip_20' },
    });
    const made = await agent.tool('create_checkout', { checkout: meal(pickup()) }, '/food/mcp');
    const { id, status, food_establishment: from } = made.result.structuredContent;
    expect([status, from.id]).toEqual(['ready_for_complete', store]);
    const done = await agent.tool('complete_checkout', { id, checkout: pays() }, '/food/mcp');
    expect(done.result.structuredContent.status).toBe('completed');
    const { body: cancelled } = await agent.ask('POST', `/food/checkout-sessions/${body.id}/cancel`);
    expect([cancelled.status, cancelled.line_items.length]).toEqual(['canceled', 1]);
  });

  test('drafts are in a profile of their own, and nowhere while the setting is off', async () => {
    const profile = async (name = '') => (await testApp.app.inject(`/.well-known/ucp${name}`)).json();
    expect(Object.keys((await profile('/draft')).ucp.services)).toContain('dev.ucp.food');
    expect(JSON.stringify(await profile())).not.toMatch(/food|location/);
    await testApp.services.settings.update({ agentDrafts: false });
    expect((await testApp.app.inject('/.well-known/ucp/draft')).statusCode).toBe(404);
    expect(codes((await agent.ask('POST', '/food/checkout-sessions', meal())).body)).toEqual([
      'capabilities_incompatible',
    ]);
    await testApp.services.settings.update({ agentDrafts: true });
  });
});
