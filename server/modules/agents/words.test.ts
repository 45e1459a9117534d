/** What an agent can say and is told: times, names, languages, units, and which field a message is about. */
import { beforeAll, expect, test } from 'vitest';
import { type Agent, type AgentBody, approveAgent, buyer, destination, lines } from '#tests/agents.ts';
import { createTestApp, type TestApp } from '#tests/test-app.ts';
import { momentOf, shownSlots } from './fulfilment.ts';

const store = 'toronto-queen-west';
const drink = 'MC-DR-03';
const hours = (text: string) => Date.parse(`2026-03-12T${text}:00-04:00`);

let testApp: TestApp;
let agent: Agent;

beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true });
  // Thursday noon in Toronto.
  testApp.clock.advance(hours('12:00') - testApp.clock.now());
  agent = await approveAgent(testApp);
});

const start = async (body: object): Promise<AgentBody> =>
  (await agent.ask('POST', '/checkout-sessions', body)).body;
const told = ({ messages = [] }: AgentBody) => messages.map(({ code, path }) => [code, path]);
const pickup = (more: object = {}) => ({
  fulfillment: { methods: [{ type: 'pickup', selected_destination_id: store, ...more }] },
});
const optionsOf = ({ fulfillment }: AgentBody) => fulfillment.methods[0]?.groups[0]?.options ?? [];
const totalOf = ({ totals }: AgentBody, type: string) => totals.find((each) => each.type === type)?.amount;

test('a pickup without a time is ready, says when it is ready at the earliest, and how to ask for another time', async () => {
  const open = await start({ ...lines([drink, 1]), buyer, ...pickup() });
  expect(open.status).toBe('ready_for_complete');
  expect(told(open).map(([code]) => code)).toEqual(['pickup_time_optional', 'more_pickup_times']);
  const times = optionsOf(open).map(({ earliest_fulfillment_time: at }) => Date.parse(at));
  const first = times[0] ?? 0;
  expect(times).toContain(first + 5 * 60_000);
  for (const at of times.filter((each) => each >= first + 3_600_000)) expect(at % 900_000).toBe(0);
  expect(Math.max(...times)).toBeGreaterThan(hours('18:00'));
});

test('a pickup time is chosen by a request, with a zone or in the time of the store', async () => {
  for (const time of ['15:40', '2026-03-12T15:40', '2026-03-12T15:40:00-04:00', '2026-03-12T19:40:00Z']) {
    const ready = await start({
      ...lines([drink, 1]),
      buyer,
      ...pickup({ requested_fulfillment_time: time }),
    });
    expect([ready.status, told(ready)]).toEqual(['ready_for_complete', []]);
    expect(optionsOf(ready).some(({ id }) => id === `pickup_${hours('15:40')}`)).toBe(true);
  }
  const context = { requested_fulfillment_time: '15:40' };
  expect(told(await start({ ...lines([drink, 1]), buyer, context, ...pickup() }))).toEqual([]);
  const path = '$.fulfillment.methods[0].requested_fulfillment_time';
  const closed = await start({
    ...lines([drink, 1]),
    buyer,
    ...pickup({ requested_fulfillment_time: '03:00' }),
  });
  expect([closed.status, told(closed)[0]]).toEqual(['incomplete', ['requested_time_unavailable', path]]);
  const wrong = await start({
    ...lines([drink, 1]),
    buyer,
    ...pickup({ requested_fulfillment_time: 'after lunch' }),
  });
  expect(told(wrong)[0]).toEqual(['invalid', path]);
});

test('a time of the day is the next one', () => {
  const toronto = { timeZone: 'America/Toronto' };
  expect(momentOf('15:40', toronto, hours('12:00'))).toBe(hours('15:40'));
  expect(momentOf('15:40', toronto, hours('16:00'))).toBe(hours('15:40') + 86_400_000);
  for (const text of ['25:00', '15:61', 'noon', '2026-13-40T10:00'])
    expect(momentOf(text, toronto, 0)).toBeNull();
  expect(shownSlots([], null)).toEqual([]);
});

test('an order follows the rules of the shop’s own checkout: a parcel needs the name of who receives it', async () => {
  const nameless = await start({
    ...lines(['MC-HT-02', 1]),
    buyer: { email: buyer.email },
    fulfillment: { methods: [{ type: 'shipping', destinations: [destination] }] },
  });
  expect(nameless.status).toBe('incomplete');
  expect(told(nameless)).toContainEqual(['field_required', '$.buyer.first_name']);
});

test('products, stores and modifiers are named as answers show them, and what is not named keeps its default', async () => {
  const line = { item: { id: 'Hojicha Latte' }, quantity: 1, modifiers: [{ modifier: 'Oat milk' }] };
  const ready = await start({
    line_items: [line],
    buyer,
    ...pickup({ selected_destination_id: 'Toronto – Queen West' }),
  });
  expect(ready.status).toBe('ready_for_complete');
  const [latte] = ready.line_items as unknown as { item: { id: string; title: string; price: number } }[];
  expect(latte?.item).toMatchObject({ id: drink, price: 805 });
  expect(latte?.item.title).toContain('Oat milk');
  const begun = (named: string) =>
    start({ ...lines([drink, 1]), ...pickup({ selected_destination_id: named }) });
  const [byName, byId] = [await begun('Toronto – Queen West'), await begun(store)];
  expect(byName.status).toBe('incomplete');
  expect(totalOf(byName, 'tax')).toBeGreaterThan(0);
  expect(byName.totals).toEqual(byId.totals);
  const large = await start({ ...lines(['Oolong Milk Tea · Large', 1]), buyer, ...pickup() });
  expect(large.line_items[0]?.item.id).toBe('MC-DR-05-LRG');
  const unknown = await start({
    line_items: [line, { ...line, modifiers: [{ modifier: 'Oat milk' }, { modifier: 'Camel milk' }] }],
    buyer,
    ...pickup(),
  });
  expect(told(unknown)[0]).toEqual(['invalid', '$.line_items[1].modifiers[1].modifier']);
  const several = await start({ ...lines([drink, 1], ['Oolong Milk Tea', 1]), buyer, ...pickup() });
  const [choose] = several.messages as unknown as { content: string; path: string }[];
  expect([choose?.path, choose?.content]).toEqual([
    '$.line_items[1].item.id',
    expect.stringContaining('MC-DR-05-LRG (Large)'),
  ]);
});

test('the charge for shipping is the price of an option in the same answer', async () => {
  const parcel = (country: string, region = 'Quebec') =>
    start({
      ...lines(['MC-HT-02', 1]),
      buyer: { email: buyer.email },
      fulfillment: {
        methods: [{ type: 'shipping', destinations: [{ address_country: country, address_region: region }] }],
      },
    });
  const named = await parcel('Canada');
  const prices = optionsOf(named).map(({ totals }) => totals[0]?.amount);
  expect(prices.length).toBeGreaterThan(0);
  expect(prices).toContain(totalOf(named, 'fulfillment'));
  expect(named.totals).toEqual((await parcel('CA', 'QC')).totals);
  const nowhere = await parcel('Atlantis');
  expect([optionsOf(nowhere), totalOf(nowhere, 'fulfillment')]).toEqual([[], undefined]);
  testApp.clock.advance(hours('23:30') - testApp.clock.now());
  const late = await start({ ...lines([drink, 1]), buyer });
  testApp.clock.advance(hours('12:00') - testApp.clock.now());
  expect([late.fulfillment.methods[0], totalOf(late, 'fulfillment')]).toMatchObject([
    { type: 'pickup' },
    undefined,
  ]);
});

test('the language of the context counts before that of the header, and a wrong field is named with its path', async () => {
  const ask = (body: object) => agent.ask('POST', '/catalog/search', body, { 'accept-language': 'en' });
  const chinese = await ask({ query: '龍井', context: { language: 'zh-Hant' } });
  expect(chinese.body.products[0]?.title).toBe('龙井');
  const { status, body } = await agent.ask('POST', '/carts', {
    line_items: [{ item: { id: drink }, quantity: 0 }],
  });
  expect([status, told(body)]).toEqual([400, [['invalid_request', '$.line_items[0].quantity']]]);
});

test('a search says when it has only most of the words, nothing at all, or no such category', async () => {
  const search = async (body: object) => (await agent.ask('POST', '/catalog/search', body)).body;
  const partial = await search({ query: 'bubble tea less ice' });
  expect([told(partial)[0]?.[0], partial.products.length > 0]).toEqual(['partial_match', true]);
  // By the protocol, a search without results has no messages; a model reads what to do in the text.
  expect(told(await search({ query: 'xylophone' }))).toEqual([]);
  const { result } = await agent.tool('search_catalog', { catalog: { query: 'xylophone' } });
  expect(JSON.stringify(result)).toContain('Try fewer or more general words');
  expect(told(await search({ filters: { categories: ['Bicycles'] } }))).toEqual([
    ['unknown_category', '$.filters.categories[0]'],
  ]);
});

test('a checkout of which nothing can be had says why', async () => {
  const none = await start({ ...lines(['MC-PL-03', 1]), buyer });
  expect([none.ucp.status, told(none)]).toEqual(['error', [['out_of_stock', '$.line_items[0]']]]);
});
