/** "Opening soon": what visitors, staff and people with the password see, and what programs are answered. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { renderFromSources } from '#tests/rendered.ts';
import { askStaff, joinDemo } from '#tests/staff.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

onOneEngine((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, app: { web: renderFromSources } });
    as = await joinDemo(testApp, 'demo-mei');
  });
  const params = { id: 'shop' };
  async function set(to: object): Promise<void> {
    const { revision } = (await askStaff(testApp, 'settings', { as, params })).body;
    const edits = Object.entries(to).map(([field, value]) => ({ path: ['openingSoon', field], to: value }));
    const { status, body } = await askStaff(testApp, 'saveSettings', {
      as,
      params,
      body: { revision, edits },
    });
    expect(status, JSON.stringify(body)).toBe(200);
  }
  beforeEach(() => set({ on: true, page: null, password: 'kettle' }));
  const get = (url: string, cookie?: string) =>
    testApp.app.inject({ url, ...(cookie ? { headers: { cookie } } : {}) });
  const send = (password: string) =>
    testApp.app.inject({
      method: 'POST',
      url: '/page/opening-soon?lang=zh',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ password }).toString(),
    });

  it('visitors see one page at every address, in each language, and nothing of it is indexed or cached', async () => {
    for (const url of ['/', '/productlist', '/cart', '/blog', '/no-such-page']) {
      const { statusCode, headers, body } = await get(url);
      expect([url, statusCode, headers['x-robots-tag'], headers['cache-control']]).toEqual([
        url,
        200,
        'noindex',
        'no-store',
      ]);
      expect(body).toContain('We’re opening soon.');
      expect(body).not.toContain('<script');
      expect(body).not.toMatch(/<(header|footer)\b|href="\/(products|cart|blog)/);
      expect(body).toContain('name="password"');
    }
    expect((await get('/zh/productlist')).body).toContain('我们即将开业');
    expect((await get('/robots.txt')).body).toBe('User-agent: *\nDisallow: /\n');
  });

  it('calls of the shop, agents, feeds and sitemaps are refused, and the office and callbacks of providers are not', async () => {
    expect(await testApp.ask('products')).toMatchObject({
      status: 503,
      body: { errorKey: 'error.shopClosed' },
    });
    const added = await testApp.app.inject({ method: 'POST', url: '/api/cart', payload: {} });
    expect(added.statusCode).toBe(503);
    for (const url of ['/.well-known/ucp', '/llms.txt', '/sitemap.xml', '/blog/feed.xml'])
      expect([url, (await get(url)).statusCode]).toEqual([url, 503]);
    expect((await get('/healthz')).statusCode).toBe(200);
    expect(
      (await testApp.app.inject({ method: 'POST', url: '/api/webhooks/none', payload: {} })).statusCode,
    ).toBe(404);
    expect((await askStaff(testApp, 'posts', { as })).status).toBe(200);
  });

  it('staff who are signed in see the shop, and a cookie that opens nothing does not', async () => {
    const { body } = await get('/productlist', as.header);
    expect(body).toContain('<script');
    expect(body).not.toContain('opening soon.');
    expect((await get('/productlist', `staff=${'a'.repeat(43)}`)).body).toContain('We’re opening soon.');
  });

  it('the password opens the shop in the browser that sent it, until it is changed', async () => {
    const wrong = await send('teapot');
    expect([wrong.statusCode, wrong.headers['set-cookie']]).toEqual([403, undefined]);
    expect(wrong.body).toContain('密码错误');
    const right = await send('kettle');
    expect([right.statusCode, right.headers.location]).toEqual([303, '/zh']);
    const [cookie = ''] = String(right.headers['set-cookie']).split(';', 1);
    expect((await get('/productlist', cookie)).body).not.toContain('opening soon.');
    expect((await get('/productlist')).body).toContain('We’re opening soon.');
    await set({ password: 'saucer' });
    expect((await get('/productlist', cookie)).body).toContain('We’re opening soon.');
    await set({ password: '' });
    expect((await get('/')).body).not.toContain('name="password"');
    expect((await send('')).statusCode).toBe(403);
  });

  it('a page of the shop is shown in place of the sentence, and the shop opens at the next request', async () => {
    await set({ page: 'about' });
    const { title } = await testApp.services.content.page('about', 'en');
    const { body } = await get('/');
    expect(body).toContain(title);
    expect(body).not.toContain('We’re opening soon.');
    await set({ on: false });
    expect((await get('/productlist')).body).toContain('<script');
    expect((await testApp.ask('products')).status).toBe(200);
    const { revisions } = (await askStaff(testApp, 'settingsRevisions', { as, params })).body;
    expect(revisions[0]).toMatchObject({ action: 'settings change', isKept: true });
  });

  it('a page that is not there is refused at its field', async () => {
    const { revision } = (await askStaff(testApp, 'settings', { as, params })).body;
    const edits = [{ path: ['openingSoon', 'page'], to: 'nothing' }];
    const { body } = await askStaff(testApp, 'saveSettings', { as, params, body: { revision, edits } });
    expect(Object.keys(body.errors ?? {})).toEqual(['settings.shop.openingSoon.page']);
  });
});
