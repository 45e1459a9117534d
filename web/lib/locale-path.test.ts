import { expect, test } from 'vitest';
import { localizePath, splitLocale } from './locale-path.ts';

test.each([
  ['/', 'en', '/'],
  ['/zh', 'zh', '/'],
  ['/zh/', 'zh', '/'],
  ['/zh/product/moon-cup', 'zh', '/product/moon-cup'],
  ['/zhongshan', 'en', '/zhongshan'],
  // English has no prefix: /en is a page that does not exist.
  ['/en/brands', 'en', '/en/brands'],
  ['/toString', 'en', '/toString'],
])('%s is in %s', (path, locale, pathname) => {
  expect(splitLocale(path)).toEqual({ locale, pathname });
});

test('a path in a language splits into what it was made of', () => {
  for (const path of ['/', '/brands', '/product/moon-cup']) {
    expect(splitLocale(localizePath(path, 'zh'))).toEqual({ locale: 'zh', pathname: path });
    expect(localizePath(path, 'en')).toBe(path);
  }
});
