import { describe, expect, it } from 'vitest';
import { problem } from '#contract/problems.ts';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import { InputError } from '#server/platform/errors.ts';
import { blogId, post, writeBlog } from '#tests/blog.ts';
import { sellProduct } from '#tests/products.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';

const minuteMs = 60_000;

onBothEngines((engine) => {
  const params = { storeBlogId: blogId };
  const links = async (testApp: TestApp, query: Record<string, unknown> = {}) =>
    (await testApp.call('blogPosts', { params, query })).posts.map(({ link }) => link);

  describe('the demo blog', async () => {
    const testApp = await createTestApp({ engine, demo: true, now: Date.UTC(2026, 10, 20) });
    await testApp.services.runMaintenance();

    it('the demo blog has its categories, counted, in both languages', async () => {
      const [blog] = await testApp.call('blogs', { lang: 'zh' });
      expect(blog).toMatchObject({
        id: 'maple-and-clay-blog',
        nameContent: { en: 'The Studio Notebook', zh: '枫土手记' },
        count: 8,
      });
      expect(blog?.categories.map(({ blogCategoryName, count }) => [blogCategoryName, count])).toEqual([
        ['brewing', 3],
        ['studio-and-stores', 2],
        ['care', 2],
        ['seasons', 1],
      ]);
      expect(blog?.description).toMatch(/\p{Script=Han}/u);
      expect(
        await testApp.call('storeBlog', { params: { storeBlogId: 'maple-and-clay-blog' }, lang: 'zh' }),
      ).toEqual(blog);
    });

    it('the blog configuration says who may like, and tags are listed by their number of posts', async () => {
      const demo = { storeBlogId: 'maple-and-clay-blog' };
      expect(await testApp.call('blogConfig', { params: demo })).toEqual({
        enableUserLike: true,
        enableGuestLike: true,
      });
      const tags = await testApp.call('blogTags', { params: demo });
      expect(tags[0]).toEqual({ name: 'beginners', nameContent: { en: 'Beginners', zh: '新手' }, count: 4 });
      expect(tags.map(({ count }) => count)).toEqual(
        [...tags.map(({ count }) => count)].sort((a, b) => b - a),
      );
    });

    it('a post is given as a whole, in one language, with images', async () => {
      const read = (lang: 'en' | 'zh') =>
        testApp.call('blogPost', { params: { link: 'a-mid-autumn-table' }, lang });
      const english = await read('en');
      expect(english).toMatchObject({
        publishedOn: '2026-09-06',
        image: { width: expect.any(Number) },
        author: { name: expect.any(String), role: expect.any(String) },
        likes: 131,
        blogCategory: { blogCategoryName: 'seasons' },
        associatedStoreBlog: { id: 'maple-and-clay-blog' },
      });
      const types = english.blogPage.parts.map(({ type }) => type);
      for (const type of ['paragraph', 'heading', 'list', 'quote']) expect(types).toContain(type);
      const chinese = await read('zh');
      expect(JSON.stringify(chinese.blogPage)).toContain('但愿人长久');
      expect(chinese.blogPage.parts).toHaveLength(english.blogPage.parts.length);
      for (const { readingMinutes } of [english, chinese]) expect(readingMinutes).toBeGreaterThanOrEqual(1);
    });

    it('a post has related posts that share tags and category, and its neighbours in time', async () => {
      const gongfu = await testApp.call('blogPost', { params: { link: 'gongfu-ratios-and-temperatures' } });
      // The first shares two tags and the category; the next one tag and the category.
      expect(gongfu.related.map(({ link }) => link)).toEqual([
        'choosing-a-gaiwan',
        'cold-brew-tea',
        'a-mid-autumn-table',
      ]);
      expect(gongfu.previous?.link).toBe('choosing-a-gaiwan');
      expect(gongfu.next?.link).toBe('seasoning-a-zisha-pot');
      const newest = await testApp.call('blogPost', { params: { link: 'meet-the-store-queen-west' } });
      expect(newest.next).toBeNull();
    });

    it('the listing for sitemaps has every post, category and tag', async () => {
      const { posts, categories, tags } = await testApp.services.blog.listed();
      expect(posts).toHaveLength(8);
      expect(posts[0]).toMatchObject({
        link: 'meet-the-store-queen-west',
        image: { imageURL: expect.any(String) },
      });
      expect(categories).toEqual(['brewing', 'studio-and-stores', 'care', 'seasons']);
      expect(tags).toContain('gongfu');
    });
  });

  describe('lists of posts', async () => {
    const testApp = await createTestApp({ engine });
    await writeBlog(
      testApp,
      Array.from({ length: 14 }, (_, index) =>
        post(testApp, index + 1, {
          category: index % 2 ? 'care' : 'brewing',
          tags: index < 3 ? ['oolong'] : [],
        }),
      ),
    );

    it('a list of posts starts with the newest, in pages of six', async () => {
      const pages = [
        await links(testApp),
        await links(testApp, { startingPosition: 6 }),
        await links(testApp, { startingPosition: 12 }),
      ];
      expect(pages.flat()).toEqual(Array.from({ length: 14 }, (_, index) => `post-${index + 1}`));
      expect(pages.map(({ length }) => length)).toEqual([6, 6, 2]);
      expect(await links(testApp, { startingPosition: 14, infiniteLoad: true })).toEqual([]);
      expect(await links(testApp, { numberToLoad: 2, startingPosition: 3 })).toEqual(['post-4', 'post-5']);
    });

    it('a list of posts is narrowed to a category or a tag, and counted so', async () => {
      expect(
        await testApp.call('blogPosts', { params, query: { categoryName: 'care', numberToLoad: 3 } }),
      ).toMatchObject({
        posts: [{ link: 'post-2' }, { link: 'post-4' }, { link: 'post-6' }],
        count: 7,
      });
      expect(await links(testApp, { tagName: 'oolong' })).toEqual(['post-1', 'post-2', 'post-3']);
      expect(await links(testApp, { tagName: 'oolong', categoryName: 'care' })).toEqual(['post-2']);
      expect(await links(testApp, { tagName: 'glaze' })).toEqual([]);
    });

    it('a list of an unknown category or tag answers 404', async () => {
      expect((await testApp.ask('blogPosts', { params, query: { categoryName: 'nothing' } })).status).toBe(
        404,
      );
      expect((await testApp.ask('blogPosts', { params, query: { tagName: 'nothing' } })).status).toBe(404);
      for (const name of ['blogPosts', 'storeBlog', 'blogConfig', 'blogTags'] as const) {
        expect((await testApp.ask(name, { params: { storeBlogId: 'nothing' } })).status, name).toBe(404);
      }
      expect((await testApp.ask('blogPost', { params: { link: 'nothing' } })).status).toBe(404);
    });
  });

  describe('writing posts', async () => {
    const testApp = await createTestApp({ engine });
    await writeBlog(testApp, []);

    it('a changed post shows on the next request and keeps its id and likes', async () => {
      await testApp.services.blog.editor.upsertPosts([post(testApp, 1, { likesBefore: 5 })]);
      const read = () => testApp.call('blogPost', { params: { link: 'post-1' } });
      const before = await read();
      expect(before).toMatchObject({ title: 'Post 1', likes: 5, updatedAt: before.publishedAt });
      testApp.clock.advance(minuteMs);
      const changed = {
        ...post(testApp, 1, { title: { en: 'Another title' }, likesBefore: 9 }),
        publishedAt: before.publishedAt,
      };
      await testApp.services.blog.editor.upsertPosts([changed]);
      expect(await read()).toMatchObject({
        title: 'Another title',
        id: before.id,
        likes: 5,
        updatedAt: testApp.clock.now(),
        publishedAt: before.publishedAt,
      });
      testApp.clock.advance(minuteMs);
      await testApp.services.blog.editor.upsertPosts([changed]);
      expect((await read()).updatedAt).toBe(testApp.clock.now() - minuteMs);
    });

    it('a post with parts that cannot be shown is not written, and each part is named', async () => {
      await testApp.services.blog.editor.upsertPosts([post(testApp, 1, { title: { en: 'As it was' } })]);
      const parts = [
        { type: 'paragraph', text: { en: 'Kept', extra: 1 } },
        { type: 'film' },
        { type: 'heading', level: 1, text: { en: 'Too high' } },
        null,
      ];
      const posts = [post(testApp, 1, { parts }), post(testApp, 7)];
      const at = ['posts', 'post-1', 'parts'];
      await expect(testApp.services.blog.editor.upsertPosts(posts)).rejects.toMatchObject({
        problems: [
          problem([...at, '0', 'text', 'extra'], 'problem.unknownField', { allowed: 'en, zh' }),
          { path: [...at, '1', 'type'], key: 'problem.oneOf', values: { found: '"film"' } },
          problem([...at, '2', 'level'], 'problem.minimum', { limit: 2, found: '1' }),
          problem([...at, '3'], 'problem.type.object', { found: 'null' }),
        ],
      });
      expect((await testApp.call('blogPost', { params: { link: 'post-1' } })).title).toBe('As it was');
      expect(await links(testApp)).toEqual(['post-1']);
    });

    it('a part in the database that cannot be shown is left out of its post', async () => {
      const parts = [
        { type: 'paragraph', text: { en: 'Kept', extra: 1 } },
        { type: 'film' },
        { type: 'image', image: 'never-imported.jpg', alt: { en: '' }, caption: { en: 'Gone' } },
      ];
      await testApp.services.blog.editor.upsertPosts([post(testApp, 1)]);
      await testApp.db.transaction(async (trx) => {
        await trx
          .updateTable('blog_posts')
          .set({ parts: JSON.stringify(parts) })
          .where('link', '=', 'post-1')
          .execute();
        await bumpCatalogueVersion(trx);
      });
      const { blogPage } = await testApp.call('blogPost', { params: { link: 'post-1' } });
      expect(blogPage.parts).toEqual([{ type: 'paragraph', text: 'Kept' }]);
    });

    it('a rich text loses what is harmful, and its links stay in the reader’s language', async () => {
      const html =
        '<h1>Hi</h1><p onclick="x()">A <a href="/product/moon-jar">jar</a><script>alert(1)</script></p>';
      const parts = [
        {
          type: 'html',
          html: { en: html, zh: '<p><a href="/blog">手记</a><img src=x onerror=alert(1)></p>' },
        },
      ];
      await testApp.services.blog.editor.upsertPosts([post(testApp, 1, { parts })]);
      const read = async (lang: 'en' | 'zh') =>
        (await testApp.call('blogPost', { params: { link: 'post-1' }, lang })).blogPage.parts;
      expect(await read('en')).toEqual([
        { type: 'html', html: '<h2>Hi</h2><p>A <a href="/product/moon-jar">jar</a></p>' },
      ]);
      expect(await read('zh')).toEqual([{ type: 'html', html: '<p><a href="/zh/blog">手记</a></p>' }]);
      const { body } = await testApp.app.inject({ url: '/zh/blog/feed.xml' });
      expect(body).toContain('<a href="http://localhost/zh/blog">手记</a>');
    });

    it('a rich text may show the shop’s own images by file name, and no other images', async () => {
      await testApp.services.media.importOriginals('demo', ['speckled-mug.jpg']);
      const html =
        '<figure><img src="speckled-mug.jpg" alt="A mug &quot;onload=&quot;" onload="alert(1)" style="x"><figcaption>Oat</figcaption></figure>' +
        '<p><img src="gone.jpg" alt=""><img src="https://evil.example/a.jpg"><img src="/media/160/a.jpg"><img src="../a.jpg"><img src="javascript:alert(1).jpg"></p>';
      await testApp.services.blog.editor.upsertPosts([
        post(testApp, 1, { parts: [{ type: 'html', html: { en: html } }] }),
      ]);
      const [part] = (await testApp.call('blogPost', { params: { link: 'post-1' } })).blogPage.parts;
      const shown = part?.type === 'html' ? part.html : '';
      expect(shown).toMatch(
        /^<figure><img src="\/media\/800\/speckled-mug-\w+\.jpg" srcset="\/media\/64\/speckled-mug-\w+\.jpg 64w, [^"]+ 1000w" sizes="[^"]+" width="1000" height="1000" alt="A mug &quot;onload=&quot;" loading="lazy" \/><figcaption>Oat<\/figcaption><\/figure><p><\/p>$/,
      );
      const source = /src="([^"]+)"/.exec(shown)?.[1] ?? '';
      expect((await testApp.app.inject({ url: source })).statusCode).toBe(200);
      const { body } = await testApp.app.inject({ url: '/blog/feed.xml' });
      expect(body).toContain(`<img src="http://localhost${source}" width="1000" height="1000"`);
    });

    it('a product in a post shows with its current price, once it exists and while it is published', async () => {
      const parts = ['river-cup', 'no-such-cup'].map((product) => ({ type: 'product', product }));
      await testApp.services.blog.editor.upsertPosts([post(testApp, 1, { parts })]);
      const read = async () =>
        (await testApp.call('blogPost', { params: { link: 'post-1' } })).blogPage.parts;
      expect(await read()).toEqual([]);
      await sellProduct(testApp, 'RIVER-CUP');
      expect(await read()).toMatchObject([
        { type: 'product', product: { id: 'river-cup', sku: 'RIVER-CUP', priceInfo: { price: 3200 } } },
      ]);
      const { body } = await testApp.app.inject({ url: '/zh/blog/feed.xml' });
      expect(body).toContain('<p><a href="http://localhost/zh/product/river-cup">river-cup</a></p>');
      await sellProduct(testApp, 'RIVER-CUP', { priceCents: 2800 });
      expect(await read()).toMatchObject([{ product: { priceInfo: { price: 2800 } } }]);
      await sellProduct(testApp, 'RIVER-CUP', { published: false });
      expect(await read()).toEqual([]);
    });

    it('an import of posts writes all or none and names every invalid post', async () => {
      const bad = [
        post(testApp, 1),
        post(testApp, 2, { category: 'nothing' }),
        post(testApp, 3, { tags: ['oolong', 'none'] }),
        post(testApp, 5, { blogId: 'other' }),
      ];
      const failure = await testApp.services.blog.editor.upsertPosts(bad).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(InputError);
      expect((failure as InputError).problems).toEqual([
        problem(['posts', 'post-2', 'category'], 'problem.reference', {
          kind: 'category',
          found: '"nothing"',
        }),
        problem(['posts', 'post-3', 'tags'], 'problem.reference', { kind: 'tag', found: '"none"' }),
        problem(['posts', 'post-5', 'blogId'], 'problem.reference', { kind: 'blog', found: '"other"' }),
      ]);
      expect(await links(testApp)).toEqual(['post-1']);
      const malformed = testApp.services.blog.editor.upsertPosts([
        post(testApp, 1),
        post(testApp, 2, { link: 'with space' }),
      ]);
      await expect(malformed).rejects.toMatchObject({
        problems: [{ path: ['posts', 'with space', 'link'], key: 'problem.id' }],
      });
      const taken = { ...post(testApp, 1), blogId: 'second' };
      await testApp.services.blog.editor.upsertPosts([post(testApp, 1)]);
      const second = {
        id: 'second',
        name: { en: 'Second' },
        description: { en: '' },
        categories: [],
        tags: [],
      };
      await testApp.services.blog.editor.upsertBlog({
        ...second,
        enableUserLike: true,
        enableGuestLike: true,
      });
      await expect(testApp.services.blog.editor.upsertPosts([taken])).rejects.toMatchObject({
        problems: [{ key: 'problem.post.otherBlog' }],
      });
    });

    it('a post without a translation falls back to the default language', async () => {
      await testApp.services.blog.editor.upsertPosts([post(testApp, 1, { title: { en: 'Only English' } })]);
      expect((await testApp.call('blogPost', { params: { link: 'post-1' }, lang: 'zh' })).title).toBe(
        'Only English',
      );
    });
  });

  describe('scheduled posts', async () => {
    const testApp = await createTestApp({ engine });
    await writeBlog(testApp, [
      post(testApp, 1, { category: 'care' }),
      post(testApp, 2, {
        link: 'later',
        publishedAt: testApp.clock.now() + 10 * minuteMs,
        category: 'care',
        tags: ['glaze'],
      }),
    ]);
    const seen = async () => ({
      list: await links(testApp),
      status: (await testApp.ask('blogPost', { params: { link: 'later' } })).status,
      count: (await testApp.call('storeBlog', { params })).count,
      tags: (await testApp.call('blogTags', { params })).length,
      next: (await testApp.call('blogPost', { params: { link: 'post-1' } })).next,
      listed: (await testApp.services.blog.listed()).posts.length,
    });

    it('a scheduled post is nowhere before its time and everywhere after it', async () => {
      await testApp.services.runMaintenance();
      const hidden = { list: ['post-1'], status: 404, count: 1, tags: 0, next: null, listed: 1 };
      expect(await seen()).toEqual(hidden);
      const { posts } = await testApp.call('blogPosts', { params });
      const ids = await testApp.db.read
        .selectFrom('blog_posts')
        .select('id')
        .where('link', '=', 'later')
        .execute();
      const like = { ...params, storeBlogPostId: ids[0]?.id ?? '', like: 'true' };
      expect((await testApp.ask('likeBlogPost', { params: like })).status).toBe(404);
      expect(posts).toHaveLength(1);
      testApp.clock.advance(10 * minuteMs - 1);
      await testApp.services.runMaintenance();
      expect(await seen()).toEqual(hidden);
      testApp.clock.advance(1);
      expect(
        await Promise.all([testApp.services.blog.editor.release(), testApp.services.blog.editor.release()]),
      ).toContain(1);
      expect(await seen()).toEqual({
        list: ['later', 'post-1'],
        status: 200,
        count: 2,
        tags: 1,
        next: { link: 'later', title: 'Post 2' },
        listed: 2,
      });
      expect(await testApp.services.blog.editor.release()).toBe(0);
    });

    it('a published post disappears when it is rescheduled', async () => {
      await testApp.services.blog.editor.upsertPosts([
        post(testApp, 1, { publishedAt: testApp.clock.now() + minuteMs }),
      ]);
      expect(await links(testApp)).toEqual(['later']);
    });
  });
});
