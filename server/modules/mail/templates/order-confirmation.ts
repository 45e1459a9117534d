/** The mail that confirms an order: what was ordered, what it costs, and what happens next. */
import { inLocale, type Locale, type LocalText, locales } from '#contract/locales.ts';
import type { Address, Order } from '#contract/schemas/order.ts';
import { translate } from '#server/messages.ts';
import type { Part } from '../letter.ts';
import type { ComposedMail } from '../mailer.ts';
import { mailWords } from '../words.ts';
import { button, framed, type MailShop, pageUrl } from './frame.ts';

type PostalAddress = Pick<Address, 'streetNumberAndNameDetails' | 'city' | 'province' | 'postCode' | 'country'>;

/** Where the order is fetched or served. */
export interface MailStore {
  name: LocalText;
  address: PostalAddress;
  phone: string;
  timeZone: string;
}

export function orderConfirmationMail(shop: MailShop, locale: Locale, order: Order, store: MailStore | null): ComposedMail {
  const t = translate(locale);
  const words = mailWords[locale];
  const number = order.orderNumber ?? '';
  const name =
    locale === 'zh'
      ? `${order.orderContact?.lastName ?? ''}${order.orderContact?.firstName ?? ''}`
      : (order.orderContact?.firstName ?? '');
  return framed({
    shop,
    locale,
    subject: words.orderConfirmation.subject(shop.name, number),
    title: name ? t('confirm.titleNamed', { name }) : t('confirm.title'),
    parts: [
      { kind: 'text', text: `${t('confirm.number')} ${number}` },
      { kind: 'heading', text: t('confirm.next') },
      { kind: 'text', text: nextOf(order, store, locale) },
      ...paymentOf(order, locale),
      ...placeOf(order, store, locale),
      { kind: 'heading', text: t('confirm.bill') },
      { kind: 'rows', rows: linesOf(order, locale) },
      { kind: 'rows', rows: billOf(order, locale) },
      ...(order.customerComment
        ? ([
            { kind: 'heading', text: t('confirm.note') },
            { kind: 'text', text: order.customerComment },
          ] as const)
        : []),
      ...button(
        words.orderConfirmation.action,
        pageUrl(shop, locale, `/cart/confirm?oid=${encodeURIComponent(order.orderID ?? '')}`),
      ),
    ],
    why: words.why.order(shop.name),
  });
}

function nextOf(order: Order, store: MailStore | null, locale: Locale): string {
  const t = translate(locale);
  if (order.method === 'instore') return t('confirm.instore.next', { table: order.tableNumber ?? '' });
  if (order.method !== 'pickup' || !store) return t('confirm.shipping.nextPlain');
  const values = { store: inLocale(store.name, locale) };
  if (order.pickupDate === null) return t('confirm.pickup.nextNoTime', values);
  const format = new Intl.DateTimeFormat(locales[locale].tag, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: store.timeZone,
  });
  return t('confirm.pickup.next', { ...values, when: format.format(order.pickupDate) });
}

function paymentOf(order: Order, locale: Locale): Part[] {
  const t = translate(locale);
  const amount = money(order.bill.total, order.bill.currency, locale);
  if (order.payment?.method !== 'payAtStore') return [{ kind: 'text', text: t('confirm.paid', { amount }) }];
  return [
    { kind: 'text', text: t(order.method === 'instore' ? 'confirm.payStore.instore' : 'confirm.payStore.pickup', { amount }) },
  ];
}

function placeOf(order: Order, store: MailStore | null, locale: Locale): Part[] {
  const t = translate(locale);
  if (order.method === 'shipping' && order.shippingAddress) {
    const { firstName = '', lastName = '' } = order.shippingContact ?? {};
    const who = locale === 'zh' ? `${lastName}${firstName}` : `${firstName} ${lastName}`.trim();
    return [
      { kind: 'heading', text: t('confirm.shipping.to') },
      { kind: 'text', text: [who, ...addressLines(order.shippingAddress)].filter(Boolean).join('\n') },
    ];
  }
  if (!store) return [];
  return [
    { kind: 'heading', text: t('confirm.pickup.at') },
    {
      kind: 'text',
      text: [inLocale(store.name, locale), ...addressLines(store.address), store.phone].filter(Boolean).join('\n'),
    },
  ];
}

function addressLines({ streetNumberAndNameDetails, city, province, postCode, country }: PostalAddress): string[] {
  return [streetNumberAndNameDetails, [city, province, postCode].filter(Boolean).join(', '), country];
}

function linesOf({ lineItems, bill }: Order, locale: Locale) {
  return lineItems.map(({ nameContent, optionText, quantity, lineTotal }) => ({
    label: `${quantity} × ${inLocale(nameContent, locale)}`,
    ...(optionText ? { note: optionText } : {}),
    amount: money(lineTotal, bill.currency, locale),
  }));
}

function billOf({ bill, method }: Order, locale: Locale) {
  const t = translate(locale);
  const amount = (cents: number) => money(cents, bill.currency, locale);
  return [
    { label: t('bill.subtotal'), amount: amount(bill.subtotal) },
    ...(bill.discount > 0
      ? [
          {
            label: bill.couponCode ? t('bill.discountCode', { code: bill.couponCode }) : t('bill.discount'),
            amount: `−${amount(bill.discount)}`,
          },
        ]
      : []),
    ...(method === 'shipping'
      ? [{ label: t('bill.shipping'), amount: bill.shipping === 0 ? t('bill.free') : amount(bill.shipping) }]
      : []),
    ...bill.taxLines.map(({ label, amount: cents }) => ({ label, amount: amount(cents) })),
    ...(bill.tip > 0 ? [{ label: t('bill.tip'), amount: amount(bill.tip) }] : []),
    { label: t('bill.total'), amount: amount(bill.total), strong: true },
  ];
}

function money(cents: number, currency: string, locale: Locale): string {
  return new Intl.NumberFormat(locales[locale].tag, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
    cents / 100,
  );
}
