/** Reads and writes the language in a URL: no prefix is the default language, `/zh/…` is another one. */
import { defaultLocale, isLocale, type Locale } from './locales.ts';

/** Splits a path into its language and the path without the prefix. */
export function splitLocale(pathname: string): { locale: Locale; pathname: string } {
  const first = pathname.split('/', 2)[1];
  if (!isLocale(first) || first === defaultLocale) return { locale: defaultLocale, pathname };
  return { locale: first, pathname: pathname.slice(first.length + 1) || '/' };
}

/** The path of a page in a language. `pathname` has no language prefix. */
export function localizePath(pathname: string, locale: Locale): string {
  if (locale === defaultLocale) return pathname;
  return pathname === '/' ? `/${locale}` : `/${locale}${pathname}`;
}
