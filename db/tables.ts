/**
 * Column types are the portable few: text, integer, bigint, real. Money is integer cents, time epoch milliseconds, booleans 0/1,
 * `Json` columns text validated by the contract's schemas.
 */
import type { ColumnType } from 'kysely';
import type { AccountTables } from './account-tables.ts';
import type { AgentTables } from './agent-tables.ts';
import type {
  BulkTables,
  CatalogueChangesTable,
  CatalogueVersionTable,
  DraftLinksTable,
  DraftsTable,
  FeedTable,
  JournalTable,
  RevisionsTable,
} from './change-tables.ts';
import type {
  BlogTables,
  ExternalSourcesTable,
  FormMessagesTable,
  GalleryPhotosTable,
} from './content-tables.ts';
import type { DeliveryTables } from './delivery-tables.ts';
import type { LedgerTables } from './ledger-tables.ts';
import type {
  CouponsTable,
  CouponUsesTable,
  OrderEventsTable,
  OrderLinesTable,
  OrderLinksTable,
  OrderNotesTable,
  OrdersTable,
  OrderViewsTable,
  OrderWordsTable,
  PaymentTables,
  ShipmentsTable,
} from './order-tables.ts';

import type { RequestKeysTable } from './request-tables.ts';
import type { SettlementTables } from './settlement-tables.ts';
import type { StaffTables } from './staff-tables.ts';
import type {
  GeocodedAddressesTable,
  MenuSlotsTable,
  PickupSlotsTable,
  SoldOutTable,
  StockNotesTable,
  StockTakeCountsTable,
  StockTakesTable,
  StockThresholdsTable,
  StoresTable,
} from './store-tables.ts';

export type { OrderEventsTable, OrderLinesTable, OrderLinksTable, OrdersTable } from './order-tables.ts';

/** Parsed and serialised in the repository. */
export type Json = string;
export type Bit = 0 | 1;
/** Written once, at insert. */
export type Fixed<T> = ColumnType<T, T, never>;

export interface SettingsTable {
  key: string;
  value: Json;
}

/** Such as order numbers. */
export interface CountersTable {
  name: Fixed<string>;
  value: number;
}

/** An original image: its name in URLs contains its content hash. */
export interface MediaTable {
  /** The file name, such as speckled-mug.jpg; other tables refer to it. */
  file: Fixed<string>;
  /** Under /media/<width>/, with the content hash. Files with the same content share one. */
  url_name: string;
  /** In `url_name`. */
  hash: string;
  /** Of the original: the demo's photos, or DATA_DIR/media/originals. */
  folder: 'demo' | 'originals';
  width: number;
  height: number;
  /** Average colour, #rrggbb. */
  color: string;
  /** 0 before it was kept. */
  added_at: ColumnType<number, number | undefined, number>;
}

export interface PagesTable {
  name: Fixed<string>;
  title: Json;
  meta_description: Json;
  blocks: Json;
  updated_at: number;
}

export interface BrandsTable {
  id: Fixed<string>;
  name: Json;
  story: Json;
  image: string | null;
  position: number;
}

export interface TagsTable {
  id: Fixed<string>;
  name: Json;
  description: Json;
  position: number;
}

export interface CategoriesTable {
  id: Fixed<string>;
  parent_id: string | null;
  name: Json;
  description: Json;
  image: string | null;
  position: number;
}

export interface ProductsTable {
  /** In lists and search; never changes and is never reused. */
  no: Fixed<number>;
  id: Fixed<string>;
  /** Whether customers see it now: it is active, and within its times. Others are in no list and have no page. */
  published: Bit;
  /** 'draft', 'active' or 'archived'. */
  status: string;
  publish_at: number | null;
  unpublish_at: number | null;
  name: Json;
  short_description: Json;
  description: Json;
  /** Sanitised, by language; null: the paragraphs of `description`. */
  description_html: Json | null;
  seo_title: Json | null;
  seo_description: Json | null;
  brand_id: string;
  category_id: string;
  price_cents: number;
  compare_at_cents: number | null;
  clearance: Bit;
  new_arrival: Bit;
  in_store_only: Bit;
  tax_class: string;
  weight_grams: number | null;
  /** Materials, care, size: shown as specifications. */
  details: Json;
  options: Json;
  images: Json;
  /** In the order in which they are asked. */
  modifier_groups: ColumnType<Json, Json | undefined, Json>;
  created_at: number;
  /** Changes with the merchant's data, not with stock. */
  updated_at: number;
  /** No SKU can be had anywhere. Changes only with a sale of the last unit or a return of the first. */
  sold_out: Bit;
}

/** Addresses within the shop, without language. */
export interface RedirectsTable {
  path: Fixed<string>;
  target: string;
}

/** One document. */
export interface ModifierGroupsTable {
  id: Fixed<string>;
  name: Json;
  text: Json | null;
  min: number;
  max: number;
  quantities: Bit;
  free: number;
  set_parts: Bit;
  /** A list of `ModifierInput`. */
  modifiers: Json;
  position: number;
}

export interface ProductTagsTable {
  product_no: number;
  tag_id: string;
}

export interface ProductRelationsTable {
  product_id: string;
  related_id: string;
  position: number;
}

export interface SkusTable {
  id: Fixed<string>;
  product_id: string;
  /** Canonical `#name:value` pairs in the default language, '' without options. */
  option_pairs: string;
  /** Option prices included. */
  price_cents: number;
  compare_at_cents: number | null;
  /** Its own, or that of the value of an option. */
  image: string | null;
  own_image: ColumnType<string | null, string | null | undefined, string | null>;
  /** 0: its stock is not counted, it never runs out. */
  counted: ColumnType<number, number | undefined, number>;
  /** Sold beyond stock, which goes below zero. */
  oversell: ColumnType<number, number | undefined, number>;
  position: number;
  /** 8, 12, 13 or 14 digits, of which the last is the check digit; null if it has none. */
  gtin: string | null;
  /** For its tax. */
  single_servings: number;
  /** In place of what the product and its options make. */
  own_price_cents: number | null;
  /** Whether `compare_at_cents` is its own; otherwise it follows the product's. */
  own_compare_at: ColumnType<number, number | undefined, number>;
  /** What a unit costs the merchant. */
  cost_cents: number | null;
  /** Null: the product's. */
  weight_grams: number | null;
}

/** All that lists sort, filter and count by. Derived from products; each process holds it in memory. */
export interface ListingsTable {
  product_no: Fixed<number>;
  /** Increases with every change, so that a process can ask for what has changed since. */
  revision: number;
  /** Null: the product has left all lists. */
  listing: Json | null;
}

/** Completed with price and quantity on read. */
export interface ProductCardsTable {
  product_no: number;
  language: string;
  /** Without price and quantity. */
  card: string;
  /** The lowest of its SKUs. */
  price_cents: number;
  /** Of that SKU before the discount; null if there is none. */
  list_price_cents: number | null;
  /** 1 if SKUs differ in price. */
  price_from: number;
  quantity: number;
}

/** For correcting queries. */
export interface SearchTermsTable {
  /** As written, folded: shown as a correction. */
  term: Fixed<string>;
  /** In the search index. */
  stem: string;
  /** That contain it. */
  products: number;
}

export interface SearchTrigramsTable {
  trigram: string;
  term: string;
}

/** 'warehouse' (which ships) or a store. A trigger lets only SKUs that are sold beyond stock fall below zero. */
export interface StockTable {
  sku: string;
  location_id: string;
  quantity: number;
}

/** The sum of movements is `stock` plus `holds`. The database refuses to change or delete a row. */
export interface StockMovementsTable {
  id: Fixed<string>;
  sku: Fixed<string>;
  location_id: Fixed<string>;
  /** Units that came; negative: that left. */
  quantity: Fixed<number>;
  /** A `MovementKind`; or `cost`: units, which stayed, got a cost. */
  kind: Fixed<string>;
  order_id: Fixed<string | null>;
  /** 'terminal' or 'system'; null for customers. */
  actor: Fixed<string | null>;
  /** A `CorrectionReason`. */
  reason: Fixed<string | null>;
  at: Fixed<number>;
  /** How many of the units have a known cost, in the sign of `quantity`; of a movement without units, how many got one. */
  costed: ColumnType<number, number | undefined, never>;
  /** What those cost; in their sign. */
  cost_cents: ColumnType<number, number | undefined, never>;
  /** What units that were sold before they came cost more than was booked when they left. */
  late_cents: ColumnType<number, number | undefined, never>;
}

/** The sums of a SKU's movements, everywhere: derived, so that a sale need not read them all. */
export interface StockCostsTable {
  sku: string;
  units: number;
  costed: number;
  cost_cents: number;
}

/** Taken out of `stock` for an order that is not yet completed; of a SKU that is not counted, 0 units. */
export interface HoldsTable {
  order_id: string;
  sku: string;
  location_id: string;
  quantity: number;
  /** Null: held until the order ends (a reservation). */
  expires_at: number | null;
  /** From then on its units count as gone for the webhook of low stock; null once they do, and if no endpoint listens. */
  low_check_at: ColumnType<number | null, number | null | undefined, number | null>;
}

export interface SessionsTable {
  /** SHA-256 of the cookie's value, hex. */
  id_hash: Fixed<string>;
  customer_id: string | null;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
}

/** The first verdict written is final. For providers whose attempts cannot be cancelled. */
export interface PaymentDecisionsTable {
  provider: Fixed<string>;
  reference: Fixed<string>;
  /** 'charge' or 'end'. */
  verdict: Fixed<string>;
  /** A `PaymentFailure`. */
  failure: Json | null;
  decided_at: Fixed<number>;
}

export interface Tables
  extends AccountTables,
    BulkTables,
    AgentTables,
    BlogTables,
    LedgerTables,
    PaymentTables,
    DeliveryTables,
    SettlementTables,
    StaffTables {
  settings: SettingsTable;
  catalogue_version: CatalogueVersionTable;
  catalogue_changes: CatalogueChangesTable;
  counters: CountersTable;
  journal: JournalTable;
  draft_links: DraftLinksTable;
  drafts: DraftsTable;
  revisions: RevisionsTable;
  feed: FeedTable;
  stores: StoresTable;
  media: MediaTable;
  pages: PagesTable;
  brands: BrandsTable;
  tags: TagsTable;
  categories: CategoriesTable;
  products: ProductsTable;
  redirects: RedirectsTable;
  modifier_groups: ModifierGroupsTable;
  product_tags: ProductTagsTable;
  product_relations: ProductRelationsTable;
  skus: SkusTable;
  listings: ListingsTable;
  product_cards: ProductCardsTable;
  search_terms: SearchTermsTable;
  search_trigrams: SearchTrigramsTable;
  searches: SearchesTable;
  stock: StockTable;
  stock_movements: StockMovementsTable;
  stock_costs: StockCostsTable;
  stock_notes: StockNotesTable;
  stock_takes: StockTakesTable;
  stock_take_counts: StockTakeCountsTable;
  stock_thresholds: StockThresholdsTable;
  holds: HoldsTable;
  pickup_slots: PickupSlotsTable;
  menu_slots: MenuSlotsTable;
  geocoded_addresses: GeocodedAddressesTable;
  sold_out: SoldOutTable;
  coupons: CouponsTable;
  coupon_uses: CouponUsesTable;
  sessions: SessionsTable;
  orders: OrdersTable;
  order_lines: OrderLinesTable;
  order_events: OrderEventsTable;
  order_links: OrderLinksTable;
  order_words: OrderWordsTable;
  order_notes: OrderNotesTable;
  order_views: OrderViewsTable;
  shipments: ShipmentsTable;
  payment_decisions: PaymentDecisionsTable;
  form_messages: FormMessagesTable;
  gallery_photos: GalleryPhotosTable;
  external_sources: ExternalSourcesTable;
  request_keys: RequestKeysTable;
}

/** By language. Nothing about who searched. */
interface SearchesTable {
  /** In UTC, such as 2026-05-16. */
  day: Fixed<string>;
  language: Fixed<string>;
  /** Normalised: lower case, without accents, single spaces. */
  text: Fixed<string>;
  times: number;
  /** At the last search. */
  found: Bit;
  /** Searched instead; null if none was. */
  suggestion: string | null;
}
