/**
 * Every call by which agents change something, by REST and as a tool, and every button of a page that they link to, sent again: at
 * once because its answer was lost, twice at the same time, and an hour later. The shop is as after one. The table of cases has each
 * operation that changes something.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { operations } from '#server/modules/agents/operations.ts';
import { type OperationName, restRoutes } from '#server/modules/agents/routes.ts';
import { hourMs } from '#server/platform/time-zone.ts';
import { type Agent, approveAgent, buyer, lines, pays, shipped } from '#tests/agents.ts';
import { sellProduct } from '#tests/products.ts';
import { add, setUnits } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, Shopper, type TestApp } from '#tests/test-app.ts';
import { everyTable, type Tables, withoutFields } from '#tests/whole-database.ts';

const [mug, bowl] = ['MUG-AGAIN', 'BOWL-AGAIN'];
const store = 'toronto-queen-west';
const latte = 'MC-DR-03';

/** Counts of tries, who called when, sessions that live longer, what caches are told, and the keys themselves. */
const besides = new Set([
  'rate_limits',
  'agents',
  'agent_calls',
  'agent_requests',
  'sessions',
  'request_keys',
  'catalogue_changes',
  'catalogue_version',
]);
/** Two of these at the same time mean two things. */
const twoThings = new Set<string>(['create_cart', 'create_checkout', 'food.create_checkout']);

type Case = () => Promise<{ id?: string; body?: object }>;

onOneEngine((engine) => {
  let testApp: TestApp;
  let agent: Agent;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    // A day on which the store is open.
    testApp.clock.set(Date.parse('2026-03-12T16:00:00Z'));
    await sellProduct(testApp, mug);
    await sellProduct(testApp, bowl);
    await setUnits(testApp, mug, 2000);
    agent = await approveAgent(testApp);
  });

  const made = async (path: string, body: object) => {
    const answer = await agent.ask('POST', path, body);
    if (answer.status >= 300)
      throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const cart = async () => (await made('/carts', lines([mug, 1]))).id;
  const checkout = async () => (await made('/checkout-sessions', { ...lines([mug, 2]), ...shipped })).id;
  const meal = (quantity = 1) => ({
    food_establishment: { id: store },
    line_items: [{ quantity, dish: { id: latte } }],
    buyer,
    fulfillment: { methods: [{ type: 'pickup' }] },
  });
  const food = async () => (await made('/food/checkout-sessions', meal())).id;

  const cases: Readonly<Record<string, Case>> = {
    create_cart: async () => ({ body: lines([mug, 1]) }),
    update_cart: async () => ({ id: await cart(), body: lines([mug, 3]) }),
    cancel_cart: async () => ({ id: await cart() }),
    create_checkout: async () => ({ body: { ...lines([mug, 2]), ...shipped } }),
    update_checkout: async () => ({ id: await checkout(), body: { ...lines([mug, 4]), ...shipped } }),
    complete_checkout: async () => ({ id: await checkout(), body: pays() }),
    cancel_checkout: async () => ({ id: await checkout() }),
    'food.create_checkout': async () => ({ body: meal() }),
    'food.update_checkout': async () => ({ id: await food(), body: meal(2) }),
    'food.complete_checkout': async () => ({ id: await food(), body: pays() }),
    'food.cancel_checkout': async () => ({ id: await food() }),
  };
  const changing = operations.filter(({ changes }) => changes);

  async function books(): Promise<Tables> {
    const all = [...(await everyTable(testApp))].filter(([table]) => !besides.has(table));
    // When a row was last written, and how often, says nothing.
    return withoutFields(all, /"(?:updated_at|version)":\d+/g);
  }
  const changedIn = (before: Tables, after: Tables) =>
    [...after].flatMap(([table, rows]) => {
      if (rows === before.get(table)) return [];
      const known = new Set(before.get(table));
      return rows.filter((row) => !known.has(row)).map((row) => `${table} ${row}`);
    });
  const grown = (before: Tables, after: Tables) =>
    new Map([...after].map(([table, rows]) => [table, rows.length - (before.get(table)?.length ?? 0)]));

  type Send = (name: OperationName, request: { id?: string; body?: object }, key: string) => Promise<object>;
  const ways: Readonly<Record<string, Send>> = {
    async REST(name, { id = '', body }, key) {
      const [method, path = ''] = restRoutes[name].split(' ') as ['POST' | 'PUT', string];
      const { status, body: said } = await agent.ask(method, path.replace(':id', id), body, {
        'idempotency-key': key,
      });
      expect([name, status, said.code]).toEqual([name, status < 300 ? status : 0, undefined]);
      return said;
    },
    async MCP(name, { id, body }, key) {
      const argument = operations.find((each) => each.name === name)?.argument ?? '';
      const meta = { 'ucp-agent': { profile: agent.profile }, 'idempotency-key': key };
      const path = name.startsWith('food.') ? '/food/mcp' : '/mcp';
      const given = { meta, ...(id ? { id } : {}), ...(body ? { [argument]: body } : {}) };
      const { result, error } = await agent.tool(name.replace('food.', ''), given, path);
      expect([name, error]).toEqual([name, undefined]);
      return result.structuredContent;
    },
  };
  const kept: { name: OperationName; way: string; request: { id?: string; body?: object }; key: string }[] =
    [];

  it('each operation that changes something has a case', () => {
    expect(Object.keys(cases).sort()).toEqual(changing.map(({ name }) => name).sort());
  });

  it.each(Object.keys(ways).flatMap((way) => changing.map(({ name }) => [name, way] as const)))(
    '%s by %s is done once when it is sent again, and once when it is sent twice at the same time',
    async (name, way) => {
      const [request, key, send] = [(await cases[name]?.()) ?? {}, randomUUID(), ways[way]];
      if (!send) throw new Error(way);
      const before = await books();
      const first = await send(name, request, key);
      const after = await books();
      expect(changedIn(before, after)).not.toEqual([]);
      expect(await send(name, request, key)).toEqual(first);
      expect(changedIn(after, await books())).toEqual([]);
      kept.push({ name, way, request, key });
      const one = grown(before, after);
      const most = (between: Tables, now: Tables) =>
        // A slot has its row from its first order on.
        [...grown(between, now)]
          .filter(([table, rows]) => table !== 'pickup_slots' && rows > (one.get(table) ?? 0))
          .map(([table]) => table);
      const shared = (await cases[name]?.()) ?? {};
      const between = await books();
      const same = randomUUID();
      const both = await Promise.all([send(name, shared, same), send(name, shared, same)]);
      expect(both[1]).toEqual(both[0]);
      expect(most(between, await books())).toEqual([]);
      if (twoThings.has(name)) return;
      const other = (await cases[name]?.()) ?? {};
      const start = await books();
      await Promise.allSettled([send(name, other, randomUUID()), send(name, other, randomUUID())]);
      expect(most(start, await books())).toEqual([]);
    },
  );

  it('a request that an agent sends again after an hour is done no second time', async () => {
    testApp.clock.advance(hourMs);
    for (const { name, way, request, key } of kept) {
      const before = await books();
      await ways[way]?.(name, request, key);
      expect([name, way, changedIn(before, await books())]).toEqual([name, way, []]);
    }
  });

  /** Presses the button of a page, with the cookies that the browser had: what the answer set may be lost. */
  async function press(url: string, { address, cookies }: Shopper): Promise<void> {
    const tab = new Shopper(address);
    for (const [name, value] of cookies) tab.cookies.set(name, value);
    const answer = await testApp.app.inject({
      method: 'POST',
      url,
      remoteAddress: address,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        cookie: tab.header,
      },
      payload: '',
    });
    expect([url, answer.statusCode]).toEqual([url, 303]);
  }
  const unitsOf = async (session: Shopper) =>
    (await testApp.call('myCart', { session })).lineItems.reduce((sum, { quantity }) => sum + quantity, 0);

  it.each([
    ['a link to buy', async () => `/buy/${mug}:2`],
    ['a cart', async () => new URL((await made('/carts', lines([mug, 2]))).continue_url).pathname],
    [
      'a checkout',
      async () =>
        new URL((await made('/checkout-sessions', { ...lines([mug, 2]), ...shipped })).continue_url).pathname,
    ],
  ] as const)(
    'the button of %s adds once, however often it is pressed, also beside what the visitor had',
    async (_, linked) => {
      for (const had of [0, 1]) {
        const [url, visitor] = [await linked(), testApp.shopper(`203.0.113.${20 + had}`)];
        await add(testApp, visitor, bowl);
        if (had === 0) await testApp.call('deleteCartItem', { session: visitor, body: { itemName: bowl } });
        await press(url, visitor);
        const after = await books();
        await press(url, visitor);
        expect(changedIn(after, await books())).toEqual([]);
        await Promise.all([press(url, visitor), press(url, visitor)]);
        testApp.clock.advance(hourMs / 2);
        await press(url, visitor);
        expect(await unitsOf(visitor)).toBe(had + 2);
      }
    },
  );
});
