/** Queues emails about an order to its buyer, in the language in which the order was placed, and to the staff. */
import type { Trx } from '#db/database.ts';
import type { OrderMailKind, OutboxService } from '#server/modules/notifications/index.ts';
import { newOrderRecipients } from './new-order-recipients.ts';
import type { OrderHead } from './order.ts';
import type { OrderSettings } from './order-settings.ts';

/** Does nothing without an address. Of several with one `reference` only the first is sent. */
export async function enqueueOrderEmail(
  trx: Trx,
  mail: OutboxService,
  { id, contact, language }: Pick<OrderHead, 'id' | 'contact' | 'language'>,
  kind: OrderMailKind,
  reference = `${kind}:${id}`,
): Promise<void> {
  if (!contact?.email) return;
  await mail.enqueue(trx, { kind, recipient: contact.email, locale: language, data: { orderId: id }, reference });
}

/**
 * Queues one email about a new order for each address of its store's staff. An order that is placed once more, such as by a
 * webhook after the browser, has the same references, so nobody gets a second one.
 */
export async function enqueueNewOrderEmails(
  trx: Trx,
  mail: OutboxService,
  order: Pick<OrderHead, 'id' | 'method' | 'storeId'>,
  { newOrderEmails }: Pick<OrderSettings, 'newOrderEmails'>,
): Promise<void> {
  for (const recipient of newOrderRecipients(order, newOrderEmails)) {
    const reference = `newOrder:${order.id}:${recipient}`;
    await mail.enqueue(trx, {
      kind: 'newOrder',
      recipient,
      locale: newOrderEmails.language,
      data: { orderId: order.id },
      reference,
    });
  }
}
