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
  /** Changes nothing: it was given to an agent. */
  reads_only: Bit;
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

export interface CouponsTable {
  /** In upper case, so that matching ignores case. */
  code_key: Fixed<string>;
  /** As the merchant writes it. */
  code: string;
  name: Json;
  /** 'percent', 'amount' or 'freeShipping'. */
  kind: string;
  /** Thousandths of a percent; 0 for the other kinds. */
  percent: number;
  amount_cents: number;
  /** Before discount. */
  min_subtotal_cents: number;
  /** Of destinations; an empty list is any. */
  countries: Json;
  /** Ids of what it discounts; both empty: everything. */
  products: Defaulted<Json>;
  categories: Defaulted<Json>;
  /** The first moment at which it is valid, and the first at which it no longer is; null: no limit. */
  starts_at: number | null;
  ends_at: number | null;
  /** Null: unlimited. */
  total_limit: number | null;
  customer_limit: number | null;
  /** Never above `total_limit`, by CHECK. */
  used: number;
  created_at: Fixed<number>;
}

/** Reserved when payment begins, final when the order is placed, deleted when that fails or expires. */
export interface CouponUsesTable {
  order_id: Fixed<string>;
  code_key: Fixed<string>;
  /** A customer by id, and every buyer by email, hashed (SHA-256, hex). */
  customer_id: Fixed<string | null>;
  email_hash: Fixed<string | null>;
  /** 'held' or 'used'. */
  state: string;
  taken_at: Fixed<number>;
}

/** Has a default, so it may be left out of an insert. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;

/** One attempt to pay. (provider, provider_reference) is unique: a repeated answer finds the same row. */
export interface PaymentsTable {
  id: Fixed<string>;
  order_id: string;
  provider: string;
  provider_reference: string;
  /** The number that the provider is told, if it is not the order's. */
  number: Defaulted<string | null>;
  /** Null until the provider has given one. */
  provider_id: Defaulted<string | null>;
  amount_cents: number;
  /** Part of the amount. */
  tip_cents: Defaulted<number>;
  /** What was handed over in cash is the amount and this: above or below zero where the currency has no smaller coin, else 0. */
  rounding_cents: Defaulted<number>;
  currency: string;
  /** Of a payment at the counter; null for an online one. */
  kind: Defaulted<string | null>;
  /** Who took it at the counter, as `actorText` says; null for an online one, and for what was taken before this was kept. */
  actor: Defaulted<string | null>;
  state: string;
  /** A message key for the customer. */
  error_key: string | null;
  error_type: Defaulted<string | null>;
  /** The provider waits for the customer to act, epoch ms. */
  waits_since: Defaulted<number | null>;
  /** Refunded or to be refunded, cents; `refunded_tip_cents` is part of it. */
  refunded_cents: Defaulted<number>;
  refunded_tip_cents: Defaulted<number>;
  /** Refunds and disputes at the provider, epoch ms; null: as soon as possible. */
  next_check_at: Defaulted<number | null>;
  /** When the money arrived, epoch ms; null if none did. It stays if the money is given back, or turns out not to have come. */
  received_at: Defaulted<number | null>;
  /** When it was found not to have come after all, such as cash that staff recorded by mistake, epoch ms; null otherwise. */
  undone_at: Defaulted<number | null>;
  created_at: number;
  updated_at: number;
}

/** Its id is the idempotency key at the provider. */
export interface RefundsTable {
  id: Fixed<string>;
  payment_id: Fixed<string>;
  order_id: Fixed<string>;
  amount_cents: Fixed<number>;
  /** Part of the amount. */
  tip_cents: Fixed<number>;
  currency: Fixed<string>;
  /** 1: it corrects what was paid, and the bill stands; 0: the buyer owes that much less. */
  corrects: Defaulted<number>;
  /** For the merchant's records. */
  reason: Fixed<string>;
  /** The units and parts of the bill that it refunds (`bill-parts.ts`); null for an amount. */
  covers: Defaulted<Json | null>;
  /** In the email; '' for nothing. */
  customer_note: Defaulted<string>;
  /** 'due', 'done' or 'refused'. */
  state: string;
  /** Until then, epoch ms, only one process asks the provider for it. */
  claimed_until: Defaulted<number | null>;
  /** Why it was refused, or what it waits for. */
  provider_note: Defaulted<string | null>;
  /** 1: it was refused, and a person has to resolve it. */
  attention: Defaulted<number>;
  /** Once known. */
  provider_refund_id: Defaulted<string | null>;
  created_at: Fixed<number>;
  updated_at: number;
}

/** As last reported. The id is the provider's name and its id of the dispute. */
export interface DisputesTable {
  id: Fixed<string>;
  payment_id: Fixed<string>;
  order_id: Fixed<string>;
  provider_dispute_id: Fixed<string>;
  amount_cents: number;
  currency: Fixed<string>;
  reason: string;
  /** 'open', 'won' or 'lost'. */
  state: string;
  respond_by: number | null;
  /** 1 if the provider still refunds what it is about, as of an inquiry that has taken no money. */
  refundable: Defaulted<number>;
  /** When staff said that the order is handed over all the same, epoch ms; null if they did not. */
  accepted_at: Defaulted<number | null>;
  opened_at: Fixed<number>;
  updated_at: number;
}

/** One row per reference, so one charge. */
interface HouseChargesTable {
  reference: Fixed<string>;
  amount_cents: number;
  currency: string;
  /** 'waiting' for the bank's challenge, 'succeeded' or 'failed'. */
  state: string;
  /** A `HouseError`. */
  error: string | null;
  refunded_cents: number;
  /** To the challenge. */
  tries: Defaulted<number>;
  created_at: number;
}

/** One row per key, so that a repeated refund request refunds once. */
interface HouseRefundsTable {
  key: Fixed<string>;
  reference: Fixed<string>;
  amount_cents: Fixed<number>;
  created_at: Fixed<number>;
}

interface HouseSecretsTable {
  name: Fixed<string>;
  value: Fixed<string>;
}

export interface PaymentTables {
  payments: PaymentsTable;
  refunds: RefundsTable;
  disputes: DisputesTable;
  house_charges: HouseChargesTable;
  house_refunds: HouseRefundsTable;
  house_secrets: HouseSecretsTable;
}
