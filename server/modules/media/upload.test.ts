/** `media upload` on a real server of the S3 protocol, which checks signatures. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { run } from '#cli/run.ts';
import { readEnv } from '#server/env.ts';
import { type S3Server, startS3Server } from '#tests/s3-server.ts';
import { createMediaStorage, type MediaStorage } from './storage.ts';

const bucket = 'shop-media';
const folder = mkdtempSync(join(inject('runDir'), 'upload-'));
let s3: S3Server;
let store: MediaStorage;
let dataDir: string;
let count = 0;

beforeAll(async () => {
  s3 = await startS3Server(folder, bucket);
});
afterAll(() => s3.close());

/** Each test has a data folder and a prefix of the bucket of its own. */
beforeEach(() => {
  count += 1;
  dataDir = join(folder, `data-${count}`);
  for (const part of ['originals', 'films', 'cache'])
    mkdirSync(join(dataDir, 'media', part), { recursive: true });
  store = createMediaStorage(readEnv(variables()));
});

const variables = (to = `${bucket}/shop-${count}`) => ({
  DATA_DIR: dataDir,
  MEDIA_URL: `s3://${to}?endpoint=${s3.origin}&region=us-east-1`,
});

const put = (key: string, text: string) => writeFileSync(join(dataDir, 'media', key), text);
const textAt = async (key: string) => (await store.read(key))?.toString() ?? null;

async function upload({
  words = [],
  source = variables(),
}: {
  words?: string[];
  source?: Record<string, string>;
} = {}) {
  const lines: string[] = [];
  const code = await run(['media', 'upload', ...words], source, (line) => lines.push(line));
  return { code, printed: lines.join('\n') };
}

/** The store behind a proxy that refuses to write this file. */
async function refusingProxy(name: string): Promise<{ origin: string; close: () => void }> {
  const server = createServer((incoming, answer) => {
    const { method = '', url = '', headers } = incoming;
    if (method === 'PUT' && url.includes(name)) {
      incoming.resume();
      answer.writeHead(403, { 'content-type': 'application/xml' });
      answer.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
      return;
    }
    const outgoing = request(s3.origin + url, { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(answer);
    });
    incoming.pipe(outgoing);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

test('an upload copies images and videos, and leaves out what the shop makes again', async () => {
  put('originals/mug.jpg', 'a mug');
  put('originals/mug.jpg.0f3a', 'a draft');
  put('films/kiln.mp4', 'x'.repeat(9_000_000));
  put('films/kiln.vtt', 'WEBVTT');
  put('cache/mug.jpg.avif', 'generated');
  const { code, printed } = await upload();
  expect([code, printed]).toEqual([
    0,
    'Ignored 1 file without the name of an image or a video:\n  originals/mug.jpg.0f3a\n' +
      'Uploaded 3 files (8.6 MB) to the bucket shop-media. Already there: 0.',
  ]);
  expect(await textAt('originals/mug.jpg')).toBe('a mug');
  expect(await textAt('films/kiln.mp4')).toBe('x'.repeat(9_000_000));
  expect(await textAt('films/kiln.vtt')).toBe('WEBVTT');
  for (const key of ['originals/mug.jpg.0f3a', 'cache/mug.jpg.avif'])
    expect(await store.stat(key)).toBeNull();
  expect(readFileSync(join(dataDir, 'media/originals/mug.jpg'), 'utf8')).toBe('a mug');
});

test('a repeated upload sends only what the bucket lacks', async () => {
  put('originals/mug.jpg', 'a mug');
  await upload();
  put('originals/pot.jpg', 'a pot');
  expect((await upload()).printed).toBe(
    'Uploaded 1 file (0.0 MB) to the bucket shop-media. Already there: 1.',
  );
  expect((await upload()).printed).toBe(
    'Uploaded 0 files (0.0 MB) to the bucket shop-media. Already there: 2.',
  );
});

test('a file with other content in the bucket stops the upload before it writes, unless it may be replaced', async () => {
  put('originals/mug.jpg', 'a mug');
  put('originals/pot.jpg', 'a pot');
  await store.write('originals/pot.jpg', Buffer.from('a cup'));
  const { code, printed } = await upload();
  expect(code).toBe(1);
  expect(printed).toContain(
    'Nothing was uploaded: 1 file in the bucket shop-media has other content:\n  originals/pot.jpg',
  );
  expect(await store.stat('originals/mug.jpg')).toBeNull();
  expect(await textAt('originals/pot.jpg')).toBe('a cup');

  const replaced = await upload({ words: ['--replace'] });
  expect([replaced.code, replaced.printed]).toEqual([
    0,
    'Uploaded 2 files (0.0 MB) to the bucket shop-media. Already there: 0.',
  ]);
  expect(await textAt('originals/pot.jpg')).toBe('a pot');
});

test('a file whose ETag is not its MD5, as after an upload in parts, is compared by its content', async () => {
  put('films/kiln.mp4', 'a kiln');
  const uploadInParts = async (text: string) => {
    await store.write('films/kiln.mp4', Buffer.from(text));
    // The test's server has the MD5 in any case.
    const object = s3.pathOf(`shop-${count}/films/kiln.mp4`);
    writeFileSync(`${object}.md5`, `${'0'.repeat(32)}-2`);
    expect((await store.stat('films/kiln.mp4'))?.etag).toMatch(/-2"$/);
  };
  await uploadInParts('a kiln');
  expect((await upload()).printed).toContain('Already there: 1.');
  await uploadInParts('a cave');
  expect((await upload()).printed).toContain(
    '1 file in the bucket shop-media has other content:\n  films/kiln.mp4',
  );
});

test('an upload that the bucket stops part of the way says so and goes on when it is repeated', async () => {
  put('originals/mug.jpg', 'a mug');
  put('originals/pot.jpg', 'a pot');
  const proxy = await refusingProxy('pot.jpg');
  const { code, printed } = await upload({
    source: { ...variables(), MEDIA_URL: variables().MEDIA_URL.replace(s3.origin, proxy.origin) },
  });
  proxy.close();
  expect([code, printed]).toEqual([
    1,
    'Uploaded 1 file (0.0 MB) to the bucket shop-media. Already there: 0.\n' +
      'The bucket shop-media cannot be used: AccessDenied. Run the command again to upload the rest.',
  ]);
  expect(await textAt('originals/mug.jpg')).toBe('a mug');
  expect((await upload()).printed).toBe(
    'Uploaded 1 file (0.0 MB) to the bucket shop-media. Already there: 1.',
  );
});

test('a folder that cannot be read leaves the bucket as it was', async () => {
  put('originals/mug.jpg', 'a mug');
  rmSync(join(dataDir, 'media/films'), { recursive: true });
  writeFileSync(join(dataDir, 'media/films'), 'a file in its place');
  const { code, printed } = await upload();
  expect(code).toBe(1);
  expect(printed).toContain('ENOTDIR');
  expect(await store.stat('originals/mug.jpg')).toBeNull();
});

test.each([
  [
    'a bucket that does not exist',
    () => variables('no-such-bucket'),
    'The bucket no-such-bucket cannot be used: NoSuchBucket',
  ],
  [
    'a store that cannot be reached',
    () => ({ DATA_DIR: dataDir, MEDIA_URL: `s3://${bucket}?endpoint=http://127.0.0.1:9` }),
    'The bucket shop-media cannot be used: ',
  ],
  ['a shop without a store', () => ({ DATA_DIR: dataDir }), 'MEDIA_URL is not set.'],
])('an upload to %s fails and says why', async (_, source, message) => {
  put('originals/mug.jpg', 'a mug');
  const { code, printed } = await upload({ source: source() });
  expect(code).toBe(1);
  expect(printed).toContain(message);
});

test('an upload needs its name', async () => {
  const lines: string[] = [];
  expect(await run(['media', 'send'], variables(), (line) => lines.push(line))).toBe(1);
  expect(lines.join()).toContain('Usage: npm run shop -- media');
});
