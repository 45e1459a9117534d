/** Queues emails about an order to its buyer, in the language in which the order was placed, and emails and tickets to the staff. */
import { sellsAt } from '#contract/rules/method.ts';
import type { Trx } from '#db/database.ts';
import type {
  CustomerChange,
  LineDelta,
  NewMail,
  OrderMailKind,
  OutboxService,
} from '#server/modules/notifications/index.ts';
import type { Refund } from '#server/modules/payments/index.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';
import type { Store } from '#server/modules/stores/index.ts';
import { type NewOrderEmails, newOrderEmailsOf } from '../order/new-order-emails.ts';
import type { OrderHead } from '../order/order.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { findOrder } from '../order/orders.repository.ts';
import type { ShippedLine } from '../order/shipments.repository.ts';

/** The lane of notices; stores have no spaces in their ids. */
export const pushLane = 'web push';
/** What is kept as the answer of a printer that has no paper. */
export const noPaper = 'no paper';

type Buyer = Pick<OrderHead, 'id' | 'contact' | 'language'>;

function buyerEmail(
  { id, contact, language }: Buyer,
  kind: OrderMailKind,
  reference: string,
  note = '',
): NewMail<OrderMailKind>[] {
  if (!contact?.email) return [];
  return [
    {
      kind,
      recipient: contact.email,
      locale: language,
      data: { orderId: id, ...(note && { note }) },
      reference,
    },
  ];
}

/** Does nothing without an address. Of several of one kind only the first is sent. */
export async function enqueueOrderEmail(
  trx: Trx,
  mail: OutboxService,
  order: Buyer,
  { kind }: { kind: OrderMailKind },
): Promise<void> {
  await mail.enqueue(trx, ...buyerEmail(order, kind, `${kind}:${order.id}`));
}

/** `back`: what goes back the way it was paid, cents. `units`: what is not sent any more, of an order that was partly shipped. */
export async function enqueueCancelledEmail(
  trx: Trx,
  mail: OutboxService,
  order: Buyer,
  { note, back, units }: { note: string; back: number; units?: readonly ShippedLine[] | undefined },
): Promise<void> {
  const emails = buyerEmail(order, 'orderCancelled', `orderCancelled:${order.id}`, note);
  await mail.enqueue(
    trx,
    ...emails.map((email) => ({ ...email, data: { ...email.data, back, ...(units ? { units } : {}) } })),
  );
}

/** What the email about a shipment is known by. */
export const shipmentReference = (shipment: string): string => `orderShipped:${shipment}`;

export async function enqueueShipmentEmail(
  trx: Trx,
  mail: OutboxService,
  order: Buyer,
  shipment: string,
): Promise<void> {
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
  {
    newOrderEmails,
    ticketPrinters,
    notices,
  }: Pick<OrderSettings, 'newOrderEmails' | 'ticketPrinters' | 'notices'>,
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

/** Queues the receipt of a refund that was sent, or that it failed afterwards, to the buyer of its order. */
export async function enqueueRefundEmail(
  trx: Trx,
  mail: OutboxService,
  { id, orderId }: Pick<Refund, 'id' | 'orderId'>,
  kind: 'refund' | 'refundFailed' = 'refund',
): Promise<void> {
  const order = await findOrder(trx, orderId);
  if (!order?.contact?.email) return;
  await mail.enqueue(trx, {
    kind,
    recipient: order.contact.email,
    locale: order.language,
    data: { orderId, refundId: id },
    reference: `${kind}:${id}`,
  });
}

/** Tells the buyer that the money of a payment, `amount` cents, did not come, so that it is due again. */
export async function enqueueUncollectedEmail(
  trx: Trx,
  mail: OutboxService,
  { id: orderId, contact, language }: Buyer,
  payment: { id: string; amount: number },
): Promise<void> {
  if (!contact?.email) return;
  const to = { recipient: contact.email, locale: language, reference: `paymentUncollected:${payment.id}` };
  await mail.enqueue(trx, { kind: 'paymentUncollected', ...to, data: { orderId, amount: payment.amount } });
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
  await mail.enqueue(
    trx,
    ...ticketsOf(order, { newOrderEmails, ticketPrinters, notices: false }, cause, { lines: change.lines }),
  );
}

type ToStaff = Pick<OrderSettings, 'newOrderEmails' | 'ticketPrinters' | 'notices'>;

/** Tells the store, by email, ticket and notice, of what a customer changed, and the customer that a pickup was moved. */
export async function enqueueCustomerChange(
  trx: Trx,
  mail: OutboxService,
  order: Buyer & Pick<OrderHead, 'method' | 'storeId' | 'version' | 'pickupAt'>,
  what: CustomerChange,
  settings: ToStaff,
): Promise<void> {
  const { id: orderId, contact, language, version, pickupAt } = order;
  const cause = `${what}:${orderId}:${version}`;
  const staff = newOrderRecipients(order, settings.newOrderEmails).map((recipient) => ({
    kind: 'changedByCustomer' as const,
    recipient,
    locale: settings.newOrderEmails.language,
    data: { orderId, what },
    reference: `changedByCustomer:${cause}:${recipient}`,
  }));
  await mail.enqueue(trx, ...staff);
  await mail.enqueue(trx, ...ticketsOf(order, settings, cause, { what }));
  // Of a cancelled order, the customer is told as of any other.
  if (what === 'moved' && contact?.email && pickupAt !== null)
    await mail.enqueue(trx, {
      kind: 'pickupMoved',
      recipient: contact.email,
      locale: language,
      data: { orderId, pickupAt },
      reference: `pickupMoved:${cause}`,
    });
}

/** What receipts of an order's later payments are known by, before the id of each. */
export const receiptsReference = (orderId: string): string => `paymentReceived:${orderId}`;

/** Queues the receipt of a payment that was made for an order after it was placed. `amount` in cents. */
export async function enqueuePaymentReceipt(
  trx: Trx,
  mail: OutboxService,
  { id: orderId, contact, language }: Buyer,
  { id, amount, rounding = 0 }: { id: string; amount: number; rounding?: number },
): Promise<void> {
  if (!contact?.email) return;
  await mail.enqueue(trx, {
    kind: 'paymentReceived',
    recipient: contact.email,
    locale: language,
    data: { orderId, amount, ...(rounding === 0 ? {} : { rounding }) },
    reference: `${receiptsReference(orderId)}@${id}`,
  });
}

/**
 * A ticket for each printer of the order's store: of the whole order, of `lines` that changed, or of what its customer did. And a notice
 * to devices, if wanted.
 */
function ticketsOf(
  { id: orderId, storeId }: Pick<OrderHead, 'id' | 'storeId'>,
  { newOrderEmails, ticketPrinters, notices }: ToStaff,
  cause: string,
  about: { lines?: readonly LineDelta[]; what?: CustomerChange } = {},
): NewMail<'kitchenTicket'>[] {
  return ticketPrinters
    .filter(({ store }) => store === storeId)
    .map(({ lane }) => lane)
    .concat(notices ? [pushLane] : [])
    .map((lane) => ({
      kind: 'kitchenTicket' as const,
      recipient: lane,
      locale: newOrderEmails.language,
      data: { orderId, ...about },
      reference: `kitchenTicket:${cause}:${lane}`,
    }));
}

/** The addresses that are told of an order, each once; empty if nobody is. */
function newOrderRecipients(
  { method, storeId }: Pick<OrderHead, 'method' | 'storeId'>,
  { byStore, otherwise }: NewOrderEmails,
): readonly string[] {
  if (method === null || storeId === null) return otherwise;
  return byStore.get(storeId) ?? otherwise;
}

export interface NewOrderEmailFindings {
  /** Who is told of which orders, such as `orders at main-street: kitchen@shop.example`. */
  told: string[];
  /** Orders that nobody is told of, though the merchant did not switch their emails off. */
  untold: string[];
  /** Emails that the merchant has switched off. */
  off: string[];
}

/** Checks, for `doctor`, that somebody is told of every order that the shop can take. */
export function newOrderEmailFindings(
  settings: ShopSettings,
  stores: readonly Store[],
): NewOrderEmailFindings {
  const { newOrderEmails, checkoutConfig } = settings;
  const findings: NewOrderEmailFindings = { told: [], untold: [], off: [] };
  if (!newOrderEmails.enabled) {
    findings.off.push('nobody is told of new orders, because the setting newOrderEmails.enabled is off');
    return findings;
  }
  const { byStore, otherwise } = newOrderEmailsOf(settings, stores);
  const main = stores.find(({ mainStore }) => mainStore)?.id;
  const check = (orders: string, recipients: readonly string[], store: string | undefined) => {
    if (recipients.length > 0) findings.told.push(`${orders}: ${recipients.join(', ')}`);
    else if (store !== undefined && Object.hasOwn(newOrderEmails.addresses, store))
      findings.off.push(
        `nobody is told of ${orders}, because newOrderEmails.addresses has an empty list for ${store}`,
      );
    else
      findings.untold.push(
        `nobody is told of ${orders}. Set newOrderEmails.addresses, the store's email or contactEmail`,
      );
  };
  for (const store of stores.filter((each) => sellsAt({ ...each, localStoreName: each.id }, checkoutConfig)))
    check(`orders at ${store.id}`, byStore.get(store.id) ?? [], store.id);
  if (checkoutConfig.domesticShippingEnabled) check('orders to ship', otherwise, main);
  const known = new Set(stores.map(({ id }) => id));
  for (const id of Object.keys(newOrderEmails.addresses))
    if (!known.has(id)) findings.untold.push(`newOrderEmails.addresses names ${id}, which is not a store`);
  return findings;
}
