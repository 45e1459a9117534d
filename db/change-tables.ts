import type { Fixed, Json } from './tables.ts';

/** One row, id 1. Incremented by every visible change of catalogue or content. */
export interface CatalogueVersionTable {
  id: Fixed<1>;
  version: number;
}

/** By version. Old rows are deleted. */
export interface CatalogueChangesTable {
  version: Fixed<number>;
  /** See `server/platform/recorded-reads.ts`. */
  topics: Fixed<Json>;
}

/** The database refuses to change or delete a row. Holds no private data in clear. */
export interface JournalTable {
  /** Ascends in the order of the commits. */
  no: Fixed<number>;
  at: Fixed<number>;
  /** 'terminal' or 'system'. */
  actor: Fixed<string>;
  /** The words of the command: `coupon end`. */
  action: Fixed<string>;
  /** What changed: `product` and its id. */
  subject_kind: Fixed<string>;
  subject_id: Fixed<string>;
  /** Null where the whole thing changed. */
  fields: Fixed<Json | null>;
  /** The name of the key by which a program acted for the actor. */
  key_name: Fixed<string | null>;
}

/** What the office looks at again: see `feed.ts`. Deleted after a day. */
export interface FeedTable {
  at: Fixed<number>;
  id: Fixed<string>;
  /** A kind of the journal: `order`. */
  topic: Fixed<string>;
  /** What changed: the number of an order. */
  subject: Fixed<string>;
  store_id: Fixed<string | null>;
}

/** Of an entry of the journal about a document. */
/** What is written of a document and that visitors do not see yet. A document without a draft is as they see it. */
export interface DraftsTable {
  kind: Fixed<string>;
  id: Fixed<string>;
  content: Json;
  /** Epoch ms; null: nothing is scheduled. */
  publish_at: number | null;
  /** What is published then. */
  scheduled: Json | null;
  /** When it should have been published, and something was in the way. */
  failed_at: number | null;
  /** Those that the draft and what is scheduled say of themselves, if they have any; posts are found by them. */
  link: string | null;
  scheduled_link: string | null;
}

/** Links that show a draft. The secret is stored nowhere. */
export interface DraftLinksTable {
  token_hash: Fixed<string>;
  kind: Fixed<string>;
  id: Fixed<string>;
  created_at: Fixed<number>;
  ends_at: Fixed<number>;
  /** Of the staff; null for a command. */
  created_by: Fixed<string | null>;
}

export interface RevisionsTable {
  journal_no: Fixed<number>;
  /** A list of `Difference`: from what is there after the change to what was there before it. */
  back: Fixed<Json>;
}

/** Work in pieces: a change of many products, or a file that is imported. Its kind says what its phases are. */
export interface BulkChangesTable {
  id: Fixed<string>;
  kind: Fixed<string>;
  started_at: Fixed<number>;
  actor: string;
  /** The name of the key by which a program acts for the actor. */
  key_name: string | null;
  found_by: Json;
  change: Json;
  /** A phase of its kind, or where it rests: 'done', 'takenBack'. */
  state: string;
  /** Rows below this number are left; null: all. */
  below: number | null;
  total: number;
  done: number;
  /** The process that works on it, for so long. */
  owner: string | null;
  owned_until: number;
}

/** What is to become, or became, of one thing. */
export interface BulkChangeRowsTable {
  change_id: Fixed<string>;
  /** Work goes down: numbers of products, or of the things in a file from its end. */
  no: Fixed<number>;
  subject: Fixed<string>;
  /** A list of `Difference`. */
  fields: Json;
  /** A `Problem`, or a list of them. */
  problem: Json | null;
  /** What a file says of it. */
  plan: Json | null;
  outcome: string | null;
  /** What else its change set, to be taken back. */
  undo: Json | null;
}

/** Files that were sent to be imported; what they change is in `bulk_changes`, by the same id. */
export interface ImportsTable {
  id: Fixed<string>;
  file: Fixed<string>;
  hash: Fixed<string>;
  /** The header, in the file's words. */
  columns: Fixed<Json>;
  /** Of the header: files like it are read as this one was. */
  fingerprint: Fixed<string>;
  kind: string;
  mapping: Json;
  options: Json;
  about: Json;
  counts: Json;
  /** Brands, categories and tags that the import made. */
  made: Json | null;
  uploaded_at: Fixed<number>;
}

/** Pictures that were fetched once are not fetched again. */
interface PictureAddressesTable {
  address: Fixed<string>;
  file: string;
}

export interface BulkTables {
  bulk_changes: BulkChangesTable;
  bulk_change_rows: BulkChangeRowsTable;
  imports: ImportsTable;
  picture_addresses: PictureAddressesTable;
}
