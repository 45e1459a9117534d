/** No content page can have the name of an address that the shop answers itself. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageNameProblems, takenPageNames } from '#server/modules/content/pages/page-problems.ts';
import { renderFromSources } from './rendered.ts';
import { createTestApp } from './test-app.ts';

/** The first parts of the paths of all routes of the server; '*' is a parameter or a wildcard. */
async function serverRoutes(): Promise<string[]> {
  const { app } = await createTestApp({ engine: 'sqlite', app: { web: renderFromSources } });
  const tree = app.printRoutes({ commonPrefix: false });
  return [...tree.matchAll(/^[├└]── \/?([^/\s(]*)/gm)].map(([, part = '']) => part);
}

/** The first parts of the addresses of the storefront's screens; '$' begins a parameter. */
const screens = readdirSync(join(import.meta.dirname, '../web/routes'))
  .filter((file) => file.endsWith('.tsx') && !/^[-_]/.test(file))
  .map((file) => file.replace(/\.tsx$/, '').split('.')[0] ?? '');

/** `index` is `/`, which shows the page `home`; the contact page shows the page `contact`. */
const pagesWithRoutes = ['index', 'contact'];

test('a page cannot have the name of a route of the server or of a screen', async () => {
  const routes = await serverRoutes();
  expect(routes).toEqual(expect.arrayContaining(['healthz', 'readyz', 'api', 'media', 'sitemap']));
  expect(screens).toEqual(expect.arrayContaining(['cart', 'account', 'myFavorite', 'contact']));
  const names = [...routes, ...screens].filter(
    (name) => /^[A-Za-z0-9-]+$/.test(name) && !pagesWithRoutes.includes(name),
  );
  expect(names.filter((name) => pageNameProblems(name).length === 0)).toEqual([]);
});

test('the names of pages that are taken are taken in any case, and contact is not', () => {
  expect(takenPageNames.filter((name) => pageNameProblems(name.toUpperCase()).length === 0)).toEqual([]);
  expect(pageNameProblems('contact')).toEqual([]);
  expect(pageNameProblems('Contact')).toHaveLength(1);
  expect(pageNameProblems('home')).toEqual([]);
});
