/** Posts and pages from WordPress and Shopify: from the file to the blog, its addresses, and back. */
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { type FakeInternet, fakeInternet } from '#tests/fake-internet.ts';
import { importer, importing } from '#tests/importing.ts';
import { csvText } from '#tests/sheets.ts';
import { createTestApp, onBothEngines, type TestApp, type TestAppOptions } from '#tests/test-app.ts';
import { matrixifyRows, type WxrItem, wxr } from '#tests/wxr.ts';

const now = Date.parse('2026-11-30T12:00:00Z');
const picture = (id: number, path: string, more: Partial<WxrItem> = {}): WxrItem => ({
  id,
  title: path,
  type: 'attachment',
  status: 'inherit',
  slug: path,
  address: `http://kettle.example/wp-content/uploads/${path}`,
  ...more,
});
const paragraph = (words: string) => `<!-- wp:paragraph -->\n<p>${words}</p>\n<!-- /wp:paragraph -->`;

onBothEngines((engine) => {
  let internet: FakeInternet;
  let testApp: TestApp;
  beforeAll(async () => {
    internet = await fakeInternet();
    const services: TestAppOptions['services'] = (deps) =>
      createContainer({ ...deps, reach: internet.reach });
    testApp = await createTestApp({ engine, services, now });
    for (const path of ['cup', 'field']) {
      const colour = path === 'cup' ? '#804020' : '#208040';
      const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: colour } })
        .jpeg()
        .toBuffer();
      internet.answer(`kettle.example/wp-content/uploads/${path}.jpg`, bytes, {
        'content-type': 'image/jpeg',
      });
    }
  });
  const { send, go, apply } = importing(() => testApp, 'kettle.xml');
  const rowsOf = async (id: string) => (await testApp.container.importRuns.rows(id, {}, 'en')).rows;
  const shown = async (link: string) => testApp.ask('blogPost', { params: { link } });
  const state = async () => {
    const { contentExport, importedPosts, redirects } = testApp.container;
    const links = await importedPosts.links(testApp.db.read);
    return JSON.stringify([await contentExport.blogs(), [...links].sort(), await redirects.all()]);
  };
  const words = async (id: string) =>
    (await rowsOf(id)).flatMap(({ subject, problems }) => problems.map(({ text }) => `${subject}: ${text}`));

  const items: WxrItem[] = [
    {
      id: 1,
      title: 'Tea & water',
      slug: 'tea-and-water',
      at: '2024-03-01 10:00:00',
      comments: 2,
      link: 'http://kettle.example/2024/03/tea-and-water/',
      content: `${paragraph('Read <a href="http://www.kettle.example/2024/04/%e8%8c%b6%e9%81%93/#more">the next</a> or <a href="/?p=4">later</a>, not <a href="http://other.example/x">this</a>.')}\n<!-- wp:image {"id":91} --><figure class="wp-block-image"><img src="http://kettle.example/wp-content/uploads/field-300x200.jpg?w=300" alt="A field"/><figcaption>June</figcaption></figure><!-- /wp:image -->\n${paragraph(']]> & CDATA')}`,
      excerpt: 'About <b>water</b>',
      categories: [
        ['brewing', 'Brewing'],
        ['travel', 'Travel'],
      ],
      tags: [['green', 'Green tea']],
      meta: { _thumbnail_id: '90', _yoast_wpseo_primary_category: '2' },
    },
    {
      id: 2,
      title: '茶道',
      slug: '%e8%8c%b6%e9%81%93',
      at: '2024-04-02 01:30:00',
      author: 'wang',
      link: 'http://kettle.example/2024/04/%e8%8c%b6%e9%81%93/',
      content: paragraph('和敬清寂。'),
      categories: [['%e8%8c%b6', '茶']],
    },
    {
      id: 3,
      title: 'Not ready',
      status: 'draft',
      content: paragraph('Draft words'),
      tags: [['green', 'Green tea']],
    },
    {
      id: 4,
      title: 'New Year',
      slug: 'new-year',
      status: 'future',
      at: '2026-12-10 05:00:00',
      content: paragraph('Soon'),
    },
    {
      id: 5,
      title: 'Only for us',
      slug: 'only-for-us',
      status: 'private',
      content: paragraph('Private words'),
    },
    { id: 6, title: 'Gone', slug: 'gone__trashed', status: 'trash', content: paragraph('Trash') },
    { id: 7, title: 'Menu', type: 'nav_menu_item', slug: 'menu' },
    { id: 8, title: 'Old kettle', type: 'product', slug: 'old-kettle' },
    {
      id: 20,
      title: 'Our shed',
      type: 'page',
      slug: 'our-shed',
      content: paragraph('We <em>began</em> in a shed.'),
    },
    { id: 21, title: 'Ask us', type: 'page', slug: 'ask-us', content: '[contact-form-7 id="3" title="Ask"]' },
    picture(90, 'cup.jpg', { meta: { _wp_attachment_image_alt: 'A cup' } }),
    picture(91, 'field.jpg'),
  ];
  const authors = { mei: 'Mei Lin', wang: '王芳' };
  const file = wxr(items, { address: 'http://kettle.example', authors });

  it('posts come with date, author, category, tags, cover and pictures, links lead to new addresses, and old ones lead on', async () => {
    const before = await state();
    const judged = await send(file);
    expect(judged).toMatchObject({ kind: 'wordpress', state: 'judged', uses: ['language', 'content'] });
    expect(judged.counts).toEqual({ new: 6, changed: 0, unchanged: 2, problem: 1 });
    expect(judged.made).toEqual({ brands: 0, categories: 2, tags: 2 });
    expect(judged.lost.toSorted()).toEqual([
      'Comments are not imported: 1',
      'Is in the trash: not imported: 1',
      'Is neither a post nor a page: not imported: 1',
      'Is private or has a password: imported as a draft: 1',
    ]);
    expect(await state()).toBe(before);
    expect(internet.asked).toEqual([]);
    const [first] = await rowsOf(judged.id);
    expect(first).toMatchObject({
      subject: 'Tea & water',
      post: {
        title: 'Tea & water',
        state: 'Published',
        address: '/blog/post/tea-and-water',
        pictures: 2,
        details: 'Mar 1, 2024, 10:00 · Mei Lin · Travel',
      },
    });
    expect((await words(judged.id)).filter((each) => each.startsWith('Ask us'))).toEqual([
      expect.stringContaining('contact-form-7'),
      expect.stringContaining('Build the page under Pages'),
    ]);

    expect((await go(judged.id)).state).toBe('done');
    const { body } = await shown('tea-and-water');
    expect(body).toMatchObject({
      title: 'Tea & water',
      excerpt: 'About water',
      publishedAt: Date.parse('2024-03-01T10:00:00Z'),
      author: { name: 'Mei Lin' },
      blogCategory: { blogCategoryName: 'travel' },
      tags: [{ name: 'brewing' }, { name: 'green' }],
    });
    expect(body.image?.imageURL).toContain('cup-');
    const html = JSON.stringify(body.blogPage.parts);
    expect(html).toMatch(/href=\\"\/blog\/post\/cha-dao#more\\"/);
    expect(html).toMatch(/href=\\"\/blog\/post\/new-year\\"/);
    expect(html).toContain('http://other.example/x');
    expect(html).toMatch(/<figure><img[^>]*field-[^>]*A field/);
    expect(html).toContain(']]&gt; &amp; CDATA');
    expect(internet.asked.toSorted()).toEqual(
      ['cup', 'field'].map((path) => `kettle.example/wp-content/uploads/${path}.jpg`),
    );
    const { redirects, importedPosts } = testApp.container;
    expect(await redirects.of('/2024/03/tea-and-water/')).toBe('/blog/post/tea-and-water');
    expect(await redirects.of('/2024/04/%E8%8C%B6%E9%81%93/')).toBe('/blog/post/cha-dao');
    expect((await shown('cha-dao')).body).toMatchObject({ title: '茶道', author: { name: '王芳' } });
    // Drafts and what is to come are not seen.
    for (const link of ['not-ready', 'new-year', 'only-for-us', 'gone'])
      expect((await shown(link)).status, link).toBe(404);
    const links = await importedPosts.links(testApp.db.read);
    expect([...links.keys()].sort()).toEqual([
      'cha-dao',
      'new-year',
      'not-ready',
      'only-for-us',
      'tea-and-water',
    ]);
    const page = await importedPosts.page(testApp.db.read, 'our-shed');
    expect(JSON.stringify(page)).toContain('We <em>began</em> in a shed.');
    expect((await testApp.container.content.pages()).map(({ name }) => name)).not.toContain('our-shed');

    // The same file again changes nothing, and asks no other site.
    internet.asked.length = 0;
    const again = await send(file);
    expect(again.counts).toEqual({ new: 0, changed: 0, unchanged: 8, problem: 1 });
    expect(internet.asked).toEqual([]);
    // What is to come is seen at its time.
    testApp.clock.advance(Date.parse('2026-12-10T05:00:00Z') - testApp.clock.now());
    await testApp.container.runMaintenance();
    expect((await shown('new-year')).status).toBe(200);
    testApp.clock.advance(now - testApp.clock.now());

    expect((await go(judged.id, 'takeBack')).state).toBe('takenBack');
    expect(await state()).toBe(before);
    expect(await importedPosts.page(testApp.db.read, 'our-shed')).toBeNull();
    expect((await shown('tea-and-water')).status).toBe(404);
  });

  it('a later export changes what differs, keeps the address, and what somebody wrote since is not taken back', async () => {
    const site = { address: 'http://later.example' };
    const post = { id: 1, title: 'First', slug: 'first', content: paragraph('One') };
    const other = { id: 2, title: 'Second', slug: 'second', content: paragraph('Two') };
    await apply(wxr([post, other], site));
    const stored = await state();
    const judged = await send(wxr([{ ...post, title: 'First, again', slug: 'elsewhere' }, other], site));
    expect(judged.counts).toMatchObject({ new: 0, changed: 1, unchanged: 1 });
    expect((await rowsOf(judged.id))[0]?.fields).toEqual([
      { field: expect.stringContaining('English'), from: 'First', to: 'First, again' },
    ]);
    await go(judged.id);
    expect((await shown('first')).body).toMatchObject({ title: 'First, again' });
    await go(judged.id, 'takeBack');
    expect(await state()).toBe(stored);

    const more = await apply(
      wxr(
        [
          { ...post, title: 'Third time' },
          { ...other, title: 'Second, too' },
        ],
        site,
      ),
    );
    const { importedPosts, changes } = testApp.container;
    const id = (await importedPosts.links(testApp.db.read)).get('first') ?? '';
    await changes.run(importer.actor, 'test', async (change) => {
      const held = await importedPosts.held(change.trx, id);
      if (!held?.live) throw new Error('Nothing is live');
      await importedPosts.put(change, id, held, { ...held, live: { ...held.live, title: { en: 'Mine' } } });
    });
    await go(more.id, 'takeBack');
    expect((await shown('first')).body).toMatchObject({ title: 'Mine' });
    expect((await shown('second')).body).toMatchObject({ title: 'Second' });
    expect((await words(more.id)).join()).toMatch(/^Third time: .*changed since/);
  });

  it('a post that readers see stays so where the file has a draft, and a hand-written post keeps its address', async () => {
    const site = { address: 'http://drafts.example' };
    const post = { id: 1, title: 'Mine first', slug: 'first', content: paragraph('Words') };
    const judged = await send(wxr([post], site));
    const address = (await rowsOf(judged.id))[0]?.post?.address;
    expect(address).toBe('/blog/post/first-2');
    await go(judged.id);
    const later = await send(wxr([{ ...post, status: 'draft', content: paragraph('Half') }], site));
    expect(later.counts).toMatchObject({ unchanged: 1, changed: 0 });
    expect((await words(later.id)).join()).toContain('left as it is');
  });

  it('a picture that cannot be had, or that is inside of the network, is said, and tried again by the next import', async () => {
    internet.names.set('inside.example', [['10.0.0.7']]);
    internet.handlers.delete('kettle.example/wp-content/uploads/late.jpg');
    const site = { address: 'http://kettle.example' };
    const late = 'http://kettle.example/wp-content/uploads/late.jpg';
    const post = {
      id: 50,
      title: 'Late',
      slug: 'late',
      content: `<p>A</p><img src="${late}" alt="Late"><img src="http://inside.example/x.jpg">`,
    };
    const { id } = await apply(wxr([post], site));
    expect((await words(id)).join('\n')).toMatch(
      /late\.jpg.*\n.*inside\.example|inside\.example.*\n.*late\.jpg/,
    );
    expect(internet.asked.join()).not.toContain('inside.example');
    expect(JSON.stringify((await shown('late')).body)).not.toContain('<img');
    const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#102030' } })
      .jpeg()
      .toBuffer();
    internet.answer('kettle.example/wp-content/uploads/late.jpg', bytes, { 'content-type': 'image/jpeg' });
    await apply(wxr([post], site));
    expect(JSON.stringify((await shown('late')).body)).toContain('late-');
  });

  it('a file of posts is refused to staff without the right to publish', async () => {
    const permit = mintPermit('goods.import', { kind: 'staff', id: 'somebody' }, null, {
      also: ['content.write'],
    });
    const file = wxr([{ id: 1, title: 'X', slug: 'x' }], { address: 'http://no.example' });
    await expect(send(file, permit)).rejects.toMatchObject({ errorType: 'FORBIDDEN' });
    const { kinds } = await testApp.container.importRuns.upload(
      permit,
      'a.csv',
      Readable.from(['Title,Price\nX,1\n']),
      'en',
    );
    expect(kinds).toContain('products');
    expect(kinds).not.toContain('wordpress');
  });

  it('blog posts of Shopify come as Matrixify exports them, with several blogs as categories and comments counted', async () => {
    const article = (more: Record<string, string>) => ({
      'Top Row': 'TRUE',
      Published: 'TRUE',
      Author: 'Mei Lin',
      ...more,
    });
    const table = csvText(
      matrixifyRows([
        article({
          ID: '22920047631',
          Handle: 'first-flush',
          Title: 'First flush',
          'Blog: Handle': 'news',
          'Blog: Title': 'News',
          'Body HTML': '<p>See <a href="/blogs/recipes/iced-tea">iced tea</a>.</p>',
          'Summary HTML': '<p>Spring</p>',
          Tags: 'spring, green',
          'Published At': '2023-06-01 10:00:00 -0400',
          'Comment: ID': '1',
        }),
        { ID: '22920047631', Handle: 'first-flush', 'Comment: ID': '2' },
        article({
          ID: '22920047632',
          Handle: 'iced-tea',
          Title: 'Iced tea',
          'Blog: Handle': 'recipes',
          'Blog: Title': 'Recipes',
          'Body HTML': '<p>Ice.</p><iframe src="//www.youtube.com/embed/abc"></iframe>',
          'Published At': '2023-07-01',
        }),
        article({
          ID: '22920047633',
          Handle: 'unready',
          Title: 'Unready',
          Published: 'FALSE',
          'Blog: Handle': 'news',
          'Blog: Title': 'News',
        }),
        article({
          ID: '22920047634',
          Handle: 'odd',
          Title: 'Odd',
          'Published At': 'yesterday',
          'Blog: Handle': 'news',
        }),
      ]),
    );
    const judged = await send(table);
    expect(judged).toMatchObject({ kind: 'articles', counts: { new: 3, problem: 1 } });
    expect(judged.lost).toEqual(['Comments are not imported: 1']);
    expect(await words(judged.id)).toContainEqual(expect.stringMatching(/^Unready: .*has no text/));
    await go(judged.id);
    expect((await shown('first-flush')).body).toMatchObject({
      excerpt: 'Spring',
      publishedAt: Date.parse('2023-06-01T14:00:00Z'),
      blogCategory: { blogCategoryName: 'news' },
      tags: [{ name: 'spring' }, { name: 'green' }],
    });
    expect(JSON.stringify((await shown('first-flush')).body)).toContain('/blog/post/iced-tea');
    expect(JSON.stringify((await shown('iced-tea')).body)).toContain('https://www.youtube.com/watch?v=abc');
    expect(await testApp.container.redirects.of('/blogs/news/first-flush')).toBe('/blog/post/first-flush');
    expect((await shown('unready')).status).toBe(404);
    expect((await send(table)).counts).toMatchObject({ new: 0, changed: 0, unchanged: 3 });
    await go(judged.id, 'takeBack');
    expect((await shown('iced-tea')).status).toBe(404);
  });

  it('a post without a text comes as it was, and the preview says that it has none', async () => {
    const silent: WxrItem = {
      id: 61,
      title: 'Silent',
      slug: 'silent',
      at: '2024-05-01 10:00:00',
      content: '<!-- x --><p></p>',
    };
    const judged = await send(wxr([silent], { address: 'http://silent.example', authors: {} }));
    expect(await words(judged.id)).toEqual([expect.stringMatching(/^Silent: .*has no text/)]);
    expect((await go(judged.id)).state).toBe('done');
    expect((await shown('silent')).body).toMatchObject({
      title: 'Silent',
      publishedAt: Date.parse('2024-05-01T10:00:00Z'),
    });
  });

  describe('exports of other versions', () => {
    const post = {
      id: 5,
      title: 'A & B',
      slug: 'a-and-b',
      content: 'One\n\nTwo',
      excerpt: 'In short',
      author: 'old',
      categories: [['notes', 'Notes']] as const,
      tags: [['warm', 'Warm']] as const,
    };
    it.each([
      ['1.0', { address: 'http://one.example', version: '1.0' as const }, ''],
      [
        '1.1',
        { address: 'http://two.example', version: '1.1' as const, authors: { old: 'Old Hand' } },
        'In short',
      ],
      ['1.2', { address: 'http://three.example', authors: { old: 'Old Hand' } }, 'In short'],
      [
        'WordPress.com',
        {
          address: 'https://four.wordpress.com',
          generator: 'http://wordpress.com/',
          authors: { old: 'Old Hand' },
        },
        'In short',
      ],
      [
        'a server with notices',
        {
          address: 'http://five.example',
          before: '\n<br />\n<b>Deprecated</b>: Function\n',
          authors: { old: 'Old Hand' },
        },
        'In short',
      ],
    ])('an export of %s has title, text, category and tag', async (_, site, excerpt) => {
      const slug = `of-${site.address.replaceAll(/\W+/g, '-')}`;
      const { id, counts } = await apply(wxr([{ ...post, slug }], site));
      expect(counts).toMatchObject({ new: 1, problem: 0 });
      expect((await shown(slug)).body).toMatchObject({
        title: 'A & B',
        excerpt,
        author: { name: excerpt === '' ? 'old' : 'Old Hand' },
        blogCategory: { blogCategoryName: 'notes' },
        tags: [{ name: 'warm' }],
        blogPage: { parts: [{ type: 'html', html: expect.stringMatching(/<p>One<\/p>\s*<p>Two<\/p>/) }] },
      });
      await go(id, 'takeBack');
    });
  });

  it('a file that is cut off, has entities of its own or is nested without end is refused in words', async () => {
    const whole = wxr([{ id: 1, title: 'X', slug: 'x', content: 'Words' }]);
    const bomb = whole.replace('<rss ', '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<rss ');
    const outside = whole
      .replace('<rss ', '<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<rss ')
      .replace('Words', '&a;');
    const deep = whole.replace('<wp:post_id>', `${'<x>'.repeat(5000)}${'</x>'.repeat(5000)}<wp:post_id>`);
    for (const [text, key] of [
      [whole.slice(0, -40), 'problem.sheet.wxrCut'],
      [whole.slice(0, whole.indexOf('<wp:post_id>')), 'problem.sheet.wxrCut'],
      [bomb, 'problem.sheet.wxrForm'],
      [outside, 'problem.sheet.wxrForm'],
      [deep, 'problem.sheet.wxrForm'],
    ] as const) {
      const { importRuns } = testApp.container;
      const refused = await importRuns
        .upload(importer, 'x.xml', Readable.from([Buffer.from(text)]), 'en')
        .catch((error) => error);
      expect(
        refused.problems?.map(({ key: each }: { key: string }) => each),
        key,
      ).toEqual([key]);
    }
  });
});
