/** The room Blog: writing posts, publishing them now and at a time, their addresses, and the categories and tags of the blog. */
import { beforeAll, expect, it } from 'vitest';
import type { LocalText } from '#contract/locales.ts';
import { post, writeBlog } from '#tests/blog.ts';
import { renderFromSources } from '#tests/rendered.ts';
import { askStaff, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const hourMs = 60 * 60_000;
const secret = 'Nobody reads this sentence yet';

onBothEngines((engine) => {
  let testApp: TestApp;
  let empty: TestApp;
  let as: Shopper;
  let owner: Shopper;
  let writer: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, app: { web: renderFromSources } });
    as = await joinDemo(testApp, 'demo-mei');
    writer = await joinStaff(testApp, `writer@${engine}.example`, 'writer');
    empty = await createTestApp({ engine, app: { web: renderFromSources } });
    owner = await joinStaff(empty, `owner@${engine}.example`);
  });

  function room(app: () => TestApp, who: () => Shopper) {
    const load = async (id: string) => (await askStaff(app(), 'post', { as: who(), params: { id } })).body;
    return {
      load,
      /** With a text. */
      async add(title: LocalText): Promise<string> {
        const { status, body } = await askStaff(app(), 'addPost', { as: who(), body: { title } });
        expect(status, JSON.stringify(body)).toBe(200);
        const { id } = body.content;
        const edits = [{ path: ['parts', 'text', 'html'], to: { en: '<p>Words</p>', zh: '<p>文字</p>' } }];
        const { revision } = body;
        expect(
          (await askStaff(app(), 'savePost', { as: who(), params: { id }, body: { revision, edits } }))
            .status,
        ).toBe(200);
        return id;
      },
      save: async (id: string, edits: object[], by = who()) => {
        const { revision } = await load(id);
        return askStaff(app(), 'savePost', { as: by, params: { id }, body: { revision, edits } });
      },
      publish: async (id: string, at: number | null = null, by = who()) =>
        askStaff(app(), 'publishPost', {
          as: by,
          params: { id },
          body: { seen: (await load(id)).revision, at },
        }),
      shown: async (link: string) => app().ask('blogPost', { params: { link } }),
      get: async (url: string) => app().app.inject({ url }),
    };
  }
  const demo = room(
    () => testApp,
    () => as,
  );
  const write = async (id: string, words: string) =>
    demo.save(id, [
      { path: ['parts', 'text', 'html'], to: { en: `<p>${words}</p>`, zh: `<p>${words}</p>` } },
    ]);

  it('an owner of an empty shop publishes a first post, and shop, feed and sitemap show it at the next request', async () => {
    const { add, save, publish, get, shown, load } = room(
      () => empty,
      () => owner,
    );
    const id = await add({ en: 'We are open' });
    expect(id).toBe('we-are-open');
    expect((await load(id)).publication).toMatchObject({ state: 'draft' });
    const before = await empty.call('appInfoInit');
    expect(before.appContent.hasBlog).toBe(false);
    for (const url of ['/blog', '/blog/feed.xml', '/sitemap.xml', `/blog/post/${id}`])
      expect((await get(url)).body, url).not.toContain('We are open');
    const html = { en: '<p>Come in on Saturday.</p><script>alert(1)</script>' };
    expect((await save(id, [{ path: ['parts', 'text', 'html'], to: html }])).status).toBe(200);
    const published = await publish(id);
    expect(published.status, JSON.stringify(published.body)).toBe(200);
    expect((await empty.call('appInfoInit')).appContent.hasBlog).toBe(true);
    const page = await get(`/blog/post/${id}`);
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('Come in on Saturday.')]);
    expect(page.body).not.toContain('alert(1)');
    for (const url of ['/blog', '/blog/feed.xml'])
      expect((await get(url)).body, url).toContain('We are open');
    const sitemaps = (await get('/sitemap.xml')).body.match(/\/sitemap\/[\w-]+\.xml/g) ?? [];
    const listed = await Promise.all(sitemaps.map(async (url) => (await get(url)).body));
    expect(listed.join()).toContain(`/blog/post/${id}`);
    expect((await shown(id)).body).toMatchObject({
      title: 'We are open',
      publishedAt: empty.clock.now(),
      author: null,
    });
  });

  it('a writer writes and shares a draft and does not publish it, and only the link shows it', async () => {
    const id = await demo.add({ en: 'A draft', zh: '草稿' });
    expect((await demo.publish(id, null, writer)).status).toBe(403);
    expect((await write(id, secret)).status).toBe(200);
    expect((await demo.shown(id)).status).toBe(404);
    const shared = await askStaff(testApp, 'sharePost', { as: writer, params: { id } });
    const { pathname } = new URL(shared.body.address);
    const seen = await demo.get(pathname);
    expect([seen.statusCode, seen.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(seen.body).toContain(secret);
    const { html } = (
      await askStaff(testApp, 'tryPost', { as: writer, params: { id }, body: { edits: [], language: 'zh' } })
    ).body;
    expect(html).toContain('草稿');
    expect(html).not.toContain('<script');
    const { posts } = (await askStaff(testApp, 'posts', { as: writer })).body;
    expect(posts[0]).toMatchObject({ id, publishedAt: null, publication: { state: 'draft' } });
  });

  it('a post of which a reader sees nothing but the title is not published, and its text says what is missing', async () => {
    const { body } = await askStaff(testApp, 'addPost', {
      as,
      body: { title: { en: 'Only a title', zh: '只有标题' } },
    });
    const { id } = body.content;
    const refused = async (at: string, language: 'en' | 'zh', words: string) => {
      const { status, body } = await askStaff(testApp, 'publishPost', {
        as,
        params: { id },
        query: { lang: language },
        body: { seen: (await demo.load(id)).revision, at: null },
      });
      expect([status, body.errors]).toEqual([400, { [`posts.${id}.${at}`]: words }]);
    };
    await refused('parts.text', 'en', 'Has no text yet');
    await refused('parts.text', 'zh', '请填写正文');
    await demo.save(id, [{ path: ['parts', 'text', 'html'], to: { en: '<p> </p><h2></h2>' } }]);
    await refused('parts.text', 'en', 'Has no text yet');
    await demo.save(id, [{ path: ['parts', 'text'] }]);
    await refused('parts', 'en', 'Has no text yet');
    expect((await demo.shown(id)).status).toBe(404);
    await demo.save(id, [
      { path: ['parts', 'list'], to: { id: 'list', type: 'list', ordered: false, items: [{ en: 'One' }] } },
    ]);
    expect((await demo.publish(id)).status).toBe(200);
  });

  it('a post goes live at its time, once, with the date of that time', async () => {
    const id = await demo.add({ en: 'Later', zh: '稍后' });
    await write(id, secret);
    const at = testApp.clock.now() + hourMs;
    expect((await demo.publish(id, at)).body.publication.scheduled).toEqual({ at, isLatest: true });
    testApp.clock.advance(hourMs - 1);
    await testApp.container.runMaintenance();
    expect((await demo.shown(id)).status).toBe(404);
    testApp.clock.advance(1);
    await Promise.all([testApp.container.runMaintenance(), testApp.container.runMaintenance()]);
    expect((await demo.shown(id)).body).toMatchObject({ publishedAt: at });
    expect((await demo.load(id)).publication.state).toBe('live');
    await write(id, 'Another sentence');
    await demo.publish(id);
    expect((await demo.shown(id)).body).toMatchObject({ publishedAt: at });
  });

  it('a post with a date in the future is published and unseen until then, and the office says when', async () => {
    const id = await demo.add({ en: 'Dated', zh: '有日期' });
    const date = testApp.clock.now() + hourMs;
    await demo.save(id, [{ path: ['publishedAt'], to: date }]);
    const { body } = await demo.publish(id);
    expect(body.publication).toEqual({ state: 'live', scheduled: null, failedAt: null, shownFrom: date });
    expect((await demo.shown(id)).status).toBe(404);
    testApp.clock.advance(hourMs);
    await testApp.container.runMaintenance();
    expect((await demo.shown(id)).status).toBe(200);
    expect((await demo.load(id)).publication.shownFrom).toBeNull();
  });

  it('a post that is taken offline is gone from shop, feed and lists, and keeps its date', async () => {
    const id = await demo.add({ en: 'Offline', zh: '下线' });
    await demo.publish(id);
    const { publishedAt } = (await demo.shown(id)).body;
    const { revision: seen } = await demo.load(id);
    const withdrawn = await askStaff(testApp, 'withdrawPost', { as, params: { id }, body: { seen } });
    expect([withdrawn.status, withdrawn.body.publication.state]).toEqual([200, 'draft']);
    expect((await demo.shown(id)).status).toBe(404);
    expect((await demo.get('/blog/feed.xml')).body).not.toContain(`/blog/post/${id}`);
    testApp.clock.advance(hourMs);
    await demo.publish(id);
    expect((await demo.shown(id)).body).toMatchObject({ publishedAt });
  });

  it('the old address of a published post leads to the new one, in each language, and back', async () => {
    const id = await demo.add({ en: 'Moves', zh: '搬家' });
    await demo.publish(id);
    await demo.save(id, [{ path: ['link'], to: 'has-moved' }]);
    expect((await demo.get('/blog/post/moves')).statusCode).toBe(200);
    expect((await demo.publish(id)).status).toBe(200);
    for (const prefix of ['', '/zh']) {
      const { statusCode, headers } = await demo.get(`${prefix}/blog/post/moves`);
      expect([statusCode, headers.location]).toEqual([expect.any(Number), `${prefix}/blog/post/has-moved`]);
      expect((await demo.get(`${prefix}/blog/post/has-moved`)).statusCode).toBe(200);
    }
    await demo.save(id, [{ path: ['link'], to: 'moves' }]);
    await demo.publish(id);
    expect((await demo.get('/blog/post/moves')).statusCode).toBe(200);
    expect((await demo.get('/blog/post/has-moved')).headers.location).toBe('/blog/post/moves');
  });

  it('an address that another post or draft has, and a category that the blog lacks, are refused at their fields', async () => {
    const [first, second] = [await demo.add({ en: 'Twin' }), await demo.add({ en: 'Twin' })];
    expect([first, second]).toEqual(['twin', 'twin-2']);
    const taken = await demo.save(second, [{ path: ['link'], to: first }]);
    expect(Object.keys(taken.body.errors ?? {})).toEqual([`posts.${second}.link`]);
    const live = await demo.save(second, [{ path: ['link'], to: 'cold-brew-tea' }]);
    expect(Object.keys(live.body.errors ?? {})).toEqual([`posts.${second}.link`]);
    const wrong = await demo.save(second, [
      { path: ['category'], to: 'nothing' },
      { path: ['tags'], to: ['nothing'] },
    ]);
    expect(Object.keys(wrong.body.errors ?? {}).sort()).toEqual([
      `posts.${second}.category`,
      `posts.${second}.tags`,
    ]);
  });

  it('a fault that keeps a post from being published is named at its part, and the draft can be saved with it', async () => {
    const id = await demo.add({ en: 'Faults', zh: '有错' });
    const edits = [
      { path: ['excerpt'], to: { en: '', zh: '只有中文' } },
      { path: ['parts', 'text', 'html'], to: { en: '<p><a href="/nowhere-at-all">Gone</a></p>', zh: '' } },
      { path: ['parts', 'head'], to: { id: 'head', type: 'heading', level: 3, text: { en: 'Skips one' } } },
      { path: ['parts', 'thing'], to: { id: 'thing', type: 'product', product: 'no-such-thing' } },
    ];
    expect((await demo.save(id, edits)).status).toBe(200);
    const tried = await askStaff(testApp, 'tryPublishPost', {
      as: writer,
      params: { id },
      body: { edits: [] },
    });
    expect(Object.keys(tried.body.problems).sort()).toEqual([
      'excerpt.en',
      'parts.head.level',
      'parts.text.html.en',
      'parts.thing.product',
    ]);
    expect((await demo.publish(id)).status).toBe(400);
    const wrong = await demo.save(id, [{ path: ['parts', 'head', 'level'], to: 9 }]);
    expect(Object.keys(wrong.body.errors ?? {})).toEqual([`posts.${id}.parts.head.level`]);
  });

  it('a post goes back to the same bytes across publishing, and readers go on seeing what was published', async () => {
    const id = await demo.add({ en: 'History', zh: '历史' });
    await demo.publish(id);
    const first = await demo.load(id);
    await write(id, 'The second version');
    await demo.publish(id);
    const { body } = await askStaff(testApp, 'restorePost', {
      as,
      params: { id },
      body: { revision: first.revision, seen: (await demo.load(id)).revision },
    });
    expect(JSON.stringify(body.content)).toBe(JSON.stringify(first.content));
    expect(body.publication.state).toBe('changed');
    expect(JSON.stringify((await demo.shown(id)).body)).toContain('The second version');
  });

  it('two people who write different parts of a post both keep what they wrote, and the same part is a conflict', async () => {
    const id = await demo.add({ en: 'Two', zh: '两人' });
    await demo.save(id, [
      { path: ['parts', 'more'], to: { id: 'more', type: 'paragraph', text: { en: 'One' } } },
    ]);
    const { revision } = await demo.load(id);
    const save = (path: string[], to: unknown) =>
      askStaff(testApp, 'savePost', { as, params: { id }, body: { revision, edits: [{ path, to }] } });
    expect((await save(['parts', 'text', 'html', 'en'], '<p>Mine</p>')).status).toBe(200);
    expect((await save(['parts', 'more', 'text', 'en'], 'Theirs')).status).toBe(200);
    expect((await save(['parts', 'more', 'text', 'en'], 'Mine as well')).status).toBe(409);
    const { parts } = (await demo.load(id)).content;
    expect(JSON.stringify(parts)).toMatch(/Mine.*Theirs/);
  });

  it('a removed post is gone with its draft and links, and what links to it is named before', async () => {
    const id = await demo.add({ en: 'Short-lived', zh: '短暂' });
    await demo.publish(id);
    await write(id, secret);
    const other = await demo.add({ en: 'Links to it', zh: '链接' });
    await demo.save(other, [
      { path: ['parts', 'text', 'html'], to: { en: `<p><a href="/blog/post/${id}">See</a></p>` } },
    ]);
    const shared = await askStaff(testApp, 'sharePost', { as, params: { id } });
    const use = await askStaff(testApp, 'postUse', { as, params: { id } });
    expect(use.body.affected.join()).toContain(other);
    expect((await askStaff(testApp, 'removePost', { as, params: { id } })).status).toBe(200);
    expect((await demo.shown(id)).status).toBe(404);
    expect((await demo.get(new URL(shared.body.address).pathname)).statusCode).toBe(404);
    expect((await askStaff(testApp, 'post', { as, params: { id } })).status).toBe(404);
    expect((await askStaff(testApp, 'journal', { as })).body.entries[0]).toMatchObject({
      action: 'posts remove',
      kind: 'post',
      id,
    });
  });

  it('a file that changes a post ends its draft, which stands in its history, and one that does not leaves it', async () => {
    await writeBlog(testApp, [post(testApp, 1)]);
    const id = 'post-1';
    await demo.save(id, [{ path: ['title', 'en'], to: 'Only written' }]);
    await writeBlog(testApp, [post(testApp, 1)]);
    expect((await demo.load(id)).publication.state).toBe('changed');
    await writeBlog(testApp, [post(testApp, 1, { title: { en: 'By a file', zh: '文件' } })]);
    expect((await demo.load(id)).publication.state).toBe('live');
    const { revisions } = (await askStaff(testApp, 'postRevisions', { as, params: { id } })).body;
    const drafted = revisions.find(({ fields }) => JSON.stringify(fields).includes('Only written'));
    expect(drafted?.isKept).toBe(true);
  });

  it('an exported file has parts without ids, and filling it again changes nothing', async () => {
    const id = await demo.add({ en: 'Exported', zh: '导出' });
    await write(id, 'Words');
    await demo.publish(id);
    const blogs = await testApp.services.contentExport.blogs();
    const exported = blogs.flatMap(({ posts }) => posts).find(({ link }) => link === id);
    expect(exported?.parts).toEqual([{ type: 'html', html: { en: '<p>Words</p>', zh: '<p>Words</p>' } }]);
    const before = await demo.load(id);
    await testApp.services.blog.editor.upsertPosts(exported ? [exported] : []);
    expect((await demo.load(id)).content).toEqual(before.content);
  });

  it('new categories and tags of the blog get addresses of their names, and posts leave those that end', async () => {
    const { blogs } = (await askStaff(testApp, 'blogs', { as })).body;
    const id = blogs[0]?.id ?? '';
    const { revision } = (await askStaff(testApp, 'blog', { as, params: { id } })).body;
    const save = async (of: number, edits: object[]) =>
      askStaff(testApp, 'saveBlog', { as, params: { id }, body: { revision: of, edits } });
    const added = await save(revision, [
      {
        path: ['categories', 'new-1'],
        to: { id: 'new-1', name: { en: 'Tea rooms', zh: '茶室' }, description: { en: '' } },
      },
      { path: ['tags', 'new-2'], to: { id: 'new-2', name: { en: '茶' } } },
    ]);
    expect(added.status, JSON.stringify(added.body)).toBe(200);
    expect(added.body.content.categories.at(-1)?.id).toBe('tea-rooms');
    expect(added.body.content.tags.at(-1)?.id).toBe('cha');
    const written = await demo.add({ en: 'In a category', zh: '分类' });
    await demo.save(written, [
      { path: ['category'], to: 'tea-rooms' },
      { path: ['tags'], to: ['cha'] },
    ]);
    expect((await demo.publish(written)).status).toBe(200);
    expect((await demo.get('/blog/cat/tea-rooms')).body).toContain('In a category');
    const ended = await save(added.body.revision, [
      { path: ['categories', 'tea-rooms'] },
      { path: ['tags', 'cha'] },
    ]);
    expect(ended.status, JSON.stringify(ended.body)).toBe(200);
    expect((await demo.load(written)).content).toMatchObject({ category: null, tags: [] });
    expect((await demo.shown(written)).status).toBe(200);
    expect(
      (await testApp.ask('blogPosts', { params: { storeBlogId: id }, query: { categoryName: 'tea-rooms' } }))
        .status,
    ).toBe(404);
  });
});
