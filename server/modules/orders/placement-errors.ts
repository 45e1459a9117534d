/** Why an order is not placed, as the shopper is told. */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { PaymentFailure } from '#server/modules/payments/index.ts';
import { AppError } from '#server/platform/errors.ts';
import type { OrderLine } from './order.ts';

/** The cart is being paid. Who meets this ends the attempt first, where it can be ended (`payments/settling.ts`). */
export const paymentInProgress = () => new AppError('CONFLICT', { errorKey: 'payment.inProgress' });

/** What is said of money that came too late for the goods. */
export const attemptEnded = {
  errorType: 'TRANSACTION_ERROR',
  errorKey: 'payment.attemptEnded',
} as const satisfies PaymentFailure;

/** '{product} is out of stock' for each line, by `lineItems.<sku>`. */
export function outOfStock(lines: readonly OrderLine[], locale: Locale): AppError {
  const translated = lines.map(({ sku, name }) => [`lineItems.${sku}`, { product: inLocale(name, locale) }] as const);
  return new AppError('CONFLICT', {
    errorKey: 'rule.outOfStockLine',
    values: translated[0]?.[1] ?? {},
    errors: Object.fromEntries(translated.map(([field, values]) => [field, { key: 'rule.outOfStockLine' as const, values }])),
  });
}
