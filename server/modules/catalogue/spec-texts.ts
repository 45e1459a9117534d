/** Measures of products in words. */
import { numberFormat } from '#contract/formatters.ts';
import type { Locale } from '#contract/locales.ts';
import { translate } from '#server/platform/i18n.ts';

/** A number with at most two decimals. */
export function measureText(value: number, locale: Locale): string {
  return numberFormat(locale, { maximumFractionDigits: 2 }).format(value);
}

/** @param millilitres from 1000 on in litres */
export function capacityText(millilitres: number, locale: Locale): string {
  const t = translate(locale);
  return millilitres < 1000
    ? t('spec.ml', { value: measureText(millilitres, locale) })
    : t('spec.litres', { value: measureText(millilitres / 1000, locale) });
}
