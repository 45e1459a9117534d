/** The tables of coupons as rows. */
import type { Fixed, Json } from './tables.ts';

export interface CouponsTable {
  /** The code as it is looked up: upper case, so that how it was typed does not matter. */
  code_key: Fixed<string>;
  /** As the merchant writes it. */
  code: string;
  name: Json;
  /** 'percent', 'amount' or 'freeShipping'. */
  kind: string;
  /** Thousandths of a percent; 0 for the other kinds. */
  percent: number;
  amount_cents: number;
  /** Goods before discount have to come to this much. */
  min_subtotal_cents: number;
  /** ISO codes of where goods may go; an empty list is anywhere. */
  countries: Json;
  /** The first moment at which it holds, and the first at which it no longer does; null: no such end. */
  starts_at: number | null;
  ends_at: number | null;
  /** Null: as often as anybody likes. */
  total_limit: number | null;
  customer_limit: number | null;
  /** Rows of `coupon_uses`, counted. Never above `total_limit`, by CHECK. */
  used: number;
  created_at: Fixed<number>;
}

/** One use: taken when payment begins, final when the order is placed, gone when that fails or lapses. */
export interface CouponUsesTable {
  order_id: Fixed<string>;
  code_key: Fixed<string>;
  /** Whose use it is: a customer's by their id, and anybody's by their email, hashed (SHA-256, hex). */
  customer_id: Fixed<string | null>;
  email_hash: Fixed<string | null>;
  /** 'held' or 'used'. */
  state: string;
  taken_at: Fixed<number>;
}
