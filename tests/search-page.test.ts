/** What the search page offers when there is nothing to show, as the server renders it. */
import { beforeAll, expect, test } from 'vitest';
import settings from '#demo/data/settings.json' with { type: 'json' };
import { renderedPage, renderFromSources } from './rendered.ts';
import { createTestApp, type TestApp } from './test-app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true, app: { web: renderFromSources } });
});

/** The texts of the chips under this label. */
async function chipsOf(path: string, label: string) {
  const { html } = await renderedPage(testApp.app, path);
  const [, nav = ''] = new RegExp(`<nav aria-label="${label}"[^>]*>(.*?)</nav>`).exec(html) ?? [];
  const chips = [...nav.matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]+)<\/a>/g)];
  return { html, chips: chips.map(([, href = '', text = '']) => ({ href: decodeURI(href), text })) };
}

test.each([
  ['/search', 'Common searches', 'en'],
  ['/search?key=xylophone', 'Common searches', 'en'],
  ['/zh/search', '大家常搜', 'zh'],
] as const)(
  'the page %s links to the common searches of the settings, and shows four new products',
  async (path, label, language) => {
    const { html, chips } = await chipsOf(path, label);
    const search = language === 'en' ? '/search' : '/zh/search';
    expect(settings.commonSearches).toHaveLength(6);
    expect(chips).toEqual(
      settings.commonSearches.map((text) => ({
        href: `${search}?key=${text[language]}`,
        text: text[language],
      })),
    );
    expect(html.match(/class="product-card"/g)).toHaveLength(4);
  },
);

test('a shop that names no common searches offers its categories instead', async () => {
  await testApp.services.settings.update({ commonSearches: [] });
  const { html, chips } = await chipsOf('/search', 'Common searches');
  expect(chips).toEqual([]);
  expect(html).toContain('href="/products/teaware"');
});

test.each([
  [
    '/search?key=double+walled+glass',
    'Nothing matches all the words in “double walled glass”. These match some of them.',
  ],
  ['/zh/search?key=送妈妈的茶具礼物', '没有商品符合“送妈妈的茶具礼物”的全部字词，以下商品符合其中一部分。'],
])('the page %s says that what it shows has only some of the words', async (path, note) => {
  const { html } = await renderedPage(testApp.app, encodeURI(path));
  expect(html).toContain(note);
  expect(html).toContain('class="product-card"');
});

test('the page of a search that finds all words has no note', async () => {
  const { html } = await renderedPage(testApp.app, '/search?key=celadon+teapot');
  expect(html).not.toContain('Nothing matches all the words');
});
