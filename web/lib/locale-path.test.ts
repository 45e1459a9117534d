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
])('the path %s is in the language %s', (path, locale, pathname) => {
  expect(splitLocale(path)).toEqual({ locale, pathname });
});

test('a localized path splits back into its language and its path', () => {
  for (const path of ['/', '/brands', '/product/moon-cup']) {
    expect(splitLocale(localizePath(path, 'zh'))).toEqual({ locale: 'zh', pathname: path });
    expect(localizePath(path, 'en')).toBe(path);
  }
});
