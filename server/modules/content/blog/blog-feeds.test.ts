import { parseAtomFeed, parseRssFeed } from 'feedsmith';
import { describe, expect, it } from 'vitest';
import { post, writeBlog } from '#tests/blog.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

const origin = 'https://shop.example';
const hostile = `]]></title><script>alert("x")</script> & 'quotes' \u0007 ]]>`;

async function read(testApp: TestApp, url: string, headers: Record<string, string> = {}) {
  const { statusCode, body, headers: sent } = await testApp.app.inject({ url, headers });
  return { status: statusCode, body, headers: sent };
}

forEachEngine((engine) => {
  describe('feeds of the demo blog', async () => {
    const testApp = await createTestApp({
      engine,
      demo: true,
      now: Date.UTC(2026, 10, 20),
      env: { PUBLIC_URL: origin },
    });
    await testApp.services.runMaintenance();

    it('the RSS 2.0 feed has every post as a whole, in each language', async () => {
      const { headers, body } = await read(testApp, '/blog/feed.xml');
      expect(headers['content-type']).toBe('application/rss+xml; charset=utf-8');
      const feed = parseRssFeed(body);
      expect(feed).toMatchObject({
        title: 'The Studio Notebook',
        link: `${origin}/blog`,
        language: 'en-CA',
        atom: { links: [{ href: `${origin}/blog/feed.xml`, rel: 'self' }] },
      });
      expect(feed.items).toHaveLength(8);
      const [newest] = feed.items ?? [];
      expect(newest).toMatchObject({
        title: 'Meet the store: Queen West',
        link: `${origin}/blog/post/meet-the-store-queen-west`,
        guid: { value: `${origin}/blog/post/meet-the-store-queen-west` },
        dc: { creators: ['Qiao Wen'] },
      });
      expect(new Date(newest?.pubDate ?? '').toISOString()).toBe('2026-10-25T14:00:00.000Z');
      expect(newest?.content?.encoded).toContain('<h2>The wall</h2>');
      expect(newest?.content?.encoded).toMatch(
        /<img src="https:\/\/shop\.example\/media\/\d+\/post-store[^"]+\.jpg" alt/,
      );
      expect(newest?.categories?.map(({ name }) => name)).toEqual([
        'Studio & stores',
        'Toronto',
        'Beginners',
      ]);

      const chinese = parseRssFeed((await read(testApp, '/zh/blog/feed.xml')).body);
      expect(chinese).toMatchObject({ title: '枫土手记', link: `${origin}/zh/blog`, language: 'zh-CN' });
      expect(chinese.items?.[0]?.link).toBe(`${origin}/zh/blog/post/meet-the-store-queen-west`);
      expect(chinese.items?.[0]?.content?.encoded).toContain('茶墙');
    });

    it('the Atom feed has the same posts as the RSS feed', async () => {
      const { headers, body } = await read(testApp, '/zh/blog/atom.xml');
      expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8');
      const feed = parseAtomFeed(body);
      expect(feed).toMatchObject({
        id: `${origin}/zh/blog`,
        title: { value: '枫土手记' },
        authors: [{ name: '枫土' }],
        updated: '2026-10-25T14:00:00.000Z',
      });
      expect(feed.links).toContainEqual(
        expect.objectContaining({ rel: 'self', href: `${origin}/zh/blog/atom.xml` }),
      );
      const [newest] = feed.entries ?? [];
      expect(newest).toMatchObject({
        title: { value: '走进门店：皇后西街' },
        published: '2026-10-25T14:00:00.000Z',
        content: { type: 'html', value: expect.stringContaining('<h2>茶墙</h2>') },
      });
      expect(body).toContain('xml:lang="zh-CN"');
      expect(parseAtomFeed((await read(testApp, '/blog/atom.xml')).body).title?.value).toBe(
        'The Studio Notebook',
      );
    });

    it('a blog feed is sent again only when something changed', async () => {
      const etag = String((await read(testApp, '/blog/feed.xml')).headers.etag);
      const again = await read(testApp, '/blog/feed.xml', { 'if-none-match': etag });
      expect(again).toMatchObject({ status: 304, body: '' });
      const { editor } = testApp.services.blog;
      await editor.upsertPosts([post(testApp, 1, { blogId: 'maple-and-clay-blog', link: 'news' })]);
      const changed = await read(testApp, '/blog/feed.xml', { 'if-none-match': etag });
      expect(changed.status).toBe(200);
      expect(parseRssFeed(changed.body).items?.[0]?.link).toBe(`${origin}/blog/post/news`);
    });
  });

  describe('feeds of any blog', () => {
    it('a blog feed stays well formed whatever a post says', async () => {
      const testApp = await createTestApp({ engine, env: { PUBLIC_URL: origin } });
      const text = { en: hostile };
      await writeBlog(testApp, [
        post(testApp, 1, {
          title: text,
          excerpt: text,
          author: { name: text, role: text },
          parts: [
            { type: 'paragraph', text },
            { type: 'quote', text, source: text },
            { type: 'list', ordered: true, items: [text] },
          ],
        }),
      ]);
      const visible = `]] ></title><script>alert("x")</script> & 'quotes'  ]] >`;
      const [item] = parseRssFeed((await read(testApp, '/blog/feed.xml')).body).items ?? [];
      expect(item).toMatchObject({ title: visible, description: visible, dc: { creators: [visible] } });
      const { body } = await read(testApp, '/blog/atom.xml');
      const [entry] = parseAtomFeed(body).entries ?? [];
      expect(entry).toMatchObject({ title: { value: visible }, summary: { value: visible } });
      for (const html of [item?.content?.encoded, entry?.content?.value]) {
        expect(html).not.toContain('<script');
        expect(html).toContain('&lt;script&gt;');
      }
      expect(body).not.toContain('\u0007');
    });

    it('a blog feed has no scheduled posts and no more than twenty posts', async () => {
      const testApp = await createTestApp({ engine, env: { PUBLIC_URL: origin } });
      const later = post(testApp, 30, { link: 'later', publishedAt: testApp.clock.now() + 1 });
      await writeBlog(testApp, [
        later,
        ...Array.from({ length: 25 }, (_, index) => post(testApp, index + 1)),
      ]);
      const links = parseRssFeed((await read(testApp, '/blog/feed.xml')).body).items?.map(
        ({ title }) => title,
      );
      expect(links).toEqual(Array.from({ length: 20 }, (_, index) => `Post ${index + 1}`));
    });

    it('a blog without posts has a feed, and a shop without a blog has none', async () => {
      const testApp = await createTestApp({ engine });
      for (const path of ['/blog/feed.xml', '/zh/blog/atom.xml'])
        expect((await read(testApp, path)).status).toBe(404);
      await writeBlog(testApp, []);
      expect(parseRssFeed((await read(testApp, '/blog/feed.xml')).body)).toMatchObject({ title: 'Notes' });
      expect(parseAtomFeed((await read(testApp, '/zh/blog/atom.xml')).body)).toMatchObject({
        title: { value: '手记' },
      });
    });
  });
});
