/** Saved views of the list of orders, over HTTP. */
import { beforeAll, expect, it } from 'vitest';
import { askStaff as ask, joinStaff as join } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

onBothEngines((engine) => {
  let testApp: TestApp;
  let manager: Shopper;
  let packer: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    manager = await join(testApp, 'manager@views.example', 'manager');
    packer = await join(testApp, 'packer@views.example', 'packer');
  });
  const names = async (as: Shopper) =>
    (await ask(testApp, 'orderViews', { as })).body.views.map(
      ({ name, shared }) => `${name}${shared ? ' (shared)' : ''}`,
    );
  const save = (as: Shopper, name: string, filters: object) =>
    ask(testApp, 'saveOrderView', { as, body: { name, filters } });

  it('a view is of the person who saved it, by its name, until it is shared', async () => {
    await save(packer, ' To pack ', { state: 'placed', method: 'shipping' });
    const { body } = await save(packer, 'To pack', { state: 'open', method: 'shipping' });
    expect(body.views).toMatchObject([
      { name: 'To pack', filters: { state: 'open', method: 'shipping' }, shared: false },
    ]);
    expect(await names(manager)).toEqual([]);
    const { views } = (await save(manager, 'Unpaid', { owes: 'yes' })).body;
    const id = views[0]?.id ?? '';
    const share = (as: Shopper, shared: boolean) =>
      ask(testApp, 'shareOrderView', { as, params: { id }, body: { shared } });
    expect((await share(packer, true)).status).toBe(403);
    await share(manager, true);
    expect(await names(packer)).toEqual(['To pack', 'Unpaid (shared)']);
    const remove = (as: Shopper) => ask(testApp, 'removeOrderView', { as, params: { id } });
    expect((await remove(packer)).status).toBe(404);
    expect((await remove(manager)).status).toBe(404);
    await share(manager, false);
    expect(await names(packer)).toEqual(['To pack']);
    await remove(manager);
    expect(await names(manager)).toEqual([]);
  });

  it.each([
    [{ name: '  ', filters: {} }, 400],
    [{ name: 'Ada', filters: { text: 'ada@example.com' } }, 400],
    [{ name: 'Odd', filters: { state: 'cart' } }, 400],
  ])('the view %j is refused', async (body, status) => {
    expect((await ask(testApp, 'saveOrderView', { as: packer, body })).status).toBe(status);
  });

  it('somebody has at most fifty views', async () => {
    for (let no = 1; no < 50; no += 1) await save(packer, `View ${no}`, { state: 'open' });
    expect((await save(packer, 'One more', { state: 'open' })).body.errorKey).toBe('office.views.many');
    expect((await save(packer, 'View 1', { state: 'ready' })).status).toBe(200);
  });
});
