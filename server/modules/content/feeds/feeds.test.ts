import { beforeEach, describe, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import { feedBlock, publish } from '#tests/blocks.ts';
import { type FakeInternet, fakeInternet } from '#tests/fake-internet.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import { freshMs, pauseAfter, type SourceFailure } from '../external-sources/external-sources.service.ts';
import { feedBytes } from './feed-reader.service.ts';

const url = 'http://news.example/tea.xml';
const rssType = { 'content-type': 'application/rss+xml; charset=utf-8' };

function rss(items: readonly string[], title = 'Tea news'): string {
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>${title}</title><link>http://news.example/</link>${items.join('')}</channel></rss>`;
}

function item(title: string, more = ''): string {
  return `<item><title>${title}</title><link>http://news.example/${encodeURIComponent(title)}</link>${more}</item>`;
}

forEachEngine((engine) => {
  /** Of what is read, not of where it is kept. */
  const once = it.runIf(engine === 'sqlite');
  describe('external feeds', () => {
    let testApp: TestApp;
    let outside: FakeInternet;
    const problems: SourceFailure[] = [];
    beforeEach(async () => {
      outside = await fakeInternet();
      problems.length = 0;
      testApp = await createTestApp({
        engine,
        services: ({ db, env, now }) =>
          createContainer({
            db,
            env,
            now,
            reach: outside.reach,
            onSourceProblem: (problem) => problems.push(problem),
          }),
      });
      await publish(testApp, 'news', [feedBlock(url)]);
      outside.answer('news.example/tea.xml', rss([item('One'), item('Two')]), rssType);
      return () => testApp.close();
    });

    const read = (at = url) => testApp.ask('readFeed', { query: { url: at } });
    const onPage = async () => {
      const [block] = (await testApp.call('pageContent', { query: { pageName: 'news' } })).blocks;
      return block?.type === 'rssFeed' ? block.entries : undefined;
    };
    const titles = async () => (await onPage())?.map(({ title }) => title) ?? null;
    /** The step that the program runs every minute. */
    const look = () => testApp.services.refreshExternalFeeds();

    it('a feed is shown once it has been read, and no page waits for its source', async () => {
      expect(await onPage()).toBeNull();
      expect(outside.asked).toEqual([]);
      await look();
      expect(await titles()).toEqual(['One', 'Two']);
      expect((await read()).body).toMatchObject({
        title: 'Tea news',
        link: 'http://news.example/',
        entries: [{}, {}],
      });
      expect(outside.asked).toEqual(['news.example/tea.xml']);
    });

    it('a feed that no page has shown yet is read at once when a browser asks, once for all who ask', async () => {
      const answers = await Promise.all([read(), read(), read()]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(outside.asked).toHaveLength(1);
      expect(await titles()).toEqual(['One', 'Two']);
    });

    it('a feed is requested again after half an hour, with validators, and its changes are on the next page', async () => {
      outside.handlers.set('news.example/tea.xml', (request, response) => {
        const known = request.headers['if-none-match'] === '"1"';
        response
          .writeHead(known ? 304 : 200, { ...rssType, etag: '"1"' })
          .end(known ? '' : rss([item('One')]));
      });
      await look();
      testApp.clock.advance(freshMs - 1);
      await look();
      expect(outside.asked).toHaveLength(1);
      testApp.clock.advance(1);
      const version = await testApp.db.catalogueVersion();
      await look();
      expect(outside.asked).toHaveLength(2);
      expect(await titles()).toEqual(['One']);
      expect(await testApp.db.catalogueVersion()).toBe(version);
      outside.answer('news.example/tea.xml', rss([item('Three')]), rssType);
      testApp.clock.advance(freshMs);
      await look();
      expect(await titles()).toEqual(['Three']);
    });

    it('a feed keeps its last good answer while its source is down, and is requested less and less often', async () => {
      await look();
      outside.answer('news.example/tea.xml', 'down', {}, 500);
      testApp.clock.advance(freshMs);
      await look();
      expect(await titles()).toEqual(['One', 'Two']);
      expect((await read()).status).toBe(200);
      expect(problems).toEqual([{ source: 'news.example', failures: 1, problem: 'status 500' }]);
      for (const failures of [1, 2, 3]) {
        testApp.clock.advance(pauseAfter(failures) - 1);
        await look();
        testApp.clock.advance(1);
        await look();
      }
      expect(outside.asked).toHaveLength(5);
      outside.answer('news.example/tea.xml', rss([item('Back')]), rssType);
      testApp.clock.advance(pauseAfter(4));
      await look();
      expect(await titles()).toEqual(['Back']);
    });

    it('a feed that never answered is reported as unavailable, and its source is left in peace', async () => {
      outside.answer('news.example/tea.xml', '', {}, 404);
      for (let i = 0; i < 5; i++)
        expect(await read()).toMatchObject({ status: 503, body: { errorKey: 'block.feedUnavailable' } });
      expect(outside.asked).toHaveLength(1);
      expect(await onPage()).toBeNull();
    });

    once.each([
      'http://other.example/',
      'http://news.example/tea.xml?x=1',
      'http://127.0.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      '/blog/feed.xml',
      'x',
    ])('an address that no page names is not read as a feed: %s', async (at) => {
      expect((await read(at)).status).toBe(404);
      await look();
      expect(outside.asked).toEqual(['news.example/tea.xml']);
    });

    once.each([
      ['is on a private network', 'http://inside.example/'],
      ['redirects to a private network', 'http://news.example/moved'],
      ['resolves to a private network on the second look-up', 'http://rebind.example/'],
      ['is no feed', 'http://news.example/page'],
      ['is HTML', 'http://news.example/html'],
      ['sends 50 MB', 'http://news.example/big'],
      ['announces 50 MB', 'http://news.example/said'],
      ['expands entities a billion times', 'http://news.example/laughs'],
    ])('an address that a page names and that %s is not shown as a feed', async (_kind, at) => {
      outside.names.set('inside.example', [['192.168.1.1']]);
      outside.names.set('rebind.example', [['93.184.215.14'], ['127.0.0.1']]);
      outside.answer('rebind.example/', '', { location: 'http://rebind.example/again' }, 302);
      outside.answer('rebind.example/again', rss([item('Secret')]), rssType);
      outside.answer('news.example/moved', '', { location: 'http://127.0.0.1/secret' }, 302);
      outside.answer('news.example/page', '{"not":"a feed"}', { 'content-type': 'application/json' });
      outside.answer('news.example/html', rss([item('One')]), { 'content-type': 'text/html' });
      outside.answer('news.example/said', rss([item('One')]), {
        ...rssType,
        'content-length': String(50 * 1024 * 1024),
      });
      const filler = `<description>${'tea '.repeat(20_000)}</description>`;
      outside.handlers.set('news.example/big', (_request, response) => {
        response.writeHead(200, rssType).write('<?xml version="1.0"?><rss version="2.0"><channel>');
        let left = (50 * 1024 * 1024) / filler.length;
        const more = () => {
          for (; left > 0 && !response.destroyed; left--) {
            if (!response.write(item('Big', filler))) return response.once('drain', more);
          }
          return response.end('</channel></rss>');
        };
        more();
      });
      const entities = Array.from(
        { length: 9 },
        (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`,
      ).join('');
      outside.answer(
        'news.example/laughs',
        `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "lol">${entities}]>${rss([item('&l9;')])}`,
        rssType,
      );
      await publish(testApp, 'bad', [feedBlock(at)]);
      expect((await read(at)).status).toBe(503);
      expect(outside.asked).not.toContain('rebind.example/again');
      await look();
      const [block] = (await testApp.call('pageContent', { query: { pageName: 'bad' } })).blocks;
      expect(block).toMatchObject({ entries: null });
      expect(problems).toHaveLength(1);
    });

    once('a feed is reduced to text and web links, whatever its source sends', async () => {
      const evil = [
        '<item><title>&lt;img src=x onerror=alert(1)&gt;Hello</title><link>javascript:alert(1)</link><description>&lt;script&gt;alert(1)&lt;/script&gt;Fine &amp;amp; well &lt;b&gt;bold&lt;/b&gt;</description></item>',
        '<item><title><![CDATA[<svg/onload=alert(1)>5 < 6 & "so"]]></title><link>data:text/html,x</link><pubDate>not a date</pubDate></item>',
        '<item><title>Relative</title><link>/path</link><pubDate>Tue, 10 Nov 2026 04:00:00 GMT</pubDate></item>',
        `<item><title>${'long '.repeat(200)}</title><link>http://user:word@news.example/</link></item>`,
      ];
      outside.answer('news.example/tea.xml', rss(evil, '&lt;script&gt;x&lt;/script&gt;Tea'), rssType);
      const { body } = await read();
      expect(body.title).toBe('Tea');
      expect(body.entries).toMatchObject([
        { title: 'Relative', link: 'http://news.example/path', publishedAt: Date.UTC(2026, 10, 10, 4) },
        { title: 'Hello', link: null, summary: 'Fine & well bold', publishedAt: null },
        { title: '5 < 6 & "so"', link: null, publishedAt: null },
        { link: null },
      ]);
      expect([...(body.entries[3]?.title ?? '')].length).toBeLessThanOrEqual(201);
    });

    once.each([
      [
        'Atom',
        'application/atom+xml',
        '<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><entry><title>5 &lt; 6</title><link rel="edit" href="http://news.example/edit"/><link href="http://news.example/1"/><updated>2026-11-10T04:00:00Z</updated><summary type="html">&lt;b&gt;Say&lt;/b&gt;</summary></entry></feed>',
      ],
      [
        'JSON',
        'application/feed+json',
        '{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","url":"http://news.example/1","title":"5 < 6","content_html":"<b>Say</b>","date_published":"2026-11-10T04:00:00Z"}]}',
      ],
      [
        'RDF',
        'application/xml',
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>R</title></channel><item><title>5 &lt; 6</title><link>http://news.example/1</link><dc:date>2026-11-10T04:00:00Z</dc:date><description>Say</description></item></rdf:RDF>',
      ],
    ])('a feed may be %s', async (_kind, type, text) => {
      outside.answer('news.example/tea.xml', text, { 'content-type': type });
      expect((await read()).body.entries).toEqual([
        {
          title: '5 < 6',
          link: 'http://news.example/1',
          summary: 'Say',
          publishedAt: Date.UTC(2026, 10, 10, 4),
        },
      ]);
    });

    once('a feed in a non-UTF-8 encoding is decoded', async () => {
      // 茶 in GB 18030.
      const bytes = Buffer.concat([
        Buffer.from(
          '<?xml version="1.0" encoding="gb2312"?><rss version="2.0"><channel><title>x</title><item><title>',
        ),
        Buffer.from([0xb2, 0xe8]),
        Buffer.from('</title></item></channel></rss>'),
      ]);
      outside.answer('news.example/tea.xml', bytes, { 'content-type': 'text/xml' });
      expect((await read()).body.entries).toMatchObject([{ title: '茶' }]);
    });

    it('a feed is read by one process of several, and deleted when no page names it', async () => {
      const { db, env, clock } = testApp;
      const others = [1, 2, 3].map(() => createContainer({ db, env, now: clock.now, reach: outside.reach }));
      await Promise.all([look(), ...others.map((each) => each.refreshExternalFeeds())]);
      expect(outside.asked).toHaveLength(1);
      await publish(testApp, 'news', []);
      await look();
      expect(await db.read.selectFrom('external_sources').selectAll().execute()).toEqual([]);
    });

    it('the size limit of a feed is 2 MB', () => expect(feedBytes).toBe(2 * 1024 * 1024));
  });

  describe("the shop's own feed", async () => {
    const testApp = await createTestApp({ engine, demo: true });

    it.each(['en', 'zh'] as const)(
      'the shop’s own feed is shown in %s as its blog has it, without a network request',
      async (lang) => {
        const { blocks } = await testApp.call('pageContent', { query: { pageName: 'about' }, lang });
        const block = blocks.find(({ type }) => type === 'rssFeed');
        const { entries } = await testApp.call('readFeed', { query: { url: '/blog/feed.xml' }, lang });
        expect(block?.type === 'rssFeed' && block.entries).toEqual(entries.slice(0, 3));
        expect(entries[0]?.link).toMatch(/^\/blog\/post\//);
        expect(/\p{Script=Han}/u.test(entries[0]?.title ?? '')).toBe(lang === 'zh');
      },
    );

    it.each(['en', 'zh'] as const)(
      "the shop's own feed carries the blog's title and the times of its posts in %s",
      async (lang) => {
        const [blog] = await testApp.call('blogs', { lang });
        const feed = await testApp.call('readFeed', { query: { url: '/blog/feed.xml' }, lang });
        expect(feed.title).toBe(blog?.nameContent[lang]);
        const { posts } = await testApp.call('blogPosts', {
          params: { storeBlogId: blog?.id ?? '' },
          query: { numberToLoad: 48 },
          lang,
        });
        const times = (list: { publishedAt: number | null; publishedOn?: string }[]) =>
          list.map(({ publishedAt, publishedOn }) => ({ publishedAt, publishedOn }));
        expect(times(feed.entries)).toEqual(times(posts).slice(0, feed.entries.length));
        expect(feed.entries.length).toBeGreaterThan(0);
      },
    );
  });
});
