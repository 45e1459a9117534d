import type { FieldErrors } from '#contract/errors.ts';
import { type Locale, localeCodes, locales, type MessageKey, offeredOr } from '#contract/locales.ts';
import { capitalised } from '#contract/problems.ts';
import { isStaffKey, staffTranslate } from '#contract/staff/messages.ts';
import { type MessageValues, type Translate, translator } from '#contract/translate.ts';
import type { AnyMessageKey } from './errors.ts';

const loaded = await Promise.all(
  localeCodes.map(
    async (locale) => [locale, translator(locale, (await locales[locale].load()).default)] as const,
  ),
);
const translators = Object.fromEntries(loaded) as Record<Locale, Translate>;

export function translate(locale: Locale): Translate {
  return translators[locale];
}

type TranslateAny = (key: AnyMessageKey, values?: MessageValues) => string;

const translatorsOfAll = Object.fromEntries(
  localeCodes.map((locale): [Locale, TranslateAny] => {
    const [shop, staff] = [translators[locale], staffTranslate(locale)];
    return [
      locale,
      (key: string, values) => (isStaffKey(key) ? staff(key, values) : shop(key as MessageKey, values)),
    ];
  }),
) as Record<Locale, TranslateAny>;

/** Like `translate`, for the messages of staff as well. */
export function translateAny(locale: Locale): TranslateAny {
  return translatorsOfAll[locale];
}

/** Values of a message that are messages themselves. */
export function translateWords(
  words: Readonly<Record<string, AnyMessageKey>>,
  locale: Locale,
): Record<string, string> {
  const t = translateAny(locale);
  return Object.fromEntries(Object.entries(words).map(([name, key]) => [name, t(key)]));
}

/** The default if the shop does not offer the requested one. */
export function localeOf(query: unknown): Locale {
  const lang = typeof query === 'object' && query !== null && 'lang' in query ? query.lang : undefined;
  return offeredOr(lang);
}

export function translateFieldErrors(
  errors: FieldErrors<AnyMessageKey>,
  locale: Locale,
): Record<string, string> {
  const t = translateAny(locale);
  const said = Object.entries(errors).map(([field, error]) => {
    const { key, values } = typeof error === 'string' ? { key: error, values: undefined } : error;
    // Those of problems are written to go on after the name of a place.
    return [field, key.startsWith('problem.') ? capitalised(t(key, values)) : t(key, values)];
  });
  return Object.fromEntries(said);
}
