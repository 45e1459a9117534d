/** One key per response, and none for a URL that only a guess would produce. */
import { isOffered } from '#contract/locales.ts';

/** A percent-encoded character that needs no encoding, or one with lower-case hex digits. */
const oddlyEncoded = /%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dA]|[\dA-Fa-f]?[a-f])/;

/** Path and query, with sorted parameters. */
export function cacheKey(url: string): string {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('&', start)) return url;
  const pairs = url.slice(start + 1).split('&');
  return `${url.slice(0, start)}?${pairs.sort().join('&')}`;
}

/** In canonical spelling, and only with parameters that `isKnown` accepts. */
export function isCacheable(url: string, isKnown: (name: string) => boolean): boolean {
  if (url.includes('%') && oddlyEncoded.test(url)) return false;
  const start = url.indexOf('?');
  if (start === -1) return true;
  const names = new Set<string>();
  for (const pair of url.slice(start + 1).split('&')) {
    const [name = '', value = ''] = pair.split('=', 2);
    // A request in a language that the shop does not offer is answered in the default one.
    const known = name === 'lang' && value !== '' ? isOffered(value) && isKnown(name) : value !== '' && isKnown(name);
    if (!known || names.has(name)) return false;
    names.add(name);
  }
  return true;
}

/** The parameters of lists, which pages are cached by. Others, such as campaign parameters, do not change a page. */
const pageParameters = new Set(['brand', 'cat', 'key', 'newArrival', 'page', 'sort', 'view']);

export function isCacheablePage(url: string): boolean {
  return isCacheable(url, (name) => pageParameters.has(name));
}
