/** Row types of the tables of orders. */
import type { ColumnType } from 'kysely';
import type { Bit, Fixed, Json } from './tables.ts';

/**
 * An order from its first cart line to its end. At most one per guest session or customer in state `cart` or `paying`: a
 * customer's cart has no session, so that it is available on all of their devices.
 */
export interface OrdersTable {
  id: Fixed<string>;
  order_number: string | null;
  session_hash: string | null;
  customer_id: string | null;
  state: string;
  version: number;
  language: string;
  method: string | null;
  store_id: string | null;
  table_number: string | null;
  /** The token of the table's card by which a dine-in order was begun. */
  table_card: ColumnType<string | null, string | null | undefined, string | null>;
  /** How many people are at the table; null if nobody was asked. */
  party_size: ColumnType<number | null, number | null | undefined, number | null>;
  pickup_at: number | null;
  customer_comment: string;
  contact: Json | null;
  shipping_contact: Json | null;
  shipping_address: Json | null;
  billing_address: Json | null;
  shipping_method: string | null;
  pay_at_store: Bit;
  coupon_code: string | null;
  /** Tip in hundredths of a percent of the discounted items. */
  tip_basis_points: number;
  /** A tip as an amount instead of a percentage, cents. */
  tip_cents: number | null;
  /** The bill as it stood when the order was placed; null before. */
  bill: Json | null;
  /**
   * The fingerprint of that bill; paying the same bill again finds the order by it. In a cart, of the bill that its buyer was last
   * given.
   */
  bill_version: string | null;
  total_cents: number;
  currency: string;
  created_at: number;
  updated_at: number;
  placed_at: number | null;
  /** For a cart that replaced an order whose hold expired: that order, or the first of several. */
  copied_from: ColumnType<string | null, string | null | undefined, string | null>;
  /** The network that holds stock through this order without having paid, hashed; null once it is paid or over. */
  held_from: ColumnType<string | null, string | null | undefined, string | null>;
  /** Its customer has deleted their account: once the order ends, personal data that bookkeeping does not need is deleted. */
  forget: ColumnType<Bit, Bit | undefined, Bit>;
  /** For how many opening hours of its store a reservation is held; null for other orders. */
  reservation_hours: ColumnType<number | null, number | null | undefined, number | null>;
  /** Since when the merchant is asked whether its items go back to stock, epoch ms; 0: answered; null: never asked. */
  restock_asked_at: ColumnType<number | null, number | null | undefined, number | null>;
}

export interface OrderLinesTable {
  id: Fixed<string>;
  order_id: string;
  /** Unique in an order: the same for the same SKU, modifiers and note (`lineIdentity`). */
  identity: string;
  sku: string;
  product_id: string;
  quantity: number;
  position: number;
  /** In a cart the selections; once the order is placed, with names, amounts, tax classes and SKUs. */
  modifiers: ColumnType<Json | null, Json | null | undefined, Json | null>;
  /** For the kitchen. */
  note: ColumnType<string, string | undefined, string>;
  /** Snapshots, taken when the order is placed, so that later catalogue changes do not affect it. */
  name: Json | null;
  /** The name of the product's brand. */
  brand: Json | null;
  option_pairs: string | null;
  /** The chosen values in every language. */
  option_text: Json | null;
  unit_price_cents: number | null;
  tax_class: string | null;
  image: string | null;
}

/** The words by which the staff find a placed order, personal ones included. */
export interface OrderWordsTable {
  word: Fixed<string>;
  order_id: Fixed<string>;
}

/** Links to orders that emails carry. */
export interface OrderLinksTable {
  /** SHA-256 of the token, in hex. */
  token_hash: Fixed<string>;
  order_id: Fixed<string>;
  created_at: Fixed<number>;
  revoked_at: number | null;
}

/** Every change of an order's state; `version` is the order's after the change. */
export interface OrderEventsTable {
  order_id: string;
  version: number;
  from_state: string;
  to_state: string;
  at: number;
  reason: string;
}
