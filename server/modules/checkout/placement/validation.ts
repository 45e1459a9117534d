import type { FieldErrors } from '#contract/errors.ts';
import { formatMoney } from '#contract/formatters.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { contactErrors, contactNeeds } from '#contract/rules/contact.ts';
import { isClean } from '#contract/rules/fields.ts';
import { methodErrors, partySizeErrors, pickupErrors, tableErrors } from '#contract/rules/method.ts';
import type { Bill } from '#contract/schemas/order.ts';
import type { PaymentConfig } from '#contract/schemas/payment-config.ts';
import { resolveAddress } from '#server/modules/customers/index.ts';
import {
  deliveryNamed,
  type OrderHead,
  type OrderLine,
  type OrderSettings,
  type StoreDelivery,
} from '#server/modules/orders/index.ts';
import type { PaymentRegistry } from '#server/modules/payments/index.ts';
import { statusNow } from '#server/modules/stores/index.ts';
import { translate } from '#server/platform/i18n.ts';

/** What is ordered, and by what it is judged. */
export interface JudgedLines {
  lines: readonly OrderLine[];
  settings: OrderSettings;
  locale: Locale;
  /** Epoch ms. */
  now: number;
}

export function validateCheckout(order: OrderHead, judged: JudgedLines): FieldErrors {
  const { lines, settings, locale } = judged;
  // An order keeps its given method, so a missing one is not chosen automatically here.
  if (!order.method) return { methodName: 'rule.methodMissing' };
  const errors = methodErrors(order.method, settings.checkout);
  if (!isClean(errors)) return errors;
  return {
    ...contactErrors(order.contact ?? {}, contactNeeds(settings.checkout, order.method)),
    ...pickupOrTableErrors(order, settings),
    ...(order.method === 'shipping' && order.storeId === null ? shippingErrors(lines, settings, locale) : {}),
    ...(order.method === 'shipping' && order.storeId !== null ? deliveryErrors(order, judged) : {}),
  };
}

/** Why an order cannot be paid at the store although the shop offers it: it is too large, or at a table that pays online. */
export function payAtStoreErrors(
  { method, customerId }: OrderHead,
  { total, currency }: Bill,
  { lines, settings: { tables, payAtStoreLimits, payment }, locale }: Omit<JudgedLines, 'now'>,
): FieldErrors {
  if (method === null || method === 'shipping' || !payment.payAtStoreEnabled || total === 0) return {};
  if (method === 'instore' && tables.payOnline) return { paymentMethod: 'rule.tablePayOnline' };
  const most =
    customerId !== null || method === 'instore' ? payAtStoreLimits.customers : payAtStoreLimits.guests;
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const isAbove = (value: number, limit: number | null) => limit !== null && value > limit;
  const tooLarge = (limit: string) => ({
    paymentMethod: { key: 'rule.payAtStoreLimit' as const, values: { limit } },
  });
  const t = translate(locale);
  if (isAbove(total, most.totalCents)) return tooLarge(formatMoney(most.totalCents ?? 0, locale, currency));
  if (isAbove(units, most.units)) return tooLarge(t('rule.limit.units', { count: most.units ?? 0 }));
  if (isAbove(lines.length, most.lines)) return tooLarge(t('rule.limit.lines', { count: most.lines ?? 0 }));
  return {};
}

function pickupOrTableErrors(order: OrderHead, settings: OrderSettings): FieldErrors {
  if (order.method === 'pickup') return pickupErrors(order.storeId, settings.stores, settings.checkout);
  if (order.method === 'instore')
    return {
      ...tableErrors(order.tableNumber, order.storeId, settings.stores),
      ...partySizeErrors(order.partySize, order.storeId, settings.checkout),
    };
  const read = resolveAddress(order.shippingAddress ?? {}, settings.countries);
  return 'errors' in read ? read.errors : {};
}

/** Why the store of an order does not deliver it now. That the address lies in the zone was checked when both were chosen. */
function deliveryErrors({ shippingMethod }: OrderHead, judged: JudgedLines): FieldErrors {
  const delivery = deliveryNamed(judged.settings, shippingMethod);
  if (!delivery) return { shippingMethod: 'rule.deliveryOutside' };
  const problem = deliveryProblem(delivery, judged);
  return problem ? { shippingMethod: problem } : {};
}

/** Why a store does not deliver these lines now: it is closed, or they cost too little. */
export function deliveryProblem(
  { store, zone }: StoreDelivery,
  { lines, settings: { currency }, locale, now }: JudgedLines,
): FieldErrors[string] | null {
  const name = inLocale(store.name, locale);
  const { isOpen, text } = statusNow(store, now, locale);
  if (!isOpen) return { key: 'rule.deliveryClosed', values: { store: name, status: text } };
  const missing =
    zone.minimumCents - lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
  if (missing <= 0) return null;
  const money = (cents: number) => formatMoney(cents, locale, currency);
  return {
    key: 'rule.deliveryMinimum',
    values: { store: name, minimum: money(zone.minimumCents), missing: money(missing) },
  };
}

export function shippingErrors(
  lines: readonly OrderLine[],
  { checkout }: OrderSettings,
  locale: Locale,
): FieldErrors {
  const key = checkout.localDelivery ? 'rule.onlyDeliveredNearby' : 'rule.notShippable';
  const unavailableLineErrors = lines.filter((line) => line.inStoreOnly);
  return Object.fromEntries(
    unavailableLineErrors.map(({ sku, name }) => [
      `lineItems.${sku}`,
      { key, values: { product: inLocale(name, locale) } },
    ]),
  );
}

/** The payment methods on offer: what the merchant has switched on, as far as providers are set up. */
export function paymentConfigOf(
  { payment, tables }: OrderSettings,
  providers: PaymentRegistry,
): PaymentConfig {
  const { payAtStoreEnabled, paymentOnline, defaultGateWayProviderName } = payment;
  return {
    payAtStoreEnabled,
    ...(tables.payOnline ? { payOnlineAtTables: true } : {}),
    ...providers.onlineMethods(paymentOnline ? defaultGateWayProviderName : null),
  };
}
