/** Built once in each process, then changed products are taken over. */
import type { FilterRange } from '#contract/list-filters.ts';
import type { Database } from '#db/database.ts';
import { refreshOnce } from '#server/platform/recorded-reads.ts';
import type { Listing } from '../products/listing.ts';
import { type ListingChange, lastRevision, listingsAfter } from '../products/listings.repository.ts';
import { searchTexts } from '../products/product.ts';
import { loadProducts } from '../products/product-loader.repository.ts';
import { indexEntry } from '../search/tokens.ts';
import type { TaxonomyNames } from '../taxonomy/taxonomy.ts';
import { ListIndex } from './list-index.ts';
import type { ProductSet } from './product-bits.ts';

export interface CurrentIndexDeps {
  db: Database;
  priceRanges: () => Promise<readonly FilterRange[]>;
  names: () => Promise<TaxonomyNames>;
}

/** Rows read at once, so that other requests are answered in between. */
const rowsAtOnce = 5000;
const numbersAtOnce = 65_536;
const spareNos = 4096;
/** After more changes, words are read again when they are searched. */
const fewChanges = 50;

/** At the state of the call, or of the answer that is being made. */
export function createCurrentIndex({ db, priceRanges, names }: CurrentIndexDeps): () => Promise<ListIndex> {
  let index: ListIndex | null = null;
  let last = nothingRead;
  let moment = -1;
  let prices = '';
  let updating: Promise<void> | null = null;

  async function update(): Promise<void> {
    const now = db.changes.moment;
    const ranges = await priceRanges();
    const revision = await lastRevision(db.read);
    // A database that was replaced by an older one begins again.
    if (revision < last.revision) index = null;
    if (index && JSON.stringify(ranges) !== prices) index.setPrices(ranges);
    if (index && revision > last.revision) await follow(index);
    if (!index) ({ index, last } = await buildIndex(db, ranges));
    prices = JSON.stringify(ranges);
    moment = now;
  }

  /** What has outgrown the index is built again. */
  async function follow(known: ListIndex): Promise<void> {
    const changes = await changesAfter(db, last);
    const nos = [...changes.listings.keys()];
    if (nos.some((no) => no >= known.capacity)) {
      index = null;
      return;
    }
    known.update(changes.listings);
    known.updateTokens(nos.length > fewChanges ? undefined : await tokensOf(db, nos, await names()));
    last = changes.last;
  }

  return async () => {
    await refreshOnce(db.changes);
    const wanted = db.changes.moment;
    while (!index || moment < wanted) {
      updating ??= update()
        .catch((error) => {
          index = null;
          throw error;
        })
        .finally(() => {
          updating = null;
        });
      await updating;
    }
    return index;
  };
}

type Place = Pick<ListingChange, 'revision' | 'no'>;
const nothingRead: Place = { revision: 0, no: 0 };

async function buildIndex(db: Database, prices: readonly FilterRange[]): Promise<{ index: ListIndex; last: Place }> {
  const { listings, last } = await changesAfter(db, nothingRead);
  const highestNo = [...listings.keys()].reduce((highest, no) => Math.max(highest, no), 0);
  const capacity = highestNo + Math.ceil(highestNo / 64) + spareNos;
  const index = new ListIndex({ capacity, prices, loadToken: (token, into) => readToken(db, token, capacity, into) });
  index.update(listings);
  return { index, last };
}

/** With the place of the last of them. */
async function changesAfter(db: Database, place: Place): Promise<{ listings: Map<number, Listing | null>; last: Place }> {
  const listings = new Map<number, Listing | null>();
  for (let last = place; ; ) {
    const rows = await listingsAfter(db.read, last, rowsAtOnce);
    for (const { no, listing } of rows) listings.set(no, listing);
    last = rows.at(-1) ?? last;
    if (rows.length < rowsAtOnce) return { listings, last };
    await new Promise(setImmediate);
  }
}

async function readToken(db: Database, token: string, capacity: number, into: ProductSet): Promise<void> {
  for (let from = 0; from < capacity; from += numbersAtOnce) {
    const nos = await db.queries.search.productNos(db.read, token, from, from + numbersAtOnce);
    for (const no of nos) if (no < capacity) into.add(no);
    if (from + numbersAtOnce < capacity) await new Promise(setImmediate);
  }
}

/** Nothing for products that are in no list. */
async function tokensOf(db: Database, nos: readonly number[], names: TaxonomyNames): Promise<Map<number, Set<string>>> {
  const tokens = new Map(nos.map((no) => [no, new Set<string>()]));
  for (const { facts } of await loadProducts(db.read, nos))
    if (facts.published) tokens.set(facts.no, new Set(indexEntry(searchTexts(facts, names)).tokens));
  return tokens;
}
