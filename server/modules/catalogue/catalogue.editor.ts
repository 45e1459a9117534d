/** Changing the catalogue. Every change and all that follows from it is one transaction, seen on the next request. */
import { type LocalText, localeCodes } from '#contract/locales.ts';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { Database, Trx } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { cardLanguages, listedProducts, scopeIdByName } from './listings.repository.ts';
import type { NamedProduct, NameKeys } from './name-ranks.ts';
import { freshKeys, rankNames } from './name-ranks.ts';
import { CatalogueInputError, type ProductInput } from './product-input.ts';
import { reindexAround, type WriteContext, writeProducts } from './product-writer.ts';
import { datesOf, ownersOf, productNosById, productNosWhere, productNosWithTags, setStockLevel } from './products.repository.ts';
import { rebalanceNameRanks } from './rebalance-name-ranks.ts';
import { stockCrossed } from './stock-boundary.ts';
import { insertScope, putBrand, putCategory, putTag } from './taxonomy.repository.ts';
import { categoryDepth, loadTaxonomy, scopeNames, type Taxonomy, withDescendants } from './taxonomy.ts';

export interface BrandInput {
  id: string;
  name: LocalText;
  story: LocalText;
  /** An imported picture's file name. */
  image: string | null;
}

export interface CategoryInput {
  id: string;
  /** A category given before, or one that is there. */
  parent: string | null;
  name: LocalText;
  description: LocalText;
  image: string | null;
}

export interface TagInput {
  id: string;
  name: LocalText;
  description: LocalText;
}

/** `place` is 'warehouse' or a store's id. */
export interface StockLevelInput {
  sku: string;
  place: string;
  units: number;
}

export interface CatalogueEditor {
  /** Adds or changes brands by their ids, in the order given; others stay. */
  upsertBrands(brands: readonly BrandInput[]): Promise<void>;
  /** Parents before children. Throws a CatalogueInputError where a parent is unknown, below itself or too deep. */
  upsertCategories(categories: readonly CategoryInput[]): Promise<void>;
  upsertTags(tags: readonly TagInput[]): Promise<void>;
  /** Adds or changes products by their ids, all or none. Throws a CatalogueInputError naming every problem. */
  upsertProducts(products: readonly ProductInput[]): Promise<void>;
  /** The same for any number, in batches that each stand alone. `make` is called twice and must give the same. */
  importProducts(make: () => Iterable<ProductInput>, options?: { onProgress?: (done: number) => void }): Promise<number>;
  /** When each of these products was made (epoch ms), by id; those that are not there are left out. */
  datesOf(ids: readonly string[]): Promise<Map<string, number>>;
  /** Which of these SKUs there are not. */
  unknownSkus(skus: readonly string[]): Promise<string[]>;
  /** Sets the units of a SKU at 'warehouse' or a store. */
  setStock(sku: string, place: string, units: number): Promise<void>;
  /** The same for many, all or none. */
  setStocks(numbers: readonly StockLevelInput[]): Promise<void>;
  /** Writes all lists, cards and search entries anew, batch by batch. */
  reindexAll(): Promise<void>;
  /** Does so where the program speaks a language that the lists were not written in. */
  reindexIfLanguagesChanged(): Promise<void>;
  /** See `stockCrossed` in stock-boundary.ts. */
  stockCrossed(trx: Trx, skus: readonly string[]): Promise<void>;
}

const batchSize = 250;
const lockName = 'catalogue';

export function createCatalogueEditor(deps: {
  db: Database;
  now: () => number;
  media: MediaService;
  settings: SettingsService;
}): CatalogueEditor {
  const { db, now, media, settings } = deps;

  /** Writers follow one another, so that counts and orders are never made from what another is changing. */
  async function write<T>(work: (context: WriteContext) => Promise<T>): Promise<T> {
    return await db.transaction(async (trx) => {
      await db.queries.lock(trx, lockName);
      const { currency } = await settings.read(trx);
      const result = await work({ db, trx, now, media, currency, taxonomy: await withScopes(trx, Object.values(baseScopes)) });
      await bumpCatalogueVersion(trx);
      return result;
    });
  }

  async function withScopes(trx: Trx, names: readonly string[]): Promise<Taxonomy> {
    const taxonomy = await loadTaxonomy(trx, media);
    const missing = names.filter((name) => !taxonomy.scopes.has(name));
    for (const name of missing) await insertScope(trx, name);
    return missing.length > 0 ? await loadTaxonomy(trx, media) : taxonomy;
  }

  async function rewrite(): Promise<void> {
    const listed = await listedProducts(db.read);
    const texts = listed.map(({ name }): LocalText => JSON.parse(name));
    const keys = localeCodes.map((locale) => [locale, freshKeys(locale, texts)] as const);
    const names = new Map(
      listed.map(({ id }, index) => [id, Object.fromEntries(keys.map(([locale, all]) => [locale, all[index] ?? 0])) as NameKeys]),
    );
    for (let start = 0; start < listed.length; start += batchSize) {
      const nos = listed.slice(start, start + batchSize).map(({ no }) => no);
      await write((context) => reindexAround(context, nos, async () => context.taxonomy, names));
    }
  }

  async function renumberIf(needsRebalance: boolean): Promise<void> {
    if (needsRebalance) await rebalanceNameRanks(db, lockName);
  }

  async function setStocks(numbers: readonly StockLevelInput[]): Promise<void> {
    // In the order in which sales lock them: rows by SKU, and then the catalogue, where one is sold out or back.
    const sorted = numbers.toSorted((a, b) => (a.sku < b.sku ? -1 : a.sku > b.sku ? 1 : a.place < b.place ? -1 : 1));
    const skus = [...new Set(sorted.map(({ sku }) => sku))];
    await db.transaction(async (trx) => {
      for (const { sku, place, units } of sorted) await setStockLevel(trx, sku, place, units);
      await db.queries.lock(trx, lockName);
      for (let start = 0; start < skus.length; start += batchSize)
        await stockCrossed(db, media, trx, skus.slice(start, start + batchSize));
    });
  }

  return {
    async upsertBrands(brands) {
      await write(async (context) => {
        const known = context.taxonomy.brands;
        const changed = brands
          .filter(({ id, name }) => known.has(id) && !sameText(known.get(id)?.name, name))
          .map(({ id }) => id);
        const put = async () => {
          for (const [index, { id, name, story, image }] of brands.entries()) {
            const position = known.get(id)?.position ?? known.size + index;
            await putBrand(context.trx, { id, name: JSON.stringify(name), story: JSON.stringify(story), image, position });
          }
          return await withScopes(
            context.trx,
            brands.map(({ id }) => scopeNames.brand(id)),
          );
        };
        await reindexAround(context, await productNosWhere(context.trx, 'brand_id', changed), put);
      });
    },
    async upsertCategories(categories) {
      await write(async (context) => {
        const known = context.taxonomy.categories;
        checkTree(context.taxonomy, categories);
        const changed = categories.filter(({ id, name, parent }) => {
          const before = known.get(id);
          return before && (before.parentId !== parent || !sameText(before.name, name));
        });
        const affected = changed.flatMap(({ id }) => withDescendants(context.taxonomy, id));
        const put = async () => {
          for (const [index, { id, parent, name, description, image }] of categories.entries()) {
            const position = known.get(id)?.position ?? known.size + index;
            const row = {
              id,
              parent_id: parent,
              name: JSON.stringify(name),
              description: JSON.stringify(description),
              image,
              position,
            };
            await putCategory(context.trx, row);
          }
          return await withScopes(
            context.trx,
            categories.map(({ id }) => scopeNames.category(id)),
          );
        };
        await reindexAround(context, await productNosWhere(context.trx, 'category_id', affected), put);
      });
    },
    async upsertTags(tags) {
      await write(async (context) => {
        const known = context.taxonomy.tags;
        const changed = tags.filter(({ id, name }) => known.has(id) && !sameText(known.get(id)?.name, name)).map(({ id }) => id);
        await reindexAround(context, await productNosWithTags(context.trx, changed), async () => {
          for (const [index, { id, name, description }] of tags.entries()) {
            const position = known.get(id)?.position ?? known.size + index;
            await putTag(context.trx, { id, name: JSON.stringify(name), description: JSON.stringify(description), position });
          }
          return await withScopes(
            context.trx,
            tags.map(({ id }) => scopeNames.tag(id)),
          );
        });
      });
    },
    async upsertProducts(products) {
      await renumberIf(await write((context) => writeProducts(context, products)));
    },
    async importProducts(make, { onProgress } = {}) {
      const { keys, needsRebalance } = await placesOfNew(db, make);
      let done = 0;
      const flush = async (batch: ProductInput[]) => {
        await write((context) => writeProducts(context, batch, keys));
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
      await renumberIf(needsRebalance);
      return done;
    },
    reindexAll: rewrite,
    async reindexIfLanguagesChanged() {
      const written = await cardLanguages(db.read);
      if (written.size > 0 && localeCodes.some((locale) => !written.has(locale))) await rewrite();
    },
    datesOf: (ids) => datesOf(db.read, ids),
    async unknownSkus(skus) {
      const known = new Set((await ownersOf(db.read, skus)).map(({ sku }) => sku));
      return skus.filter((sku) => !known.has(sku));
    },
    setStock: (sku, place, units) => setStocks([{ sku, place, units }]),
    setStocks,
    stockCrossed: (trx, skus) => stockCrossed(db, media, trx, skus),
  };
}

const baseScopes = { all: scopeNames.all, sale: scopeNames.sale, clearance: scopeNames.clearance, new: scopeNames.new };

/** Where the names of products that are not there yet go, found at once for all of them. */
async function placesOfNew(
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

function sameText(a: LocalText | undefined, b: LocalText): boolean {
  return localeCodes.every((locale) => a?.[locale] === b[locale]);
}

function checkTree(taxonomy: Taxonomy, inputs: readonly CategoryInput[]): void {
  const categories = new Map<string, { id: string; parentId: string | null }>(taxonomy.categories);
  const problems: string[] = [];
  for (const { id, parent } of inputs) {
    if (parent !== null && !categories.has(parent)) problems.push(`${id}: unknown parent category ${parent}`);
    categories.set(id, { id, parentId: parent });
  }
  for (const { id } of inputs) {
    let depth = 0;
    for (let next = categories.get(id); next && depth <= categoryDepth; depth++) {
      next = next.parentId === null ? undefined : categories.get(next.parentId);
    }
    if (depth > categoryDepth) problems.push(`${id}: deeper than ${categoryDepth} levels, or below itself`);
  }
  if (problems.length > 0) throw new CatalogueInputError(problems);
}
