/** What the parts of an import share. */
import type { Problem } from '#contract/problems.ts';
import type { ImportOutcome, SheetEncoding } from '#contract/staff/imports.ts';
import type { Database } from '#db/database.ts';
import type { BulkChanges, BulkRow, ChangesService } from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { notFound } from '#server/platform/errors.ts';
import type { SafeFetch } from '#server/platform/safe-fetch/safe-fetch.ts';
import type { ImportKind, ImportOptions, Shown, ShownPost } from '../kinds/kind.ts';
import type { Sheet } from '../sheet/read-sheet.ts';
import type { ImportRow } from './imports.repository.ts';

export interface ImportRunsDeps {
  db: Database;
  now: () => number;
  changes: ChangesService;
  bulkChanges: BulkChanges;
  media: MediaService;
  externalFetch: SafeFetch;
  kinds: readonly ImportKind[];
  /** Where files are kept. */
  folder: string;
  /** Ids of the places that units can be in. */
  places(): Promise<string[]>;
  /** Of the shop, ISO 4217. */
  currency(): Promise<string>;
  /** Of the shop, IANA. */
  timeZone(): Promise<string>;
  /** What was just read, so that it is not read twice. */
  read: Map<string, Sheet>;
}

/** Kept beside the file's columns. */
export interface About {
  format: string;
  encoding: SheetEncoding;
  delimiter: string;
  rows: number;
  /** Of the first row that has one, for each column. */
  examples: string[];
  remembered: boolean;
  problem?: Problem;
}

export interface Counts extends Record<ImportOutcome, number> {
  warnings: number;
  made: { brands: number; categories: number; tags: number };
  /** How often the shop has no place for something, by the key of its problem. Missing in older imports. */
  lost?: Record<string, number>;
  /** Amounts that could be two. Missing in older imports. */
  ambiguous?: number;
}

export const noCounts: Counts = {
  new: 0,
  changed: 0,
  unchanged: 0,
  problem: 0,
  warnings: 0,
  made: { brands: 0, categories: 0, tags: 0 },
};

export const kindOf = (kinds: readonly ImportKind[], id: string): ImportKind => {
  const kind = kinds.find((each) => each.id === id);
  if (!kind) throw notFound();
  return kind;
};

export function optionsOf({ options }: Pick<ImportRow, 'options'>): ImportOptions {
  const read: ImportOptions = JSON.parse(options);
  // Earlier files named no places, and had no choice of drafts and decimals.
  return {
    ...read,
    may: read.may ?? [],
    drafts: read.drafts ?? false,
    decimal: read.decimal ?? null,
    places: read.places ?? (read.place === null ? [] : [read.place]),
  };
}

/** One thing of the file, as it was judged. */
export interface Plan {
  lines: readonly number[];
  content: unknown;
  shows?: Shown | ShownPost;
}

export const planOf = ({ plan }: Pick<BulkRow, 'plan'>): Plan =>
  plan === null ? { lines: [], content: undefined } : JSON.parse(plan);

export const problemsOf = ({ problem: text }: Pick<BulkRow, 'problem'>): Problem[] =>
  text === null ? [] : [JSON.parse(text)].flat();
