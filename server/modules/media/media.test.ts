import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createTestApp, onBothEngines } from '#tests/test-app.ts';

onBothEngines((engine) => {
  describe('images', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    const mug = (await testApp.services.media.images(['speckled-mug.jpg'])).get('speckled-mug.jpg');
    const name = mug?.imageURL.split('/').at(-1) ?? '';
    const get = (url: string, headers: Record<string, string> = {}) => testApp.app.inject({ url, headers });

    it('an image comes at the requested width, in the best format that the browser takes', async () => {
      for (const [accept, format] of [
        ['image/avif,image/webp,*/*', 'heif'],
        ['image/webp,*/*', 'webp'],
        ['*/*', 'jpeg'],
      ] as const) {
        const answer = await get(`/media/160/${name}`, { accept });
        expect(answer.statusCode).toBe(200);
        expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format, width: 160, height: 160 });
        expect(answer.headers['content-type']).toBe(format === 'heif' ? 'image/avif' : `image/${format}`);
        expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
        expect(answer.headers.vary).toContain('Accept');
        const again = await get(`/media/160/${name}`, {
          accept,
          'if-none-match': String(answer.headers.etag),
        });
        expect(again.statusCode).toBe(304);
        expect(again.body).toBe('');
      }
    });

    it('an image in memory is sent as the one that was just made, and without passing through the hooks of other answers', async () => {
      const url = `/media/480/${name}`;
      const made = await get(url, { accept: 'image/webp' });
      const again = await get(url, { accept: 'image/webp' });
      expect(made.statusCode).toBe(200);
      expect(again.statusCode).toBe(200);
      expect(again.rawPayload).toEqual(made.rawPayload);
      const { 'x-request-id': id, date: _date, ...headers } = made.headers;
      const { date: _again, ...headersAgain } = again.headers;
      expect(id).toBeDefined();
      expect({ ...headersAgain, 'content-length': Number(headersAgain['content-length']) }).toEqual({
        ...headers,
        'content-length': Number(headers['content-length']),
      });
      const head = await testApp.app.inject({ method: 'HEAD', url, headers: { accept: 'image/webp' } });
      expect(head.headers.etag).toBe(made.headers.etag);
      expect(head.rawPayload).toHaveLength(0);
    });

    it('an image whose original is missing is a 404 that nobody stores', async () => {
      const blank = sharp({ create: { width: 400, height: 400, channels: 3, background: '#123456' } }).png();
      await testApp.services.media.addOriginal('gone.png', await blank.toBuffer());
      const gone = (await testApp.services.media.images(['gone.png'])).get('gone.png')?.imageURL ?? '';
      rmSync(join(testApp.dataDir, 'media', 'originals', 'gone.png'));
      const { statusCode, headers, body } = await get(gone);
      expect([statusCode, JSON.parse(body).errorType, headers['cache-control']]).toEqual([
        404,
        'NOT_FOUND',
        'no-store',
      ]);
      expect(headers).not.toHaveProperty('etag');
    });

    it.each([
      ['banner-tea-table', { width: 1920, height: 900 }],
      ['keemun-close', { width: 1280, height: 1280 }],
      ['mushroom-lamp--cream', { width: 1000, height: 1000 }],
    ])(
      'the photo %s, which demo shops of earlier versions name, is shown by its successor',
      async (former, shown) => {
        const row = {
          url_name: `${former}-0123456789.jpg`,
          hash: '0123456789',
          folder: 'demo',
          file: `${former}.jpg`,
        } as const;
        const size = { ...shown, color: '#ccbbaa' };
        await testApp.db.transaction((trx) =>
          trx
            .insertInto('media')
            .values({ ...row, ...size })
            .execute(),
        );
        const { statusCode, rawPayload } = await get(`/media/1920/${row.url_name}`, { accept: 'image/webp' });
        expect(statusCode).toBe(200);
        expect(await sharp(rawPayload).metadata()).toMatchObject(shown);
      },
    );

    it('an image is never larger than the original', async () => {
      const answer = await get(`/media/1920/${name}`, { accept: 'image/webp' });
      expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: 1000 });
    });

    it('an image is resized once, however many ask at the same time', async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => get(`/media/320/${name}`, { accept: 'image/webp' })),
      );
      expect(new Set(answers.map((answer) => answer.headers.etag)).size).toBe(1);
      const files = readdirSync(join(testApp.dataDir, 'media', 'cache'), {
        recursive: true,
        encoding: 'utf8',
      });
      expect(files.filter((file) => file.includes('320') && file.endsWith('.webp'))).toHaveLength(1);
      // No partial file remains.
      expect(files.filter((file) => /\.[0-9a-f]{12}$/.test(file))).toEqual([]);
      rmSync(join(testApp.dataDir, 'media', 'cache'), { recursive: true });
      expect((await get(`/media/320/${name}`, { accept: 'image/webp' })).rawPayload).toEqual(
        answers[0]?.rawPayload,
      );
    });

    it.each([
      '/media/161/x',
      '/media/0/x',
      '/media/-160/x',
      '/media/1e2/x',
      '/media/160/nothing.jpg',
      '/media/160/speckled-mug.jpg',
      '/media/160/..%2f..%2fpackage.json',
      '/media/160/%00',
      '/media/160/',
    ])('the image address %s answers 404', async (url) => {
      expect((await get(url.replace('/x', `/${name}`))).statusCode).toBe(404);
    });

    it('an image reports its size and average colour', () => {
      expect(mug).toMatchObject({ width: 1000, height: 1000, imageURL: `/media/1000/${name}` });
      expect(mug?.color).toMatch(/^#[0-9a-f]{6}$/);
    });

    it('an image is stored as it is seen: upright, and on white where it is transparent', async () => {
      const { media } = testApp.services;
      const red = { width: 40, height: 30, channels: 4, background: '#ff0000' } as const;
      await media.addOriginal(
        'turned.jpg',
        await sharp({ create: red }).jpeg().withMetadata({ orientation: 6 }).toBuffer(),
      );
      await media.addOriginal(
        'clear.png',
        await sharp({ create: { ...red, background: '#00000000' } })
          .png()
          .toBuffer(),
      );
      const known = await media.images(['turned.jpg', 'clear.png']);
      expect(known.get('turned.jpg')).toMatchObject({ width: 30, height: 40 });
      expect(known.get('clear.png')?.color).toBe('#ffffff');
      const path = known.get('clear.png')?.imageURL ?? '';
      const answer = await testApp.app.inject({ url: path, headers: { accept: 'image/jpeg' } });
      const { data } = await sharp(answer.rawPayload).raw().toBuffer({ resolveWithObject: true });
      expect([data[0], data[1], data[2]]).toEqual([255, 255, 255]);
    });

    it('a photograph that lacks its end is taken and shown as browsers show it', async () => {
      const { media } = testApp.services;
      const noise = { width: 400, height: 300, channels: 3, background: '#336699' } as const;
      const whole = await sharp({ create: noise }).jpeg().toBuffer();
      await media.addOriginal('without-end.jpg', whole.subarray(0, -2));
      await media.addOriginal('cut-short.jpg', whole.subarray(0, Math.round(whole.length * 0.9)));
      const known = await media.images(['without-end.jpg', 'cut-short.jpg']);
      expect([...known.values()].map(({ width, height }) => [width, height])).toEqual([
        [400, 300],
        [400, 300],
      ]);
      for (const { imageURL } of known.values())
        expect((await testApp.app.inject(imageURL)).statusCode).toBe(200);
    });

    it('an unreadable file does not replace a good image', async () => {
      const { media } = testApp.services;
      const blue = { width: 20, height: 20, channels: 3, background: '#0000ff' } as const;
      await media.addOriginal('kept.png', await sharp({ create: blue }).png().toBuffer());
      const before = await media.images(['kept.png']);
      await expect(media.addOriginal('kept.png', Buffer.from('no picture'))).rejects.toThrow();
      expect(await media.images(['kept.png'])).toEqual(before);
      expect((await testApp.app.inject(before.get('kept.png')?.imageURL ?? '')).statusCode).toBe(200);
    });

    it('a drawing, a document or an image of more than 50 megapixels is rejected, whatever its name', async () => {
      const { media } = testApp.services;
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20"/></svg>';
      await expect(media.addOriginal('drawing.png', Buffer.from(svg))).rejects.toThrow();
      const gif = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
        .gif()
        .toBuffer();
      await expect(media.addOriginal('moving.png', gif)).rejects.toThrow();
      const huge = { width: 8000, height: 6300, channels: 3, background: '#ffffff' } as const;
      const bytes = await sharp({ create: huge }).png().toBuffer();
      await expect(media.addOriginal('huge.png', bytes)).rejects.toThrow('50 megapixels');
      expect((await media.images(['drawing.png', 'moving.png', 'huge.png'])).size).toBe(0);
    });

    it('an import rejects a path as image name and a missing file', async () => {
      await expect(testApp.services.media.importOriginals('demo', ['../load.ts'])).rejects.toThrow(
        'file name',
      );
      await expect(testApp.services.media.importOriginals('demo', ['gone.jpg'])).rejects.toThrow();
    });
  });
});
