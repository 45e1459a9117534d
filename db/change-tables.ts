/** Row types of the tables about changes of catalogue and content. */
import type { Fixed, Json } from './tables.ts';

/** One row, id 1. Incremented by every visible change of catalogue or content. */
export interface CatalogueVersionTable {
  id: Fixed<1>;
  version: number;
}

/** What each change touched, by version. Old rows are deleted. */
export interface CatalogueChangesTable {
  version: Fixed<number>;
  /** An array of topics, see `server/platform/topics.ts`. */
  topics: Fixed<Json>;
}
