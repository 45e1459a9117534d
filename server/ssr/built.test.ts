import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closeAtEnd } from '#tests/resources.ts';
import { headMarkup, type Manifest, openBuiltRenderer, routeIdOf } from './built.ts';

test.each([
  ['__root.tsx', '__root__'],
  ['index.tsx', '/'],
  ['$name.tsx', '/$name'],
  ['product.$id.tsx', '/product/$id'],
  ['brand.index.tsx', '/brand/'],
  ['cart/index.tsx', '/cart/'],
  ['account/login.tsx', '/account/login'],
])('the file %s is the route %s', (file, id) => {
  expect(routeIdOf(file)).toBe(id);
});

describe('the head of a page', () => {
  const manifest: Manifest = {
    'web/entry.client.tsx': {
      file: 'assets/entry-1.js',
      imports: ['_shared.js'],
      css: ['assets/entry-1.css'],
      assets: [
        'assets/serif-latin-wght-normal-1.woff2',
        'assets/serif-latin-ext-wght-normal-1.woff2',
        'assets/serif-latin-wght-italic-1.woff2',
      ],
    },
    '_shared.js': { file: 'assets/shared-1.js' },
    '_card.js': { file: 'assets/card-1.js', imports: ['_shared.js'] },
    'web/routes/product.$id.tsx?tsr-split=component': { file: 'assets/product-1.js', imports: ['_card.js'] },
    'web/routes/cart.tsx?tsr-split=component': { file: 'assets/cart-1.js' },
    'contract/messages/en.json': { file: 'assets/en-1.js' },
    'contract/messages/zh.json': { file: 'assets/zh-1.js' },
    'contract/messages/zh.json?own': { file: 'assets/zh-2.js' },
  };
  const markup = headMarkup(manifest, 'start()');
  const head = markup({
    routeIds: ['__root__', '/product/$id'],
    locale: 'zh',
    messages: null,
    earlyCalls: [],
  });
  const cart = markup({
    routeIds: ['__root__', '/cart'],
    locale: 'zh',
    messages: 'own',
    earlyCalls: ['/api/a?b=1&c=2', '/api/d'],
  });
  const files = (pattern: RegExp) => [...head.matchAll(pattern)].map(([, file]) => file);

  test('the head names the entry first, then the code of its routes and the messages of its language, and no others', () => {
    expect(files(/ data-scripts="([^"]+)"/g)).toEqual([
      '/assets/entry-1.js /assets/shared-1.js /assets/product-1.js /assets/card-1.js /assets/zh-1.js',
    ]);
    expect(head).toContain('>start()</script><link rel="stylesheet"');
  });

  test('the head names the messages and calls of private pages on private pages only', () => {
    expect(head).not.toMatch(/zh-2|data-calls/);
    expect(cart).toContain('/assets/zh-2.js');
    expect(cart).toContain(' data-calls="/api/a?b=1&amp;c=2 /api/d">start()</script>');
  });

  test('the head has the style sheet and the upright Latin fonts', () => {
    expect(files(/rel="stylesheet" href="([^"]+)"/g)).toEqual(['/assets/entry-1.css']);
    expect(files(/as="font"[^>]* href="([^"]+)"/g)).toEqual(['/assets/serif-latin-wght-normal-1.woff2']);
  });

  test('the head cannot be made from half a build', () => {
    expect(() => headMarkup({}, '')).toThrow('build again');
  });
});

/** A folder with two builds, each with a script of its own. */
async function folderOfBuilds(): Promise<string> {
  const builds = await mkdtemp(join(tmpdir(), 'shopwright-builds-'));
  closeAtEnd(() => rm(builds, { recursive: true, force: true }));
  for (const name of ['former', 'latest']) {
    const files = {
      'web/.vite/manifest.json': JSON.stringify({ 'web/entry.client.tsx': { file: 'assets/entry-1.js' } }),
      'web/.vite/start.js': 'start()',
      'web/office/index.html': name,
      'web/office/scan/index.html': name,
      [`web/assets/${name}-part-Ab_3-x9Z.js`]: name,
      'web/assets/plain.js': name,
      'web/sw.js': name,
      'server/entry.server.js': 'export const renderPage = null;',
    };
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(builds, name, file)), { recursive: true });
      await writeFile(join(builds, name, file), text);
    }
  }
  return builds;
}

describe('the assets', () => {
  test('a page that was opened before an update gets the scripts of the former build from the shop of the new one', async () => {
    const builds = await folderOfBuilds();
    const web = await openBuiltRenderer('latest', builds);
    const text = async (path: string) => (await web.asset(path))?.body.toString();
    expect(await text('/assets/former-part-Ab_3-x9Z.js')).toBe('former');
    expect(await web.asset('/assets/former-part-Ab_3-x9Z.js')).toMatchObject({ immutable: true });
    expect(await text('/sw.js')).toBe('latest');
    await rm(join(builds, 'latest/web/assets/plain.js'));
    for (const path of [
      '/assets/plain.js',
      '/assets/nobody-Ab_3-x9Z.js',
      '/assets/../../former/web/office/index-12345678.html',
    ])
      expect(await web.asset(path), path).toBeNull();
  });

  test('a build whose files are gone says so', async () => {
    const builds = await folderOfBuilds();
    const web = await openBuiltRenderer('latest', builds);
    await expect(web.check?.()).resolves.toBeUndefined();
    await rm(join(builds, 'latest'), { recursive: true });
    await expect(web.check?.()).rejects.toThrow('no such file');
  });
});
