import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { publish, videoBlock } from '#tests/blocks.ts';
import { createTestApp } from '#tests/test-app.ts';
import { rangeOf } from './videos.ts';

test.each([
  [undefined, null],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=90-500', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=20-10', null],
  ['bytes=-', null],
  ['bytes=0-1,5-6', null],
  ['lines=1-2', null],
  [`bytes=${'9'.repeat(40)}-`, null],
])('the range header of 100 bytes, %s, is parsed as %o', (header, range) =>
  expect(rangeOf(header, 100)).toEqual(range),
);

describe('videos', async () => {
  const testApp = await createTestApp({ engine: 'sqlite' });
  const folder = join(testApp.dataDir, 'media', 'films');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'wheel.mp4'), '0123456789');
  await writeFile(join(folder, 'wheel.en.vtt'), 'WEBVTT\n');
  await writeFile(join(testApp.dataDir, 'media', 'secret.mp4'), 'secret');
  const get = (url: string, headers: Record<string, string> = {}) => testApp.app.inject({ url, headers });

  it('a video is served whole and in parts', async () => {
    const whole = await get('/media/films/wheel.mp4');
    expect([
      whole.statusCode,
      whole.body,
      whole.headers['content-type'],
      whole.headers['accept-ranges'],
    ]).toEqual([200, '0123456789', 'video/mp4', 'bytes']);
    const part = await get('/media/films/wheel.mp4', { range: 'bytes=2-4' });
    expect([
      part.statusCode,
      part.body,
      part.headers['content-range'],
      part.headers['content-length'],
    ]).toEqual([206, '234', 'bytes 2-4/10', '3']);
    const end = await get('/media/films/wheel.mp4', { range: 'bytes=10-' });
    expect([end.statusCode, end.headers['content-range']]).toEqual([416, 'bytes */10']);
    const etag = String(whole.headers.etag);
    expect((await get('/media/films/wheel.mp4', { 'if-none-match': etag })).statusCode).toBe(304);
    expect((await get('/media/films/wheel.mp4', { range: 'bytes=2-4', 'if-range': etag })).statusCode).toBe(
      206,
    );
    expect(
      (await get('/media/films/wheel.mp4', { range: 'bytes=2-4', 'if-range': '"old"' })).statusCode,
    ).toBe(200);
    expect((await get('/media/films/wheel.en.vtt')).headers['content-type']).toBe('text/vtt; charset=utf-8');
    expect((await get('/media/films/wheel.mp4')).headers['content-security-policy']).toContain(
      "default-src 'self'",
    );
  });

  it.each([
    '/media/films/none.mp4',
    '/media/films/../secret.mp4',
    '/media/films/..%2fsecret.mp4',
    '/media/films/%2e%2e%2fsecret.mp4',
    '/media/films/wheel.mp4%00.vtt',
    '/media/films/.hidden.mp4',
    '/media/films/shop.db',
    '/media/films/',
  ])('the video address %s answers 404', async (url) => expect((await get(url)).statusCode).toBe(404));

  it('a video block is shown only if its file exists, with the subtitles that exist', async () => {
    const track = (src: string) => ({ language: 'en', label: 'English', src });
    await publish(testApp, 'films', [
      videoBlock('file', 'wheel.mp4', { captions: [track('wheel.en.vtt'), track('gone.vtt')] }),
      videoBlock('file', 'gone.mp4'),
      videoBlock('youtube', 'dQw4w9WgXcQ'),
    ]);
    const { blocks } = await testApp.call('pageContent', { query: { pageName: 'films' } });
    expect(blocks).toMatchObject([
      { src: '/media/films/wheel.mp4', captions: [{ src: '/media/films/wheel.en.vtt' }] },
      { provider: 'youtube', src: 'dQw4w9WgXcQ' },
    ]);
  });

  it('a video site may be framed only while a page shows one of its videos', async () => {
    await publish(testApp, 'films', [videoBlock('file', 'wheel.mp4')]);
    expect(await testApp.services.framedSites()).toEqual([]);
    await publish(testApp, 'films', [videoBlock('vimeo', '76979871'), videoBlock('youtube', 'dQw4w9WgXcQ')]);
    expect(await testApp.services.framedSites()).toEqual([
      'https://player.vimeo.com',
      'https://www.youtube-nocookie.com',
    ]);
  });
});
