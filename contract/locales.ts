/** SPEC §9. To add a language, add a message file and a line here. The setting `languages` picks those that a shop offers. */
import type en from './messages/en.json';

export type Messages = typeof en;
export type MessageKey = keyof Messages;

/** Every language has every message: a missing one is a compile error. */
type Load = Promise<{ default: Messages }>;

/** `tag` is for `lang`, Intl and hreflang; `load` lets a browser load only the language it shows. */
export const locales = {
  en: {
    name: 'English',
    tag: 'en-CA',
    load: (): Load => import('./messages/en.json', { with: { type: 'json' } }),
  },
  zh: {
    name: '简体中文',
    tag: 'zh-CN',
    load: (): Load => import('./messages/zh.json', { with: { type: 'json' } }),
  },
} as const;

export type Locale = keyof typeof locales;
export const defaultLocale = 'en' satisfies Locale;
export const localeCodes = Object.keys(locales) as Locale[];

/** The default language first. One process or page serves one shop, so functions do not pass them on (docs/decisions/0090). */
let offered: readonly Locale[] = localeCodes;

/** The settings service calls it, as do the renderer and the browser with what they receive. */
export function offerLocales(languages: readonly Locale[]): void {
  offered = languages;
}

export const offeredLocales = (): readonly Locale[] => offered;

export const mainLocale = (): Locale => offered[0] as Locale;

/** Those that texts are translated into. */
export const otherLocales = (): readonly Locale[] => offered.slice(1);

export function isOffered(value: unknown): value is Locale {
  return (offered as readonly unknown[]).includes(value);
}

/** The default one if the shop does not offer the value. */
export function offeredOr(value: unknown): Locale {
  return isOffered(value) ? value : mainLocale();
}

/** `inLocale` reads it, whichever languages it has. */
export type LocalText = Partial<Record<Locale, string>>;

export function inEvery(make: (locale: Locale) => string): LocalText {
  // `Object.fromEntries` does not type the keys it creates.
  return Object.fromEntries(localeCodes.map((locale) => [locale, make(locale)])) as LocalText;
}

export function isLocale(value: unknown): value is Locale {
  return typeof value === 'string' && Object.hasOwn(locales, value);
}

/** The language of a value of LANG or of a browser, such as zh_CN.UTF-8 or zh-CN; English if the shop does not speak it. */
export function staffLocale(tag = ''): Locale {
  const [language] = tag.toLowerCase().split(/[-_.]/);
  return isLocale(language) ? language : defaultLocale;
}

/** If it is not translated, in the shop's default language, or in the first that it has. */
export function inLocale(text: LocalText, locale: Locale): string {
  return text[locale] || (text[mainLocale()] ?? Object.values(text)[0] ?? '');
}

/** By which an option and its values are known, whatever languages the shop offers: the English one, or the first. */
export function canonicalText(text: LocalText): string {
  return text.en || Object.values(text).find(Boolean) || '';
}

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
