/** Images and videos in an S3-compatible store: a real server of its protocol, which checks signatures. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { createContainer } from '#server/container.ts';
import { type S3Server, startS3Server } from '#tests/s3-server.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, type TestApp } from '#tests/test-app.ts';
import { createMediaStorage } from './storage.ts';

const bucket = 'shop-media';
const folder = mkdtempSync(join(inject('runDir'), 's3-'));
let s3: S3Server;
let mediaUrl: string;
let shop: TestApp;

beforeAll(async () => {
  s3 = await startS3Server(folder, bucket);
  mediaUrl = `s3://${bucket}/maple?endpoint=${s3.origin}&region=us-east-1`;
  shop = await createTestApp({ engine: 'sqlite', demo: true, env: { MEDIA_URL: mediaUrl } });
});
afterAll(() => s3.close());

const storage = () => createMediaStorage(shop.env);
const pictureOf = (background: string) =>
  sharp({ create: { width: 400, height: 400, channels: 3, background } })
    .png()
    .toBuffer();

/** The same shop on another machine: its database and store, and a folder of its own. */
async function otherMachine(name: string) {
  const env = { ...shop.env, dataDir: join(folder, name) };
  mkdirSync(env.dataDir);
  return buildApp({ env, db: shop.db, services: createContainer({ db: shop.db, env, now: shop.clock.now }) });
}

const keysBelow = (path: string) =>
  readdirSync(join(s3.pathOf(), path), { recursive: true, encoding: 'utf8' }).filter((key) =>
    key.endsWith('_object'),
  );

test('an image imported on one machine is served by every other, and generated for all of them once', async () => {
  await shop.services.media.addOriginal('moon.png', await pictureOf('#2244aa'));
  const image = (await shop.services.media.images(['moon.png'])).get('moon.png');
  const url = image?.imageURL.replace(/\/\d+\//, '/160/') ?? '';
  expect(keysBelow('maple/originals')).toEqual([expect.stringContaining('moon.png')]);
  const second = await otherMachine('second');
  const made = await second.inject({ url, headers: { accept: 'image/webp' } });
  expect([made.statusCode, (await sharp(made.rawPayload).metadata()).width]).toEqual([200, 160]);
  // Without the original only what the second machine has made can be served.
  rmSync(join(s3.pathOf(), 'maple/originals'), { recursive: true });
  const third = await otherMachine('third');
  const again = await third.inject({ url, headers: { accept: 'image/webp' } });
  expect(again.rawPayload.equals(made.rawPayload)).toBe(true);
  expect((await third.inject({ url, headers: { accept: 'image/avif' } })).statusCode).toBe(404);
  await Promise.all([second.close(), third.close()]);
});

test('a video in the store is served whole and in parts', async () => {
  await storage().write('films/wheel.mp4', Buffer.from('0123456789'));
  const whole = await shop.app.inject('/media/films/wheel.mp4');
  expect([whole.statusCode, whole.body, whole.headers['content-type']]).toEqual([
    200,
    '0123456789',
    'video/mp4',
  ]);
  const part = await shop.app.inject({ url: '/media/films/wheel.mp4', headers: { range: 'bytes=2-4' } });
  expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
  const known = await shop.app.inject({
    url: '/media/films/wheel.mp4',
    headers: { 'if-none-match': String(whole.headers.etag) },
  });
  expect(known.statusCode).toBe(304);
  expect((await shop.app.inject('/media/films/nothing.mp4')).statusCode).toBe(404);
});

test('an export writes the images of the store beside its files, and doctor names those that are missing there', async () => {
  const category = await shop.db.read.selectFrom('categories').select('id').executeTakeFirstOrThrow();
  await shop.services.media.addOriginal('kept.png', await pictureOf('#aa2222'));
  await shop.services.media.addOriginal('lost.png', await pictureOf('#22aa22'));
  await shop.db.transaction((trx) =>
    trx.updateTable('categories').set({ image: 'kept.png' }).where('id', '=', category.id).execute(),
  );
  const target = join(folder, 'export');
  const { printed } = await shopCommand(shop, ['export', target], { MEDIA_URL: mediaUrl });
  expect(readdirSync(target), printed).toContain('kept.png');
  rmSync(s3.pathOf('maple/originals/lost.png'));
  const { printed: checked } = await shopCommand(shop, ['doctor'], { MEDIA_URL: mediaUrl });
  expect(checked).toMatch(/^FAIL {2}Images and videos: .*missing\. Copy (it|them) from a backup/m);
  expect(checked).toMatch(/[: ] lost\.png/);
});

// Last: the store is gone after it.
test('images and videos answer 503 while the store cannot be reached, and those in memory are served', async () => {
  await shop.services.media.addOriginal('seen.png', await pictureOf('#888888'));
  const url = (await shop.services.media.images(['seen.png'])).get('seen.png')?.imageURL ?? '';
  const ask = (accept: string) => shop.app.inject({ url, headers: { accept } });
  expect((await ask('image/webp')).statusCode).toBe(200);
  await s3.stop();
  expect((await ask('image/webp')).statusCode).toBe(200);
  for (const answer of [await ask('image/avif'), await shop.app.inject('/media/films/wheel.mp4')])
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().errorKey]).toEqual([
      503,
      '10',
      'error.unavailable',
    ]);
});
