import { localizePath } from '#contract/locale-path.ts';
import type { Locale } from '#contract/locales.ts';
import type { AppRouter } from './router.tsx';

type BuildLocation = AppRouter['buildLocation'];

/** Addresses of links that are remembered, in all languages. */
const mostLocations = 2000;
const locations = new Map<string, ReturnType<BuildLocation>>();

/** A location depends only on the address and the language, and a page has about a hundred links, most of them on every page. */
export function rememberLocations(build: BuildLocation, locale: Locale): BuildLocation {
  return (options) => {
    const { href } = options as { href?: unknown };
    if (typeof href !== 'string' || !href.startsWith('/')) return build(options);
    const key = `${localizePath('', locale)} ${href}`;
    const known = locations.get(key);
    if (known) return known;
    const made = build(options);
    if (locations.size >= mostLocations) locations.clear();
    locations.set(key, made);
    return made;
  };
}
