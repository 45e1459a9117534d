/** The parts of emails about an order: recipient, lines, bill, payment and destination. */
import { addressLines, type PostalAddress, receiverLines } from '#contract/addresses.ts';
import { billRows, isSum, shareOf } from '#contract/bill-rows.ts';
import { dateFormat, formatMoney, formatTotal } from '#contract/formatters.ts';
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { fittingUrl } from '#contract/media.ts';
import { addressedName } from '#contract/names.ts';
import { paidMessages } from '#contract/payment-providers.ts';
import type { Order } from '#contract/schemas/order.ts';
import { type EmailPart, type MailShop, pageUrl } from '#server/modules/notifications/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { minuteMs } from '#server/platform/time-zone.ts';

export interface MailStore {
  name: LocalText;
  address: PostalAddress;
  phone: string;
  timeZone: string;
}

/** The locale and time zone for times in an email: those of the order's location. */
export interface MailClock {
  locale: Locale;
  timeZone: string;
}

/** Who writes an email, in which language and time zone. */
export interface MailFrame {
  shop: MailShop;
  clock: MailClock;
}

/** A weekday, date and time in the clock's time zone. */
export function dayTime(at: number, { locale, timeZone }: MailClock): string {
  const format = dateFormat(locale, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    // The 24-hour clock in every language, as on the pages.
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  return format.format(at);
}

/** A date and time that fits half of a narrow ticket, such as "Nov 30, 14:30". */
export function briefTime(at: number, { locale, timeZone }: MailClock): string {
  const options = {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const;
  return dateFormat(locale, { ...options, timeZone }).format(at);
}

/** A day of the calendar, YYYY-MM-DD, such as "Mon, Nov 30". */
export function calendarDay(date: string, locale: Locale): string {
  return dateFormat(locale, { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(date),
  );
}

/** When a store that delivers itself promised to be at the door, epoch ms; null for other orders. */
export function deliverBy({ placedAt, deliveryMinutes }: Order): number | null {
  return placedAt === null || deliveryMinutes === undefined ? null : placedAt + deliveryMinutes * minuteMs;
}

/** The buyer's display name, or '' if they gave none. */
export function buyerName({ orderContact }: Order, locale: Locale): string {
  return orderContact ? addressedName(orderContact, translate(locale)) : '';
}

/** The number of an order, its last group in large digits as on its ticket. */
export function orderNumberPart({ orderNumber }: Order, locale: Locale): EmailPart[] {
  if (orderNumber === null) return [];
  const label = translate(locale)('confirm.number');
  return [{ kind: 'number', label, large: orderNumber.split('-').at(-1) ?? orderNumber, whole: orderNumber }];
}

/** The lines with their pictures, and the bill with refunds. */
export function receipt(order: Order, clock: MailClock, shop: MailShop): EmailPart[] {
  return [
    { kind: 'heading', text: translate(clock.locale)('confirm.bill') },
    { kind: 'rows', rows: lineParts(order, clock.locale, shop) },
    { kind: 'rows', rows: billParts(order, clock) },
  ];
}

/** The page of the order; null without a token. */
export function orderUrl(token: string | null, shop: MailShop, locale: Locale): string | null {
  return token === null ? null : pageUrl(shop, locale, `/order/${token}`);
}

export function nextSteps(order: Order, store: MailStore | null, clock: MailClock): string {
  const { locale } = clock;
  const t = translate(locale);
  if (order.method === 'instore') return t('confirm.instore.next', { table: order.tableNumber ?? '' });
  const by = deliverBy(order);
  if (by !== null) return t('confirm.delivery.about', { time: dayTime(by, clock) });
  if (order.method !== 'pickup' || !store) return t('confirm.shipping.nextPlain');
  const values = { store: inLocale(store.name, locale) };
  if (order.pickupDate === null) return t('confirm.pickup.nextNoTime', values);
  return t('confirm.pickup.next', { ...values, when: dayTime(order.pickupDate, clock) });
}

/** The expiry of a reservation; empty for other orders. */
export function holdNotice({ reservedUntil }: Order, clock: MailClock): EmailPart[] {
  if (reservedUntil === undefined) return [];
  return [
    {
      kind: 'text',
      text: translate(clock.locale)('confirm.keptUntil', { when: dayTime(reservedUntil, clock) }),
    },
  ];
}

export function paymentParts(order: Order, clock: MailClock): EmailPart[] {
  const { locale } = clock;
  const t = translate(locale);
  if (order.bill.total === 0) return [{ kind: 'text', text: t('confirm.free') }];
  if (order.dueVersion !== undefined) {
    const due = formatTotal(order.due ?? 0, locale, order.bill.currency, order);
    return [{ kind: 'text', text: t('mail.order.due', { amount: due }) }];
  }
  if (order.payment?.method !== 'payAtStore') {
    const total = formatTotal(order.bill.total, locale, order.bill.currency, order);
    return [{ kind: 'text', text: t(paidMessages(order.payment?.method ?? '').confirm, { amount: total }) }];
  }
  if (order.due === 0) return [];
  const amount = formatTotal(order.due ?? order.bill.total, locale, order.bill.currency, order);
  return [
    {
      kind: 'text',
      text: t(order.method === 'instore' ? 'confirm.payStore.instore' : 'confirm.payStore.pickup', {
        amount,
      }),
    },
    ...holdNotice(order, clock),
  ];
}

export function locationParts(order: Order, store: MailStore | null, locale: Locale): EmailPart[] {
  const t = translate(locale);
  if (order.method === 'shipping' && order.shippingAddress) {
    const text = receiverLines({ ...order, contact: order.orderContact }).join('\n');
    return [{ kind: 'card', title: t('confirm.shipping.to'), text }];
  }
  if (!store) return [];
  return [
    {
      kind: 'card',
      title: t('confirm.pickup.at'),
      text: [inLocale(store.name, locale), ...addressLines(store.address), store.phone]
        .filter(Boolean)
        .join('\n'),
    },
  ];
}

/** The width of the pictures for screens of twice the density: they are shown at 64 px. */
const pictureWidth = 160;

function lineParts({ lineItems, bill }: Order, locale: Locale, { publicUrl }: MailShop) {
  const t = translate(locale);
  const off = (line: string) => {
    const share = shareOf(bill, line);
    if (share === 0) return '';
    return t('bill.lineDiscount', {
      amount: formatMoney(share, locale, bill.currency),
      code: bill.coupon?.code ?? '',
    });
  };
  return lineItems.map(({ id, nameContent, optionText, modifierText, note, quantity, lineTotal, image }) => ({
    ...(image && publicUrl !== null ? { picture: publicUrl + fittingUrl(image, pictureWidth) } : {}),
    label: `${quantity} × ${inLocale(nameContent, locale)}`,
    ...noteOf(optionText, modifierText, note && t('mail.lineNote', { note }), off(id)),
    amount: formatMoney(lineTotal, locale, bill.currency),
  }));
}

function noteOf(...texts: string[]) {
  const note = texts.filter(Boolean).join(' · ');
  return note ? { note } : {};
}

/** The same rows as on the screens. */
function billParts(order: Order, { locale, timeZone }: MailClock) {
  const t = translate(locale);
  const day = dateFormat(locale, { dateStyle: 'medium', timeZone });
  const { bill, method } = order;
  const amount = (cents: number, sums: boolean) =>
    sums ? formatTotal(cents, locale, bill.currency, order) : formatMoney(cents, locale, bill.currency);
  return billRows(bill, { method, settled: order }).map(({ kind, label, cents, word, note, at }) => ({
    label: 'text' in label ? inLocale(label.text, locale) : t(label.key, label.values),
    ...(note ? { note: inLocale(note.text, locale) } : {}),
    ...(at === undefined ? {} : { note: day.format(at) }),
    amount: word ? t(word) : cents === null ? '' : amount(cents, isSum(kind)),
    ...(isSum(kind) ? { strong: true } : {}),
  }));
}
