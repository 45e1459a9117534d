/** Validates an order before it is placed, whatever the screens have checked. */
import type { FieldErrors } from '#contract/errors.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { contactErrors, contactNeeds } from '#contract/rules/contact.ts';
import { isClean } from '#contract/rules/fields.ts';
import { methodErrors, pickupErrors, tableErrors } from '#contract/rules/method.ts';
import { resolveAddress } from '#server/modules/customers/index.ts';
import type { OrderHead, OrderLine } from '../order.ts';
import type { OrderSettings } from '../order-settings.ts';

export function validateCheckout(
  order: OrderHead,
  lines: readonly OrderLine[],
  settings: OrderSettings,
  locale: Locale,
): FieldErrors {
  // An order keeps its given method, so a missing one is not chosen automatically here.
  if (!order.method) return { methodName: 'rule.methodMissing' };
  const errors = methodErrors(order.method, settings.checkout);
  if (!isClean(errors)) return errors;
  return {
    ...contactErrors(order.contact ?? {}, contactNeeds(settings.checkout, order.method)),
    ...pickupOrTableErrors(order, settings),
    ...(order.method === 'shipping' ? shippingErrors(lines, locale) : {}),
  };
}

function pickupOrTableErrors(order: OrderHead, settings: OrderSettings): FieldErrors {
  if (order.method === 'pickup') return pickupErrors(order.storeId, settings.stores, settings.checkout);
  if (order.method === 'instore') return tableErrors(order.tableNumber, order.storeId, settings.stores);
  const read = resolveAddress(order.shippingAddress ?? {}, settings.countries);
  return 'errors' in read ? read.errors : {};
}

/** The lines that cannot be shipped, with the reasons. */
export function shippingErrors(lines: readonly OrderLine[], locale: Locale): FieldErrors {
  const unavailableLineErrors = lines.filter((line) => line.inStoreOnly);
  return Object.fromEntries(
    unavailableLineErrors.map(({ sku, name }) => [
      `lineItems.${sku}`,
      { key: 'rule.notShippable' as const, values: { product: inLocale(name, locale) } },
    ]),
  );
}
