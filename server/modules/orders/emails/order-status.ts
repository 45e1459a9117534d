/** Emails about the state of an order: ready, shipped, cancelled, expired, refunded, dearer. */
import { formatMoney, formatTotal } from '#contract/formatters.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Order, Shipment } from '#contract/schemas/order.ts';
import type { Translate } from '#contract/translate.ts';
import {
  button,
  type EmailPart,
  emailWords,
  type LineDelta,
  type MailShop,
  paragraph,
  type RenderedEmail,
  renderCustomerEmail,
} from '#server/modules/notifications/index.ts';
import type { Refund } from '#server/modules/payments/index.ts';
import { translate } from '#server/platform/i18n.ts';
import type { ShippedLine } from '../order/shipments.repository.ts';
import {
  buyerName,
  dayTime,
  holdNotice,
  locationParts,
  type MailClock,
  type MailFrame,
  type MailStore,
  orderNumberPart,
  orderUrl,
  receipt,
} from './order-parts.ts';

export type OrderStatusEmail =
  | 'orderReady'
  | 'orderShipped'
  | 'orderCancelled'
  | 'orderChanged'
  | 'paymentUncollected'
  | 'paymentReceived'
  | 'pickupClosed'
  | 'pickupMoved'
  | 'reservationLapsed';

interface StatusMail {
  token: string | null;
  note: string;
  /** Cents of the payment that the email is about; 0 for none. */
  amount: number;
  /** Cents by which the cash of that payment differed; 0 for none. */
  rounding?: number | undefined;
  parcel?: Shipment | undefined;
  change?: { lines: readonly LineDelta[]; back: number };
  /** What goes back to the buyer of a cancelled order, cents. */
  back?: number | undefined;
  /** What is not sent any more, of an order that was partly shipped. */
  units?: readonly ShippedLine[] | undefined;
}

/** `change`: of an order that was changed. `token` is that of the link to the order, null without one; `note` is what the merchant writes to the buyer, or ''. */
export function orderStatusMail(
  { shop, clock }: MailFrame,
  kind: OrderStatusEmail,
  { order, store }: { order: Order; store: MailStore | null },
  { token, note, amount, rounding = 0, parcel, change, back = 0, units = [] }: StatusMail,
): RenderedEmail {
  const { locale } = clock;
  const t = translate(locale);
  const number = order.orderNumber ?? '';
  // Of an order that was partly shipped, the rest was cancelled.
  const what = kind === 'orderCancelled' && order.state !== 'cancelled' ? 'restCancelled' : kind;
  const words = emailWords(shop, locale, what, {
    shop: shop.name,
    name: buyerName(order, locale),
    number,
    store: store ? inLocale(store.name, locale) : shop.name,
    when: order.pickupDate === null ? '' : dayTime(order.pickupDate, clock),
    amount: formatTotal(amount, locale, order.bill.currency, order),
  });
  return renderCustomerEmail({
    shop,
    locale,
    words,
    parts: [
      ...words.greeting,
      ...paragraph(words.text),
      ...(rounding === 0 ? [] : [roundedText(amount, rounding, order, locale)]),
      ...merchantNote(note, shop, locale),
      ...(units.length > 0
        ? [
            {
              kind: 'card' as const,
              title: t('mail.restCancelled.units'),
              text: namedUnits(units, order).join('\n'),
            },
          ]
        : []),
      ...(parcel ? parcelOf(parcel, order, locale) : []),
      ...(change ? changeParts(change, order, locale) : []),
      ...moneyOf(kind, order, clock, back),
      ...(kind === 'orderReady' ? orderNumberPart(order, locale) : []),
      ...words.button(orderUrl(token, shop, locale)),
      ...(kind === 'orderReady' ||
      kind === 'orderShipped' ||
      kind === 'pickupClosed' ||
      kind === 'pickupMoved'
        ? locationParts(order, store, locale)
        : []),
      ...receipt(order, clock, shop),
    ],
    preview: words.text,
    why: t('mail.why.order', { shop: shop.name }),
  });
}

function roundedText(amount: number, rounding: number, order: Order, locale: Locale): EmailPart {
  const money = (cents: number) => formatTotal(cents, locale, order.bill.currency, order);
  return {
    kind: 'text',
    text: translate(locale)('mail.paymentReceived.cash', {
      cash: money(amount + rounding),
      rounding: money(rounding),
    }),
  };
}

function merchantNote(note: string, { name: shop }: MailShop, locale: Locale): EmailPart[] {
  return note === ''
    ? []
    : [{ kind: 'card', title: translate(locale)('mail.order.note', { shop }), text: note }];
}

const namedUnits = (units: readonly ShippedLine[], order: Order): string[] =>
  order.lineItems.flatMap(({ id: line, productName, optionText }) => {
    const quantity = units.find((each) => each.line === line)?.quantity;
    return quantity ? [`${quantity} × ${[productName, optionText].filter(Boolean).join(', ')}`] : [];
  });

/** What is in a parcel, how it is tracked, and whether another one follows. */
function parcelOf(
  { id, carrier, trackingNumber, trackingUrl, lines }: Shipment,
  order: Order,
  locale: Locale,
): EmailPart[] {
  const t = translate(locale);
  const tracking = [carrier, trackingNumber].filter(Boolean).join(' ');
  const isLast = order.state !== 'placed' && order.shipments?.at(-1)?.id === id;
  return [
    {
      kind: 'card',
      title: t('order.parcel'),
      text: [...namedUnits(lines, order), ...(tracking ? ['', tracking] : [])].join('\n'),
    },
    ...(trackingUrl ? button(t('order.track'), trackingUrl) : []),
    ...(isLast ? [] : [{ kind: 'text' as const, text: t('order.parcel.more') }]),
  ];
}

/** What came and what went. */
function changeLabel(
  t: Translate,
  { product, from, to }: { product: string; from: number; to: number },
): string {
  if (from === 0) return t('mail.change.added', { product, to });
  if (to === 0) return t('mail.change.removed', { product, from });
  return t('mail.change.changed', { product, from, to });
}

function changeParts(
  { lines, back }: { lines: readonly LineDelta[]; back: number },
  order: Order,
  locale: Locale,
): EmailPart[] {
  const t = translate(locale);
  const { bill } = order;
  const rows = lines.map(({ name, text, from, to, unitPrice }) => ({
    label: changeLabel(t, { product: inLocale(name, locale), from, to }),
    ...(inLocale(text, locale) ? { note: inLocale(text, locale) } : {}),
    amount: from === to ? '' : signed((to - from) * unitPrice, locale, bill.currency),
  }));
  const amount = formatTotal(back, locale, bill.currency, order);
  return [
    { kind: 'rows', rows },
    ...(back > 0 ? [{ kind: 'text' as const, text: t('mail.change.back', { amount }) }] : []),
  ];
}

const signed = (cents: number, locale: Locale, currency: string) =>
  `${cents < 0 ? '' : '+'}${formatMoney(cents, locale, currency)}`;

function moneyOf(kind: OrderStatusEmail, order: Order, clock: MailClock, back: number): EmailPart[] {
  const { locale } = clock;
  const t = translate(locale);
  const { due = 0, bill } = order;
  const amount = formatTotal(due, locale, bill.currency, order);
  if (kind === 'orderReady' && due > 0) {
    return [{ kind: 'text', text: t('confirm.payStore.pickup', { amount }) }, ...holdNotice(order, clock)];
  }
  if (order.dueVersion !== undefined) return [{ kind: 'text', text: t('mail.order.due', { amount }) }];
  if (kind === 'orderCancelled' && back > 0)
    return [{ kind: 'text', text: t('mail.orderCancelled.comesBack') }];
  return [];
}

/** How the money of a refund comes back. `cash`: what was handed over, which may differ from the amount by the smallest coin. */
function comesBack({ amount, cash, currency }: RefundOfMail, order: Order, locale: Locale): string {
  const t = translate(locale);
  if (cash === null) return t('mail.refund.when');
  const money = (cents: number) => formatTotal(cents, locale, currency, order);
  const rounding = cash - amount;
  return rounding === 0
    ? t('mail.refund.cash', { cash: money(cash) })
    : t('mail.refund.cashRounded', { cash: money(cash), rounding: money(rounding) });
}

type RefundOfMail = Pick<Refund, 'amount' | 'tip' | 'currency' | 'customerNote'> & { cash: number | null };

/** The receipt of a refund. `order` may never have been placed if its payment arrived too late. */
export function refundMail(
  { shop, clock }: MailFrame,
  refund: RefundOfMail,
  order: Order,
  token: string | null,
): RenderedEmail {
  const { locale } = clock;
  const t = translate(locale);
  const amount = formatTotal(refund.amount, locale, refund.currency, order);
  const { orderNumber: number } = order;
  const values = { shop: shop.name, name: buyerName(order, locale), amount };
  const words =
    number === null
      ? emailWords(shop, locale, 'refundLate', values)
      : emailWords(shop, locale, 'refund', { ...values, number });
  const kind = t(refund.tip === refund.amount ? 'mail.refund.rowTip' : 'mail.refund.row');
  return renderCustomerEmail({
    shop,
    locale,
    words,
    parts: [
      ...words.greeting,
      ...paragraph(words.text),
      ...merchantNote(refund.customerNote, shop, locale),
      { kind: 'rows', rows: [{ label: kind, amount, strong: true }] },
      { kind: 'text', text: comesBack(refund, order, locale) },
      ...(number === null
        ? []
        : [...words.button(orderUrl(token, shop, locale)), ...receipt(order, clock, shop)]),
    ],
    why: t('mail.why.order', { shop: shop.name }),
  });
}

/** A refund whose receipt was sent has failed. */
export function refundFailedMail(
  { shop, clock }: MailFrame,
  refund: Pick<Refund, 'amount' | 'currency'>,
  order: Order,
  token: string | null,
): RenderedEmail {
  const { locale } = clock;
  const t = translate(locale);
  const amount = formatTotal(refund.amount, locale, refund.currency, order);
  const words = emailWords(shop, locale, 'refundFailed', {
    shop: shop.name,
    name: buyerName(order, locale),
    amount,
  });
  return renderCustomerEmail({
    shop,
    locale,
    words,
    parts: [
      ...words.greeting,
      ...paragraph(words.text),
      ...(order.orderNumber === null
        ? []
        : [...words.button(orderUrl(token, shop, locale)), ...receipt(order, clock, shop)]),
    ],
    why: t('mail.why.order', { shop: shop.name }),
  });
}
