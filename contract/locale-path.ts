/** Reads and writes the language in a URL: no prefix is the shop's default language, `/zh/…` is another one. */
import { isLocale, isOffered, type Locale, mainLocale } from './locales.ts';

/** Splits a path into its language and the path without the prefix. */
export function splitLocale(pathname: string): { locale: Locale; pathname: string } {
  const first = pathname.split('/', 2)[1];
  if (!isLocale(first)) return { locale: mainLocale(), pathname };
  return { locale: first, pathname: pathname.slice(first.length + 1) || '/' };
}

/** The path of a page in a language. `pathname` has no language prefix. */
export function localizePath(pathname: string, locale: Locale): string {
  if (locale === mainLocale()) return pathname;
  return pathname === '/' ? `/${locale}` : `/${locale}${pathname}`;
}

/**
 * Where a URL (path and query) leads if its prefix is the default language's, or that of a language that the shop does not offer:
 * the page in the default language. Null for any other URL.
 */
export function offeredUrl(url: string): string | null {
  const [path = '', query] = url.split(/(?=\?)/, 2);
  const { locale, pathname } = splitLocale(path);
  if (pathname === path || (isOffered(locale) && locale !== mainLocale())) return null;
  // Two slashes at the start would name another host.
  return pathname.replace(/^[/\\]+/, '/') + (query ?? '');
}
