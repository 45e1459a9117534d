/** The types of removals. */
import type { Reader } from '#db/database.ts';
import type { CatalogueRemoval } from '#server/modules/catalogue/index.ts';
import type { Change } from '#server/modules/changes/index.ts';
import type { ContentRemoval } from '#server/modules/content/index.ts';
import type { OrderRemoval } from '#server/modules/orders/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';

export const removalKinds = ['store', 'brand', 'category', 'tag', 'product', 'page', 'post'] as const;
export type RemovalKind = (typeof removalKinds)[number];

export interface RemovalRequest {
  kind: RemovalKind;
  /** An id; the name of a page, the link of a post. */
  id: string;
  /** The brand or category that the products of a removed one move to; null to choose none. */
  to: string | null;
  /** Whether to remove it although something depends on it. */
  confirmed: boolean;
}

export interface RemovalReport {
  /** False if something depends on it and the request was not confirmed; then nothing has changed. */
  removed: boolean;
  /** What depends on it, such as `page home: block hello links to it`. */
  affected: string[];
}

/** An error whose message tells the merchant why something cannot be removed. */
export class RemovalError extends Error {
  override name = 'RemovalError';
}

export interface RemovalDeps {
  /** The clock: epoch ms. */
  now: () => number;
  settings: SettingsService;
  stores: StoresService;
  catalogueRemoval: CatalogueRemoval;
  contentRemoval: ContentRemoval;
  orderRemoval: OrderRemoval;
}

/** How one kind of part is removed. */
export interface Remover {
  /** What depends on it. @throws {RemovalError} if there is no such part, or it cannot be removed */
  affected(reader: Reader, id: string, to: string | null): Promise<string[]>;
  remove(change: Change, id: string, to: string | null): Promise<void>;
}
