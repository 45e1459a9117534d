import type { Fixed, Json } from './tables.ts';

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
