import type { Bit, Fixed, Json } from './tables.ts';

/** What a provider says of its balance. The database refuses to change or delete a row: the highest revision of a row counts. */
export interface SettlementRowsTable {
  provider: Fixed<string>;
  /** The provider's own id of it. */
  row_id: Fixed<string>;
  /** From 0. */
  revision: Fixed<number>;
  /** See `settlementKinds`. */
  kind: Fixed<string>;
  /** In the provider's own word: `charge`, `T0006`. */
  type: Fixed<string>;
  /** See `settlementStates`. */
  state: Fixed<string>;
  at: Fixed<number>;
  /** When the money may be paid out; of a payout, when the bank should have it. Null where the provider does not say. */
  available_at: Fixed<number | null>;
  currency: Fixed<string>;
  /** What the balance gained, below zero for what it lost; `net` is less the fee. */
  gross_cents: Fixed<number>;
  /** Null, and `net` with it, where the provider does not say. */
  fee_cents: Fixed<number | null>;
  net_cents: Fixed<number | null>;
  /** What the customer paid or got back, if the provider says so: another currency than that of the balance may be. */
  charged_cents: Fixed<number | null>;
  charged_currency: Fixed<string | null>;
  /** The payout in which it was, or which it is; null: in none yet, or the provider does not say. */
  payout_id: Fixed<string | null>;
  /** 1 for a payout all of whose rows the provider has listed. */
  complete: Fixed<Bit>;
  /** What the provider says that it belongs to (`SettlementEntry`), so that what the shop learns later still finds it. */
  about: Fixed<Json>;
  payment_id: Fixed<string | null>;
  refund_id: Fixed<string | null>;
  dispute_id: Fixed<string | null>;
  order_id: Fixed<string | null>;
  kept_at: Fixed<number>;
}

export interface SettlementReadingsTable {
  provider: Fixed<string>;
  /** Everything before is kept, epoch ms; null: nothing was read yet. */
  read_until: number | null;
  read_at: number | null;
  tried_at: number | null;
  /** Why the last reading failed; null if it did not. */
  problem: string | null;
  /** Until then, epoch ms, only one process reads. */
  claimed_until: number | null;
}

/** Differences that somebody accepted. */
export interface SettlementNotesTable {
  finding: Fixed<string>;
  note: string;
  actor: string;
  at: number;
}

/** Lines of bank statements that may be payouts. Others are not kept. */
export interface BankLinesTable {
  id: Fixed<string>;
  /** YYYY-MM-DD. */
  day: Fixed<string>;
  amount_cents: Fixed<number>;
  currency: Fixed<string>;
  description: Fixed<string>;
  actor: Fixed<string>;
  kept_at: Fixed<number>;
}

/** The days that a statement of the bank covers. */
export interface BankStatementsTable {
  /** Of the days and the currency. */
  id: Fixed<string>;
  first_day: Fixed<string>;
  last_day: Fixed<string>;
  currency: Fixed<string>;
  actor: Fixed<string>;
  kept_at: Fixed<number>;
}

/** Which line of the bank a payout is. */
export interface PayoutArrivalsTable {
  provider: Fixed<string>;
  payout_id: Fixed<string>;
  bank_line_id: Fixed<string>;
  /** 'system' if day and amount agree. */
  actor: Fixed<string>;
  at: Fixed<number>;
}

export interface SettlementTables {
  settlement_rows: SettlementRowsTable;
  settlement_readings: SettlementReadingsTable;
  settlement_notes: SettlementNotesTable;
  bank_lines: BankLinesTable;
  bank_statements: BankStatementsTable;
  payout_arrivals: PayoutArrivalsTable;
}
