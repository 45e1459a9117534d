/** What shoppers' browsers get of the look: with the first bytes of each page, and at once after a change. */
import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { readyLooks } from '#contract/rules/look.ts';
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
  const pageAt = async (url: string, etag?: string) => {
    const { statusCode, headers, body } = await testApp.app.inject({
      url,
      headers: etag === undefined ? {} : { 'if-none-match': etag },
    });
    return {
      status: statusCode,
      etag: String(headers.etag),
      policy: String(headers['content-security-policy']),
      body,
    };
  };
  const styleOf = (body: string) => /<style>([^<]*)<\/style>/.exec(body)?.[1];
  const params = { id: 'shop' };
  const edits = [{ path: ['colours'], to: readyLooks.tomato.colours }];
  const tried = async (page: 'home' | 'list' | 'product', of = edits) =>
    (await askStaff(testApp, 'tryLook', { as, params, body: { edits: of, language: 'zh', page } })).body.html;

  it('a preview shows the look in the form, in the chosen language, and shoppers see nothing of it', async () => {
    const home = await tried('home');
    expect(styleOf(home)).toContain('--color-action:#b3311b');
    expect(home).toContain('lang="zh');
    expect(home).not.toMatch(/<script/);
    expect(await tried('list')).toContain('product-card');
    expect(await tried('product')).toMatch(/<h1[^>]*>[^<]*\p{Script=Han}/u);
    expect(styleOf((await pageAt('/')).body)).toBeUndefined();
  });

  it('a colour that is still being typed is drawn as it was, and the others as they are in the form', async () => {
    const style = styleOf(
      await tried('home', [...edits, { path: ['colours', 'action'], to: '#b331' as never }]),
    );
    expect(style).toContain('--color-paper:#fff5f2');
    expect(style).not.toMatch(/--color-action:#b33/);
  });

  it('a saved look is in the head of every page, allowed by its hash alone, and changes the ETag', async () => {
    const before = await pageAt('/');
    expect((await pageAt('/', before.etag)).status).toBe(304);
    const { revision } = (await askStaff(testApp, 'look', { as, params })).body;
    expect((await askStaff(testApp, 'saveLook', { as, params, body: { revision, edits } })).status).toBe(200);
    for (const url of ['/', '/zh', '/cart', '/productlist']) {
      const { body, policy } = await pageAt(url);
      const style = styleOf(body) ?? '';
      expect(style, url).toContain('--color-paper:#fff5f2');
      expect(body.indexOf('<style>')).toBeLessThan(body.indexOf('<body'));
      expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
      expect(policy).not.toContain('unsafe-inline');
      expect(body).toContain('name="theme-color" content="#fff5f2" media="(prefers-color-scheme: light)"');
    }
    const after = await pageAt('/', before.etag);
    expect(after.status).toBe(200);
    expect(after.etag).not.toBe(before.etag);
  });

  it('a shop without a night has no pictures of the evening, also on dark devices', async () => {
    expect((await pageAt('/')).body).toContain('<source media="(prefers-color-scheme: dark)');
    const { revision } = (await askStaff(testApp, 'look', { as, params })).body;
    const off = [{ path: ['night'], to: false }];
    expect((await askStaff(testApp, 'saveLook', { as, params, body: { revision, edits: off } })).status).toBe(
      200,
    );
    expect((await pageAt('/')).body).not.toContain('<source media="(prefers-color-scheme: dark)');
  });

  it('previews of pages and menus have the look that is stored', async () => {
    const { body } = await askStaff(testApp, 'tryPage', {
      as,
      params: { id: 'home' },
      body: { edits: [], language: 'en' },
    });
    expect(styleOf(body.html)).toContain('--color-paper:#fff5f2');
  });

  it('the outermost element of each block says its id in a preview, by which a press on it finds its fields', async () => {
    for (const id of ['home', 'about', 'wholesale', 'care-guide', 'shipping-and-returns', 'tea-bar']) {
      const { body } = await askStaff(testApp, 'tryPage', {
        as,
        params: { id },
        body: { edits: [], language: 'en' },
      });
      const marked = [...body.html.matchAll(/ data-block="([^"]+)"/g)].map(([, each]) => each);
      const { blocks } = await testApp.call('pageContent', { query: { pageName: id } });
      expect(marked, id).toEqual(blocks.map((block) => block.id));
    }
  });
});
