/** The room Old addresses, over HTTP. */
import { beforeAll, expect, it } from 'vitest';
import { askStaff, joinDemo } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

onBothEngines((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
  });
  const add = (from: string, to: string) => askStaff(testApp, 'addRedirect', { as, body: { from, to } });
  const load = async (id: string) => (await askStaff(testApp, 'redirect', { as, params: { id } })).body;
  const save = async (id: string, to: string) => {
    const { revision } = await load(id);
    return askStaff(testApp, 'saveRedirect', {
      as,
      params: { id },
      body: { revision, edits: [{ path: ['to'], to }] },
    });
  };
  const leads = (url: string) => testApp.services.redirects.of(url);

  it('an old address leads on at the next request, in each language, and back to where it led before', async () => {
    const added = await add('/Old/Mugs/', '/productlist');
    expect(added.status, JSON.stringify(added.body)).toBe(200);
    const id = '/old/mugs';
    expect(added.body.content).toEqual({ id, to: '/productlist' });
    expect([await leads('/old/mugs'), await leads('/zh/old/mugs?x=1')]).toEqual([
      '/productlist',
      '/zh/productlist?x=1',
    ]);
    const { revision } = await load(id);
    expect((await save(id, '/about')).status).toBe(200);
    expect(await leads('/old/mugs')).toBe('/about');
    const restored = await askStaff(testApp, 'restoreRedirect', {
      as,
      params: { id },
      body: { revision, seen: (await load(id)).revision },
    });
    expect(restored.body.content).toEqual({ id, to: '/productlist' });
  });

  it('an address as long as files allow is one of the office too, and a longer one is refused', async () => {
    const id = `/${'a'.repeat(499)}`;
    expect((await add(id, '/about')).status).toBe(200);
    expect((await load(id)).content).toEqual({ id, to: '/about' });
    expect((await add(`${id}a`, '/about')).status).toBe(400);
  });

  it('an address that led to one that now leads on is noted as well, with the way back', async () => {
    await add('/first', '/second');
    await add('/second', '/terms');
    expect((await load('/first')).content.to).toBe('/terms');
    const { revisions } = (await askStaff(testApp, 'redirectRevisions', { as, params: { id: '/first' } }))
      .body;
    expect(revisions.map(({ isKept, fields }) => [isKept, fields?.[0]?.to])).toEqual([
      [true, '/terms'],
      [false, undefined],
    ]);
  });

  it('an address that leads on already, or to itself, or out of the shop, is refused at its field', async () => {
    await add('/taken', '/about');
    expect((await add('/TAKEN', '/terms')).body.errors).toHaveProperty('from');
    for (const to of ['https://evil.example/', '//evil.example', ''])
      expect((await add('/out', to)).status, to).toBe(400);
    expect(Object.keys((await save('/taken', '/taken')).body.errors ?? {})).toEqual(['redirects./taken.to']);
  });

  it('a removed address leads nowhere', async () => {
    await add('/gone', '/about');
    expect((await askStaff(testApp, 'removeRedirect', { as, params: { id: '/gone' } })).status).toBe(200);
    expect(await leads('/gone')).toBeNull();
    expect((await askStaff(testApp, 'redirect', { as, params: { id: '/gone' } })).status).toBe(404);
  });
});
