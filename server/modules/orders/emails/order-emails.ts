/** Queues emails about an order to its buyer, in the language in which the order was placed, and emails and tickets to the staff. */
import type { Trx } from '#db/database.ts';
import type { LineDelta, NewMail, OrderMailKind, OutboxService } from '#server/modules/notifications/index.ts';
import type { Refund } from '#server/modules/payments/index.ts';
import type { OrderHead } from '../order/order.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { findOrder } from '../order/orders.repository.ts';
import { pushLane } from '../tickets/kitchen-tickets.ts';
import { newOrderRecipients } from './new-order-recipients.ts';

type Buyer = Pick<OrderHead, 'id' | 'contact' | 'language'>;

function buyerEmail(
  { id, contact, language }: Buyer,
  kind: OrderMailKind,
  reference: string,
  note = '',
): NewMail<OrderMailKind>[] {
  if (!contact?.email) return [];
  return [{ kind, recipient: contact.email, locale: language, data: { orderId: id, ...(note && { note }) }, reference }];
}

/**
 * Does nothing without an address. Of several of one kind only the first is sent.
 * @param note the merchant's words to the buyer, for kinds that have them; '' for none
 */
export async function enqueueOrderEmail(
  trx: Trx,
  mail: OutboxService,
  order: Buyer,
  { kind, note = '' }: { kind: OrderMailKind; note?: string },
): Promise<void> {
  await mail.enqueue(trx, ...buyerEmail(order, kind, `${kind}:${order.id}`, note));
}

/** What the email about a shipment is known by. */
export const shipmentReference = (shipment: string): string => `orderShipped:${shipment}`;

export async function enqueueShipmentEmail(trx: Trx, mail: OutboxService, order: Buyer, shipment: string): Promise<void> {
  const emails = buyerEmail(order, 'orderShipped', shipmentReference(shipment));
  await mail.enqueue(trx, ...emails.map((email) => ({ ...email, data: { ...email.data, shipment } })));
}

/**
 * Queues the confirmation to the buyer, one email for each address of its store's staff, and a ticket for each of its printers. An order that is placed once more,
 * such as by a webhook after the browser, has the same references, so nobody gets a second one.
 */
export async function enqueuePlacedOrderEmails(
  trx: Trx,
  mail: OutboxService,
  order: Buyer & Pick<OrderHead, 'method' | 'storeId'>,
  { newOrderEmails, ticketPrinters, notices }: Pick<OrderSettings, 'newOrderEmails' | 'ticketPrinters' | 'notices'>,
): Promise<void> {
  const staff = newOrderRecipients(order, newOrderEmails).map((recipient) => ({
    kind: 'newOrder' as const,
    recipient,
    locale: newOrderEmails.language,
    data: { orderId: order.id },
    reference: `newOrder:${order.id}:${recipient}`,
  }));
  await mail.enqueue<OrderMailKind | 'newOrder' | 'kitchenTicket'>(
    trx,
    ...buyerEmail(order, 'orderConfirmation', `order:${order.id}`),
    ...staff,
    ...ticketsOf(order, { newOrderEmails, ticketPrinters, notices }, order.id),
  );
}

/** Queues the receipt of a refund that was sent, to the buyer of its order. */
export async function enqueueRefundEmail(
  trx: Trx,
  mail: OutboxService,
  { id, orderId }: Pick<Refund, 'id' | 'orderId'>,
): Promise<void> {
  const order = await findOrder(trx, orderId);
  if (!order?.contact?.email) return;
  await mail.enqueue(trx, {
    kind: 'refund',
    recipient: order.contact.email,
    locale: order.language,
    data: { orderId, refundId: id },
    reference: `refund:${id}`,
  });
}

/** Queues the email about changed lines to the buyer, and a ticket of them for each printer of the store. */
export async function enqueueChangeEmails(
  trx: Trx,
  mail: OutboxService,
  order: Buyer & Pick<OrderHead, 'method' | 'storeId' | 'version'>,
  change: { lines: readonly LineDelta[]; back: number },
  { newOrderEmails, ticketPrinters }: Pick<OrderSettings, 'newOrderEmails' | 'ticketPrinters'>,
): Promise<void> {
  const { id: orderId, contact, language, version } = order;
  const cause = `${orderId}:${version}`;
  const data = { orderId, ...change };
  if (contact?.email) {
    const to = { recipient: contact.email, locale: language, reference: `orderChanged:${cause}` };
    await mail.enqueue(trx, { kind: 'orderChanged', ...to, data });
  }
  await mail.enqueue(trx, ...ticketsOf(order, { newOrderEmails, ticketPrinters, notices: false }, cause, change.lines));
}

/** A ticket for each printer of the order's store: of the whole order, or of `lines` that changed. And a notice to devices, if wanted. */
function ticketsOf(
  { id: orderId, storeId }: Pick<OrderHead, 'id' | 'storeId'>,
  { newOrderEmails, ticketPrinters, notices }: Pick<OrderSettings, 'newOrderEmails' | 'ticketPrinters' | 'notices'>,
  cause: string,
  lines?: readonly LineDelta[],
): NewMail<'kitchenTicket'>[] {
  return ticketPrinters
    .filter(({ store }) => store === storeId)
    .map(({ lane }) => lane)
    .concat(notices ? [pushLane] : [])
    .map((lane) => ({
      kind: 'kitchenTicket' as const,
      recipient: lane,
      locale: newOrderEmails.language,
      data: { orderId, ...(lines ? { lines } : {}) },
      reference: `kitchenTicket:${cause}:${lane}`,
    }));
}
