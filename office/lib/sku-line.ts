import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';

/** Below the name of a product: the SKU, and the values of its options. */
export const skuLine = (
  { sku, optionContent }: { sku: string; optionContent: LocalText | null },
  locale: Locale,
): string => (optionContent ? `${sku} · ${inLocale(optionContent, locale)}` : sku);
