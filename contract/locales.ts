/**
 * The languages that the program speaks. To add one, add a message file and a line here. The setting `languages` picks those that the
 * shop offers. SPEC §9: default en, other zh.
 */
import type en from './messages/en.json';

export type Messages = typeof en;
export type MessageKey = keyof Messages;

/** Every language has every message: a missing one is a compile error. */
type Load = Promise<{ default: Messages }>;

/**
 * `name` is the language's own name, `tag` its BCP 47 tag (for `lang`, Intl and hreflang); `load` imports its messages, so that
 * a browser loads only the language it shows.
 */
export const locales = {
  en: { name: 'English', tag: 'en-CA', load: (): Load => import('./messages/en.json', { with: { type: 'json' } }) },
  zh: { name: '简体中文', tag: 'zh-CN', load: (): Load => import('./messages/zh.json', { with: { type: 'json' } }) },
} as const;

export type Locale = keyof typeof locales;
export const defaultLocale = 'en' satisfies Locale;
export const localeCodes = Object.keys(locales) as Locale[];

/**
 * The languages that the shop offers, its default language first. One process serves one shop, and one page belongs to one shop, so
 * that the few functions that need them do not pass them on (docs/decisions/0090).
 */
let offered: readonly Locale[] = localeCodes;

/** Takes over the setting `languages`: the settings service does, as do the renderer and the browser with what they receive. */
export function offerLocales(languages: readonly Locale[]): void {
  offered = languages;
}

export const offeredLocales = (): readonly Locale[] => offered;

/** The shop's default language, whose addresses have no prefix. */
export const mainLocale = (): Locale => offered[0] as Locale;

export function isOffered(value: unknown): value is Locale {
  return (offered as readonly unknown[]).includes(value);
}

/** A language that was stored or asked for, or the default one if the shop does not offer it. */
export function offeredOr(value: unknown): Locale {
  return isOffered(value) ? value : mainLocale();
}

/** A text in the shop's languages. `inLocale` reads it, whichever of them it has. */
export type LocalText = Partial<Record<Locale, string>>;

/** Builds a text for every language. */
export function inEvery(make: (locale: Locale) => string): LocalText {
  // `Object.fromEntries` does not type the keys it creates.
  return Object.fromEntries(localeCodes.map((locale) => [locale, make(locale)])) as LocalText;
}

export function isLocale(value: unknown): value is Locale {
  return typeof value === 'string' && Object.hasOwn(locales, value);
}

/** The text in `locale`; if it is not translated, in the shop's default language, or in the first that it has. */
export function inLocale(text: LocalText, locale: Locale): string {
  return text[locale] || (text[mainLocale()] ?? Object.values(text)[0] ?? '');
}

/** The text by which an option and its values are known, whatever languages the shop offers: the English one, or the first. */
export function canonicalText(text: LocalText): string {
  return text.en || Object.values(text).find(Boolean) || '';
}
