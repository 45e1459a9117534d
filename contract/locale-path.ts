import { isLocale, isOffered, type Locale, mainLocale } from './locales.ts';

export function splitLocale(pathname: string): { locale: Locale; pathname: string } {
  const first = pathname.split('/', 2)[1];
  if (!isLocale(first)) return { locale: mainLocale(), pathname };
  return { locale: first, pathname: pathname.slice(first.length + 1) || '/' };
}

/** `pathname` has no language prefix. */
export function localizePath(pathname: string, locale: Locale): string {
  if (locale === mainLocale()) return pathname;
  return pathname === '/' ? `/${locale}` : `/${locale}${pathname}`;
}

/** For a prefix of the default language, or of one not offered: the page in the default language. Null for any other URL. */
export function offeredUrl(url: string): string | null {
  const [path = '', query] = url.split(/(?=\?)/, 2);
  const { locale, pathname } = splitLocale(path);
  if (pathname === path || (isOffered(locale) && locale !== mainLocale())) return null;
  // Two slashes at the start would name another host.
  return pathname.replace(/^[/\\]+/, '/') + (query ?? '');
}

/** Its path carries a token, which is secret. `pathname` has no language. */
export function isOrderLinkPath(pathname: string): boolean {
  // The router ignores case.
  return /^\/order\/./i.test(pathname);
}
