/** The merchant's own agent: tools, trials, changes bound to them, undo, and what a key cannot do by them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { staffBase } from '#contract/limits.ts';
import { changesOf, type StaffEndpoint } from '#contract/staff/endpoint.ts';
import { type StaffEndpointName, staffEndpoints } from '#contract/staff/endpoints.ts';
import { keyPermissions, type Permission } from '#contract/staff/permissions.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { lintWithRedocly, lintWithSpectral } from '#tests/openapi-lint.ts';
import { sellProduct } from '#tests/products.ts';
import { makeKey, type Program, programOf } from '#tests/programs.ts';
import { add, address, contact, setUnits } from '#tests/shop-actions.ts';
import { askStaff as ask, joinDemo, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';
import { everyTable } from '#tests/whole-database.ts';
import { bounded, mostCharacters } from './bounded.ts';
import { trialMs } from './mcp.ts';
import { staffOpenApi } from './openapi.ts';

const [queen, markham] = ['toronto-queen-west', 'markham-unionville'];

onBothEngines((engine) => {
  let testApp: TestApp;
  let mei: Shopper;
  let agent: Program;
  const stripe = new FakeProvider('Stripe');
  let count = 0;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, providers: { stripe } });
    await sellProduct(testApp, 'CAKE-AGENT', { inStoreOnly: true });
    await setUnits(testApp, 'CAKE-AGENT', 500, queen);
    mei = await joinDemo(testApp, 'demo-mei');
    agent = programOf(testApp, await makeKey(testApp, mei, { permissions: [...keyPermissions] }));
  });
  const fresh = (name: string) => {
    count += 1;
    return `${name}-${count}`;
  };
  const books = async () => {
    const besides = new Set(['staff_trials', 'rate_limits', 'staff_keys']);
    return [...(await everyTable(testApp))]
      .filter(([table]) => !besides.has(table))
      .map(([table, rows]) => `${table} ${rows.join()}`);
  };
  const tagged = () => ({ body: { id: fresh('agent-tag'), name: { en: 'By an agent' } } });

  describe('the protocol', () => {
    it('a client agrees on a version, and lists the tools that its key may use, with schemas and units', async () => {
      const { result } = await agent.rpc('initialize', { protocolVersion: '2025-06-18' });
      expect(result).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} } });
      const tools = await agent.tools();
      const names = tools.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names).toEqual(expect.arrayContaining(['orders', 'changeGoods', 'saveStore', 'undo', 'me']));
      const never: StaffEndpointName[] = [
        'staff',
        'addRole',
        'addKey',
        'eraseCustomer',
        'signIn',
        'upload',
        'exportShop',
        'feed',
      ];
      for (const name of never) expect(names, name).not.toContain(name);
      for (const { name, description, inputSchema } of tools) {
        expect(description.length, name).toBeGreaterThan(10);
        expect(inputSchema.type).toBe('object');
        expect(JSON.stringify(inputSchema), name).not.toMatch(/"(?:unit|form|problem)":"/);
      }
      const goods = JSON.stringify(tools.find(({ name }) => name === 'takeMoney'));
      expect(goods).toContain('1850 is 18.50 dollars');
      const few = programOf(testApp, await makeKey(testApp, mei, { permissions: ['stock.soldOut'] }));
      expect((await few.tools()).map(({ name }) => name).sort()).toEqual([
        'markSoldOut',
        'me',
        'soldOut',
        'undo',
      ]);
      expect((await few.rpc('tools/call', { name: 'orders', arguments: {} })).error?.code).toBe(-32602);
    });

    it('only a key opens it: a cookie, a wrong key and a page of another site do not', async () => {
      const post = (
        headers: Record<string, string>,
        payload: unknown = { jsonrpc: '2.0', id: 1, method: 'ping' },
      ) =>
        testApp.app.inject({ method: 'POST', url: `${staffBase}mcp`, headers, payload: payload as object });
      const answers = [
        await post({}),
        await post({ cookie: mei.header, 'x-client-token': 'shopwright-office' }),
        await post({ authorization: `Bearer ${agent.key.toUpperCase()}` }),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401]);
      expect(answers[0]?.headers['www-authenticate']).toBe('Bearer');
      const authorization = `Bearer ${agent.key}`;
      expect((await post({ authorization })).json().result).toEqual({});
      expect((await post({ authorization, origin: 'https://evil.example' })).statusCode).toBe(403);
      expect((await post({ authorization, 'content-type': 'application/json' }, '{')).json().error.code).toBe(
        -32700,
      );
      const huge = { jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(300_000) } };
      expect((await post({ authorization }, huge)).statusCode).toBe(413);
      const stream = await testApp.app.inject({
        method: 'GET',
        url: `${staffBase}mcp`,
        headers: { authorization },
      });
      expect(stream.statusCode).toBe(405);
    });

    it('a reading tool answers what its call answers, shortened, and refuses what the call refuses', async () => {
      const orders = await agent.tool('orders', {});
      expect(orders.value.orders).toEqual((await ask(testApp, 'orders', { as: mei })).body.orders);
      expect(await agent.tool('order', { number: 'NONE' })).toMatchObject({ isError: true });
      expect(await agent.tool('orders', { nothing: 1 })).toMatchObject({
        isError: true,
        text: 'There is no argument nothing.',
      });
      expect(await agent.tool('order', { number: '../staff' })).toMatchObject({ isError: true });
      const long = {
        rows: Array.from({ length: 5000 }, (_, no) => ({ no, text: 'x'.repeat(30) })),
        note: 'y'.repeat(9000),
      };
      const { value, left } = bounded(long);
      expect(JSON.stringify(value).length).toBeLessThanOrEqual(mostCharacters);
      expect(left).toEqual(['rows: 4500 entries', 'note: 7000 characters']);
      expect(bounded({ a: [1] })).toEqual({ value: { a: [1] }, left: [] });
    });
  });

  describe('a trial', () => {
    it('a trial changes nothing, says what would change, and its token makes that change once', async () => {
      const before = await books();
      const wanted = tagged();
      const trial = await agent.tool('addTag', wanted);
      expect(trial.value).toMatchObject({ touches: 1, kinds: { tag: 1 }, says: '1 thing would change.' });
      expect(trial.value.changes).toEqual([expect.stringContaining(`tag ${wanted.body.id}`)]);
      expect(await books()).toEqual(before);
      const done = await agent.tool('addTag', { ...wanted, token: trial.value.token });
      expect(done.value).toMatchObject({
        done: true,
        entries: [{ kind: 'tag', id: wanted.body.id, canUndo: false }],
      });
      const after = await books();
      const again = await agent.tool('addTag', { ...wanted, token: trial.value.token });
      expect(again).toMatchObject({ isError: true, text: expect.stringContaining('used already') });
      expect(await books()).toEqual(after);
      const { entries } = (await ask(testApp, 'journal', { as: mei })).body;
      expect(entries[0]).toMatchObject({ key: agent.name, by: 'Mei Chen', id: wanted.body.id });
    });

    it('a token is refused to another key, for other arguments or another tool, and after ten minutes', async () => {
      const other = programOf(testApp, await makeKey(testApp, mei, { permissions: [...keyPermissions] }));
      const wanted = tagged();
      const { token } = (await agent.tool('addTag', wanted)).value;
      const before = await books();
      const refused = [
        await other.tool('addTag', { ...wanted, token }),
        await agent.tool('addTag', { body: { ...wanted.body, name: { en: 'Other' } }, token }),
        await agent.tool('addBrand', { ...wanted, token }),
        await agent.tool('addTag', { ...wanted, token: 'x' }),
        await agent.tool('addTag', { ...wanted, token: `${token}`.toUpperCase() }),
      ];
      expect(refused.map(({ isError }) => isError)).toEqual([true, true, true, true, true]);
      testApp.clock.advance(trialMs);
      expect((await agent.tool('addTag', { ...wanted, token })).isError).toBe(true);
      expect(await books()).toEqual(before);
    });

    it('a change that would do something else than its trial is rolled back', async () => {
      const { body } = tagged();
      await ask(testApp, 'addTag', { as: mei, body });
      const revision = (await agent.tool('tag', { id: body.id })).value.revision;
      const wanted = { id: body.id, body: { revision, edits: [{ path: ['name', 'en'], to: 'Agent' }] } };
      const { token } = (await agent.tool('saveTag', wanted)).value;
      const edits = [{ path: ['name', 'zh'], to: '别的' }];
      await ask(testApp, 'saveTag', { as: mei, params: { id: body.id }, body: { revision, edits } });
      // Another field: the save itself would go through, and the name that the trial saw is as it was.
      expect((await agent.tool('saveTag', { ...wanted, token })).value).toMatchObject({ done: true });
      const next = (await agent.tool('tag', { id: body.id })).value.revision;
      const second = {
        id: body.id,
        body: { revision: next, edits: [{ path: ['name', 'en'], to: 'Again' }] },
      };
      const tried = (await agent.tool('saveTag', second)).value;
      const mine = [{ path: ['name', 'en'], to: 'Mine' }];
      await ask(testApp, 'saveTag', {
        as: mei,
        params: { id: body.id },
        body: { revision: next, edits: mine },
      });
      expect(await agent.tool('saveTag', { ...second, token: tried.token })).toMatchObject({ isError: true });
      // Removing says nothing of a revision: here the trial is all that sees it.
      const gone = (await agent.tool('removeTag', { id: body.id, body: { to: null, merge: false } })).value;
      await ask(testApp, 'saveTag', {
        as: mei,
        params: { id: body.id },
        body: {
          revision: (await agent.tool('tag', { id: body.id })).value.revision,
          edits: [{ path: ['name', 'en'], to: 'Kept' }],
        },
      });
      const refused = await agent.tool('removeTag', {
        id: body.id,
        body: { to: null, merge: false },
        token: gone.token,
      });
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('no longer as it was') });
      expect((await agent.tool('tag', { id: body.id })).value.content).toMatchObject({
        name: { en: 'Kept' },
      });
    });

    it('two requests with one token at the same time make one change', async () => {
      const wanted = tagged();
      const { token } = (await agent.tool('addTag', wanted)).value;
      const both = await Promise.all([1, 2].map(() => agent.tool('addTag', { ...wanted, token })));
      expect(both.filter(({ isError }) => !isError).length).toBeGreaterThan(0);
      const { entries } = (
        await ask(testApp, 'journal', { as: mei, query: { kind: 'tag', id: wanted.body.id } })
      ).body;
      expect(entries).toHaveLength(1);
    });

    it('a trial of what changes nothing has no token, and one of what the call refuses is refused', async () => {
      expect((await agent.tool('addTag', { body: { id: 'x y', name: {} } })).isError).toBe(true);
      const { body } = tagged();
      await ask(testApp, 'addTag', { as: mei, body });
      const revision = (await agent.tool('tag', { id: body.id })).value.revision;
      const same = { id: body.id, body: { revision, edits: [{ path: ['name', 'en'], to: body.name.en }] } };
      const trial = (await agent.tool('saveTag', same)).value;
      expect(trial).toEqual({ changes: [], touches: 0, says: 'Nothing would change.' });
      expect((await agent.tool('saveTag', { ...same, lang: 'zh' })).value.says).toBe('不会有任何变动。');
    });

    it('a change of many products says each price, and its background work carries the key', async () => {
      const latest =
        ((await agent.tool('goodsChanges', {})).value.changes as { id: string }[])[0]?.id ?? null;
      const wanted = {
        body: { filter: {}, ids: ['product-cake-agent'], change: { percent: 500, round: 95 }, latest },
      };
      const found = (await agent.tool('goods', { text: 'CAKE-AGENT' })).value.products as { id: string }[];
      const ids = found.map(({ id }) => id);
      wanted.body.ids = ids;
      const trial = (await agent.tool('changeGoods', wanted)).value;
      expect(trial.touches).toBe(1);
      expect(String(trial.changes)).toMatch(/\$[\d.]+ → \$\d+\.95/);
      const done = (await agent.tool('changeGoods', { ...wanted, token: trial.token })).value;
      const change = (done.answer as { id: string }).id;
      await testApp.container.bulkChanges.work();
      const { entries } = (await ask(testApp, 'journal', { as: mei })).body;
      expect(entries[0]).toMatchObject({ action: 'products bulk', key: agent.name, id: ids[0] });
      const back = (await agent.tool('takeGoodsChangeBack', { change })).value;
      expect(back.touches).toBe(1);
      expect((await agent.tool('takeGoodsChangeBack', { change, token: back.token })).value.done).toBe(true);
      await testApp.container.bulkChanges.work();
      expect((await ask(testApp, 'journal', { as: mei })).body.entries[0]?.key).toBe(agent.name);
    });
  });

  describe('a change of many things', () => {
    const seated = async (tableNumber: string) => {
      const session = testApp.shopper();
      await add(testApp, session, 'CAKE-AGENT', 1);
      const query = { methodName: 'instore', localStoreName: queen, tableNumber };
      await testApp.call('orderContactInfo', { session, query, body: { contact } });
      const { orderID } = await testApp.call('reserve', { session });
      return (await testApp.call('order', { session, params: { id: orderID ?? '' } })).orderNumber ?? '';
    };
    const states = async (numbers: readonly string[]) => {
      const { orders } = (await agent.tool('deskOrders', { numbers: numbers.join(',') })).value;
      return orders as { number: string; version: number; state: string; due: number }[];
    };

    it('a trial of steps of several orders says each, and an order that changed since stays as it is', async () => {
      const numbers = [await seated('3'), await seated('4')];
      const orders = (await states(numbers)).map(({ number, version }) => ({ number, version }));
      const wanted = { body: { orders, to: 'completed', paid: 'cash' } };
      const trial = (await agent.tool('moveOrders', wanted)).value;
      expect(trial).toMatchObject({ touches: 2, kinds: { order: 2 } });
      expect((await states(numbers)).map(({ state }) => state)).toEqual(['reserved', 'reserved']);
      const [first] = orders;
      await ask(testApp, 'moveOrder', {
        as: mei,
        params: { number: first?.number ?? '' },
        body: { to: 'completed', version: first?.version, paid: 'cash' },
      });
      const done = (await agent.tool('moveOrders', { ...wanted, token: trial.token })).value;
      expect(done.done).toBe(true);
      expect((await states(numbers)).map(({ state }) => state)).toEqual(['completed', 'completed']);
      expect(done.entries).toHaveLength(1);
    });

    it('a trial of rows with values of their own says each, and its change writes them', async () => {
      const [id] = (
        (await agent.tool('goods', { text: 'CAKE-AGENT' })).value.products as { id: string }[]
      ).map((each) => each.id);
      const wanted = { body: { rows: [{ id, priceCents: 4321 }] } };
      const trial = (await agent.tool('changeGoodsRows', wanted)).value;
      expect([trial.touches, String(trial.changes)]).toEqual([1, expect.stringContaining('→ $43.21')]);
      expect((await agent.tool('changeGoodsRows', { ...wanted, token: trial.token })).value.done).toBe(true);
      await testApp.container.bulkChanges.work();
      expect((await agent.tool('product', { product: id })).value.content).toMatchObject({
        priceCents: 4321,
      });
      const many = {
        body: { rows: Array.from({ length: 201 }, (_, no) => ({ id: `x-${no}`, priceCents: 1 })) },
      };
      expect((await agent.tool('changeGoodsRows', many)).text).toContain('at most 200');
    });

    it('a trial of a removal says what becomes of its products, and is refused once there are others', async () => {
      const { body } = tagged();
      await ask(testApp, 'addTag', { as: mei, body });
      const [one, two] = ['egg-tart', 'sesame-balls'].map((product) => ({ product }));
      const tag = async (params = { product: '' }) => {
        const { revision, content } = (await ask(testApp, 'product', { as: mei, params })).body;
        const tags = [...(content as { tags: string[] }).tags, body.id];
        const edits = [{ path: ['tags'], to: tags }];
        expect(
          (await ask(testApp, 'saveProduct', { as: mei, params, body: { revision, edits } })).status,
        ).toBe(200);
      };
      await tag(one);
      const wanted = { id: body.id, body: { to: null, merge: false } };
      const trial = (await agent.tool('removeTag', wanted)).value;
      expect(String(trial.changes)).toMatch(/1 product/);
      await tag(two);
      expect(await agent.tool('removeTag', { ...wanted, token: trial.token })).toMatchObject({
        isError: true,
      });
      const again = (await agent.tool('removeTag', wanted)).value;
      expect((await agent.tool('removeTag', { ...wanted, token: again.token })).value.done).toBe(true);
      expect((await agent.tool('tag', { id: body.id })).isError).toBe(true);
    });
  });

  describe('undo', () => {
    it('undo takes back an entry that nothing has followed, by a trial and its token', async () => {
      const { body } = tagged();
      const made = await agent.change('addTag', { body });
      const first = (made.value.entries as { no: number }[])[0]?.no ?? 0;
      expect(await agent.tool('undo', { entry: first })).toMatchObject({
        isError: true,
        text: expect.stringContaining('Remove it'),
      });
      const revision = (await agent.tool('tag', { id: body.id })).value.revision;
      const edits = [{ path: ['name', 'en'], to: 'Wrong' }];
      const saved = await agent.change('saveTag', { id: body.id, body: { revision, edits } });
      const entry = (saved.value.entries as { no: number }[])[0]?.no ?? 0;
      const undone = await agent.change('undo', { entry });
      expect(undone.value).toMatchObject({ done: true });
      expect((await agent.tool('tag', { id: body.id })).value.content).toMatchObject({ name: body.name });
      expect(await agent.tool('undo', { entry })).toMatchObject({
        isError: true,
        text: expect.stringContaining('since'),
      });
      expect((await agent.tool('undo', { entry: 10 ** 9 })).isError).toBe(true);
      expect((await agent.tool('undo', { entry: 'x' })).isError).toBe(true);
    });
  });

  describe('what a key does not do by tools', () => {
    it('no trial of any tool leaves a trace, whatever it is given', async () => {
      const before = await books();
      const names = (Object.keys(staffEndpoints) as StaffEndpointName[]).filter((name) =>
        changesOf(staffEndpoints[name]),
      );
      const tools = new Set((await agent.tools()).map(({ name }) => name));
      let tried = 0;
      for (const name of names.filter((each) => tools.has(each))) {
        const { params, body }: StaffEndpoint = staffEndpoints[name];
        const ids = Object.fromEntries(
          Object.keys(Object(params?.['properties' as never])).map((key) => [key, 'x']),
        );
        const answer = await agent.tool(name, { ...ids, ...(body ? { body: {} } : {}) });
        expect([name, answer.status]).toEqual([name, 200]);
        tried += 1;
      }
      expect(tried).toBeGreaterThan(80);
      expect(await books()).toEqual(before);
    });

    it('a key of a cook of one store reads and changes nothing of another, by no tool', async () => {
      const role = {
        name: fresh('Cook'),
        permissions: ['orders.read', 'orders.move', 'stock.soldOut', 'keys.manage'],
      };
      const { roles } = (await ask(testApp, 'addRole', { as: mei, body: role })).body;
      const email = `${fresh('cook')}@shop.example`;
      const as = await joinStaff(testApp, email, roles.find(({ name }) => name === role.name)?.id ?? '', [
        queen,
      ]);
      await secureStaff(testApp, as);
      mei = await joinDemo(testApp, 'demo-mei');
      const permissions: Permission[] = ['orders.read', 'orders.move', 'stock.soldOut'];
      const cook = programOf(testApp, await makeKey(testApp, as, { permissions }));
      const own = ((await cook.tool('orders', {})).value.orders as { store: string }[]).map(
        ({ store }) => store,
      );
      expect(new Set(own)).toEqual(new Set([queen]));
      const all = (await ask(testApp, 'orders', { as: mei })).body.orders;
      const far =
        all.find(({ store }) => store === markham)?.number ??
        all.find(({ store }) => store !== queen)?.number ??
        '';
      expect(far).not.toBe('');
      expect((await cook.tool('order', { number: far })).isError).toBe(true);
      expect(
        (await cook.tool('markSoldOut', { store: markham, body: { sku: 'CAKE-AGENT', soldOut: true } }))
          .isError,
      ).toBe(true);
      expect((await cook.rpc('tools/call', { name: 'goods', arguments: {} })).error?.code).toBe(-32602);
      // An entry of the journal of something that it may not change is taken back by nobody's key.
      const { body } = tagged();
      await ask(testApp, 'addTag', { as: mei, body });
      const revision = (await agent.tool('tag', { id: body.id })).value.revision;
      const saved = await agent.change('saveTag', {
        id: body.id,
        body: { revision, edits: [{ path: ['name', 'en'], to: 'New' }] },
      });
      const entry = (saved.value.entries as { no: number }[])[0]?.no;
      expect((await cook.rpc('tools/call', { name: 'undo', arguments: { entry } })).error?.code).toBe(-32602);
    });

    it('a key refunds of an order no more than the setting allows, and cannot change the setting', async () => {
      const paidOrder = async () => {
        const session = testApp.shopper();
        await add(testApp, session, 'CAKE-AGENT', 2);
        const query = { methodName: 'instore', localStoreName: queen, tableNumber: '4' };
        await testApp.call('orderContactInfo', { session, query, body: { contact } });
        const body = { confirmationToken: 'ctoken_1', billingAddress: address };
        const { orderID } = await testApp.call('payByStripe', { session, body });
        return (await testApp.call('order', { session, params: { id: orderID ?? '' } })).orderNumber ?? '';
      };
      const number = await paidOrder();
      const { value } = await agent.tool('order', { number });
      const { order, cancellable, version } = value as unknown as {
        order: { lineItems: { id: string }[] };
        cancellable: { most: number };
        version: number;
      };
      const cancel = {
        number,
        body: {
          reason: 'closed',
          note: '',
          restock: true,
          mail: true,
          version,
          most: cancellable.most,
          refund: cancellable.most,
        },
      };
      expect(order.lineItems).toHaveLength(1);
      const refused = await agent.tool('cancelOrderBack', cancel);
      expect(refused).toMatchObject({
        isError: true,
        text: expect.stringContaining('Keys may refund at most'),
      });
      const byRest = await ask(testApp, 'cancelOrderBack', {
        params: { number },
        body: cancel.body,
        headers: { authorization: `Bearer ${agent.key}` },
      });
      expect([byRest.status, byRest.body.errorKey]).toEqual([409, 'error.refund.keyLimit']);
      const settings = (await agent.tool('settings', { id: 'shop' })).value;
      const raise = {
        id: 'shop',
        body: { revision: settings.revision, edits: [{ path: ['keyRefundCents'], to: 10_000_000 }] },
      };
      expect(await agent.tool('saveSettings', raise)).toMatchObject({
        isError: true,
        text: expect.stringContaining('No key can change'),
      });
      expect(
        (await ask(testApp, 'saveSettings', { as: mei, params: { id: 'shop' }, body: raise.body })).status,
      ).toBe(200);
      const charged = stripe.taken;
      const trial = (await agent.tool('cancelOrderBack', cancel)).value;
      expect([trial.touches, stripe.taken]).toEqual([1, charged]);
      expect((await agent.tool('cancelOrderBack', { ...cancel, token: trial.token })).value).toMatchObject({
        done: true,
      });
      expect((await agent.tool('order', { number })).value).toMatchObject({ cancellable: null });
    });
  });

  it('the document of the calls says how a key is sent, and two linters find nothing wrong with it', async () => {
    const answer = await testApp.app.inject('/api/staff/openapi.json');
    const document = answer.json() as {
      components: { securitySchemes: object };
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    expect(document.components.securitySchemes).toMatchObject({ key: { type: 'http', scheme: 'bearer' } });
    const ids = Object.values(document.paths).flatMap((each) =>
      Object.values(each).map(({ operationId }) => operationId),
    );
    expect(ids).toEqual(expect.arrayContaining(['orders', 'saveStore', 'exportGoods']));
    for (const name of ['staff', 'addKey', 'signIn', 'eraseCustomer', 'saveConnection'])
      expect(ids).not.toContain(name);
    const published = staffOpenApi('https://tea.shop');
    const found = await lintWithRedocly(published);
    // The router prefers the fixed part of `stock-takes/of/…`.
    expect(found.filter((each) => !each.startsWith('no-ambiguous-paths'))).toEqual([]);
    // Fields whose names say what they are have no description (decision 97).
    const others = await lintWithSpectral(published);
    expect(others.filter((each) => !each.startsWith('oas3-parameter-description'))).toEqual([]);
  });

  it('a key that was ended calls no tool, and its trials end with it', async () => {
    const program = programOf(
      testApp,
      await makeKey(testApp, mei, { permissions: ['goods.write', 'goods.read'] }),
    );
    const wanted = tagged();
    const { token } = (await program.tool('addTag', wanted)).value;
    await ask(testApp, 'endKey', { as: mei, params: { id: program.id } });
    expect((await program.tool('addTag', { ...wanted, token })).status).toBe(401);
    const left = await testApp.db.read
      .selectFrom('staff_trials')
      .selectAll()
      .where('key_id', '=', program.id)
      .execute();
    expect(left).toEqual([]);
  });
});
