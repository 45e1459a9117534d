/** An order inside the server. Money in cents, times in epoch milliseconds. */
import type { CheckoutMethod } from '#contract/limits.ts';
import type { Locale, LocalText } from '#contract/locales.ts';
import type { Bill, Contact, OrderState } from '#contract/schemas/order.ts';
import type { ResolvedAddress } from '#server/modules/customers/index.ts';
import { warehouse } from '#server/modules/inventory/index.ts';

/** A bill as agreed, with the shipping method it counts on: the one chosen, or the cheapest then. */
export interface AgreedBill extends Bill {
  shippingMethod: string | null;
}

export interface OrderHead {
  id: string;
  number: string | null;
  sessionHash: string | null;
  customerId: string | null;
  state: OrderState;
  version: number;
  language: Locale;
  method: CheckoutMethod | null;
  storeId: string | null;
  tableNumber: string | null;
  pickupAt: number | null;
  comment: string;
  contact: Contact | null;
  shippingContact: Contact | null;
  shippingAddress: ResolvedAddress | null;
  billingAddress: ResolvedAddress | null;
  shippingMethod: string | null;
  payAtStore: boolean;
  couponCode: string | null;
  tipBasisPoints: number;
  /** A tip of an amount of the shopper's own, instead of a percentage; null otherwise. */
  tipCents: number | null;
  /** As it stood when payment began or the order was placed; null in a cart, whose bill is worked out live. */
  bill: AgreedBill | null;
  currency: string;
  updatedAt: number;
  placedAt: number | null;
}

/** A line with what the catalogue says of it now, or what was agreed once the order has left the cart. */
export interface OrderLine {
  sku: string;
  productId: string;
  quantity: number;
  name: LocalText;
  /** Canonical pairs in the default language. */
  optionPairs: string;
  optionText: LocalText;
  unitPrice: number;
  listPrice: number | null;
  taxClass: string;
  /** The picture's file name. */
  image: string | null;
  inStoreOnly: boolean;
  /** Whether the catalogue still offers it. */
  offered: boolean;
}

/** Who is acting: a session, which may belong to a customer. */
export interface Buyer {
  idHash: string;
  customerId: string | null;
}

/**
 * By what an order is its buyer's: a customer's by their id alone, so that it follows them from device to
 * device; a guest's by their session.
 */
export function ownerOf({ idHash, customerId }: Buyer): { session_hash: string | null; customer_id: string | null } {
  return customerId === null ? { session_hash: idHash, customer_id: null } : { session_hash: null, customer_id: customerId };
}

/** Where the stock of an order comes from: the warehouse for shipping, else its store. Null while undecided. */
export function locationOf(order: Pick<OrderHead, 'method' | 'storeId'>): string | null {
  return order.method === 'shipping' ? warehouse : order.method ? order.storeId : null;
}

/** The pickup time an order holds from when it leaves the cart. */
export function slotOf(order: OrderHead): { storeId: string; at: number } | null {
  return order.method === 'pickup' && order.storeId !== null && order.pickupAt !== null
    ? { storeId: order.storeId, at: order.pickupAt }
    : null;
}
