/** Errors that tell the customer why an order was not placed. */
import { inLocale, type Locale } from '#contract/locales.ts';
import { AppError } from '#server/platform/errors.ts';
import type { OrderLine } from './order/order.ts';

/** '{product} is out of stock' for each line, by `lineItems.<sku>`. */
export function outOfStock(lines: readonly OrderLine[], locale: Locale): AppError {
  const translated = lines.map(({ sku, name }) => [`lineItems.${sku}`, { product: inLocale(name, locale) }] as const);
  return new AppError('CONFLICT', {
    errorKey: 'rule.outOfStockLine',
    values: translated[0]?.[1] ?? {},
    errors: Object.fromEntries(translated.map(([field, values]) => [field, { key: 'rule.outOfStockLine' as const, values }])),
  });
}
