import type { Fixed, Json } from './tables.ts';

/** One row, id 1. Incremented by every visible change of catalogue or content. */
export interface CatalogueVersionTable {
  id: Fixed<1>;
  version: number;
}

/** By version. Old rows are deleted. */
export interface CatalogueChangesTable {
  version: Fixed<number>;
  /** See `server/platform/topics.ts`. */
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
export interface RevisionsTable {
  journal_no: Fixed<number>;
  /** A list of `Difference`: from what is there after the change to what was there before it. */
  back: Fixed<Json>;
}
