/** Composes the email that confirms an order: the items, the price, and the next steps. */
import type { Order } from '#contract/schemas/order.ts';
import { type MailShop, type RenderedEmail, renderEmail } from '#server/modules/notifications/index.ts';
import { translate } from '#server/platform/i18n.ts';
import {
  buyerName,
  locationParts,
  type MailClock,
  type MailStore,
  nextSteps,
  orderButton,
  paymentParts,
  receipt,
} from './order-parts.ts';

/** `token` is that of the link to the order; null without one. */
export function orderConfirmationMail(
  shop: MailShop,
  clock: MailClock,
  order: Order,
  store: MailStore | null,
  token: string | null,
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
      { kind: 'text', text: `${t('confirm.number')} ${number}` },
      { kind: 'heading', text: t('confirm.next') },
      { kind: 'text', text: nextSteps(order, store, clock) },
      ...paymentParts(order, clock),
      ...locationParts(order, store, locale),
      ...receipt(order, clock),
      ...(order.customerComment
        ? ([
            { kind: 'heading', text: t('confirm.note') },
            { kind: 'text', text: order.customerComment },
          ] as const)
        : []),
      ...orderButton(token, shop, locale),
    ],
    why: t('mail.why.order', { shop: shop.name }),
  });
}
