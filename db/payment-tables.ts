/** Row types of the tables of payments, and of the house gateway's own records (see `tables.ts`). */
import type { ColumnType } from 'kysely';
import type { Fixed } from './tables.ts';

/** Has a default, so it may be left out of an insert. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;

/** One attempt to pay. (provider, provider_reference) is unique: a repeated answer finds the same row. */
export interface PaymentsTable {
  id: Fixed<string>;
  order_id: string;
  provider: string;
  provider_reference: string;
  /** The provider's own id; null until the provider has given one. */
  provider_id: Defaulted<string | null>;
  amount_cents: number;
  /** The part of the amount that is tip. */
  tip_cents: Defaulted<number>;
  currency: string;
  /** 'cash', 'terminal' or 'other' of a payment at the counter; null for an online one. */
  kind: Defaulted<string | null>;
  state: string;
  /** Why it failed, as a message key for the customer. */
  error_key: string | null;
  error_type: Defaulted<string | null>;
  /** Since when the provider waits for the customer to act, epoch ms. */
  waits_since: Defaulted<number | null>;
  /** Refunded or to be refunded, cents; `refunded_tip_cents` is part of it. */
  refunded_cents: Defaulted<number>;
  refunded_tip_cents: Defaulted<number>;
  /** When to check next whether it was refunded or disputed at the provider, epoch ms; null: as soon as possible. */
  next_check_at: Defaulted<number | null>;
  created_at: number;
  updated_at: number;
}

/** A refund. Its id is the idempotency key at the provider. */
export interface RefundsTable {
  id: Fixed<string>;
  payment_id: Fixed<string>;
  order_id: Fixed<string>;
  amount_cents: Fixed<number>;
  /** The part of the amount that is tip. */
  tip_cents: Fixed<number>;
  currency: Fixed<string>;
  /** 1: it corrects what was paid, and the bill stands; 0: the buyer owes that much less. */
  corrects: Defaulted<number>;
  /** For the merchant's records. */
  reason: Fixed<string>;
  /** What the merchant writes to the buyer in the email; '' for nothing. */
  customer_note: Defaulted<string>;
  /** 'due', 'done' or 'refused'. */
  state: string;
  /** Until then, epoch ms, only one process asks the provider for it. */
  claimed_until: Defaulted<number | null>;
  /** Why the provider refused it, or what it waits for; null if the provider gave no reason. */
  provider_note: Defaulted<string | null>;
  /** 1: it was refused, and a person has to resolve it. */
  attention: Defaulted<number>;
  /** The provider's id of it, once known. */
  provider_refund_id: Defaulted<string | null>;
  created_at: Fixed<number>;
  updated_at: number;
}

/** A dispute of a payment, as last reported by its provider. The id is the provider's name and its id of the dispute. */
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
  opened_at: Fixed<number>;
  updated_at: number;
}

/** One row per reference, so one charge. */
export interface HouseChargesTable {
  reference: Fixed<string>;
  amount_cents: number;
  currency: string;
  /** 'waiting' for the bank's challenge, 'succeeded' or 'failed'. */
  state: string;
  /** Why it failed: a `HouseError`. */
  error: string | null;
  refunded_cents: number;
  /** Wrong answers to the challenge. */
  tries: Defaulted<number>;
  created_at: number;
}

/** One row per key, so that a repeated refund request refunds once. */
export interface HouseRefundsTable {
  key: Fixed<string>;
  reference: Fixed<string>;
  amount_cents: Fixed<number>;
  created_at: Fixed<number>;
}

export interface HouseSecretsTable {
  name: Fixed<string>;
  value: Fixed<string>;
}

/** The tables of payments, by name. */
export interface PaymentTables {
  payments: PaymentsTable;
  refunds: RefundsTable;
  disputes: DisputesTable;
  house_charges: HouseChargesTable;
  house_refunds: HouseRefundsTable;
  house_secrets: HouseSecretsTable;
}
