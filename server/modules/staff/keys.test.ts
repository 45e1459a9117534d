/** Keys of programs: the same calls with the same rights, and what ends or narrows a key. */
import type { Updateable } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientTokenHeader, requestKeyHeader } from '#contract/limits.ts';
import type { StaffEndpoint } from '#contract/staff/endpoint.ts';
import { type StaffEndpointName, staffEndpoints } from '#contract/staff/endpoints.ts';
import {
  keyPermissions,
  type Permission,
  permissionFacts,
  permissions,
} from '#contract/staff/permissions.ts';
import type { StaffTable } from '#db/staff-tables.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { askStaff as ask, joinDemo, joinStaff, joinStation, secureStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';
import { keyLimits } from './keys.ts';

const [queen, markham] = ['toronto-queen-west', 'markham-unionville'];

forEachEngine((engine) => {
  let testApp: TestApp;
  let mei: Shopper;
  let count = 0;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    mei = await joinDemo(testApp, 'demo-mei');
  });

  interface Wanted {
    permissions?: Permission[];
    stores?: string[] | null;
    days?: number;
    name?: string;
  }
  const fresh = (name: string) => {
    count += 1;
    return `${name}-${count}`;
  };
  const make = async (as: Shopper, wanted: Wanted = {}) => {
    const body = { name: fresh('till'), permissions: ['orders.read'], stores: null, days: 30, ...wanted };
    const answer = await ask(testApp, 'addKey', { as, body });
    const made = answer.body.keys?.find(({ name }) => name === body.name);
    return { ...answer, key: answer.body.key ?? '', id: made?.id ?? '', name: body.name };
  };
  /** Someone with a second factor. */
  const join = async (role: string, stores: string[] | null = null) => {
    const email = `${fresh('person')}@shop.example`;
    const as = await joinStaff(testApp, email, role, stores);
    await secureStaff(testApp, as);
    return { as, email };
  };
  const withKey = (key: string, more: Record<string, string> = {}) => ({
    authorization: `Bearer ${key}`,
    [clientTokenHeader]: '',
    ...more,
  });
  const call = <N extends StaffEndpointName>(
    name: N,
    key: string,
    { headers, ...input }: Parameters<typeof ask>[2] = {},
  ) => ask(testApp, name, { ...input, headers: withKey(key, headers as Record<string, string>) });
  const setRow = (email: string, row: Updateable<StaffTable>) =>
    testApp.db.transaction((trx) => trx.updateTable('staff').set(row).where('email', '=', email).execute());
  const opens = async (key: string) => (await call('orders', key)).status;

  describe('a key', () => {
    it('a key makes the calls that it was made for without a cookie or the header of the office, and no others', async () => {
      const { key, status } = await make(mei, { permissions: ['orders.read', 'goods.write'] });
      expect(status).toBe(200);
      expect(key).toMatch(/^swk_[\w-]{43}$/);
      expect(await opens(key)).toBe(200);
      const added = await call('addTag', key, { body: { id: 'by-key', name: { en: 'By key' } } });
      expect(added.status).toBe(200);
      expect((await call('goods', key)).status).toBe(403);
      expect((await call('journal', key)).status).toBe(403);
      expect((await call('me', key)).body).toMatchObject({
        role: 'key',
        may: ['orders.read', 'goods.write'],
      });
    });

    it('the journal names the person and the key', async () => {
      const { key, name } = await make(mei, { permissions: ['goods.write', 'goods.read'] });
      await call('addTag', key, { body: { id: fresh('tag'), name: { en: 'Named' } } });
      const { entries } = (await ask(testApp, 'journal', { as: mei })).body;
      expect(entries[0]).toMatchObject({ by: 'Mei Chen', key: name, kind: 'tag' });
      expect(entries[1]).toMatchObject({ key: null, fields: [{ field: 'key', to: name }] });
      const tag = entries[0]?.id ?? '';
      const revisions = (await ask(testApp, 'tagRevisions', { as: mei, params: { id: tag } })).body.revisions;
      expect(revisions[0]?.key).toBe(name);
      const { printed } = await shopCommand(testApp, ['journal', 'tag', tag]);
      expect(printed).toContain(`by Mei Chen, by the key “${name}”`);
    });

    it('only a hash of a key is stored, and a request that arrives again is not told it', async () => {
      const body = { name: fresh('once'), permissions: ['orders.read'], stores: null, days: 1 };
      const headers = { [requestKeyHeader]: 'c9a1f1a0-7a52-4b53-9d2f-3f1b9a0d0c11' };
      const [first, again] = [
        await ask(testApp, 'addKey', { as: mei, body, headers }),
        await ask(testApp, 'addKey', { as: mei, body, headers }),
      ];
      expect([first.status, again.status, again.body.key]).toEqual([200, 200, null]);
      expect(again.body.keys.filter(({ name }) => name === body.name)).toHaveLength(1);
      const token = first.body.key ?? '';
      const { everyTable } = await import('#tests/whole-database.ts');
      for (const [table, rows] of await everyTable(testApp)) expect(rows.join(), table).not.toContain(token);
    });

    it('a key in other letters, with a part missing, or under another scheme opens nothing', async () => {
      const { key } = await make(mei);
      for (const wrong of [
        key.toUpperCase(),
        key.toLowerCase(),
        key.slice(0, -1),
        `${key}x`,
        key.slice(4),
        '',
        'x'.repeat(5000),
      ])
        expect(await opens(wrong), wrong).toBe(wrong === key ? 200 : 401);
      const basic = { authorization: `Basic ${key}` };
      expect((await ask(testApp, 'orders', { headers: basic })).status).toBe(401);
      // A proxy that asks for a password of its own does not shut people out.
      expect((await ask(testApp, 'orders', { as: mei, headers: basic })).status).toBe(200);
    });

    it('a request with a wrong key is refused, although its browser is signed in', async () => {
      expect((await ask(testApp, 'orders', { as: mei, headers: withKey('swk_wrong') })).status).toBe(401);
      const headers = { authorization: 'Bearer', [clientTokenHeader]: '' };
      expect((await ask(testApp, 'endKey', { as: mei, params: { id: 'x' }, headers })).status).toBe(401);
    });

    it('a key ends after its days and by a press, and its last use is seen', async () => {
      const { key, id } = await make(mei, { days: 2 });
      expect(await opens(key)).toBe(200);
      const { keys } = (await ask(testApp, 'keys', { as: mei })).body;
      expect(keys.find((each) => each.id === id)?.lastUsedAt).toBe(testApp.clock.now());
      testApp.clock.advance(2 * dayMs);
      expect(await opens(key)).toBe(401);
      mei = await joinDemo(testApp, 'demo-mei');
      const other = await make(mei);
      await ask(testApp, 'endKey', { as: mei, params: { id: other.id } });
      expect(await opens(other.key)).toBe(401);
    });

    it('a key that calls too often waits, and another does not', async () => {
      const [fast, other] = [await make(mei), await make(mei)];
      const calls = Array.from({ length: keyLimits.burst + 1 }, () => call('me', fast.key));
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 429)).toHaveLength(1);
      expect(await opens(other.key)).toBe(200);
      testApp.clock.advance(1000);
      expect(await opens(fast.key)).toBe(200);
    });
  });

  describe('who makes keys', () => {
    it('nobody gives a key more permissions or stores than they have', async () => {
      const { as } = await join('manager', [queen]);
      expect((await make(as, { permissions: ['orders.read'], stores: [queen] })).status).toBe(200);
      expect((await make(as, { permissions: ['books.close'], stores: [queen] })).status).toBe(403);
      expect((await make(as, { stores: [markham] })).status).toBe(403);
      expect((await make(as, { stores: [queen, markham] })).status).toBe(403);
      expect((await make(as, { stores: ['nowhere'] })).body.errors).toHaveProperty('stores');
      expect((await make(as, { stores: [] })).body.errors).toHaveProperty('stores');
      const all = await make(as, { stores: null });
      expect((await call('me', all.key)).body.stores).toEqual([queen]);
    });

    it('a name is asked for, and is of one key of a person', async () => {
      const { as } = await join('manager');
      expect((await make(as, { name: ' ' })).body.errors).toHaveProperty('name');
      expect((await make(as, { name: 'Till' })).status).toBe(200);
      expect((await make(as, { name: 'till' })).body.errors).toHaveProperty('name');
      expect((await make(mei, { name: 'Till' })).status).toBe(200);
      expect((await make(as, { permissions: [] })).body.errors).toHaveProperty('permissions');
      expect((await make(as, { days: 367 })).body.errors).toHaveProperty('days');
    });

    it('a key needs its maker’s password and second factor, and the permission to have keys', async () => {
      const plain = await joinStaff(testApp, `${fresh('plain')}@shop.example`, 'manager');
      expect((await make(plain)).body.errorKey).toBe('staff.factorNeeded');
      const packer = await joinStaff(testApp, `${fresh('packer')}@shop.example`, 'packer');
      expect((await make(packer)).status).toBe(403);
      const { as } = await join('manager');
      testApp.clock.advance(20 * 60_000);
      expect((await make(as)).body.errorKey).toBe('staff.confirmNeeded');
    });

    it('each sees and ends their own keys; whoever manages staff those of the people of their stores', async () => {
      mei = await joinDemo(testApp, 'demo-mei');
      const [one, two] = [await join('manager', [queen]), await join('manager', [markham])];
      const made = await make(one.as);
      const seen = async (as: Shopper) => (await ask(testApp, 'keys', { as })).body.keys.map(({ id }) => id);
      expect(await seen(one.as)).toEqual([made.id]);
      expect(await seen(two.as)).toEqual([]);
      expect(await seen(mei)).toContain(made.id);
      expect((await ask(testApp, 'endKey', { as: two.as, params: { id: made.id } })).status).toBe(404);
      expect(await opens(made.key)).toBe(200);
      await ask(testApp, 'endKey', { as: mei, params: { id: made.id } });
      expect(await opens(made.key)).toBe(401);
    });
  });

  describe('what no key does', () => {
    it('a key cannot be made for what lets others in, erases people or holds secrets, nor make the calls of a person', async () => {
      mei = await joinDemo(testApp, 'demo-mei');
      const never = permissions.filter((each) => permissionFacts[each].person);
      expect(never).toEqual(
        expect.arrayContaining([
          'staff.manage',
          'keys.manage',
          'stations.manage',
          'customers.erase',
          'connections.manage',
        ]),
      );
      for (const permission of never)
        expect((await make(mei, { permissions: [permission] })).status, permission).toBe(400);
      const { key } = await make(mei, { permissions: [...keyPermissions] });
      const refused: string[] = [];
      const all = Object.entries(staffEndpoints) as [StaffEndpointName, StaffEndpoint][];
      for (const [name, { needs, keys, params }] of all) {
        if (needs === 'nobody') continue;
        if (needs === 'anybody' ? keys === 'too' : !never.includes(needs) && keys !== 'never') continue;
        const { status } = await call(name, key, { body: {}, params: params ? { id: 'x' } : {} });
        expect(status, name).toBe(403);
        refused.push(name);
      }
      expect(refused).toEqual(
        expect.arrayContaining([
          'staff',
          'inviteStaff',
          'changeStaff',
          'addRole',
          'addKey',
          'keys',
          'endKey',
          'eraseCustomer',
          'startStation',
          'setPin',
          'mySessions',
          'startPush',
          'saveConnection',
          'rotateWebhook',
          'confirm',
        ]),
      );
    });
  });

  describe('a key and the rights of its person', () => {
    it.each<[string, Updateable<StaffTable>]>([
      ['is blocked', { blocked_at: 1 }],
      ['may have no keys any more', { role: 'packer' }],
      ['works elsewhere', { stores: `["${markham}"]` }],
    ])('a key opens nothing while its person %s', async (_why, row) => {
      const { as, email } = await join('manager', [queen]);
      const { key } = await make(as, { stores: [queen] });
      expect(await opens(key)).toBe(200);
      await setRow(email, row);
      expect(await opens(key)).toBe(401);
      await setRow(email, { blocked_at: null, role: 'manager', stores: `["${queen}"]` });
      expect(await opens(key)).toBe(200);
    });

    it('a key shrinks with its person’s role, stores and second factor', async () => {
      const { as, email } = await join('owner');
      const { key } = await make(as, {
        permissions: ['orders.read', 'orders.refund', 'books.reopen', 'goods.read'],
      });
      const may = async () => (await call('me', key)).body.may;
      expect(await may()).toEqual(['orders.read', 'orders.refund', 'books.reopen', 'goods.read']);
      await setRow(email, { role: 'manager' });
      expect(await may()).toEqual(['orders.read', 'orders.refund', 'goods.read']);
      await setRow(email, { totp_confirmed: 0 });
      expect(await may()).toEqual(['orders.read', 'goods.read']);
      expect((await call('refusedRefunds', key)).body.errorKey).toBe('staff.factorNeeded');
      await setRow(email, { totp_confirmed: 1, stores: `["${queen}"]` });
      expect(await may()).toEqual(['orders.read', 'orders.refund']);
    });

    it('a block ends the keys of a person for good, and the office names them before', async () => {
      mei = await joinDemo(testApp, 'demo-mei');
      const { as, email } = await join('manager', [queen]);
      const { key, name } = await make(as);
      const member = (await ask(testApp, 'staff', { as: mei })).body.staff.find(
        (each) => each.email === email,
      );
      expect(member?.started.keys).toEqual([name]);
      const params = { id: member?.id ?? '' };
      await ask(testApp, 'changeStaff', { as: mei, params, body: { blocked: true } });
      await ask(testApp, 'changeStaff', { as: mei, params, body: { blocked: false } });
      expect(await opens(key)).toBe(401);
    });

    it('a new password by an invitation ends the keys of the account', async () => {
      mei = await joinDemo(testApp, 'demo-mei');
      const { as, email } = await join('manager');
      const { key } = await make(as);
      const { link } = (
        await ask(testApp, 'inviteStaff', { as: mei, body: { email, role: 'manager', stores: null } })
      ).body;
      const body = { token: link.split('#')[1] ?? '', name: 'Eve', password: 'nine green kettles' };
      expect((await ask(testApp, 'acceptInvitation', { body })).status).toBe(200);
      expect(await opens(key)).toBe(401);
    });
  });

  describe('a key of one store', () => {
    it('a key of a cook reads and changes what the cook does, and nothing of another store', async () => {
      mei = await joinDemo(testApp, 'demo-mei');
      const role = {
        name: fresh('Cook'),
        permissions: ['orders.read', 'orders.move', 'stock.soldOut', 'keys.manage'],
      };
      const { roles } = (await ask(testApp, 'addRole', { as: mei, body: role })).body;
      const { as } = await join(roles.find(({ name }) => name === role.name)?.id ?? '', [queen]);
      const { key } = await make(as, { permissions: ['orders.read', 'orders.move', 'stock.soldOut'] });
      const pages = [await ask(testApp, 'orders', { as }), await call('orders', key)];
      expect(pages[1]?.body).toEqual(pages[0]?.body);
      const all = (await ask(testApp, 'orders', { as: mei })).body;
      expect(all.orders.length).toBeGreaterThan(pages[0]?.body.orders.length ?? 0);
      const { body } = await call('soldOut', key, { params: { store: queen } });
      expect(body).toEqual((await ask(testApp, 'soldOut', { as, params: { store: queen } })).body);
      expect((await call('soldOut', key, { params: { store: markham } })).status).toBe(404);
      expect((await call('goods', key)).status).toBe(403);
    });
  });

  describe('the live feed', () => {
    it('a program asks the feed what changed in its stores', async () => {
      mei = await joinDemo(testApp, 'demo-mei');
      const { key } = await make(mei, { permissions: ['goods.read'] });
      const { at } = (await call('feed', key)).body;
      await ask(testApp, 'addTag', { as: mei, body: { id: fresh('fed'), name: { en: 'Fed' } } });
      const { hints } = (await call('feed', key, { query: { since: String(at) } })).body;
      expect(hints.map(({ topic }) => topic)).toContain('tag');
      expect(hints.map(({ topic }) => topic)).not.toContain('staff');
    });
  });

  it('a device at a counter makes no keys', async () => {
    const { as } = await join('manager', [queen]);
    expect((await make(await joinStation(testApp, as, queen))).status).toBe(403);
  });

  it('the terminal makes, lists and ends keys of a person, within the rights of the person', async () => {
    const { email } = await join('manager', [queen]);
    const run = (...words: string[]) => shopCommand(testApp, ['staff', 'keys', ...words]);
    const made = await run(
      'add',
      'script',
      '--for',
      email,
      '--may',
      'orders.read,orders.move',
      '--days',
      '3',
    );
    expect(made).toMatchObject({ code: 0, printed: expect.stringMatching(/^swk_[\w-]{43}$/) });
    expect(await opens(made.printed)).toBe(200);
    expect(await run('add', 'more', '--for', email, '--may', 'books.close')).toMatchObject({ code: 1 });
    expect(await run('add', 'none', '--for', email, '--may', 'staff.manage')).toMatchObject({ code: 1 });
    expect(await run('add', 'none', '--for', 'nobody@shop.example', '--may', 'orders.read')).toMatchObject({
      code: 1,
    });
    const line = (await run()).printed.split('\n').find((each) => each.includes('script')) ?? '';
    expect(line).toContain('orders.read orders.move');
    const [id = ''] = line.split(' ');
    expect(await run('end', id)).toMatchObject({ code: 0, printed: 'Ended the key script.' });
    expect(await opens(made.printed)).toBe(401);
    expect(await run('end', id)).toMatchObject({ code: 1 });
  });
});
