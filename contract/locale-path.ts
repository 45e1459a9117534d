/** The language in the URL: no prefix is the default language, `/zh/…` one of the others. */
import { defaultLocale, isLocale, type Locale } from './locales.ts';

/** The language of a path, and the path without it. */
export function splitLocale(pathname: string): { locale: Locale; pathname: string } {
  const first = pathname.split('/', 2)[1];
  if (!isLocale(first) || first === defaultLocale) return { locale: defaultLocale, pathname };
  return { locale: first, pathname: pathname.slice(first.length + 1) || '/' };
}

/** The path of a page in a language. `pathname` carries no language prefix. */
export function localizePath(pathname: string, locale: Locale): string {
  if (locale === defaultLocale) return pathname;
  return pathname === '/' ? `/${locale}` : `/${locale}${pathname}`;
}
