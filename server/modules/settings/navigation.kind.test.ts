/** The room Navigation, over HTTP. */
import { beforeAll, expect, it } from 'vitest';
import { askStaff, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

onBothEngines((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
  });
  const load = async (id: string) => (await askStaff(testApp, 'navigation', { as, params: { id } })).body;
  const save = async (id: string, edits: object[], lang = 'en') => {
    const { revision } = await load(id);
    return askStaff(testApp, 'saveNavigation', {
      as,
      params: { id },
      query: { lang },
      body: { revision, edits },
    });
  };
  const shown = async (lang?: 'zh') =>
    (await testApp.call('appInfoInit', lang ? { query: { lang } } : {})).appContent;
  const journal = async () => (await askStaff(testApp, 'journal', { as })).body.entries;
  const care = { label: { en: 'Care', zh: '养护' }, link: '/care-guide' };

  it('header and footer link to categories, brands, clearance and the blog, and the header to the account, as long as nobody says otherwise', async () => {
    const parts = ['categories', 'brands', 'clearance', 'blog'];
    const { header, footer } = await shown();
    expect([header.parts, footer.parts]).toEqual([[...parts, 'account'], parts]);
    expect(header.links).toEqual([]);
  });

  it('a link that is added and a part that is left out show at the next request, and the journal names person and fields', async () => {
    const { links } = (await load('footer')).content;
    const edits = [
      { path: ['links'], to: [...links, care] },
      { path: ['clearance'], to: false },
    ];
    expect((await save('footer', edits)).status).toBe(200);
    const { footer, header } = await shown('zh');
    expect(footer.links.at(-1)).toEqual({ label: '养护', link: '/care-guide', children: [] });
    expect(footer.parts).toEqual(['categories', 'brands', 'blog']);
    expect(header.parts).toContain('clearance');
    const [entry] = await journal();
    expect(entry).toMatchObject({ action: 'navigation change', kind: 'navigation', id: 'footer' });
    expect(entry?.fields?.map(({ field }) => field).sort()).toEqual(['clearance', 'links']);
  });

  it('a group of the header has its links below it', async () => {
    const group = { ...care, children: [{ label: { en: 'Terms' }, link: '/terms' }] };
    expect(
      (
        await save('header', [
          { path: ['links'], to: [group] },
          { path: ['categories'], to: false },
        ])
      ).status,
    ).toBe(200);
    const { header, menu } = await shown();
    expect(header.links).toEqual([
      { label: 'Care', link: '/care-guide', children: [{ label: 'Terms', link: '/terms' }] },
    ]);
    expect(header.parts).not.toContain('categories');
    expect(menu.length).toBeGreaterThan(0);
  });

  it('the account can be left out of the header and shown in the footer', async () => {
    expect((await save('header', [{ path: ['account'], to: false }])).status).toBe(200);
    expect((await save('footer', [{ path: ['account'], to: true }])).status).toBe(200);
    const { header, footer } = await shown();
    expect([header.parts.includes('account'), footer.parts.includes('account')]).toEqual([false, true]);
  });

  it('a group of the header shows its picture, and a link without others below it shows none', async () => {
    const [picture] = (await askStaff(testApp, 'media', { as, query: { text: '', skip: '0' } })).body
      .pictures;
    const plain = { ...care, picture: picture?.file };
    const links = [{ ...plain, children: [care] }, plain];
    expect((await save('header', [{ path: ['links'], to: links }])).status).toBe(200);
    const { header } = await shown();
    expect(header.links[0]?.picture?.imageURL).toContain('/media/');
    expect(header.links[1]).toEqual({ label: 'Care', link: '/care-guide', children: [] });
  });

  it('the line under the header is the merchant’s once it has a text, and leads where it says', async () => {
    const before = (await shown()).seasonNote;
    const strip = { text: { en: 'Free shipping this week', zh: '本周免运费' }, link: '/shipping' };
    expect((await save('header', [{ path: ['strip'], to: strip }])).status).toBe(200);
    expect((await shown('zh')).seasonNote).toEqual({ text: '本周免运费', link: '/shipping' });
    expect((await save('header', [{ path: ['strip'], to: { text: { en: '' }, link: '' } }])).status).toBe(
      200,
    );
    expect((await shown()).seasonNote).toEqual(before);
  });

  it('a footer has neither a line nor pictures', async () => {
    const edits = [
      { path: ['strip'], to: { text: { en: 'News' }, link: '' } },
      { path: ['links'], to: [{ ...care, picture: 'cups.jpg' }] },
    ];
    const { status, body } = await save('footer', edits);
    expect([status, Object.keys(body.errors ?? {}).sort()]).toEqual([
      400,
      ['navigation.footer.links.0.picture', 'navigation.footer.strip'],
    ]);
  });

  it('a footer that a file or a command changed has that in its history, and goes back over it to the same bytes', async () => {
    const { revision, content } = await load('footer');
    const { footer } = await testApp.services.settings.all();
    await testApp.services.settings.update({
      footer: { ...footer, links: [], brands: false, copyright: { en: '© Other' } },
    });
    const after = await load('footer');
    expect(after.content.links).toEqual([]);
    expect(after.revision).toBeGreaterThan(revision);
    const body = { revision, seen: after.revision };
    expect(
      (await askStaff(testApp, 'restoreNavigation', { as, params: { id: 'footer' }, body })).status,
    ).toBe(200);
    expect(JSON.stringify((await load('footer')).content)).toBe(JSON.stringify(content));
    expect((await testApp.services.settings.all()).footer.copyright).toEqual({ en: '© Other' });
  });

  it('two people who change different fields both keep theirs, and the same field is a conflict', async () => {
    const { revision } = await load('header');
    const of = (path: string, to: unknown) => ({
      as,
      params: { id: 'header' },
      body: { revision, edits: [{ path: [path], to }] },
    });
    expect((await askStaff(testApp, 'saveNavigation', of('brands', false))).status).toBe(200);
    expect((await askStaff(testApp, 'saveNavigation', of('blog', false))).status).toBe(200);
    expect((await load('header')).content).toMatchObject({ brands: false, blog: false });
    expect((await askStaff(testApp, 'saveNavigation', of('brands', true))).status).toBe(409);
  });

  it('a link without words, without an address or to a script is refused at its field, and changes nothing', async () => {
    const before = await load('footer');
    const links = [
      { label: { en: ' ' }, link: '' },
      { ...care, children: [{ ...care, link: 'javascript:alert(1)' }] },
    ];
    const { status, body } = await save('footer', [{ path: ['links'], to: links }], 'zh');
    expect(status).toBe(400);
    expect(Object.keys(body.errors ?? {}).sort()).toEqual([
      'navigation.footer.links.0.label.en',
      'navigation.footer.links.0.link',
      'navigation.footer.links.1.children.0.link',
    ]);
    for (const said of Object.values(body.errors ?? {})) expect(said).toMatch(/\p{Script=Han}/u);
    expect(await load('footer')).toEqual(before);
  });

  it('a header and a footer are there, and nothing else', async () => {
    const { places } = (await askStaff(testApp, 'navigations', { as })).body;
    expect(places.map(({ id }) => id)).toEqual(['header', 'footer']);
    expect((await askStaff(testApp, 'navigation', { as, params: { id: 'shopName' } })).status).toBe(404);
    expect(
      (await askStaff(testApp, 'navigationRevisions', { as, params: { id: 'footer' } })).body.revisions
        .length,
    ).toBeGreaterThan(1);
  });

  it('removing a category says which links of the header lead to it', async () => {
    const [category, other] = (await shown()).menu;
    const link = `/products/${category?.name}`;
    const children = [{ label: { en: 'All of it' }, link }];
    expect((await save('header', [{ path: ['links'], to: [{ ...care, children }] }])).status).toBe(200);
    const { body } = await askStaff(testApp, 'categoryUse', {
      as,
      params: { id: category?.name ?? '' },
      query: { to: other?.name ?? '' },
    });
    expect(body.affected).toContain('header: the link “All of it” leads to it');
  });

  it('a writer writes the navigation, and an assistant does not', async () => {
    const writer = await joinStaff(testApp, `writer@${engine}.example`, 'writer');
    expect((await askStaff(testApp, 'navigations', { as: writer })).status).toBe(200);
    const assistant = await joinStaff(testApp, `assistant@${engine}.example`, 'assistant', [
      'toronto-queen-west',
    ]);
    expect((await askStaff(testApp, 'navigations', { as: assistant })).status).toBe(403);
  });
});
