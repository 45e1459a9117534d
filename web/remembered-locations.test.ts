import { expect, test, vi } from 'vitest';
import { rememberLocations } from './remembered-locations.ts';
import type { AppRouter } from './router.tsx';

type BuildLocation = AppRouter['buildLocation'];

/** Builds locations that say what they were built from. */
function routerIn(locale: 'en' | 'zh') {
  const build = vi.fn((options: object) => ({ built: options, locale }));
  return {
    build,
    locate: rememberLocations(build as unknown as BuildLocation, locale) as unknown as (options: object) => unknown,
  };
}

test('the location of a link is built once for each language, however many pages have the link', () => {
  const english = routerIn('en');
  const chinese = routerIn('zh');
  const nextPage = routerIn('en');
  const location = english.locate({ href: '/products/remembered' });
  expect(nextPage.locate({ href: '/products/remembered' })).toBe(location);
  expect(nextPage.build).not.toHaveBeenCalled();
  expect(chinese.locate({ href: '/products/remembered' })).toMatchObject({ locale: 'zh' });
  expect(english.locate({ href: '/products/forgotten' })).toMatchObject({ built: { href: '/products/forgotten' } });
});

test('a location that depends on the page, or is outside the shop, is built each time', () => {
  const { build, locate } = routerIn('en');
  for (const options of [{ to: '.' }, { href: 'https://other.example/' }]) {
    locate(options);
    locate(options);
  }
  expect(build).toHaveBeenCalledTimes(4);
});

test('remembered locations are bounded', () => {
  const { build, locate } = routerIn('en');
  locate({ href: '/first' });
  for (let number = 0; number < 2000; number++) locate({ href: `/page-${number}` });
  build.mockClear();
  locate({ href: '/first' });
  expect(build).toHaveBeenCalledTimes(1);
});
