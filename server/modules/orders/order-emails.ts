/** Queues emails to an order's buyer, in the language in which the order was placed. */
import type { Trx } from '#db/database.ts';
import type { OrderMailKind, OutboxService } from '#server/modules/notifications/index.ts';
import type { OrderHead } from './order.ts';

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
