/** Texts that are not translated. */
import type { TSchema } from 'typebox';
import { type Locale, mainLocale, otherLocales } from '#contract/locales.ts';
import { printedText, textsIn } from '#server/platform/local-texts.ts';

/** Of a document's values with their schemas: how many, by the shop's other languages that lack any. */
export function missingByLanguage(
  values: readonly (readonly [TSchema | undefined, unknown])[],
): { language: Locale; texts: number }[] {
  const texts = values
    .flatMap(([schema, value]) => (schema ? textsIn(schema, value) : []))
    .filter((text) => printedText(text.values[mainLocale()]) !== '');
  return otherLocales()
    .map((language) => ({
      language,
      texts: texts.filter((text) => printedText(text.values[language]) === '').length,
    }))
    .filter((each) => each.texts > 0);
}
