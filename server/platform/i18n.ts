/** The messages of `contract/messages` in each language, for the answers of the server. */
import type { FieldErrors } from '#contract/errors.ts';
import { defaultLocale, isLocale, type Locale, localeCodes, locales } from '#contract/locales.ts';
import { type Translate, translator } from '#contract/translate.ts';

const loaded = await Promise.all(
  localeCodes.map(async (locale) => [locale, translator(locale, (await locales[locale].load()).default)] as const),
);
const translators = Object.fromEntries(loaded) as Record<Locale, Translate>;

/** Turns message keys into words of a language. */
export function translate(locale: Locale): Translate {
  return translators[locale];
}

/** The language a caller asked for by `lang`, or the default one. */
export function localeOf(query: unknown): Locale {
  const lang = typeof query === 'object' && query !== null && 'lang' in query ? query.lang : undefined;
  return isLocale(lang) ? lang : defaultLocale;
}

/** Field to message, as the wire has it. */
export function translateFieldErrors(errors: FieldErrors, locale: Locale): Record<string, string> {
  const t = translate(locale);
  const said = Object.entries(errors).map(([field, error]) => [
    field,
    typeof error === 'string' ? t(error) : t(error.key, error.values),
  ]);
  return Object.fromEntries(said);
}
