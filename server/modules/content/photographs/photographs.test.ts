import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import { publish } from '#tests/blocks.ts';
import { type FakeInternet, fakeInternet } from '#tests/fake-internet.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { freshMs, type SourceFailure } from '../external-sources/external-sources.service.ts';

const token = 'IGQVJ-secret-token';
const photos = join(import.meta.dirname, '../../../../demo/photos');
const jpeg = { 'content-type': 'image/jpeg' };

const block = (count: number) => ({
  id: 'photos',
  type: 'instagramFeed',
  title: null,
  uiInstagramFeed: { count, numberPerRow: 3 },
});

onBothEngines((engine) => {
  describe("photographs of the shop's own gallery", async () => {
    const testApp = await createTestApp({ engine, demo: true });

    it('gallery photographs are shown where no account is set up, newest first, in the requested language', async () => {
      const { data } = await testApp.call('recentPhotos', { lang: 'zh' });
      expect(data).toHaveLength(9);
      expect(data[0]).toMatchObject({
        caption: '四点半，开第一盏灯。#十一月',
        media_type: 'IMAGE',
        media_url: expect.stringMatching(/^\/media\//),
        permalink: null,
        link: '/product/mushroom-lamp',
        timestamp: '2026-11-18T21:34:00.000Z',
      });
      const times = data.map(({ timestamp }) => timestamp);
      expect(times).toEqual([...times].sort().reverse());
    });

    it('a page shows as many photographs as its block says', async () => {
      await publish(testApp, 'few', [block(4)]);
      const { blocks } = await testApp.call('pageContent', { query: { pageName: 'few' } });
      const { data } = await testApp.call('recentPhotos');
      expect(blocks).toMatchObject([{ photos: data.slice(0, 4) }]);
    });
  });

  describe('photographs of an Instagram account', () => {
    let testApp: TestApp;
    let instagram: FakeInternet;
    const problems: SourceFailure[] = [];
    beforeEach(async () => {
      instagram = await fakeInternet();
      problems.length = 0;
      testApp = await createTestApp({
        engine,
        demo: true,
        env: { INSTAGRAM_TOKEN: token, INSTAGRAM_API_URL: instagram.localUrl },
        services: ({ db, env, now }) =>
          createContainer({ db, env, now, onSourceProblem: (problem) => problems.push(problem) }),
      });
      instagram.answer('/mug.jpg', readFileSync(join(photos, 'speckled-mug.jpg')), jpeg);
      instagram.answer('/pot.jpg', readFileSync(join(photos, 'celadon-teapot.jpg')), jpeg);
      return () => testApp.close();
    });

    const media = (id: string, more: object = {}) => ({
      id,
      caption: `Photo ${id}`,
      media_type: 'IMAGE',
      media_url: `${instagram.localUrl}/mug.jpg`,
      permalink: `https://www.instagram.com/p/${id}/`,
      timestamp: '2026-05-10T12:00:00+0000',
      ...more,
    });
    const answer = (data: readonly unknown[]) =>
      instagram.answer('/me/media', JSON.stringify({ data, paging: {} }), {
        'content-type': 'application/json; charset=UTF-8',
      });
    const recent = async () => (await testApp.call('recentPhotos')).data;

    it('photographs are requested by the API of Instagram and served as the shop’s own images', async () => {
      answer([
        media('18'),
        media('17', { media_type: 'VIDEO', thumbnail_url: `${instagram.localUrl}/pot.jpg` }),
      ]);
      await testApp.services.refreshExternalFeeds();
      const asked = new URL(instagram.asked[0] ?? '', 'http://x');
      expect(Object.fromEntries(asked.searchParams)).toEqual({
        fields: 'id,caption,media_type,media_url,permalink,thumbnail_url,timestamp',
        limit: '24',
        access_token: token,
      });
      const shown = await recent();
      expect(shown).toMatchObject([
        {
          id: '18',
          caption: 'Photo 18',
          permalink: 'https://www.instagram.com/p/18/',
          timestamp: '2026-05-10T12:00:00.000Z',
        },
        { id: '17', media_type: 'VIDEO' },
      ]);
      for (const { media_url } of shown) {
        expect(media_url).toMatch(/^\/media\/\d+\//);
        const picture = await testApp.app.inject({ url: media_url });
        expect([picture.statusCode, String(picture.headers['content-type'])]).toEqual([
          200,
          expect.stringMatching(/^image\//),
        ]);
      }
    });

    it('photographs are downloaded once, and requested again after half an hour', async () => {
      answer([media('18')]);
      await testApp.services.refreshExternalFeeds();
      await testApp.services.refreshExternalFeeds();
      expect(instagram.asked).toHaveLength(2);
      answer([media('19', { media_url: `${instagram.localUrl}/pot.jpg` }), media('18')]);
      testApp.clock.advance(freshMs);
      await testApp.services.refreshExternalFeeds();
      expect((await recent()).map(({ id }) => id)).toEqual(['19', '18']);
      expect(instagram.asked.filter((at) => at.endsWith('/mug.jpg'))).toHaveLength(1);
    });

    it('photographs of the gallery stand in until the account answers, and the account’s stay when it is down', async () => {
      instagram.answer(
        '/me/media',
        JSON.stringify({ error: { message: `Invalid token ${token}`, code: 190 } }),
        jpeg,
        400,
      );
      await testApp.services.refreshExternalFeeds();
      expect((await recent())[0]?.id).toBe('social-01');
      expect(problems).toEqual([{ source: 'instagram', failures: 1, problem: 'status 400' }]);
      answer([media('18')]);
      testApp.clock.advance(freshMs);
      await testApp.services.refreshExternalFeeds();
      instagram.answer('/me/media', 'down', {}, 503);
      testApp.clock.advance(freshMs);
      await testApp.services.refreshExternalFeeds();
      expect((await recent()).map(({ id }) => id)).toEqual(['18']);
      expect(JSON.stringify(problems)).not.toContain(token);
    });

    it('photographs that cannot be shown, or that would lead elsewhere, are left out', async () => {
      instagram.answer('/page.jpg', '<script>alert(1)</script>', { 'content-type': 'text/html' });
      instagram.answer('/broken.jpg', 'no picture', jpeg);
      answer([
        media('../../x'),
        media('2', { media_url: undefined }),
        media('3', { media_type: 'REEL_OF_TOMORROW' }),
        media('4', { media_url: `${instagram.localUrl}/page.jpg` }),
        media('5', { media_url: `${instagram.localUrl}/broken.jpg` }),
        media('6', { media_url: 'http://169.254.169.254/x.jpg' }),
        null,
        'x',
        media('7', {
          permalink: 'javascript:alert(1)',
          caption: '<script>alert(1)</script>',
          timestamp: 'never',
        }),
      ]);
      await testApp.services.refreshExternalFeeds();
      expect(await recent()).toMatchObject([
        { id: '7', permalink: null, caption: '<script>alert(1)</script>', timestamp: '' },
      ]);
    });
  });
});
