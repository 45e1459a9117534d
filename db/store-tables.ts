import type { ColumnType } from 'kysely';
import type { Bit, Fixed, Json } from './tables.ts';

export interface StoresTable {
  id: Fixed<string>;
  name: Json;
  description: Json;
  address: Json;
  lat: number;
  lng: number;
  phone: string;
  email: string;
  time_zone: string;
  opening_hours: Json;
  /** Dates with hours of their own. */
  special_hours: Json;
  main_store: Bit;
  display: Bit;
  allow_pickup: Bit;
  tables: number;
  image: string | null;
  position: number;
  pickup_lead_minutes: number;
  /** The number of orders that may be picked up in one slot. */
  pickup_slot_capacity: number;
  delivery_zones: ColumnType<Json, Json | undefined, Json>;
  /** Added to what the store promises, until `busy_until` (epoch ms; 0 if never). */
  busy_minutes: ColumnType<number, number | undefined, number>;
  busy_until: ColumnType<number, number | undefined, number>;
  /** No pickup before it can be chosen; epoch ms, 0 if never. */
  paused_until: ColumnType<number, number | undefined, number>;
  /** Epoch ms; null while it exists. Orders that were placed there keep referring to it. */
  removed_at: ColumnType<number | null, number | null | undefined, number | null>;
}

/** Until the geocoder is asked again. No address is in it, and nobody's name. */
export interface GeocodedAddressesTable {
  /** SHA-256 of the normalised address. */
  address_hash: Fixed<string>;
  /** Degrees; null if the geocoder does not know the address. */
  lat: number | null;
  lng: number | null;
  /** Epoch ms. */
  expires_at: number;
}

export interface PickupSlotsTable {
  store_id: string;
  slot_at: number;
  taken: number;
}

/** Until the store's next opening. */
export interface SoldOutTable {
  store_id: Fixed<string>;
  /** `sku:…`, `product:…` or `modifier:<group>/<id>`. */
  item: string;
  /** Epoch ms. */
  until: number;
}

export interface MenuSlotsTable {
  order_id: Fixed<string>;
  menu: Fixed<string>;
  store_id: Fixed<string>;
  slot_at: Fixed<number>;
  units: Fixed<number>;
}

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
