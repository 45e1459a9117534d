/** Operations on customers' orders other than placing them. */
import type { Locale } from '#contract/locales.ts';
import { cashBackOf } from '#contract/rules/refund-parts.ts';
import type { OrderBrief } from '#contract/schemas/account.ts';
import type { Address, Contact, Order } from '#contract/schemas/order.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { deleteNotes, notesOf } from '#db/notes.ts';
import type { ResolvedAddress } from '#server/modules/customers/index.ts';
import { findPaymentById, findRefund, type Refund } from '#server/modules/payments/index.ts';
import { storesIn } from '#server/modules/stores/index.ts';
import { AppError } from '#server/platform/errors.ts';
import {
  allOrdersOf,
  assignOrdersToCustomer,
  deleteCart,
  deleteLineNotes,
  guestOrdersOf,
  isOutstanding,
  moveSessionOrders,
  ordersToAnonymize,
  placedBy,
  placedOrdersOf,
} from './customer-orders.repository.ts';
import type { OrderHead } from './order.ts';
import { endedStates, isEnded } from './order.ts';
import { revokeOrderLinks } from './order-links.repository.ts';
import { cashStepOf } from './order-money.ts';
import { writeOrderWords } from './order-pages.repository.ts';
import { findOrder, nobody, type OrderChange, updateOrder } from './orders.repository.ts';

/** An order and its owner: null for a guest's. */
export interface OwnedOrder {
  order: Order;
  customerId: string | null;
}

/** By then it is known whether money arrives for an expired order, or it never will be. */
const undecidedMs = 30 * 24 * 60 * 60_000;
/** More orders than any customer has. */
const mostExported = 10_000;

export interface CustomerOrdersDeps {
  db: Database;
  now: () => number;
  view(reader: Reader, order: OrderHead, locale: Locale): Promise<Order>;
  wholeView(reader: Reader, order: OrderHead, locale: Locale): Promise<Order>;
}

export type CustomerOrders = ReturnType<typeof createCustomerOrders>;

export function createCustomerOrders({ db, now, view, wholeView }: CustomerOrdersDeps) {
  async function whole(customerId: string, from: number, count: number, locale: Locale): Promise<Order[]> {
    const heads = await placedOrdersOf(db.read, customerId, from, count);
    return Promise.all(heads.map((head) => view(db.read, head, locale)));
  }

  return {
    async list(customerId: string, from: number, count: number, locale: Locale): Promise<OrderBrief[]> {
      const orders = await whole(customerId, from, count, locale);
      return orders.map((order) => ({ ...order, total: order.bill.total, currency: order.bill.currency }));
    },
    placedBy: (customerIds: readonly string[], stores: ReadonlySet<string> | null) =>
      placedBy(db.read, customerIds, stores),
    /** With what staff wrote about them. */
    all: async (customerId: string, locale: Locale): Promise<Order[]> =>
      withNotes(db.read, await whole(customerId, 0, mostExported, locale)),
    /** A placed order for an email about it; null if there is none. */
    async forMail(orderId: string, locale: Locale): Promise<OwnedOrder | null> {
      const order = await findOrder(db.read, orderId);
      return order?.placedAt == null
        ? null
        : { order: await wholeView(db.read, order, locale), customerId: order.customerId };
    },
    /** A refund for the email about it, with its order, which may never have been placed. */
    async refundForMail(
      refundId: string,
      locale: Locale,
    ): Promise<(OwnedOrder & { refund: Refund & { cash: number | null } }) | null> {
      const refund = await findRefund(db.read, refundId);
      const order = refund && (await findOrder(db.read, refund.orderId));
      if (!order) return null;
      const payment = await findPaymentById(db.read, refund.paymentId);
      const step = cashStepOf(order, await storesIn(db.read));
      const cash = cashBackOf(refund.amount, payment?.kind ?? null, step);
      return {
        refund: { ...refund, cash },
        order: await wholeView(db.read, order, locale),
        customerId: order.customerId,
      };
    },
    /** Moves the carts and orders of a session to its new hash. */
    moveSession: moveSessionOrders,
    /** Assigns the orders placed in a session to a customer. */
    assignSessionOrders: assignOrdersToCustomer,
    /**
     * Detaches orders from a customer whose account is deleted. Placed orders keep what bookkeeping needs: number, items,
     * amounts, names and addresses; an order that has not ended keeps its buyer's contact until it does. Links to it are revoked.
     * @throws {AppError} CONFLICT while a payment is under way
     */
    async detachFromCustomer(trx: Trx, customerId: string): Promise<void> {
      for (const order of await allOrdersOf(trx, customerId)) await detach(trx, order, now());
    },
    /** Orders that guests placed with this contact email, in full, latest first. */
    async ofGuest(email: string, locale: Locale): Promise<Order[]> {
      const heads = (await guestOrdersOf(db.read, email)).filter(({ placedAt }) => placedAt !== null);
      return withNotes(db.read, await Promise.all(heads.map((head) => view(db.read, head, locale))));
    },
    /**
     * Detaches orders from a guest, as `detachFromCustomer` does from a customer. Returns how many.
     * @throws {AppError} CONFLICT while a payment is under way
     */
    async releaseGuest(trx: Trx, email: string): Promise<number> {
      const heads = await guestOrdersOf(trx, email);
      for (const order of heads) await detach(trx, order, now());
      return heads.length;
    },
    /** Deletes the contacts that detached orders kept, once the orders have ended and no money is outstanding. */
    async anonymizeEnded(): Promise<void> {
      for (const order of await ordersToAnonymize(db.read, endedStates, now() - undecidedMs)) {
        await db.transaction((trx) => forgetBuyer(trx, order));
      }
    },
  };
}

async function forgetBuyer(trx: Trx, order: OrderHead): Promise<void> {
  await deleteNotesOn(trx, order.id);
  await changeBuyer(trx, order.id, { ...anonymized(order), forget: 0 });
}

async function withNotes(db: Reader, orders: readonly Order[]): Promise<Order[]> {
  return Promise.all(
    orders.map(async (order) => {
      const staffNotes = (await notesOf(db, 'order', order.orderID ?? '')).map(({ text, at }) => ({
        text,
        at,
      }));
      return staffNotes.length > 0 ? { ...order, staffNotes } : order;
    }),
  );
}

/** Detaches an order from its buyer. A cart is deleted. @throws {AppError} CONFLICT while it is being paid */
async function detach(trx: Trx, order: OrderHead, at: number): Promise<void> {
  if (order.state === 'paying') throw new AppError('CONFLICT', { errorKey: 'account.delete.paying' });
  if (order.state === 'cart' && (await deleteCart(trx, order.id))) return;
  const through = isEnded(order.state) && !(await isOutstanding(trx, order.id, at - undecidedMs));
  const left: OrderChange = order.state === 'cart' ? nobody : through ? anonymized(order) : { forget: 1 };
  if (left.forget !== 1) await deleteNotesOn(trx, order.id);
  await revokeOrderLinks(trx, order.id, at);
  await changeBuyer(trx, order.id, { customer_id: null, session_hash: null, ...left });
}

/** What the buyer typed on the lines of an order, and what staff wrote about it. Before its words are written anew. */
async function deleteNotesOn(trx: Trx, orderId: string): Promise<void> {
  await deleteLineNotes(trx, orderId);
  await deleteNotes(trx, 'order', orderId);
}

/** What is deleted of a buyer finds the order no longer. */
async function changeBuyer(trx: Trx, orderId: string, change: OrderChange): Promise<void> {
  const order = await updateOrder(trx, orderId, change);
  if (order?.placedAt != null) await writeOrderWords(trx, order);
}

/** The order without the data that only served to contact its buyer. */
function anonymized({ contact, shippingContact, shippingAddress, billingAddress }: OrderHead) {
  const person = (one: Contact | null) =>
    one && JSON.stringify({ ...one, phoneNumber: '', email: '' } satisfies Contact);
  const place = (one: ResolvedAddress | null) =>
    one && JSON.stringify({ ...one, addressDescription: '', contactPhone: '' } satisfies Address);
  return {
    customer_comment: '',
    contact: person(contact),
    shipping_contact: person(shippingContact),
    shipping_address: place(shippingAddress),
    billing_address: place(billingAddress),
  };
}
