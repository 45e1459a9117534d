import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { WebPage, WebRenderer } from '#server/ssr/renderer.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { createSearchCounts, normaliseSearch, searchOfUrl } from './search-counts.ts';

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
const api = '/api/istore/client/productManagement2/products';
const dayMs = 24 * 60 * 60_000;

/** A storefront whose search page calls the API in process, as the real one does. */
const storefront: WebRenderer = {
  async render({ url, transport }) {
    const nameLike = new URL(url, 'http://shop.example').searchParams.get('key') ?? '';
    const query = new URLSearchParams({ lang: 'en', nameLike, numberToLoad: '12', startingPosition: '0' });
    await transport({ method: 'GET', url: `${api}?${query}` });
    const page: WebPage = {
      status: 200,
      personal: false,
      unlisted: true,
      locale: 'en' as const,
      takesPayment: false,
      route: '/',
      html: '<html>results</html>',
      styleHashes: [],
    };
    return page;
  },
  asset: async () => null,
  close: async () => {},
};

onBothEngines((engine) => {
  describe('counted searches', () => {
    let testApp: TestApp;
    beforeAll(async () => {
      testApp = await createTestApp({
        engine,
        demo: true,
        now: Date.now(),
        app: { web: async () => storefront },
      });
    });
    beforeEach(async () => {
      await testApp.services.searchCounts.flush();
      await testApp.db.transaction((trx) => trx.deleteFrom('searches').execute());
    });
    const get = (url: string, headers: Record<string, string> = browser) =>
      testApp.app.inject({ url, headers });
    const counted = async (options: { days?: number; zero?: boolean } = {}) => {
      await testApp.services.searchCounts.flush();
      return testApp.services.searchCounts.list({ days: 30, zero: false, most: 100, ...options });
    };

    it('the search page counts each visit once, whether it is rendered or comes from the cache', async () => {
      for (let visit = 1; visit <= 3; visit++)
        expect((await get('/search?key=Celadon%20%20Teapot')).statusCode).toBe(200);
      expect((await get('/zh/search?key=celadon+teapot')).statusCode).toBe(200);
      expect(await counted()).toEqual([
        { language: 'en', text: 'celadon teapot', times: 3, found: true, suggestion: null },
        { language: 'zh', text: 'celadon teapot', times: 1, found: true, suggestion: null },
      ]);
    });

    it('a search call counts its first page only, and neither suggestions nor refined results', async () => {
      for (const query of ['nameLike=gaiwan', 'lang=en&nameLike=gaiwan&numberToLoad=12&startingPosition=0'])
        expect((await get(`${api}?${query}`)).statusCode).toBe(200);
      expect((await get(`${api}/search/gaiwan?lang=en`)).statusCode).toBe(200);
      for (const url of [
        `${api}?nameLike=gaiwan&startingPosition=12`,
        `${api}?nameLike=gaiwan&sortby=price`,
        `${api}?nameLike=gaiwan&onSale=true`,
        `${api}/suggest/gaiwan`,
        `${api}/searchCount/gaiwan`,
        '/search?key=gaiwan&page=2',
        '/search?key=gaiwan&sort=price',
        '/search?key=gaiwan&brand=x',
      ])
        expect((await get(url)).statusCode).toBe(200);
      expect(await counted()).toMatchObject([{ text: 'gaiwan', times: 3 }]);
    });

    it('crawlers, programs and prefetches are not counted', async () => {
      const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
      for (const headers of [
        { 'user-agent': crawler },
        { 'user-agent': 'curl/8' },
        { ...browser, 'sec-purpose': 'prefetch' },
      ])
        await get('/search?key=teapot', headers);
      await testApp.app.inject({ method: 'HEAD', url: '/search?key=teapot', headers: browser });
      expect(await counted()).toEqual([]);
    });

    it('the searches command lists what found nothing with its count and the suggestion that was offered', async () => {
      const now = Date.now();
      for (let visit = 1; visit <= 2; visit++) await get('/search?key=telescope');
      for (let visit = 1; visit <= 3; visit++) await get('/search?key=celadn');
      await get('/search?key=teapot');
      testApp.clock.set(now + 5 * dayMs);
      await testApp.services.searchCounts.flush();
      testApp.clock.set(now);
      expect((await shopCommand(testApp, ['searches', '--zero'])).printed.split('\n')).toEqual([
        'Searches without results in the last 30 days, most frequent first:',
        '3  en  celadn  (no results; suggested: celadon)',
        '2  en  telescope  (no results)',
      ]);
      expect((await shopCommand(testApp, ['searches'])).printed).toContain('1  en  teapot');
      const [day] = new Date(now + 5 * dayMs).toISOString().split('T');
      expect(await testApp.db.read.selectFrom('searches').select('day').distinct().execute()).toEqual([
        { day },
      ]);
      expect(await shopCommand(testApp, ['searches', '--days', '91'])).toMatchObject({
        code: 1,
        printed: expect.stringContaining('Expected a whole number from 1 to 90'),
      });
    });

    it('the counts of several days and processes add up, and a text that is found later is no longer listed', async () => {
      const { searchCounts } = testApp.services;
      const other = createSearchCounts({ ...testApp.services, db: testApp.db, now: testApp.clock.now });
      const search = { text: 'celadon', locale: 'en' } as const;
      searchCounts.note('celadon', { found: false, suggestion: null });
      searchCounts.count(search);
      await searchCounts.flush();
      expect(await counted({ zero: true })).toMatchObject([{ text: 'celadon', times: 1 }]);
      testApp.clock.advance(dayMs);
      for (const each of [other, other, searchCounts]) each.count(search);
      await searchCounts.flush();
      // The other process has not seen the answer, so it asks the catalogue.
      await other.flush();
      expect(await counted()).toEqual([
        { language: 'en', text: 'celadon', times: 4, found: true, suggestion: null },
      ]);
      expect(await counted({ zero: true })).toEqual([]);
      expect(await counted({ days: 1 })).toMatchObject([{ times: 3 }]);
    });

    it('a day stores a bounded number of texts, and goes on counting those that it has', async () => {
      const small = createSearchCounts({
        ...testApp.services,
        db: testApp.db,
        now: testApp.clock.now,
        mostPerDay: 3,
        mostPerBatch: 2,
      });
      const search = async (...texts: string[]) => {
        for (const text of texts) small.count({ text, locale: 'en' });
        await small.flush();
      };
      await search('a1', 'a2', 'a3', 'a1');
      expect(await counted()).toMatchObject([{ text: 'a1', times: 2 }, { text: 'a2' }]);
      await search('a3');
      await search('a4', 'a1');
      await search('a5');
      expect((await counted()).map(({ text, times }) => `${text} ${times}`)).toEqual([
        'a1 3',
        'a2 1',
        'a3 1',
      ]);
    });

    it('the counts survive a database outage, and are deleted after 90 days', async () => {
      const { searchCounts } = testApp.services;
      const broken = createSearchCounts({
        ...testApp.services,
        now: testApp.clock.now,
        db: { ...testApp.db, transaction: () => Promise.reject(new Error('away')) },
      });
      broken.count({ text: 'kettle', locale: 'en' });
      await expect(broken.flush()).rejects.toThrow('away');
      await expect(broken.flush()).rejects.toThrow('away');
      searchCounts.count({ text: 'kettle', locale: 'en' });
      await searchCounts.flush();
      testApp.clock.advance(90 * dayMs);
      await testApp.services.runMaintenance();
      expect(await counted({ days: 90 + 1 })).toHaveLength(1);
      testApp.clock.advance(dayMs);
      await testApp.services.runMaintenance();
      expect(await testApp.db.read.selectFrom('searches').selectAll().execute()).toEqual([]);
    });
  });
});

test.each([
  ['mei.chen@example.com', null],
  ['ＭＥＩ＠example.com', null],
  ['+1 (519) 555-0104', null],
  ['order 204-118', null],
  ['４２４２４２', null],
  ['a'.repeat(81), null],
  ['   ', null],
  ['  Café   Mug ', 'cafe mug'],
  ['100g 350ml', '100g 350ml'],
  ['青瓷', '青瓷'],
  ['tea\u0000\u202epot', 'teapot'],
])('the search text %j is stored as %j', (text, stored) => {
  expect(normaliseSearch(text)).toBe(stored);
});

test.each([
  '/search',
  '/search?key=',
  '/blog?key=tea',
  `${api}/search/%E0%A4`,
  `${api}/search/a/b`,
  `${api}?nameLike=`,
])('the URL %s is not counted as a search', (url) => {
  expect(searchOfUrl(url)).toBeNull();
});
