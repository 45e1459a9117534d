/** Own roles, and that nobody gives what they do not have. */
import { beforeAll, expect, it } from 'vitest';
import type { Permission } from '#contract/staff/permissions.ts';
import { askStaff as ask, inviteStaff, joinDemo, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

forEachEngine((engine) => {
  let testApp: TestApp;
  let mei: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    mei = await joinDemo(testApp, 'demo-mei');
  });

  const add = async (name: string, permissions: Permission[], as = mei) => {
    const { status, body } = await ask(testApp, 'addRole', { as, body: { name, permissions } });
    return {
      status,
      body,
      id: status === 200 ? (body.roles.find((role) => role.name === name)?.id ?? '') : '',
    };
  };
  const journalled = async () => (await ask(testApp, 'journal', { as: mei })).body.entries[0];

  it('an own role lets people do what is ticked, and a change of it counts at once', async () => {
    const { id } = await add('Counter', ['orders.read']);
    expect(await journalled()).toMatchObject({ action: 'role add', kind: 'role', id, by: 'Mei Chen' });
    const clerk = await joinStaff(testApp, 'counter@shop.example', id);
    expect((await ask(testApp, 'me', { as: clerk })).body).toMatchObject({
      role: id,
      roleName: 'Counter',
      may: ['orders.read'],
    });
    expect((await ask(testApp, 'journal', { as: clerk })).status).toBe(403);
    const body = { name: 'Counter and books', permissions: ['orders.read', 'journal.read'] };
    const changed = await ask(testApp, 'changeRole', { as: mei, params: { id }, body });
    expect(changed.body.roles.find((role) => role.id === id)).toMatchObject({ ...body, people: 1 });
    expect((await ask(testApp, 'journal', { as: clerk })).status).toBe(200);
    expect((await ask(testApp, 'staff', { as: mei })).body.staff).toContainEqual(
      expect.objectContaining({ email: 'counter@shop.example', roleName: 'Counter and books' }),
    );
  });

  it('permissions for money and staff need a second factor in an own role, too', async () => {
    const { id } = await add('Refunds', ['orders.read', 'orders.refund']);
    const clerk = await joinStaff(testApp, 'refunds@shop.example', id);
    expect((await ask(testApp, 'me', { as: clerk })).body).toMatchObject({
      may: ['orders.read'],
      waiting: ['orders.refund'],
    });
  });

  it('a role that somebody has or is invited to cannot be removed', async () => {
    const { id } = await add('Seasonal', ['orders.read']);
    await inviteStaff(testApp, 'season@shop.example', id);
    expect((await ask(testApp, 'removeRole', { as: mei, params: { id } })).body.errorKey).toBe(
      'staff.roleUsed',
    );
    const { id: free } = await add('Nobody', ['orders.read']);
    expect((await ask(testApp, 'removeRole', { as: mei, params: { id: free } })).status).toBe(200);
    expect(await journalled()).toMatchObject({ action: 'role remove', id: free });
    expect((await ask(testApp, 'removeRole', { as: mei, params: { id: free } })).status).toBe(404);
  });

  it('a role needs a name of its own, and people a role that there is', async () => {
    await add('Twice', []);
    expect((await add(' twice ', [])).body.errors).toHaveProperty('name');
    expect((await add(' ', [])).body.errors).toHaveProperty('name');
    const unknown = await ask(testApp, 'inviteStaff', {
      as: mei,
      body: { email: 'a@shop.example', role: 'nobody', stores: null },
    });
    expect(unknown.body.errors).toHaveProperty('role');
  });

  it('whoever manages staff gives neither permissions nor stores that they lack, nor touches people who have more', async () => {
    const { id } = await add('Head of the counter', ['orders.read', 'staff.manage']);
    const store = 'toronto-queen-west';
    const head = await joinStaff(testApp, 'head@shop.example', id, [store]);
    await secureStaff(testApp, head);
    const asked = async (role: string, stores: string[] | null, email = 'new@shop.example') =>
      (await ask(testApp, 'inviteStaff', { as: head, body: { email, role, stores } })).body.errorKey;
    expect(await asked('owner', [store])).toBe('staff.beyond');
    expect(await asked('assistant', [store])).toBe('staff.beyond');
    const { id: lesser } = await add('Looks', ['orders.read']);
    expect(await asked(lesser, null)).toBe('staff.beyond');
    expect(await asked(lesser, ['markham-unionville'])).toBe('staff.beyond');
    expect(await asked(lesser, [store])).toBeUndefined();
    expect(await asked(lesser, [store], 'mei@maple-and-clay.example')).toBe('staff.beyond');
    const seen = (await ask(testApp, 'staff', { as: head })).body.staff;
    expect(seen.every(({ stores }) => stores?.includes(store))).toBe(true);
    expect(seen.map(({ email }) => email)).toContain('head@shop.example');
    await joinStaff(testApp, 'far@shop.example', lesser, ['markham-unionville']);
    const far =
      (await ask(testApp, 'staff', { as: mei })).body.staff.find(({ email }) => email === 'far@shop.example')
        ?.id ?? '';
    expect(
      (await ask(testApp, 'changeStaff', { as: head, params: { id: far }, body: { blocked: true } })).status,
    ).toBe(404);
    const block = await ask(testApp, 'changeStaff', {
      as: head,
      params: { id: 'demo-noah' },
      body: { blocked: true },
    });
    expect(block.body.errorKey).toBe('staff.beyond');
    expect((await add('More', ['reports.read'], head)).body.errorKey).toBe('staff.beyond');
    const own = { name: 'Head', permissions: ['orders.read', 'staff.manage', 'orders.refund'] };
    expect((await ask(testApp, 'changeRole', { as: head, params: { id }, body: own })).body.errorKey).toBe(
      'staff.beyond',
    );
  });

  it('an owner of one store reaches nobody who works in others too, and ends no invitation to another store', async () => {
    const store = 'toronto-queen-west';
    const local = await joinStaff(testApp, 'local@shop.example', 'owner', [store]);
    await secureStaff(testApp, local);
    const change = async (id: string, body: object) => {
      const answer = await ask(testApp, 'changeStaff', { as: local, params: { id }, body });
      return answer.body.errorKey ?? answer.status;
    };
    const idOf = async (email: string) =>
      (await ask(testApp, 'staff', { as: mei })).body.staff.find((each) => each.email === email)?.id ?? '';
    expect(await change('demo-mei', { stores: [store] })).toBe('error.notFound');
    expect(await change('demo-mei', { stores: [store], blocked: true })).toBe('error.notFound');
    await joinStaff(testApp, 'both@shop.example', 'packer', [store, 'markham-unionville']);
    const both = await idOf('both@shop.example');
    expect(await change(both, { stores: [store] })).toBe('staff.beyond');
    expect(await change(both, { blocked: true })).toBe('staff.beyond');
    await joinStaff(testApp, 'own@shop.example', 'packer', [store]);
    expect(await change(await idOf('own@shop.example'), { blocked: true })).toBe(200);

    await inviteStaff(testApp, 'elsewhere@shop.example', 'manager', ['markham-unionville']);
    const body = { email: 'elsewhere@shop.example', role: 'packer', stores: [store] };
    expect((await ask(testApp, 'inviteStaff', { as: local, body })).body.errorKey).toBe('staff.beyond');
  });

  it('the last owner of all stores stays one, whoever owns a single store', async () => {
    await joinStaff(testApp, 'single@shop.example', 'owner', ['toronto-queen-west']);
    const alone = async (body: object) =>
      (await ask(testApp, 'changeStaff', { as: mei, params: { id: 'demo-mei' }, body })).body.errorKey;
    for (const body of [{ stores: ['toronto-queen-west'] }, { role: 'packer' }, { blocked: true }])
      expect(await alone(body)).toBe('staff.lastOwner');
  });
});
