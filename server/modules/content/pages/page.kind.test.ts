/** The room Pages, over HTTP. */
import { beforeAll, expect, it } from 'vitest';
import { pageBeginnings } from '#contract/limits.ts';
import type { BlockOf } from '#contract/schemas/blocks.ts';
import type { PageBeginning } from '#contract/schemas/page.ts';
import { askStaff, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

interface Block {
  id: string;
  type: string;
  [field: string]: unknown;
}

onBothEngines((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
  });
  const load = async (id: string) => (await askStaff(testApp, 'page', { as, params: { id } })).body;
  const save = async (id: string, edits: object[], lang = 'en') => {
    const { revision } = await load(id);
    return askStaff(testApp, 'savePage', { as, params: { id }, query: { lang }, body: { revision, edits } });
  };
  const publish = async (id: string) =>
    askStaff(testApp, 'publishPage', {
      as,
      params: { id },
      body: { seen: (await load(id)).revision, at: null },
    });
  const add = (beginning: PageBeginning, title: string, id = '') =>
    askStaff(testApp, 'addPage', { as, body: { id, title: { en: title }, beginning } });
  const shown = (pageName: string) => testApp.call('pageContent', { query: { pageName } });
  const journal = async () => (await askStaff(testApp, 'journal', { as })).body.entries;

  it('a page that was published shows at the next request, and the journal names the person and the fields', async () => {
    const paragraphs = [{ en: 'Open on Mondays.', zh: '周一营业。' }];
    const { status } = await save('privacy', [
      { path: ['blocks', 'privacy-1', 'paragraphs'], to: paragraphs },
    ]);
    expect(status).toBe(200);
    const [entry] = await journal();
    expect((await publish('privacy')).status).toBe(200);
    expect(JSON.stringify(await shown('privacy'))).toContain('Open on Mondays.');
    expect(entry).toMatchObject({ action: 'pages change', kind: 'page', id: 'privacy' });
    expect(entry?.fields?.map(({ field }) => field)).toEqual(['blocks.privacy-1.paragraphs']);
  });

  it('blocks are added, moved and removed, and the page goes back to the same bytes', async () => {
    const before = await load('terms');
    const ids = (before.content.blocks as Block[]).map(({ id }) => id);
    const block = { id: 'tiles-1', type: 'linkTiles', title: null, tiles: [] };
    const moved = ['tiles-1', ...ids.slice(1).toReversed()];
    const edits = [
      { path: ['blocks', 'tiles-1'], to: block },
      { path: ['blocks', ids[0]] },
      { path: ['blocks', '#'], to: moved },
    ];
    expect((await save('terms', edits)).status).toBe(200);
    expect((await publish('terms')).status).toBe(200);
    expect((await shown('terms')).blocks.map(({ id }) => id)).toEqual(moved);
    const { body } = await askStaff(testApp, 'pageRevisions', { as, params: { id: 'terms' } });
    const [, latest, first] = body.revisions;
    expect(latest?.isKept).toBe(true);
    const seen = (await load('terms')).revision;
    const restored = { as, params: { id: 'terms' }, body: { revision: first?.no, seen } };
    expect((await askStaff(testApp, 'restorePage', restored)).status).toBe(200);
    expect(JSON.stringify((await load('terms')).content)).toBe(JSON.stringify(before.content));
  });

  it('an edit that a file would be refused for is refused at its field, in the language of the person, and changes nothing', async () => {
    const before = await load('about');
    const edits = [
      { path: ['title', 'en'], to: ' ' },
      {
        path: ['blocks', 'about-1', 'items'],
        to: [{ image: 'nowhere.jpg', alt: { en: '' }, link: 'javascript:1' }],
      },
      { path: ['blocks', 'about-6', 'uiAttribute', 'collectionname'], to: 'nothing-of-this' },
      { path: ['blocks', 'odd'], to: { id: 'odd', type: 'carousel' } },
    ];
    const { status, body } = await save('about', edits);
    expect(status).toBe(400);
    const fields = Object.keys(body.errors ?? {});
    for (const field of ['title.en', 'blocks.about-1.items.0.link', 'blocks.odd'])
      expect(fields, String(fields)).toContain(`pages.about.${field}`);
    const picture = {
      path: ['blocks', 'about-1', 'items'],
      to: [{ ...firstItem(before.content.blocks), image: 'nowhere.jpg' }],
    };
    const missing = await save('about', [picture], 'zh');
    expect(Object.keys(missing.body.errors ?? {})).toEqual(['pages.about.blocks.about-1.items.0.image']);
    expect(Object.values(missing.body.errors ?? {}).join()).toMatch(/\p{Script=Han}/u);
    expect(await load('about')).toEqual(before);
  });

  it.each(pageBeginnings.filter((each) => each !== 'contact'))(
    'a page that begins with %s can be saved and published as it is, is shown, and has every text in each language',
    async (beginning) => {
      const title = `A page ${beginning}`;
      const added = await add(beginning, title);
      expect(added.status, JSON.stringify(added.body)).toBe(200);
      const { id } = added.body.content;
      expect(id).toBe(`a-page-${beginning}`);
      expect((await publish(id)).status).toBe(200);
      expect((await shown(id)).title).toBe(title);
      const untranslated = (await askStaff(testApp, 'pages', { as })).body.pages.find(
        (each) => each.id === id,
      );
      expect([untranslated?.title, untranslated?.missing]).toEqual([
        { en: title },
        [{ language: 'zh', texts: 1 }],
      ]);
      expect((await save(id, [{ path: ['title', 'zh'], to: '页面' }])).status).toBe(200);
      const { pages } = (await askStaff(testApp, 'pages', { as })).body;
      expect(pages.find((each) => each.id === id)?.missing).toEqual([]);
      const texts = JSON.stringify(
        (await shown(id)).blocks.map((block) => ({ ...block, products: [], sections: [], stores: [] })),
      );
      expect(texts.includes('{"en"')).toBe(false);
    },
  );

  it('a page with the title of its beginning has it in each language', async () => {
    const { content } = (await add('about', 'About us', 'about-again')).body;
    expect(content.title).toEqual({ en: 'About us', zh: '关于我们' });
  });

  it('a page that begins as a home takes the address of the first page, if there is none yet', async () => {
    const own = await createTestApp({ engine });
    const owner = await joinStaff(own, 'owner@shop.example');
    const begin = (beginning: PageBeginning) =>
      askStaff(own, 'addPage', { as: owner, body: { id: '', title: { en: 'The corner shop' }, beginning } });
    expect((await begin('cafe')).body.content.id).toBe('home');
    expect((await begin('shop')).body.content.id).toBe('the-corner-shop');
  });

  it('a menu lists a category with those below it as sections, and hours are those of the store', async () => {
    const blocks = [
      { id: 'menu', type: 'tableMenu', title: null, category: 'tea-bar' },
      { id: 'all', type: 'openingHours', title: null, store: '' },
      { id: 'one', type: 'openingHours', title: null, store: 'toronto-queen-west' },
    ];
    expect(
      (
        await save(
          'terms',
          blocks.map((block) => ({ path: ['blocks', block.id], to: block })),
        )
      ).status,
    ).toBe(200);
    expect((await publish('terms')).status).toBe(200);
    const page = (await shown('terms')).blocks;
    const of = <T extends 'tableMenu' | 'openingHours'>(id: string) =>
      page.find((each) => each.id === id) as BlockOf<T>;
    const { children } = await testApp.call('category', { params: { name: 'tea-bar' } });
    const { products } = await testApp.call('products', {
      query: { categoryName: 'tea-bar', numberToLoad: 48 },
    });
    const { sections } = of<'tableMenu'>('menu');
    expect(sections.map(({ title }) => title)).toEqual(
      children.map(({ categoryNameContent }) => categoryNameContent.en),
    );
    const listed = sections.flatMap((section) => section.products.map(({ id }) => id));
    expect(listed.toSorted()).toEqual(products.map(({ id }) => id).toSorted());
    expect(of<'openingHours'>('all').stores.length).toBeGreaterThan(1);
    expect(of<'openingHours'>('one').stores.map(({ localStoreName }) => localStoreName)).toEqual([
      'toronto-queen-west',
    ]);
  });

  it('a product that a block shows is named in the form, and one that is not for sale is in the way of publishing', async () => {
    const block = { id: 'week', type: 'featuredProduct', title: null, product: 'moon-jar', text: { en: '' } };
    expect((await save('terms', [{ path: ['blocks', 'week'], to: block }])).status).toBe(200);
    expect((await load('terms')).products).toMatchObject([{ name: 'moon-jar' }]);
    expect((await publish('terms')).status).toBe(200);
    const find = async () =>
      (await shown('terms')).blocks.find(({ id }) => id === 'week') as BlockOf<'featuredProduct'> | undefined;
    expect((await find())?.product.id).toBe('moon-jar');
    const gone = await save('terms', [{ path: ['blocks', 'week', 'product'], to: 'no-such-jar' }]);
    expect(gone.status, JSON.stringify(gone.body)).toBe(200);
    const refused = await publish('terms');
    expect(refused.status).toBe(400);
    expect(Object.keys(refused.body.errors ?? {})).toEqual(['pages.terms.blocks.week.product']);
  });

  it('rich text that opens or stands in columns is cleaned, and its links are found', async () => {
    const unsafe = { en: '<p onclick="x()">Safe<script>x()</script> <a href="/no-such-page">here</a></p>' };
    const blocks = [
      { id: 'asked', type: 'accordion', title: null, entries: [{ summary: { en: 'Why?' }, html: unsafe }] },
      { id: 'side', type: 'columns', title: null, columns: [{ title: null, html: unsafe }] },
    ];
    expect(
      (
        await save(
          'terms',
          blocks.map((block) => ({ path: ['blocks', block.id], to: block })),
        )
      ).status,
    ).toBe(200);
    const { content } = await load('terms');
    const written = (content.blocks as Block[]).filter(({ id }) => id === 'asked' || id === 'side');
    expect(JSON.stringify(written)).not.toMatch(/onclick|script/);
    const { body } = await publish('terms');
    expect(Object.keys(body.errors ?? {})).toEqual(
      expect.arrayContaining([
        'pages.terms.blocks.asked.entries.0.html.en',
        'pages.terms.blocks.side.columns.0.html.en',
      ]),
    );
  });

  it('a new page is given an address that no other has in capitals or small letters', async () => {
    expect((await add('blank', 'Returns', 'Returns')).status).toBe(200);
    const second = await add('blank', 'Returns');
    expect([second.status, second.body.content?.id]).toEqual([200, 'returns-2']);
  });

  it('a page of contact takes the address below the stores, and the shop’s own email address gets its messages', async () => {
    expect((await askStaff(testApp, 'removePage', { as, params: { id: 'contact' } })).status).toBe(200);
    const { body } = await add('contact', 'Contact');
    expect(body.content.id).toBe('contact');
    const form = (body.content.blocks as Block[]).find(({ type }) => type === 'form');
    expect(form?.uiMailTo).toBe((await testApp.container.settings.all()).contactEmail);
    expect((await add('contact', 'Contact')).body.content.id).toBe('contact-2');
  });

  it('an address that a page has, or that the shop answers itself, is refused', async () => {
    expect((await add('blank', 'Other', 'About')).body.errors).toHaveProperty('id');
    expect((await add('blank', 'Other', 'cart')).body.errors).toHaveProperty('id');
    expect((await add('blank', 'Other', 'two words')).body.errors).toHaveProperty('id');
    expect((await add('blank', ' ')).status).toBe(400);
    expect((await add('blank', 'Cart')).body.content.id).toBe('cart-2');
  });

  it('the use of a page says what links to it, or where it is placed, and a removed page is in the journal', async () => {
    const use = await askStaff(testApp, 'pageUse', { as, params: { id: 'care-guide' } });
    expect(use.body.refused).toBeNull();
    expect(use.body.affected.length).toBeGreaterThan(0);
    const home = await askStaff(testApp, 'pageUse', { as, params: { id: 'home' } });
    expect(home.body).toEqual({ refused: null, affected: ['it is the first page of the shop'] });
    expect((await askStaff(testApp, 'removePage', { as, params: { id: 'wholesale' } })).status).toBe(200);
    expect((await askStaff(testApp, 'page', { as, params: { id: 'wholesale' } })).status).toBe(404);
    expect((await journal())[0]).toMatchObject({ action: 'pages remove', kind: 'page', id: 'wholesale' });
  });

  it('links are found by the name of a page, category or product', async () => {
    const find = async (text: string) =>
      (await askStaff(testApp, 'contentChoices', { as, query: { text } })).body.links.map(({ link }) => link);
    expect(await find('about the')).toContain('/about');
    expect(await find('speckled')).toContain('/product/speckled-mug');
    const { collections, posts } = (await askStaff(testApp, 'contentChoices', { as })).body;
    expect(collections.category.length).toBeGreaterThan(0);
    expect(posts.category.length).toBeGreaterThan(0);
  });

  it('a writer writes pages, and an assistant does not', async () => {
    const writer = await joinStaff(testApp, `writer@${engine}.example`, 'writer');
    expect((await askStaff(testApp, 'pages', { as: writer })).status).toBe(200);
    const assistant = await joinStaff(testApp, `assistant@${engine}.example`, 'assistant', [
      'toronto-queen-west',
    ]);
    expect((await askStaff(testApp, 'pages', { as: assistant })).status).toBe(403);
  });
});

function firstItem(blocks: readonly unknown[]): object {
  const block = (blocks as Block[]).find(({ id }) => id === 'about-1');
  return (block?.items as object[] | undefined)?.[0] ?? {};
}
