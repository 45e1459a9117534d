/** Measures of products in words. */
import { numberFormat } from '#contract/formatters.ts';
import { canonicalText, inLocale, type Locale } from '#contract/locales.ts';
import { translate } from '#server/platform/i18n.ts';
import type { CatalogueProduct } from './product.ts';

export function measureText(value: number, locale: Locale): string {
  return numberFormat(locale, { maximumFractionDigits: 2 }).format(value);
}

/** From 1000 `millilitres` on in litres. */
export function capacityText(millilitres: number, locale: Locale): string {
  const t = translate(locale);
  return millilitres < 1000
    ? t('spec.ml', { value: measureText(millilitres, locale) })
    : t('spec.litres', { value: measureText(millilitres / 1000, locale) });
}

/** Such as "50 g" or "16 cm". */
const amount = /^\d+(?:[.,]\d+)?\s?(?:g|kg|ml|l|cm|mm|oz|lb)$/i;

/** What the merchant says, or what the data do. */
export function cardFact(
  { details, options }: Pick<CatalogueProduct, 'details' | 'options'>,
  locale: Locale,
): string | undefined {
  const { keyFact, dimensions = {} } = details;
  if (keyFact) return inLocale(keyFact, locale);
  const amounts = options.find(({ values }) => values.every(({ name }) => amount.test(canonicalText(name))));
  const [first] = amounts?.values ?? [];
  if (first) return inLocale(first.name, locale);
  const { capacityMl, heightCm, lengthCm, widthCm, diameterCm } = dimensions;
  if (capacityMl) return capacityText(capacityMl, locale);
  const isUpright = heightCm && heightCm >= Math.max(lengthCm ?? 0, widthCm ?? 0, diameterCm ?? 0);
  return isUpright ? translate(locale)('spec.height', { value: measureText(heightCm, locale) }) : undefined;
}
