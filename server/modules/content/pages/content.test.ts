import { describe, expect, it } from 'vitest';
import { problem } from '#contract/problems.ts';
import { blockTypes } from '#contract/schemas/blocks.ts';
import { createContainer } from '#server/container.ts';
import { contactForm, feedBlock, publish, videoBlock } from '#tests/blocks.ts';
import { createTestApp, onBothEngines } from '#tests/test-app.ts';
import { validateBlocks } from '../blocks/published-blocks.ts';

onBothEngines((engine) => {
  describe('content pages', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    const page = (pageName: string, lang: 'en' | 'zh' = 'en') =>
      testApp.call('pageContent', { query: { pageName }, lang });

    it('a content page comes in the requested language, with images and products loaded', async () => {
      const home = await page('home', 'zh');
      expect(home.title).toBe('枫土');
      const [slider] = home.blocks;
      expect(slider).toMatchObject({
        type: 'imageSlider',
        slides: [{ title: '水开了\n坐吧', image: { width: 1920, height: 900 } }, {}, {}],
      });
      const list = home.blocks.find((block) => block.type === 'productList');
      expect(list?.products).toHaveLength(5);
      expect(list?.products.every((product) => product.newArrival)).toBe(true);
      expect(list?.products[0]?.productName).toMatch(/\p{Script=Han}/u);
      expect((await page('home')).title).toBe('Maple & Clay');
    });

    it('the demo pages show every kind of block', async () => {
      const shown = new Set<string>();
      for (const name of [
        'home',
        'about',
        'wholesale',
        'care-guide',
        'shipping-and-returns',
        'tea-bar',
        'privacy',
        'terms',
      ]) {
        const { blocks } = await page(name);
        expect(blocks.length).toBeGreaterThan(0);
        for (const { type } of blocks) shown.add(type);
      }
      expect([...shown].sort()).toEqual([...blockTypes].sort());
    });

    it('a product list leaves out the products of the lists before it and still shows as many as its block asks for', async () => {
      const uiAttribute = { collectiontype: 'tag', collectionname: 'gift', number: 8, sortby: 'default' };
      const list = (id: string) => ({ id, type: 'productList', title: null, uiAttribute });
      await publish(testApp, 'gifts', [list('one'), list('two'), list('rest'), list('none')]);
      const shown = (await page('gifts')).blocks.map((block) =>
        (block.type === 'productList' ? block.products : []).map(({ id }) => id),
      );
      const { products } = await testApp.call('products', { query: { tagName: 'gift', numberToLoad: 48 } });
      const gifts = products.map(({ id }) => id);
      expect(gifts.length).toBeGreaterThan(16);
      expect(gifts.length).toBeLessThan(24);
      expect(shown).toEqual([gifts.slice(0, 8), gifts.slice(8, 16), gifts.slice(16), []]);
    });

    it('a slide has the pictures for dark mode and upright windows that exist', async () => {
      const words = {
        alt: { en: 'A mug' },
        title: { en: 'Mugs' },
        text: { en: '' },
        link: '',
        linkLabel: { en: '' },
      };
      const slide = {
        ...words,
        image: 'speckled-mug.jpg',
        upright: 'celadon-teapot.jpg',
        evening: 'gone.jpg',
      };
      await publish(testApp, 'slides', [
        { id: 'one', type: 'imageSlider', slides: [slide, { ...words, image: 'gone.jpg' }] },
      ]);
      const [block] = (await page('slides')).blocks;
      const slides = block?.type === 'imageSlider' ? block.slides : [];
      expect(slides.map(({ upright, evening }) => [upright?.imageURL, evening])).toEqual([
        [expect.stringContaining('celadon-teapot'), undefined],
      ]);
    });

    it('an unknown content page answers 404', async () => {
      expect((await testApp.ask('pageContent', { query: { pageName: 'nothing' } })).status).toBe(404);
    });

    it('an invalid block is left out, and the report says which and why', async () => {
      const text = {
        id: 'good',
        type: 'text',
        title: null,
        paragraphs: [{ en: 'Hello', extra: 1 }],
        items: [],
      };
      const reports = await testApp.services.content.upsertPages([
        {
          name: 'mixed',
          title: { en: 'Mixed' },
          metaDescription: { en: '' },
          blocks: [
            text,
            { id: 'bad', type: 'buttons', buttons: [{ label: { en: 'Go' }, link: '/', style: 'loud' }] },
            { id: 'film', type: 'hologram' },
            null,
          ],
        },
      ]);
      expect(reports).toEqual([
        {
          page: 'mixed',
          problems: [
            expect.objectContaining({ path: ['bad', 'buttons', '0', 'style'] }),
            {
              path: ['film'],
              key: 'problem.block.type',
              values: expect.objectContaining({ found: '"hologram"' }),
            },
            expect.objectContaining({ path: ['3'], key: 'problem.block.type' }),
          ],
        },
      ]);
      expect((await page('mixed')).blocks).toEqual([
        { id: 'good', type: 'text', title: null, paragraphs: ['Hello'], items: [] },
      ]);
    });

    it.each([
      [
        'a link that is a script',
        {
          type: 'buttons',
          buttons: [{ label: { en: 'Go' }, link: 'javascript:alert(1)', style: 'primary' }],
        },
        '/buttons/0/link',
      ],
      [
        'a link to who knows where',
        { type: 'buttons', buttons: [{ label: { en: 'Go' }, link: '//evil.example', style: 'primary' }] },
        '/buttons/0/link',
      ],
      ['a form to two addresses', { ...contactForm, uiMailTo: 'a@b.example,c@d.example' }, '/uiMailTo'],
      ['a form to a header', { ...contactForm, uiMailTo: 'a@b.example\nBcc: c@d.example' }, '/uiMailTo'],
      [
        'two fields of one name',
        { ...contactForm, fields: [contactForm.fields[0], contactForm.fields[0]] },
        '/fields',
      ],
      [
        'a choice of nothing',
        { ...contactForm, fields: [{ ...contactForm.fields[3], options: [] }] },
        '/fields/topic/options',
      ],
      ['a video that is a path', videoBlock('file', '../shop.db'), '/src'],
      ['a video of an unknown file type', videoBlock('file', 'film.exe'), '/src'],
      ['a video whose id is an address', videoBlock('youtube', 'x/../../evil'), '/src'],
      [
        'a video of an unsupported site',
        { ...videoBlock('file', 'a.mp4'), provider: 'elsewhere' },
        '/provider',
      ],
      ['a feed that is a file', feedBlock('file:///etc/passwd'), '/uiRssFeed/url'],
      ['an endless feed', feedBlock('https://news.example/', 5000), '/uiRssFeed/count'],
    ])('a page leaves out %s', async (_kind, block, problem) => {
      const pages = [
        { name: 'odd', title: { en: 'Odd' }, metaDescription: { en: '' }, blocks: [{ ...block, id: 'odd' }] },
      ];
      const [report] = await testApp.services.content.upsertPages(pages);
      expect(report?.problems.map(({ path }) => path)).toEqual([['odd', ...problem.split('/').slice(1)]]);
      expect((await page('odd')).blocks).toEqual([]);
    });

    it('a product row has four products, and two on phones, unless its block says otherwise', async () => {
      const attribute = { collectiontype: 'newArrival', collectionname: '', number: 4, sortby: 'default' };
      const { blocks, problems } = validateBlocks([
        { id: 'new', type: 'productList', title: null, uiAttribute: attribute },
      ]);
      expect(problems).toEqual([]);
      expect(blocks).toMatchObject([
        { uiAttribute: { ...attribute, numberPerRow: 4, numberPerMobileRow: 2 } },
      ]);
    });

    it('the second of two blocks with one id is left out', async () => {
      const block = { id: 'twice', type: 'text', title: null, paragraphs: [{ en: 'One' }], items: [] };
      const [report] = await testApp.services.content.upsertPages([
        {
          name: 'twice',
          title: { en: '' },
          metaDescription: { en: '' },
          blocks: [block, { ...block, paragraphs: [{ en: 'Two' }] }],
        },
      ]);
      expect(report?.problems).toEqual([{ path: ['twice', 'id'], key: 'problem.repeated', values: {} }]);
      expect((await page('twice')).blocks).toMatchObject([{ paragraphs: ['One'] }]);
    });

    it('a bad block in the database does not break its page and is reported by name', async () => {
      const reports: unknown[] = [];
      const { db, env, clock } = testApp;
      const { content } = createContainer({
        db,
        env,
        now: clock.now,
        onBadBlocks: (report) => reports.push(report),
      });
      const blocks = [
        {
          id: 'good',
          type: 'text',
          title: null,
          paragraphs: [{ en: 'Hello' }],
          items: [],
          html: { en: '<script>alert(1)</script><p>Fine</p>' },
        },
        { id: 'bad', type: 'productList', uiAttribute: { number: 'many' } },
        'nonsense',
      ];
      const row = { title: '{"en":"By hand"}', meta_description: '{"en":""}', updated_at: 1 };
      await db.transaction(async (trx) => {
        await trx
          .insertInto('pages')
          .values([
            { name: 'by-hand', blocks: JSON.stringify(blocks), ...row },
            { name: 'torn', blocks: '[{"id":', ...row },
          ])
          .execute();
      });
      const shown = await content.page('by-hand', 'en');
      expect(shown.blocks).toEqual([
        { id: 'good', type: 'text', title: null, paragraphs: ['Hello'], items: [], html: '<p>Fine</p>' },
      ]);
      expect(reports).toEqual([
        {
          page: 'by-hand',
          problems: expect.arrayContaining([
            problem(['bad', 'title'], 'problem.required'),
            expect.objectContaining(
              problem(['bad', 'uiAttribute', 'number'], 'problem.type.integer', { found: '"many"' }),
            ),
            expect.objectContaining({ path: ['2'], key: 'problem.block.type' }),
          ]),
        },
      ]);
      expect((await content.page('torn', 'en')).blocks).toEqual([]);
    });

    it('a rich text block has nothing that could act, and its links stay in the language of the page', async () => {
      const html =
        '<h1 onclick="x()">Title</h1><p style="color:red">A <a href="/about" target="_blank">page</a>, <a href="/">home</a>, <a href="/zh/contact?a=1">known</a>, <a href="https://other.example/?a=1&b=2">a site</a>, <a href="//evil.example">a trap</a>, <a href=" java\nscript:alert(1)">another</a></p><img src=x onerror=alert(1)><svg><script>alert(1)</script></svg><iframe srcdoc="<script>alert(1)</script>"></iframe><form action="/x"><input name="q"></form><math><mtext><table><mglyph><style><img src=x onerror=alert(1)>';
      const block = {
        id: 'rich',
        type: 'text',
        title: null,
        paragraphs: [],
        items: [],
        html: { en: html, zh: html },
      };
      await testApp.services.content.upsertPages([
        { name: 'rich', title: { en: '' }, metaDescription: { en: '' }, blocks: [block] },
      ]);
      const shownIn = async (lang: 'en' | 'zh') => {
        const [shown] = (await page('rich', lang)).blocks;
        return shown?.type === 'text' ? (shown.html ?? '') : '';
      };
      const english = await shownIn('en');
      expect(english).toContain(
        '<h2>Title</h2><p>A <a href="/about">page</a>, <a href="/">home</a>, <a href="/zh/contact?a=1">known</a>, <a href="https://other.example/?a=1&amp;b=2" rel="noopener external">a site</a>, <a>a trap</a>, <a>another</a></p>',
      );
      expect(english).not.toMatch(/<(?:script|img|svg|iframe|form|input|style|math)|on\w+=|javascript/i);
      expect(await shownIn('zh')).toContain(
        '<a href="/zh/about">page</a>, <a href="/zh">home</a>, <a href="/zh/contact?a=1">known</a>',
      );
      const { blocks } = await testApp.db.read
        .selectFrom('pages')
        .select('blocks')
        .where('name', '=', 'rich')
        .executeTakeFirstOrThrow();
      expect(blocks).not.toContain('onerror');
    });

    it('a block of a deleted collection does not break its page', async () => {
      const uiAttribute = {
        collectiontype: 'tag',
        collectionname: 'gone',
        number: 4,
        numberPerRow: 4,
        numberPerMobileRow: 2,
        sortby: 'default',
      };
      await testApp.services.content.upsertPages([
        {
          name: 'lists',
          title: { en: 'Lists' },
          metaDescription: { en: '' },
          blocks: [{ id: 'l', type: 'productList', title: null, uiAttribute }],
        },
      ]);
      expect((await page('lists')).blocks).toMatchObject([{ products: [] }]);
    });
  });

  describe('the data of the shell', async () => {
    const testApp = await createTestApp({ engine, demo: true });

    it('the shell has the shop and its menu, and nobody is signed in', async () => {
      const info = await testApp.call('appInfoInit', { lang: 'zh' });
      expect(info).toMatchObject({ user: null, lastLoginDate: null, userID: null });
      expect(info.appContent).toMatchObject({ shopName: '枫土', currency: 'CAD', isDemonstration: true });
      expect(info.appContent.menu[0]).toMatchObject({ name: 'teaware', label: '茶具' });
      expect(info.appContent.footer.links.length).toBeGreaterThan(5);
      for (const name of ['userInfo', 'userInfo2'] as const)
        expect(await testApp.call(name)).toEqual({ user: null, lastLoginDate: null, userID: null });
    });

    it('the shell lists the displayed stores with hours and address', async () => {
      const [queenWest, ...others] = await testApp.call('pickupLocations', {});
      expect(queenWest).toMatchObject({
        localStoreName: 'toronto-queen-west',
        mainStore: true,
        tables: 14,
        address: { city: 'Toronto', province: 'Ontario' },
      });
      expect(queenWest?.openingHours.thursday).toEqual({ open: '10:00', close: '21:00' });
      expect(others).toHaveLength(3);
    });

    it('the shop ships to three countries, whose provinces are named in both languages', async () => {
      expect((await testApp.call('supportedCountries', {})).map((country) => country.id)).toEqual([
        'CA',
        'US',
        'CN',
      ]);
      const provinces = async (id: string, lang: 'en' | 'zh' = 'en') =>
        (await testApp.call('provinces', { params: { id }, lang })).map((province) => province.provinceName);
      expect(await provinces('CA')).toHaveLength(13);
      expect(await provinces('CA')).toContain('Ontario');
      expect(await provinces('CN')).toHaveLength(34);
      expect((await provinces('CN', 'zh'))[0]).toBe('安徽省');
      const states = await provinces('US');
      expect(states).toHaveLength(50);
      for (const excluded of [
        'American Samoa',
        'District of Columbia',
        'Northern Mariana Islands',
        'Puerto Rico',
        'US Minor Outlying Islands',
        'Guam',
      ]) {
        expect(states).not.toContain(excluded);
      }
      expect(await provinces('FR')).toEqual([]);
      expect((await testApp.ask('provinces', { params: { id: 'XX' } })).status).toBe(404);
    });

    it('invalid settings are rejected and change nothing', async () => {
      const { settings } = testApp.services;
      await expect(settings.update({ currency: 'CAD', tipPercentages: [-1] })).rejects.toThrow(
        'tipPercentages',
      );
      await expect(settings.update({ nonsense: 1 } as object)).rejects.toThrow('nonsense');
      await settings.update({ tipPercentages: [5] });
      expect((await settings.all()).tipPercentages).toEqual([5]);
    });
  });
});
