/** Imports orders that were placed elsewhere, in another shop or the demo. Does not change stock. */
import { randomUUID } from 'node:crypto';
import type { CheckoutMethod } from '#contract/limits.ts';
import type { Locale, LocalText } from '#contract/locales.ts';
import type { Bill, Contact, OrderState } from '#contract/schemas/order.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { addNote, notesOf } from '#db/notes.ts';
import type { Change } from '#server/modules/changes/index.ts';
import type { ResolvedAddress } from '#server/modules/customers/index.ts';
import { importedReference, insertPayment, type Payment } from '#server/modules/payments/index.ts';
import { insertPlacedOrder } from './customer-orders.repository.ts';
import type { AgreedBill, OrderModifier } from './order.ts';
import { agreedColumns } from './order-lines.repository.ts';
import { addOrderWords } from './order-pages.repository.ts';
import { deleteOrder, findOrder, numbersTaken, orderCounter, raiseOrderNumber } from './orders.repository.ts';

export interface ImportedOrder {
  id: string;
  /** Such as MC-2026-000118; new orders are numbered after it. */
  number: string;
  customerId: string | null;
  language: Locale;
  method: CheckoutMethod;
  storeId: string | null;
  tableNumber: string | null;
  pickupAt: number | null;
  comment: string;
  contact: Contact;
  shippingAddress: ResolvedAddress | null;
  billingAddress: ResolvedAddress | null;
  shippingMethod: string | null;
  /** The provider that took the payment; null: paid at the store. */
  paidBy: string | null;
  tipBasisPoints: number;
  bill: Bill;
  lines: readonly {
    sku: string;
    productId: string;
    quantity: number;
    name: LocalText;
    brand: LocalText | null;
    optionPairs: string;
    optionText: LocalText;
    /** Cents. */
    unitPrice: number;
    /** Left out for none. */
    modifiers?: readonly OrderModifier[];
    note?: string;
    taxClass: string;
    image: string | null;
  }[];
  placedAt: number;
  /** Its states in order, starting with placed. The last is its current state. */
  states: readonly { state: OrderState; at: number }[];
}

/** Adds orders, each in one transaction. An existing id is skipped. */
export async function importOrders(db: Database, imported: readonly ImportedOrder[]): Promise<void> {
  for (const order of imported) {
    await db.transaction(async (trx) => {
      if (!(await insertImported(trx, order))) return;
      await raiseOrderNumber(trx, orderCounter, Number(/(\d{1,15})$/.exec(order.number)?.[1] ?? 0));
      if (order.paidBy !== null) await insertPayment(trx, importedPayment(order, order.paidBy));
    });
  }
}

/** False if its id or its number is taken. */
async function insertImported(trx: Trx, order: ImportedOrder): Promise<boolean> {
  if (!(await insertPlacedOrder(trx, orderRow(order), lineRows(order), stateRows(order)))) return false;
  await addOrderWords(trx, { ...order, shippingContact: null });
  return true;
}

const jsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value));

function orderRow(order: ImportedOrder) {
  const last = order.states.at(-1) ?? { state: 'placed' as const, at: order.placedAt };
  const agreed: AgreedBill = { ...order.bill, shippingMethod: order.shippingMethod };
  return {
    id: order.id,
    order_number: order.number,
    session_hash: null,
    customer_id: order.customerId,
    state: last.state,
    version: order.states.length + 1,
    language: order.language,
    method: order.method,
    store_id: order.storeId,
    table_number: order.tableNumber,
    pickup_at: order.pickupAt,
    customer_comment: order.comment,
    contact: JSON.stringify(order.contact),
    shipping_contact: order.method === 'shipping' ? JSON.stringify(order.contact) : null,
    shipping_address: jsonOrNull(order.shippingAddress),
    billing_address: jsonOrNull(order.billingAddress),
    shipping_method: order.shippingMethod,
    pay_at_store: order.paidBy === null ? (1 as const) : (0 as const),
    coupon_code: order.bill.couponCode,
    tip_basis_points: order.tipBasisPoints,
    bill: JSON.stringify(agreed),
    bill_version: order.bill.billVersion,
    total_cents: order.bill.total,
    currency: order.bill.currency,
    created_at: order.placedAt,
    updated_at: last.at,
    placed_at: order.placedAt,
  };
}

function lineRows({ id, lines }: ImportedOrder) {
  return lines.map((line, index) => ({
    id: randomUUID(),
    order_id: id,
    // Nothing is added to it, so it only has to be unique in the order.
    identity: `${line.sku}#${index}`,
    note: line.note ?? '',
    sku: line.sku,
    product_id: line.productId,
    quantity: line.quantity,
    position: index + 1,
    ...agreedColumns({ modifiers: [], ...line }),
  }));
}

function stateRows({ id, states }: ImportedOrder) {
  return states.map(({ state, at }, index) => ({
    order_id: id,
    version: index + 2,
    from_state: states[index - 1]?.state ?? 'cart',
    to_state: state,
    at,
    reason: 'imported',
  }));
}

function importedPayment(order: ImportedOrder, provider: string): Payment {
  return {
    id: `${importedReference}${order.id}`,
    orderId: order.id,
    provider,
    kind: null,
    rounding: 0,
    takenBy: null,
    reference: `${importedReference}${order.id}`,
    number: null,
    providerId: null,
    amount: order.bill.total,
    tip: order.bill.tip,
    currency: order.bill.currency,
    locale: order.language,
    state: 'succeeded',
    failure: null,
    waitsSince: null,
    refunded: 0,
    refundedTip: 0,
    createdAt: order.placedAt,
    orderNumber: order.number,
    shipTo: null,
    contact: order.contact,
  };
}

/**
 * Orders of another shop. They are over: nothing was paid for them here, so nothing is due and nothing can be refunded, and no step of
 * theirs is taken back. A `#` before the number, which no order of this shop has, tells them apart.
 */
export interface WrittenOrder {
  id: string;
  /** The last before it is changed here, such as by an erasure. */
  version: number;
  notes: number;
}

/** Such as `#1001`, by the name that the other shop gave it. */
export const archivedNumber = (name: string) => `#${name.replace(/^#+/, '').toUpperCase()}`;

export type OrderArchive = ReturnType<typeof createOrderArchive>;

export function createOrderArchive({ now }: { now: () => number }) {
  return {
    /** Those that are there, also as orders of this shop: its own export may come back. */
    async known(reader: Reader, numbers: readonly string[]): Promise<ReadonlySet<string>> {
      const own = (number: string) => number.slice(1);
      const taken = new Set(await numbersTaken(reader, [...numbers, ...numbers.map(own)]));
      return new Set(numbers.filter((number) => taken.has(number) || taken.has(own(number))));
    },

    /** `text` is a note for the staff, or ''. Null if the number is taken. */
    async add({ trx, note }: Change, order: ImportedOrder, text: string): Promise<WrittenOrder | null> {
      if (!(await insertImported(trx, order))) return null;
      if (text !== '') await addNote(trx, 'order', order.id, { actor: null, text, at: now() });
      note('order', order.number);
      return { id: order.id, version: order.states.length + 1, notes: text === '' ? 0 : 1 };
    },

    /** False if somebody has changed it since, or written about it. */
    async remove({ trx, note }: Change, { id, version, notes }: WrittenOrder): Promise<boolean> {
      const order = await findOrder(trx, id);
      if (!order || order.version !== version || (await notesOf(trx, 'order', id)).length > notes)
        return false;
      await deleteOrder(trx, id);
      note('order', order.number ?? '');
      return true;
    },
  };
}
