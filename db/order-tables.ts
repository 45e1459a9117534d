import type { ColumnType } from 'kysely';
import type { Bit, Fixed, Json } from './tables.ts';

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
  /** Of the card by which a dine-in order was begun. */
  table_card: ColumnType<string | null, string | null | undefined, string | null>;
  /** Null if nobody was asked. */
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
  /** Hundredths of a percent of the discounted items. */
  tip_basis_points: number;
  /** Instead of a percentage. */
  tip_cents: number | null;
  /** When the order was placed; null before. */
  bill: Json | null;
  /** Its fingerprint; paying the same bill again finds the order by it. In a cart, of the bill that its buyer was last given. */
  bill_version: string | null;
  total_cents: number;
  currency: string;
  created_at: number;
  updated_at: number;
  placed_at: number | null;
  /** Of a cart that replaced an order whose hold expired: that order, or the first of several. */
  copied_from: ColumnType<string | null, string | null | undefined, string | null>;
  /** Hashed: it holds stock through this order without having paid; null once it is paid or over. */
  held_from: ColumnType<string | null, string | null | undefined, string | null>;
  /** Its customer has deleted their account: once the order ends, personal data that bookkeeping does not need is deleted. */
  forget: ColumnType<Bit, Bit | undefined, Bit>;
  /** Opening hours of its store; null for orders that are no reservation. */
  reservation_hours: ColumnType<number | null, number | null | undefined, number | null>;
  /** Whether the items go back to stock, epoch ms; 0: answered; null: never asked. */
  restock_asked_at: ColumnType<number | null, number | null | undefined, number | null>;
}

export interface OrderLinesTable {
  id: Fixed<string>;
  order_id: string;
  /** Unique in an order: the same for the same SKU, modifiers and note (`identityOf`). */
  identity: string;
  sku: string;
  product_id: string;
  quantity: number;
  position: number;
  /** Of a cart the selections; of a placed order with names, amounts, tax classes and SKUs. */
  modifiers: ColumnType<Json | null, Json | null | undefined, Json | null>;
  /** For the kitchen. */
  note: ColumnType<string, string | undefined, string>;
  /** Snapshots, taken when the order is placed, so that later catalogue changes do not affect it. */
  name: Json | null;
  /** The name of the product's brand. */
  brand: Json | null;
  option_pairs: string | null;
  /** When a kitchen ticked it as made, epoch ms. */
  ticked_at: ColumnType<number | null, number | null | undefined, number | null>;
  /** When it was added to a placed order, or changed in it, epoch ms. */
  changed_at: ColumnType<number | null, number | null | undefined, number | null>;
  /** The chosen values in every language. */
  option_text: Json | null;
  unit_price_cents: number | null;
  tax_class: string | null;
  image: string | null;
}

/** The staff find a placed order by them; personal ones included. */
export interface OrderWordsTable {
  word: Fixed<string>;
  /** That of the order, so that those of one word are read newest first. */
  placed_at: Fixed<number>;
  order_id: Fixed<string>;
}

/** Emails carry them. */
export interface OrderLinksTable {
  /** SHA-256 of the token, in hex. */
  token_hash: Fixed<string>;
  order_id: Fixed<string>;
  created_at: Fixed<number>;
  revoked_at: number | null;
}

/** `version` is the order's after the change. */
export interface OrderEventsTable {
  order_id: string;
  version: number;
  from_state: string;
  to_state: string;
  at: number;
  reason: string;
}

/** What staff write about an order for each other. */
export interface OrderNotesTable {
  id: Fixed<string>;
  order_id: Fixed<string>;
  /** Null once the person is gone. */
  staff_id: string | null;
  text: Fixed<string>;
  at: Fixed<number>;
}

/** Filters of the list of orders by a name. */
export interface OrderViewsTable {
  id: Fixed<string>;
  name: string;
  filters: Json;
  /** Whose it is; null: shared. */
  staff_id: string | null;
}

/** A parcel of an order. */
export interface ShipmentsTable {
  id: Fixed<string>;
  order_id: Fixed<string>;
  /** Ids of lines with quantities. */
  lines: Fixed<string>;
  /** A key of `contract/carriers.ts`; null for another, or none. */
  carrier: Fixed<string | null>;
  /** '' for none. */
  tracking_number: Fixed<string>;
  /** Only of a carrier that is not listed. */
  tracking_url: Fixed<string | null>;
  at: Fixed<number>;
  taken_back_at: number | null;
}
