/** The menu that the code on a table opens: readable without scripts, for tables that exist. */
import { beforeAll, expect, test } from 'vitest';
import { renderedPage, renderFromSources } from './rendered.ts';
import { createTestApp, type TestApp } from './test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true, app: { web: renderFromSources } });
});

const page = (path: string) => renderedPage(testApp.app, path);

test('the address of a page or category with a store and a table leads to the table’s menu', async () => {
  for (const [path, to] of [
    ['/tea-bar?store=toronto-queen-west&table=7', '/table/tea-bar?store=toronto-queen-west&table=7'],
    [
      '/zh/products/drinks?store=toronto-queen-west&table=12',
      '/zh/table/drinks?store=toronto-queen-west&table=12',
    ],
  ] as const) {
    const { statusCode, headers } = await testApp.app.inject(path);
    expect({ statusCode, location: headers.location }).toEqual({ statusCode: 302, location: to });
  }
});

test.each([
  ['', 'Table 7 · Toronto – Queen West', 'Iced'],
  ['/zh', '7 号桌', '加入'],
])(
  'the menu of a table (%s) names the table and every item without scripts',
  async (language, seat, item) => {
    const { status, html } = await page(`${language}/table/tea-bar?store=toronto-queen-west&table=7`);
    expect(status).toBe(200);
    for (const words of [seat, item, '$6.50']) expect(html).toContain(words);
    expect(html).toMatch(/<meta name="robots" content="noindex"/);
  },
);

test.each([
  ['an unknown store', 'store=atlantis&table=7', 'Dine-in is not available'],
  [
    'a table that the store lacks',
    'store=toronto-queen-west&table=900',
    'Please enter a table number from 1 to',
  ],
  ['no table', 'store=toronto-queen-west', 'Table number is missing'],
])('the menu for %s is a message that says what is wrong', async (_case, query, problem) => {
  const { status, html } = await page(`/table/tea-bar?${query}`);
  expect(status).toBe(200);
  for (const words of ['We couldn’t find this table', problem]) expect(html).toContain(words);
  expect(html).not.toContain('$6.50');
});
