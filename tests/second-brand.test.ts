/** A second shop, of `examples/`, has a look of its own by the document of the room *Look*, and nothing of the demo's brand. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readBrandColours } from '#contract/brand-colours.ts';
import { mailsFor } from './accounts.ts';
import { renderedPage, renderFromSources } from './rendered.ts';
import { address, contact, pay } from './shop-actions.ts';
import { shopCommand } from './shop-command.ts';
import { createTestApp, onOneEngine } from './test-app.ts';

const root = join(import.meta.dirname, '..');
const example = join(root, 'examples/river-cups');
const { settings } = JSON.parse(readFileSync(join(example, 'shop.json'), 'utf8'));

/** Its names, what it sells, and its fonts. */
const words =
  /Maple|maple-and-clay|枫土|Hanlu|\bteas?\b|\btea(?:pot|ware|house)|\bbrew|茶|Fraunces|Source Sans/i;
const photos = globSync('demo/photos/*.{jpg,webp,avif}', { cwd: root }).map((file) =>
  basename(file).replace(/\.\w+$/, ''),
);
const { light, dark } = readBrandColours(readFileSync(join(root, 'web/styles/tokens.css'), 'utf8'));
const isGrey = (colour: string) => /^#(..)\1\1$/.test(colour) || /^#(.)\1\1$/.test(colour);
const colours = new Set(
  [...light.values(), ...dark.values()].filter((colour) => /^#\w{6}$/.test(colour) && !isGrey(colour)),
);

/** What of the demo's brand is in a text. */
function tracesIn(text: string): string[] {
  const files = [
    ...text.matchAll(/\/media\/(?:[^"'\s)]*\/)?([\w-]+?)(?:-[0-9a-f]{6,})?\.(?:jpg|webp|avif|png)/g),
  ].map(([, file = '']) => file);
  return [
    ...(words.exec(text) ?? []),
    ...files.filter((file) => photos.includes(file)),
    ...[...colours].filter((colour) => text.toLowerCase().includes(colour)),
  ];
}

const pages = [
  '/',
  '/products/cups',
  '/products/mugs',
  '/product/river-mug',
  '/search?key=cup',
  '/clearance',
  '/brands',
  '/blog',
  '/blog/post/testing-a-green',
  '/care',
  '/contact',
  '/cart',
  '/account/login',
];
const files = [
  '/blog/feed.xml',
  '/blog/atom.xml',
  '/sitemap.xml',
  '/robots.txt',
  '/llms.txt',
  '/feeds/products.en.xml',
  '/feeds/products.zh.jsonl',
];

test('a trace of the demo’s own shop is noticed', () => {
  expect(tracesIn('<p>Maple &amp; Clay</p>')).toEqual(['Maple']);
  expect(tracesIn(`<meta content="${light.get('action')}">`)).toEqual([light.get('action')]);
  expect(tracesIn('<img src="/media/800/celadon-teapot-3fa2bc1d.jpg">')).toContain('celadon-teapot');
  expect(tracesIn('两只茶杯')).toEqual(['茶']);
});

onOneEngine((engine) => {
  describe('River Cups beside the demo’s brand', async () => {
    const testApp = await createTestApp({ engine, app: { web: renderFromSources } });
    beforeAll(async () => {
      for (const [command, file] of [
        ['fill', 'shop.json'],
        ['blog', 'posts.json'],
      ] as const)
        expect((await shopCommand(testApp, [command, join(example, file)])).code).toBe(0);
    }, 120_000);

    test('its pages have nothing of the demo’s brand, in both languages, and each has its own colours and fonts', async () => {
      for (const path of pages) {
        for (const address of [path, `/zh${path === '/' ? '' : path}`]) {
          const { html, status } = await renderedPage(testApp.app, address);
          expect([address, status, tracesIn(html)]).toEqual([address, 200, []]);
          expect(html).toContain(settings.look.colours.paper);
          expect(html).toMatch(/--font-serif:Georgia/);
        }
      }
    });

    test('its card for shared links, its icons and its manifest are its own', async () => {
      const { html } = await renderedPage(testApp.app, '/');
      expect(/property="og:image" content="[^"]*river-bank/.exec(html)).not.toBeNull();
      expect(/rel="icon" href="(\/media\/look\/[^"]*)"/.exec(html)?.[1]).toBeTruthy();
      const manifest = await testApp.app.inject('/site.webmanifest?lang=zh');
      expect([manifest.statusCode, tracesIn(manifest.body)]).toEqual([200, []]);
      expect(manifest.json()).toMatchObject({ name: '河畔杯铺' });
      expect(manifest.body).toContain('/media/look/');
    });

    test('its feeds and what it tells machines have nothing of the demo’s brand', async () => {
      for (const path of files) {
        const { statusCode, body } = await testApp.app.inject(path);
        expect([path, statusCode, tracesIn(body)]).toEqual([path, 200, []]);
      }
    });

    test('its emails have its name and its colours, and nothing of the demo’s brand', async () => {
      const session = testApp.shopper();
      await testApp.call('addToCart', { session, params: { itemName: 'RM-SAND' }, body: { quantity: 1 } });
      await testApp.call('orderDeliverInfo', {
        session,
        body: { contact: { ...contact, email: 'ada@example.com' }, address },
      });
      await pay(testApp, session);
      const mails = await mailsFor(testApp, 'ada@example.com');
      expect(mails.length).toBeGreaterThan(0);
      for (const mail of mails) {
        const text = JSON.stringify(mail);
        expect(tracesIn(text)).toEqual([]);
        expect(text).toContain('River Cups');
        expect(text).toContain(settings.look.colours.paper);
        expect(text).toContain(settings.look.colours.ink);
      }
    });
  });
});
