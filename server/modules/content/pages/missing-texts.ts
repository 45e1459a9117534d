/** Texts that are not translated. */
import type { TSchema } from 'typebox';
import { type Locale, mainLocale, offeredLocales } from '#contract/locales.ts';
import type { SchemaNode } from '#server/platform/schema-problems.ts';

/** How many texts of a value its schema asks for that say something in the first language and nothing in this one. */
function missingTexts(schema: TSchema, value: unknown, locale: Locale): number {
  return countIn(schema as SchemaNode, value, locale);
}

/** Of a document's values with their schemas: how many, by the shop's other languages that lack any. */
export function missingByLanguage(
  values: readonly (readonly [TSchema | undefined, unknown])[],
): { language: Locale; texts: number }[] {
  const others = offeredLocales().filter((language) => language !== mainLocale());
  const missing = others.map((language) => ({
    language,
    texts: sum(values.map(([schema, value]) => (schema ? missingTexts(schema, value, language) : 0))),
  }));
  return missing.filter(({ texts }) => texts > 0);
}

function countIn(node: SchemaNode, value: unknown, locale: Locale): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (node.inLanguages) {
    const texts = value as Partial<Record<Locale, string>>;
    return texts[mainLocale()] && !texts[locale] ? 1 : 0;
  }
  const { anyOf = [], items, properties = {} } = node;
  if (Array.isArray(value)) return sum(value.map((each) => (items ? countIn(items, each, locale) : 0)));
  return sum([
    ...anyOf.map((member) => countIn(member, value, locale)),
    ...Object.entries(value).map(([name, each]) => (properties[name] ? countIn(properties[name], each, locale) : 0)),
  ]);
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
