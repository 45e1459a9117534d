/** Mails about what became of an order: ready, on its way, called off, not fetched, money given back. */
import type { Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import { translate } from '#server/messages.ts';
import type { Part } from '../letter.ts';
import type { ComposedMail } from '../mailer.ts';
import { mailWords } from '../words.ts';
import { framed, type MailShop } from './frame.ts';
import { greeting, type MailStore, money, orderButton, placeOf, receipt } from './order-parts.ts';

export type OrderNews = 'orderReady' | 'orderShipped' | 'orderCancelled' | 'reservationLapsed';

export function orderNewsMail(
  shop: MailShop,
  locale: Locale,
  kind: OrderNews,
  order: Order,
  store: MailStore | null,
): ComposedMail {
  const words = mailWords[locale];
  const number = order.orderNumber ?? '';
  const { subject, text } = words[kind];
  return framed({
    shop,
    locale,
    subject: subject(shop.name, number),
    title: subject(shop.name, number),
    parts: [
      ...greeting(order, locale),
      { kind: 'text', text: text(number) },
      ...moneyOf(kind, order, locale),
      ...(kind === 'orderReady' || kind === 'orderShipped' ? placeOf(order, store, locale) : []),
      ...receipt(order, locale),
      ...orderButton(order, shop, locale),
    ],
    why: words.why.order(shop.name),
  });
}

/** What is still to be paid, or comes back. */
function moneyOf(kind: OrderNews, order: Order, locale: Locale): Part[] {
  const words = mailWords[locale];
  const { currency, total } = order.bill;
  const atStore = order.payment?.method === 'payAtStore';
  if (kind === 'orderReady' && atStore) {
    const amount = money(total, currency, locale);
    return [{ kind: 'text', text: translate(locale)('confirm.payStore.pickup', { amount }) }];
  }
  if (kind === 'orderCancelled' && order.payment?.paid) return [{ kind: 'text', text: words.orderCancelled.comesBack }];
  return [];
}

/** The receipt of a refund. `order` may never have been placed: its money came too late. */
export function refundMail(
  shop: MailShop,
  locale: Locale,
  refund: { id: string; amount: number; tip: number; currency: string },
  order: Order,
): ComposedMail {
  const words = mailWords[locale];
  const amount = money(refund.amount, refund.currency, locale);
  const { orderNumber: number } = order;
  const kind = refund.tip === refund.amount ? words.refund.rowTip : words.refund.row;
  return framed({
    shop,
    locale,
    subject: words.refund.subject(shop.name, number),
    title: words.refund.title(amount),
    parts: [
      ...greeting(order, locale),
      { kind: 'text', text: number === null ? words.refund.late : words.refund.text(number) },
      { kind: 'rows', rows: [{ label: kind, amount, strong: true }] },
      { kind: 'text', text: words.refund.when },
      ...(number === null ? [] : [...receipt(order, locale), ...orderButton(order, shop, locale)]),
    ],
    why: words.why.order(shop.name),
  });
}
