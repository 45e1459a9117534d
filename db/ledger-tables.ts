import type { Bit, Fixed, Json } from './tables.ts';

/** Entries of an event sum to zero. */
export interface LedgerEntriesTable {
  event_id: Fixed<string>;
  no: Fixed<number>;
  /** A `BookEvent`. */
  kind: Fixed<string>;
  /** What of an order it is for: `bill`, or the id of a payment or refund. Of other events what they say. */
  source: Fixed<string>;
  /** When it happened, epoch ms. */
  at: Fixed<number>;
  /** When it counts: `at`, or later if that period was closed. */
  booked_at: Fixed<number>;
  order_id: Fixed<string | null>;
  store_id: Fixed<string | null>;
  currency: Fixed<string>;
  /** As `actorText` says; null: nobody of the staff. */
  actor: Fixed<string | null>;
  /** 1: from what a shop knew before it had books. */
  rebuilt: Fixed<Bit>;
  account: Fixed<string>;
  part: Fixed<string>;
  line_id: Fixed<string | null>;
  product_id: Fixed<string | null>;
  sku: Fixed<string | null>;
  category_id: Fixed<string | null>;
  place: Fixed<string>;
  tax_class: Fixed<string>;
  treatment: Fixed<string>;
  tax: Fixed<string>;
  /** Thousandths of a percent. */
  rate: Fixed<number>;
  way: Fixed<string>;
  /** Smallest units; debits are above zero. */
  amount_cents: Fixed<number>;
  /** What a tax is on. */
  base_cents: Fixed<number>;
  units: Fixed<number>;
  /** Of staff, such as what cash was taken out for. */
  note: Fixed<string | null>;
}

export interface LedgerPeriodsTable {
  id: Fixed<string>;
  /** Epoch ms: `from_at` included, `to_at` not. */
  from_at: Fixed<number>;
  to_at: Fixed<number>;
  from_day: Fixed<string>;
  to_day: Fixed<string>;
  /** As they were filed. */
  figures: Fixed<Json>;
  closed_at: Fixed<number>;
  closed_by: Fixed<string>;
  reopened_at: number | null;
  reopened_by: string | null;
  /** Why, as who opened it says. */
  reopened_why: string | null;
}

/** What staff put into a drawer, took out of it and counted in it. Append-only: a mistake is corrected by a row that says so. */
export interface CashMovesTable {
  id: Fixed<string>;
  /** When it counts, epoch ms. */
  at: Fixed<number>;
  store_id: Fixed<string>;
  currency: Fixed<string>;
  /** A `CashKind`. */
  kind: Fixed<string>;
  /** What the drawer has more by it, in smallest units; below zero what it has less. */
  amount_cents: Fixed<number>;
  /** Of a count: what was there. */
  counted_cents: Fixed<number | null>;
  note: Fixed<string>;
  actor: Fixed<string>;
  entered_at: Fixed<number>;
  /** The move that this one takes back. */
  corrects: Fixed<string | null>;
}

/** What was handed over to a bookkeeper's program at one time. Append-only. */
export interface HandedFilesTable {
  id: Fixed<string>;
  /** A `BookProgram`. */
  program: Fixed<string>;
  /** Null: corrections of earlier days alone. */
  from_day: Fixed<string | null>;
  to_day: Fixed<string | null>;
  currency: Fixed<string>;
  at: Fixed<number>;
  actor: Fixed<string>;
}

/** The journals of a file, one for each day, and one for each day that was corrected. Append-only. */
export interface HandedJournalsTable {
  no: Fixed<number>;
  file_id: Fixed<string>;
  program: Fixed<string>;
  day: Fixed<string>;
  /** 0, or the number of the journal of the day that it corrects. */
  corrects: Fixed<number>;
  lines: Fixed<Json>;
}

export interface LedgerTables {
  ledger_entries: LedgerEntriesTable;
  ledger_periods: LedgerPeriodsTable;
  cash_moves: CashMovesTable;
  handed_files: HandedFilesTable;
  handed_journals: HandedJournalsTable;
}
