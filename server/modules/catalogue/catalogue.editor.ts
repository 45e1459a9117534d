/** Edits the catalogue. Each change and its consequences are one transaction, visible on the next request. */
import { type LocalText, localeCodes } from '#contract/locales.ts';
import { everything } from '#db/catalogue-version.ts';
import type { Database, Trx } from '#db/database.ts';
import type { LowStockEvents, StockChange } from '#server/modules/webhooks/index.ts';
import { topics } from '#server/platform/topics.ts';
import { lockCatalogue } from './catalogue-lock.ts';
import { type AlsoKnown, type CatalogueIds, type CatalogueInput, catalogueProblems } from './catalogue-problems.ts';
import { deleteScope } from './catalogue-removal.repository.ts';
import { type CatalogueWriteDeps, type ChangeCatalogue, createCatalogueTransaction } from './catalogue-transaction.ts';
import { priceRanges } from './filter-scopes.ts';
import { cardLanguages, listedProducts, scopeIdByName } from './listings.repository.ts';
import { freshKeys, type NamedProduct, type NameKeys, rankNames } from './name-ranks.ts';
import { isOutdated, markOutdated, unmarkOutdated } from './outdated-index.repository.ts';
import type { ProductInput } from './product-input.ts';
import { reindexAround, writeProducts } from './product-writer.ts';
import { datesOf, lockStock, productNosById, setStockLevel } from './products.repository.ts';
import { rebalanceNameRanks } from './rebalance-name-ranks.ts';
import { type StockBoundary, stockChanged, stockChangedInBatches } from './stock-boundary.ts';
import { insertScope } from './taxonomy.repository.ts';
import { loadTaxonomy, scopeNames } from './taxonomy.ts';
import { createTaxonomyEditor } from './taxonomy-editor.ts';

/** `place` is 'warehouse' or a store's id. */
export interface StockLevelInput {
  sku: string;
  place: string;
  units: number;
}

export interface ImportOptions {
  /** Called after each batch with the number of products written so far. */
  onProgress?: (done: number) => void;
  /** The ids of all products of the import, so that SKUs can move between products of different batches. */
  given?: ReadonlySet<string>;
}

export type CatalogueEditor = ReturnType<typeof createCatalogueEditor>;

const batchSize = 250;

export function createCatalogueEditor(deps: CatalogueWriteDeps & { lowStock: LowStockEvents }) {
  const { db, media } = deps;
  const change = createCatalogueTransaction(deps);
  return {
    ...createTaxonomyEditor(change),
    /** Adds or updates products by id, all or none. @throws {CatalogueInputError} naming every problem */
    async upsertProducts(products: readonly ProductInput[]): Promise<void> {
      const needsRebalance = await change((context) => writeProducts(context, products));
      if (needsRebalance) await rebalanceNameRanks(db);
    },
    /**
     * Adds or updates any number of products, in independent batches; returns how many. `make` is called twice and must return
     * the same both times.
     */
    importProducts: (make: () => Iterable<ProductInput>, options: ImportOptions = {}) =>
      importProducts(db, change, make, options),
    /** Everything that is wrong with an import, before any of it is written; see `catalogueProblems`. */
    problemsOf: (input: CatalogueInput, also: AlsoKnown) => catalogueProblems(db.read, media, input, also),
    /** The ids of all brands, categories and tags. */
    async ids(): Promise<CatalogueIds> {
      const { brands, categories, tags } = await loadTaxonomy(db.read, media);
      return { brands: new Set(brands.keys()), categories: new Set(categories.keys()), tags: new Set(tags.keys()) };
    },
    /** Rewrites all lists, cards and search entries, batch by batch. */
    reindexAll: () => reindexAll(db, change),
    /** Reindexes everything if the program supports a language that the lists were not written in. */
    async reindexIfLanguagesChanged(): Promise<void> {
      const written = await cardLanguages(db.read);
      if (written.size > 0 && localeCodes.some((locale) => !written.has(locale))) await reindexAll(db, change);
    },
    /** When each of these products was created (epoch ms), by id; unknown ids are left out. */
    datesOf: (ids: readonly string[]): Promise<Map<string, number>> => datesOf(db.read, ids),
    /**
     * Rewrites all lists if the price ranges of the settings have changed, or if the database was filled before lists could be
     * filtered. Safe to repeat after it was interrupted.
     */
    reindexIfOutdated: () => reindexIfOutdated(deps, change),
    /** Sets the units of a SKU at 'warehouse' or a store. */
    setStock: (sku: string, place: string, units: number) => setStockLevels(deps, [{ sku, place, units }]),
    /** Sets several stock levels, all or none. */
    setStocks: (levels: readonly StockLevelInput[]) => setStockLevels(deps, levels),
    /** Call it in the transaction in which SKUs passed between some and no units in a store or everywhere. See stock-boundary.ts. */
    stockCrossed: (trx: Trx, change: StockBoundary) => stockChanged(db, media, trx, change),
  };
}

async function importProducts(
  db: Database,
  change: ChangeCatalogue,
  make: () => Iterable<ProductInput>,
  { onProgress, given }: ImportOptions,
): Promise<number> {
  const { keys, needsRebalance } = await rankNewNames(db, make);
  let done = 0;
  const flush = async (batch: ProductInput[]) => {
    await change((context) => writeProducts(context, batch, { names: keys, ...(given ? { given } : {}) }));
    done += batch.length;
    onProgress?.(done);
  };
  let batch: ProductInput[] = [];
  for (const product of make()) {
    batch.push(product);
    if (batch.length < batchSize) continue;
    await flush(batch);
    batch = [];
  }
  if (batch.length > 0) await flush(batch);
  if (needsRebalance) await rebalanceNameRanks(db);
  return done;
}

/** Computes name ranks for the products of `make` that do not exist yet, all at once. */
async function rankNewNames(
  db: Database,
  make: () => Iterable<ProductInput>,
): Promise<{ keys: Map<string, NameKeys>; needsRebalance: boolean }> {
  const named: NamedProduct[] = [];
  for (const { id, name } of make()) named.push({ id, name });
  const present = new Set<string>();
  for (let start = 0; start < named.length; start += 1000) {
    const ids = named.slice(start, start + 1000).map(({ id }) => id);
    for (const id of (await productNosById(db.read, ids)).keys()) present.add(id);
  }
  const scopeId = await scopeIdByName(db.read, scopeNames.all);
  return await rankNames(
    db.read,
    scopeId ?? 0,
    named.filter(({ id }) => !present.has(id)),
  );
}

async function reindexAll(db: Database, change: ChangeCatalogue): Promise<void> {
  const listed = await listedProducts(db.read);
  const texts = listed.map(({ name }): LocalText => JSON.parse(name));
  const keys = localeCodes.map((locale) => [locale, freshKeys(locale, texts)] as const);
  const names = new Map(
    listed.map(({ id }, index) => [id, Object.fromEntries(keys.map(([locale, all]) => [locale, all[index] ?? 0])) as NameKeys]),
  );
  for (let start = 0; start < listed.length; start += batchSize) {
    const nos = listed.slice(start, start + batchSize).map(({ no }) => no);
    await change((context) => {
      // The program may present the same facts in another way.
      context.touched.add(everything);
      return reindexAround(context, nos, async () => context.taxonomy, names);
    });
  }
}

async function reindexIfOutdated({ db, media, settings }: CatalogueWriteDeps, change: ChangeCatalogue): Promise<void> {
  const wanted = priceRanges(await settings.read(db.read)).map(scopeNames.price);
  const { priceRanges: present } = await loadTaxonomy(db.read, media);
  // A catalogue without ranges gets them with its first change.
  if (present.length > 0 && present.map(scopeNames.price).join() !== wanted.join()) await replacePriceRanges(change, wanted);
  if (!(await isOutdated(db.read))) return;
  await reindexAll(db, change);
  await db.transaction(unmarkOutdated);
}

async function replacePriceRanges(change: ChangeCatalogue, wanted: readonly string[]): Promise<void> {
  await change(async ({ trx, taxonomy, touched }) => {
    const present = taxonomy.priceRanges.map(scopeNames.price);
    // The new ones first, so that none has the id of one that products are still listed in.
    for (const name of wanted) if (!present.includes(name)) await insertScope(trx, name);
    for (const name of present) if (!wanted.includes(name)) await deleteScope(trx, name);
    await markOutdated(trx);
    touched.add(topics.counts);
  });
}

async function setStockLevels(
  { db, media, lowStock }: CatalogueWriteDeps & { lowStock: LowStockEvents },
  levels: readonly StockLevelInput[],
): Promise<void> {
  // Locks in the same order as sales: stock rows by SKU, then the catalogue if something sells out or returns.
  const bySku = [...Map.groupBy(levels, ({ sku }) => sku)].sort(([a], [b]) => (a < b ? -1 : 1));
  const skus = bySku.map(([sku]) => sku);
  await db.transaction(async (trx) => {
    const changes: StockChange[] = [];
    const crossed = new Set<string>();
    for (const [sku, places] of bySku) {
      const units = await lockStock(trx, sku);
      const before = sum(units.values());
      for (const { place, units: after } of places) {
        const there = units.get(place);
        if (there !== undefined) changes.push({ sku, location: place, before: there, after });
        units.set(place, after);
        await setStockLevel(trx, sku, place, after);
      }
      if (before > 0 !== sum(units.values()) > 0) crossed.add(sku);
    }
    await lowStock.stockChanged(trx, changes);
    await lockCatalogue(db, trx);
    await stockChangedInBatches(db, media, trx, { skus, crossed });
  });
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}
