/** Row types of the tables of stores. */
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
  /** Minutes from order to pickup. */
  pickup_lead_minutes: number;
  /** The number of orders that may be picked up in one slot. */
  pickup_slot_capacity: number;
  /** The zones that it delivers to. */
  delivery_zones: ColumnType<Json, Json | undefined, Json>;
  /** When it was removed, epoch ms; null while it exists. Orders that were placed there keep referring to it. */
  removed_at: ColumnType<number | null, number | null | undefined, number | null>;
}

/** Where addresses are, as a geocoder said, until it is asked again. No address is in it, and nobody's name. */
export interface GeocodedAddressesTable {
  /** SHA-256 of the normalised address. */
  address_hash: Fixed<string>;
  /** Degrees; null if the geocoder does not know it. */
  lat: number | null;
  lng: number | null;
  /** Epoch ms. */
  expires_at: number;
}

/** Orders to be picked up per store and slot; `taken` is limited by the store's capacity. */
export interface PickupSlotsTable {
  store_id: string;
  slot_at: number;
  taken: number;
}

/** What a store has none of until its next opening. */
export interface SoldOutTable {
  store_id: Fixed<string>;
  /** `sku:…`, `product:…` or `modifier:<group>/<id>`. */
  item: Fixed<string>;
  /** Epoch ms. */
  until: number;
}

/** What the order of a pickup time takes of a menu whose units or orders are limited. */
export interface MenuSlotsTable {
  order_id: Fixed<string>;
  /** The menu's id. */
  menu: Fixed<string>;
  store_id: Fixed<string>;
  slot_at: Fixed<number>;
  units: Fixed<number>;
}
