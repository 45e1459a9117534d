import type { ColumnType } from 'kysely';
import type { Fixed, Json } from './tables.ts';

/** Has a default, so it may be left out of an insert. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;

/** One attempt to pay. (provider, provider_reference) is unique: a repeated answer finds the same row. */
export interface PaymentsTable {
  id: Fixed<string>;
  order_id: string;
  provider: string;
  provider_reference: string;
  /** Null until the provider has given one. */
  provider_id: Defaulted<string | null>;
  amount_cents: number;
  /** Part of the amount. */
  tip_cents: Defaulted<number>;
  currency: string;
  /** Of a payment at the counter; null for an online one. */
  kind: Defaulted<string | null>;
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
  /** When the money arrived, epoch ms; null if none did. It stays if the money is given back. */
  received_at: Defaulted<number | null>;
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
  /** The units and parts of the bill that it refunds (`refund-parts.ts`); null for an amount. */
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
  /** A `HouseError`. */
  error: string | null;
  refunded_cents: number;
  /** To the challenge. */
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

export interface PaymentTables {
  payments: PaymentsTable;
  refunds: RefundsTable;
  disputes: DisputesTable;
  house_charges: HouseChargesTable;
  house_refunds: HouseRefundsTable;
  house_secrets: HouseSecretsTable;
}
