/** Cache keys of public URLs: one key for one answer, and none for a URL that only a guess would produce. */
import { isLocale } from '#contract/locales.ts';

/** A percent-encoded character that needs no encoding, or one whose hex digits are in lower case. */
const oddlyEncoded = /%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dA]|[\dA-Fa-f]?[a-f])/;

/** The key a URL is cached by: its path and query, with the parameters in one order. */
export function cacheKey(url: string): string {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('&', start)) return url;
  const pairs = url.slice(start + 1).split('&');
  return `${url.slice(0, start)}?${pairs.sort().join('&')}`;
}

/** Whether an answer for `url` may be kept: spelled the usual way, and with no parameter that `isKnown` does not name. */
export function isCacheable(url: string, isKnown: (name: string) => boolean): boolean {
  if (url.includes('%') && oddlyEncoded.test(url)) return false;
  const start = url.indexOf('?');
  if (start === -1) return true;
  const names = new Set<string>();
  for (const pair of url.slice(start + 1).split('&')) {
    const [name = '', value = ''] = pair.split('=', 2);
    // An unknown language is answered in the default one, whatever it is called.
    const known = name === 'lang' && value !== '' ? isLocale(value) && isKnown(name) : value !== '' && isKnown(name);
    if (!known || names.has(name)) return false;
    names.add(name);
  }
  return true;
}

/** The parameters of lists, which pages are cached by. Others, such as those of campaigns, do not change a page. */
const pageParameters = new Set(['brand', 'cat', 'key', 'newArrival', 'page', 'sort', 'view']);

/** As `isCacheable`, for the storefront's pages. */
export function isCacheablePage(url: string): boolean {
  return isCacheable(url, (name) => pageParameters.has(name));
}
