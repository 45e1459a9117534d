/** The tables of the room Stock: notes, thresholds and stock-takes. */
import type { ColumnType } from 'kysely';

/** On a movement, for two years. */
export interface StockNotesTable {
  movement_id: string;
  text: string;
  at: number;
}

/** In place of the setting `lowStockThreshold`; -1: never low. */
export interface StockThresholdsTable {
  sku: string;
  location_id: string;
  units: number;
}

export interface StockTakesTable {
  id: string;
  location_id: string;
  /** A `TakeState`. */
  state: string;
  started_at: number;
  started_by: string;
  ended_at: number | null;
  /** The last SKU whose difference is booked. */
  booked_to: ColumnType<string, string | undefined, string>;
  /** JSON: SKUs whose difference could not be booked. */
  refused: ColumnType<string, string | undefined, string>;
}

/** What a device found: units of a code, at a time of the server's clock. */
export interface StockTakeCountsTable {
  take_id: string;
  id: string;
  code: string;
  /** Null for a code that names no SKU. */
  sku: string | null;
  units: number;
  actor: string;
  at: number;
}
