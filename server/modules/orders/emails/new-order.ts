/** Composes the email that tells the staff of a new order: what to prepare, for whom, by when, and whether it is paid. */
import { formatMoney } from '#contract/money.ts';
import { personName } from '#contract/names.ts';
import { paidMessages } from '#contract/payment-providers.ts';
import type { Order } from '#contract/schemas/order.ts';
import { type EmailPart, type MailShop, type RenderedEmail, renderEmail } from '#server/modules/notifications/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { dayTime, locationParts, type MailClock, type MailStore, receipt } from './order-parts.ts';

/** @param shippingMethod the name of the chosen one in the email's language, or '' if the order is not shipped */
export function newOrderMail(
  shop: MailShop,
  clock: MailClock,
  order: Order,
  store: MailStore | null,
  shippingMethod: string,
): RenderedEmail {
  const { locale } = clock;
  const t = translate(locale);
  const number = order.orderNumber ?? '';
  const over = order.state === 'cancelled' || order.state === 'lapsed';
  return renderEmail({
    shop,
    locale,
    subject: t('mail.newOrder.subject', { shop: shop.name, number }),
    title: t('mail.newOrder.title', { number }),
    parts: [
      ...(over ? [{ kind: 'text', text: t('mail.newOrder.over') } as const] : []),
      { kind: 'rows', rows: deliveryRows(order, clock, shippingMethod) },
      { kind: 'text', text: paymentText(order, clock) },
      ...noteParts(order, clock),
      ...locationParts(order, store, locale),
      ...customerParts(order, clock),
      ...receipt(order, clock, shop),
    ],
    why: t('mail.why.staff', { shop: shop.name }),
  });
}

function deliveryRows({ method, pickupDate, tableNumber, partySize, placedAt }: Order, clock: MailClock, shippingMethod: string) {
  const t = translate(clock.locale);
  return [
    ...(method ? [{ label: t('mail.newOrder.method'), amount: t(`checkout.method.${method}`), strong: true }] : []),
    ...(shippingMethod ? [{ label: t('checkout.shippingMethod.title'), amount: shippingMethod }] : []),
    ...(pickupDate === null ? [] : [{ label: t('confirm.pickup.when'), amount: dayTime(pickupDate, clock), strong: true }]),
    ...(tableNumber === null ? [] : [{ label: t('checkout.table.number'), amount: tableNumber, strong: true }]),
    ...(partySize === undefined ? [] : [{ label: t('checkout.partySize.label'), amount: String(partySize) }]),
    ...(placedAt === null ? [] : [{ label: t('mail.newOrder.placed'), amount: dayTime(placedAt, clock) }]),
  ];
}

function paymentText({ bill, payment, due }: Order, { locale }: MailClock): string {
  const t = translate(locale);
  const amount = formatMoney(due || bill.total, locale, bill.currency);
  if (bill.total === 0) return t('mail.newOrder.free');
  if (payment?.method === 'payAtStore')
    return payment.paid ? t('mail.newOrder.paidInStore', { amount }) : t('mail.newOrder.unpaid', { amount });
  return t(paidMessages(payment?.method ?? '').confirm, { amount });
}

function noteParts({ customerComment }: Order, { locale }: MailClock): EmailPart[] {
  if (!customerComment) return [];
  return [
    { kind: 'heading', text: translate(locale)('confirm.note') },
    { kind: 'text', text: customerComment },
  ];
}

/** Whom to ask about the order; empty once the customer's data has been deleted. */
function customerParts({ orderContact }: Order, { locale }: MailClock): EmailPart[] {
  if (!orderContact) return [];
  const lines = [personName(orderContact), orderContact.phoneNumber, orderContact.email].filter(Boolean);
  if (lines.length === 0) return [];
  return [
    { kind: 'heading', text: translate(locale)('account.order.contact') },
    { kind: 'text', text: lines.join('\n') },
  ];
}
