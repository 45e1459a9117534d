/** Composes the email that confirms an order: the items, the price, and the next steps. */
import type { Order } from '#contract/schemas/order.ts';
import { type MailShop, type RenderedEmail, renderEmail } from '#server/modules/notifications/index.ts';
import type { OrderNotes } from '#server/platform/brand.ts';
import { translate } from '#server/platform/i18n.ts';
import {
  buyerName,
  locationParts,
  type MailClock,
  type MailStore,
  nextSteps,
  orderButton,
  orderNumberPart,
  paymentParts,
  receipt,
} from './order-parts.ts';

/** An order with its store, and the clock for its times. */
export interface OrderContext {
  order: Order;
  store: MailStore | null;
  clock: MailClock;
}

interface ConfirmationExtras {
  /** That of the link to the order; null without one. */
  token: string | null;
  notes: OrderNotes | null;
}

export function orderConfirmationMail(
  shop: MailShop,
  { order, store, clock }: OrderContext,
  { token, notes }: ConfirmationExtras,
): RenderedEmail {
  const { locale } = clock;
  const t = translate(locale);
  const number = order.orderNumber ?? '';
  const name = buyerName(order, locale);
  return renderEmail({
    shop,
    locale,
    subject: t('mail.orderConfirmation.subject', { shop: shop.name, number }),
    title: name ? t('confirm.titleNamed', { name }) : t('confirm.title'),
    parts: [
      ...orderNumberPart(order, locale),
      { kind: 'heading', text: t('confirm.next') },
      { kind: 'text', text: nextSteps(order, store, clock) },
      ...paymentParts(order, clock),
      ...orderButton(token, shop, locale),
      ...locationParts(order, store, locale),
      ...receipt(order, clock, shop),
      ...(notes
        ? ([
            { kind: 'heading', text: notes.heading },
            { kind: 'rows', rows: notes.rows },
          ] as const)
        : []),
      ...(order.customerComment
        ? ([
            { kind: 'heading', text: t('confirm.note') },
            { kind: 'text', text: order.customerComment },
          ] as const)
        : []),
    ],
    preview: nextSteps(order, store, clock),
    why: t('mail.why.order', { shop: shop.name }),
  });
}
