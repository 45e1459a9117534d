/** Puts hostile texts into the catalogue and the blog, and checks what pages tell search engines and link previews. */
import { HtmlValidate } from 'html-validate';
import { beforeAll, describe, expect, test } from 'vitest';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import products from '#demo/data/products.json' with { type: 'json' };
import stores from '#demo/data/stores.json' with { type: 'json' };
import { demoProduct } from '#demo/load.ts';
import { htmlRules } from './html-rules.ts';
import { repeats } from './long.ts';
import { jsonLdOf, linksOf, metaOf, type RenderedPage, renderedPage, renderFromSources } from './rendered.ts';
import { problemsOf } from './schema-org.ts';
import { createTestApp, type TestApp } from './test-app.ts';

const origin = 'https://shop.example';
/** What would run, were it ever taken for markup. */
const marker = 'alert(1)';
const nasty: Record<string, string> = {
  'ends the script': `</script><script>${marker}</script>`,
  'leaves its attribute': `"><img src=x onerror="${marker}"> ' onload='${marker}`,
  'is half a character': `tea \ud83c pot \udf75`,
  'opens a comment': `<!--<script>${marker}`,
  'has control characters': `bell\u0007 escape\u001b[31m tab\t line\r\nbreak \u2028\u2029 end`,
  'is right to left': '\u202egnp.exe',
  'is markup already escaped': '&lt;b&gt; &amp;amp; &#x3C;script&#x3E;',
  'is very long': `${'茶杯 teacup '.repeat(4000)}end`,
};

type Local = { en: string; zh: string };

/** A block of each kind that a merchant writes into. */
function blocksOf(text: Local): object[] {
  const picture = {
    image: 'speckled-mug.jpg',
    alt: text,
    title: text,
    text,
    link: '/about',
    linkLabel: text,
  };
  const field = {
    name: 'x',
    nameContent: text,
    isRequired: true,
    fieldType: 'select',
    options: [text],
    content: '',
  };
  return [
    { id: 'a', type: 'imageSlider', slides: [picture, picture] },
    { id: 'b', type: 'imageInfo', items: [picture] },
    { id: 'c', type: 'text', title: text, paragraphs: [text], items: [text], html: text },
    { id: 'd', type: 'buttons', buttons: [{ label: text, link: '/about', style: 'primary' }] },
    {
      id: 'e',
      type: 'form',
      title: text,
      uiFormName: 'x',
      uiMailTo: 'x@shop.example',
      fields: [field],
      submitLabel: text,
      submittedMessage: text,
    },
    {
      id: 'f',
      type: 'video',
      title: text,
      provider: 'youtube',
      src: 'abcdefghijk',
      poster: null,
      caption: text,
      captions: [],
    },
  ];
}

/** A part of each kind that a post may have. */
function partsOf(text: Local): object[] {
  return [
    { type: 'paragraph', text },
    { type: 'heading', level: 2, text },
    { type: 'image', image: 'speckled-mug.jpg', alt: text, caption: text },
    { type: 'list', ordered: false, items: [text] },
    { type: 'quote', text, source: text },
    { type: 'html', html: text },
  ];
}

/** Those that leave a script, an attribute and a character by the same code as the others are in `npm test`. */
const tried = repeats(3, Object.keys(nasty).length);

describe.each(Object.entries(nasty).slice(0, tried))('a text that %s', (_name, text) => {
  let testApp: TestApp;
  let pages: RenderedPage[];

  beforeAll(async () => {
    testApp = await createTestApp({
      engine: 'sqlite',
      demo: true,
      env: { PUBLIC_URL: origin },
      app: { web: renderFromSources },
    });
    const local = { en: text, zh: text };
    const { blog, editor, settings, content, stores: places } = testApp.services;
    const [store] = stores;
    const mug = products.find(({ slug }) => slug === 'speckled-mug');
    if (!store || !mug) throw new Error('The demo shop has changed');
    await settings.update({ shopName: local, tagline: local });
    await editor.upsertBrands([{ id: mug.brand, name: local, story: local, image: null }]);
    await editor.upsertTags([{ id: 'nasty', name: local, description: local }]);
    await editor.upsertProducts([
      {
        ...demoProduct(mug, 1),
        name: local,
        shortDescription: local,
        description: { en: [text], zh: [text] },
      },
    ]);
    const left = await content.upsertPages([
      { name: 'nasty', title: local, metaDescription: local, blocks: blocksOf(local) },
    ]);
    expect(left).toEqual([]);
    const about = { id: 'nasty', name: local, description: local };
    await blog.editor.upsertBlog({
      id: 'maple-and-clay-blog',
      name: local,
      description: local,
      enableUserLike: true,
      enableGuestLike: true,
      categories: [about],
      tags: [{ id: 'nasty', name: local }],
    });
    await blog.editor.upsertPosts([
      {
        blogId: 'maple-and-clay-blog',
        link: 'nasty',
        title: local,
        excerpt: local,
        category: 'nasty',
        tags: ['nasty'],
        author: { name: local, role: local },
        image: 'speckled-mug.jpg',
        publishedAt: testApp.clock.now(),
        parts: partsOf(local),
      },
    ]);
    await places.upsert([
      {
        ...store,
        name: local,
        description: local,
        specialHours: [],
        pickupLeadMinutes: 60,
        pickupSlotCapacity: 4,
        deliveryZones: [],
        phone: text,
      },
    ]);
    // An import would reject such an address.
    await testApp.db.transaction(async (trx) => {
      await trx.updateTable('stores').set({ email: text }).where('id', '=', store.id).execute();
      await bumpCatalogueVersion(trx);
    });
    const posts = ['/blog/post/nasty', '/blog/tag/nasty'];
    const paths = [
      '/',
      '/product/speckled-mug',
      `/brand/${mug.brand}`,
      '/nasty',
      '/contact',
      '/search?key=mug',
      '/cart',
      ...posts,
    ];
    const search = new URLSearchParams({ key: text.slice(0, 100).trim().replaceAll(/\s+/g, ' ') });
    pages = [];
    for (const path of [
      ...paths,
      ...paths.map((each) => `/zh${each === '/' ? '' : each}`),
      `/search?${search}`,
    ])
      pages.push(await renderedPage(testApp.app, path));
  });

  test('a hostile text is only ever text', () => {
    for (const { path, status, html } of pages) {
      expect(status, path).toBe(200);
      expect(html, path).not.toMatch(/<script(?! type="application\/(?:ld\+)?json")/);
      const tags = [...html.matchAll(/<[a-z](?:"[^"]*"|[^">])*>/gi)].map(([tag]) =>
        tag.replaceAll(/"[^"]*"/g, '""'),
      );
      expect(
        tags.filter((tag) => /^<img src=x| on\w+=/i.test(tag)),
        path,
      ).toEqual([]);
    }
  });

  test('a hostile text stays within the size of a title and a description, on one line', () => {
    for (const { path, html } of pages) {
      const title = /<title>(.*?)<\/title>/s.exec(html)?.[1] ?? '';
      expect(title, path).not.toBe('');
      for (const [name, content] of metaOf(html)) {
        expect([...content].length, `${path} ${name}`).toBeLessThanOrEqual(400);
        expect(content, `${path} ${name}`).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      }
      expect([...title.replaceAll(/&\S+?;/g, '.')].length, path).toBeLessThanOrEqual(320);
      expect(title, path).not.toMatch(/\p{Cc}/u);
    }
  });

  test('a hostile text is whole and harmless in structured data', () => {
    const product = jsonLdOf(pages.find(({ path }) => path === '/product/speckled-mug')?.html ?? '').find(
      (thing) => thing['@type'] === 'ProductGroup',
    );
    expect(product?.name).toBe(text);
    for (const { path, html } of pages) {
      const problems = jsonLdOf(html).flatMap(problemsOf);
      // A shop whose telephone is a script has that coming.
      expect(
        problems.filter((problem) => !/\.(telephone|email) /.test(problem)),
        path,
      ).toEqual([]);
    }
  });

  test('a hostile text changes no address of the page', () => {
    for (const { path, html } of pages) {
      for (const [rel, href] of linksOf(html))
        expect(href, `${path} ${rel}`).toMatch(/^(https:\/\/shop\.example)?\/[\w/?=&%.-]*$/);
    }
  });

  test('a hostile text leaves the sitemaps well formed', async () => {
    for (const path of ['/sitemap.xml', '/sitemap/pages-1.xml', '/sitemap/products-1.xml']) {
      const xml = (await testApp.app.inject(path)).body;
      expect(xml).not.toContain(marker);
      expect(xml.replaceAll(/<\/?[a-z:]+(?: [a-z:]+="[^"<>]*")*\/?>|<\?xml [^<>]*\?>/g, '')).not.toMatch(
        /[<>]/,
      );
    }
  });

  test('a hostile text leaves pages valid', async () => {
    const validator = new HtmlValidate(htmlRules);
    for (const { path, html } of pages) {
      const { results } = await validator.validateString(html);
      expect(
        results.flatMap(({ messages }) =>
          messages.map(({ ruleId, message, selector }) => `${path}: ${ruleId} ${message} ${selector}`),
        ),
      ).toEqual([]);
    }
  });
});
