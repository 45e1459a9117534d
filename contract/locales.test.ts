import { afterEach, expect, test } from 'vitest';
import {
  type Locale,
  localeCodes,
  localizePath,
  offeredUrl,
  offerLocales,
  splitLocale,
} from '#contract/locales.ts';

afterEach(() => offerLocales(localeCodes));

test.each([
  ['/', 'en', '/'],
  ['/zh', 'zh', '/'],
  ['/zh/', 'zh', '/'],
  ['/zh/product/moon-cup', 'zh', '/product/moon-cup'],
  ['/zhongshan', 'en', '/zhongshan'],
  ['/en/brands', 'en', '/brands'],
  ['/toString', 'en', '/toString'],
])('the path %s is in the language %s', (path, locale, pathname) => {
  expect(splitLocale(path)).toEqual({ locale, pathname });
});

test('a localized path splits back into its language and its path, whatever the default language', () => {
  for (const languages of [['en', 'zh'], ['zh', 'en'], ['zh']] satisfies Locale[][]) {
    offerLocales(languages);
    for (const path of ['/', '/brands', '/product/moon-cup']) {
      for (const locale of localeCodes)
        expect(splitLocale(localizePath(path, locale))).toEqual({ locale, pathname: path });
      expect(localizePath(path, languages[0] ?? 'en')).toBe(path);
    }
  }
});

test.each([
  [['en', 'zh'], '/en/brands?view=list', '/brands?view=list'],
  [['en', 'zh'], '/zh/brands', null],
  [['en', 'zh'], '/brands', null],
  [['en'], '/zh', '/'],
  [['en'], '/zh/', '/'],
  [['en'], '/zh?x=1', '/?x=1'],
  [['en'], '/zh//evil.example/x', '/evil.example/x'],
  [['zh', 'en'], '/zh/brands', '/brands'],
  [['zh', 'en'], '/en/brands', null],
] as [Locale[], string, string | null][])(
  'the shop that offers %s leads %s to %s',
  (languages, url, target) => {
    offerLocales(languages);
    expect(offeredUrl(url)).toBe(target);
  },
);
