import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { isExternal, isFile } from '#ui/link.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { createAppRouter } from '#web/router.tsx';
import { createApiClient } from './api.ts';
import { isPrivatePath, parsePlainSearch, stringifyPlainSearch, urls } from './urls.ts';

const router = createAppRouter({
  i18n: await loadI18n('en'),
  api: createApiClient('en', () => Promise.reject(new Error('nothing is asked'))),
  queryClient: new QueryClient(),
  origin: 'https://shop.example',
  history: createMemoryHistory(),
});

function routeOf(url: string): string | undefined {
  return router.getMatchedRoutes(url.split('?')[0] ?? '')[2]?.id;
}

test.each([
  [urls.home(), '/'],
  [urls.brands(), '/brands'],
  [urls.brand('maple-and-clay'), '/brand/$brandName'],
  [urls.clearance(), '/clearance'],
  [urls.tag('handmade'), '/tag/$tagName'],
  [urls.search('mug'), '/search'],
  [urls.category('teaware'), '/products/$cat'],
  [urls.productList({ cat: 'teaware' }), '/productlist'],
  [urls.product('moon-cup'), '/product/$id'],
  [urls.cart(), '/cart/'],
  [urls.checkout(), '/checkout'],
  [urls.payment(), '/payment'],
  [urls.confirm({ oid: 'a' }), '/cart/confirm'],
  [urls.page('about'), '/$name'],
])('the URL %s matches the route %s', (url, route) => {
  expect(routeOf(url)).toBe(route);
});

test('the first page and the default order have the bare address', () => {
  expect(urls.category('tea', { page: 1, sort: 'default' })).toBe('/products/tea');
  expect(urls.category('tea', { page: 3, sort: 'price' })).toBe('/products/tea?sort=price&page=3');
});

test('a shopper’s text stays one value in a URL', () => {
  expect(urls.search('a&b=c 茶')).toBe('/search?key=a%26b%3Dc+%E8%8C%B6');
  expect(urls.product('a/b?c')).toBe('/product/a%2Fb%3Fc');
});

test('links starting with http are external, others internal (SPEC §2)', () => {
  expect(['https://a.example', 'HTTP://a.example', 'mailto:a@b.example'].every(isExternal)).toBe(true);
  expect(['/about', 'about', '//a.example', '/http'].some(isExternal)).toBe(false);
});

test('feeds, sitemaps, images and API calls are files, not pages', () => {
  expect(
    [
      '/blog/feed.xml',
      '/zh/blog/atom.xml?x=1',
      '/sitemap.xml',
      '/robots.txt',
      '/media/640/a.jpg',
      '/api/x',
    ].every(isFile),
  ).toBe(true);
  expect(['/', '/blog', '/product/a.b', '/mediation', '/page/xml', '/search?key=a.xml'].some(isFile)).toBe(
    false,
  );
});

test('one shopper’s own pages are private, with everything below them', () => {
  expect(['/cart', '/cart/confirm', '/checkout', '/payment', '/account/orders/1'].every(isPrivatePath)).toBe(
    true,
  );
  expect(['/', '/cartography', '/product/cart'].some(isPrivatePath)).toBe(false);
});

test('search parameters are text and nothing else', () => {
  expect(parsePlainSearch('?key=2024&page=2&flag=true&json={"a":1}')).toEqual({
    key: '2024',
    page: '2',
    flag: 'true',
    json: '{"a":1}',
  });
});

test('empty search parameters are dropped, and the first of several counts', () => {
  expect(parsePlainSearch('?key=&brand=a&brand=b')).toEqual({ brand: 'a' });
  expect(stringifyPlainSearch({ key: '', brand: undefined, sort: null })).toBe('');
});

test('a submitted form value comes back as it was typed', () => {
  const search = stringifyPlainSearch({ key: 'tea & 茶 +1' });
  expect(parsePlainSearch(search)).toEqual({ key: 'tea & 茶 +1' });
});

test('parameters named like object properties are ordinary parameters', () => {
  expect(parsePlainSearch('?constructor=a')).toEqual({ constructor: 'a' });
});
