import { warehouse } from '#contract/limits.ts';
import { canonicalText } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import type { ModifierGroupInput } from '#contract/schemas/modifier-input.ts';
import type { StoredOptions } from '#contract/schemas/product.ts';
import type { BrandInput, CategoryInput, TagInput } from '#contract/schemas/taxonomy.ts';
import type { Database, Reader } from '#db/database.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { allGroups } from '../modifiers/modifier-groups.repository.ts';
import {
  allBrands,
  allCategories,
  allTags,
  brandOf,
  type CategoryRow,
  categoryOf,
  tagOf,
} from '../taxonomy/taxonomy.repository.ts';
import type { CatalogueProduct } from './product.ts';
import type { ProductInput } from './product-input.ts';
import { loadAfter, loadProductsById, relatedIds, type StoredProduct } from './product-loader.repository.ts';
import { stockRowsOf } from './products.repository.ts';

const batchSize = 250;

export type CatalogueExport = ReturnType<typeof createCatalogueExport>;

export function createCatalogueExport({
  db,
  stores,
}: {
  db: Database;
  stores: Pick<StoresService, 'all' | 'read'>;
}) {
  return {
    /** As of `reader`, in no particular order; those that are not there are missing. */
    stored: (reader: Reader, ids: readonly string[]) => storedProducts({ stores }, reader, ids),
    /** By it a caller finds out whether anything but stock levels changed between two reads. */
    version: (): number | Promise<number> => db.catalogueVersion(),
    brands: async (): Promise<BrandInput[]> => (await allBrands(db.read)).map(brandOf),
    /** Parents before their children, siblings in the merchant's order. */
    categories: async (): Promise<CategoryInput[]> => below(null, await allCategories(db.read)),
    tags: async (): Promise<TagInput[]> => (await allTags(db.read)).map(tagOf),
    modifierGroups: async (): Promise<ModifierGroupInput[]> =>
      (await allGroups(db.read)).map(({ position: _, ...group }) => group),
    /** Unpublished ones included, oldest first. `stock`: at those of `locations` that the SKU has a stock level at. */
    async *products(locations: ReadonlySet<string>): AsyncGenerator<ProductInput> {
      for (let after = 0; ; ) {
        const stored = await loadAfter(db.read, after, { limit: batchSize, unpublished: true });
        const last = stored.at(-1);
        if (!last) return;
        yield* await inputsOf(db.read, stored, locations);
        after = last.row.no;
      }
    },
    async productsOf(
      ids: readonly string[],
      locations: ReadonlySet<string>,
    ): Promise<Map<string, ProductInput>> {
      const found = new Map<string, ProductInput>();
      for (const batch of batchesOf(ids)) {
        const stored = await loadProductsById(db.read, batch);
        for (const input of await inputsOf(db.read, stored, locations)) found.set(input.id, input);
      }
      return found;
    },
    async stockOf(skus: readonly string[]): Promise<Map<string, Map<string, number>>> {
      const bySku = Map.groupBy(await stockRowsOf(db.read, skus), ({ sku }) => sku);
      return new Map(
        [...bySku].map(([sku, levels]) => [
          sku,
          new Map(levels.map(({ location_id, quantity }) => [location_id, quantity])),
        ]),
      );
    },
  };
}

function batchesOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) =>
    ids.slice(index * batchSize, (index + 1) * batchSize),
  );
}

function below(parent: string | null, rows: readonly CategoryRow[]): CategoryInput[] {
  return rows
    .filter(({ parent_id }) => parent_id === parent)
    .flatMap((row) => [categoryOf(row), ...below(row.id, rows)]);
}

export async function inputsOf(
  db: Reader,
  products: readonly StoredProduct[],
  locations: ReadonlySet<string>,
): Promise<ProductInput[]> {
  if (products.length === 0) return [];
  const related = await relatedIds(
    db,
    products.map(({ row }) => row.id),
  );
  return products.map(({ facts, row }) => ({
    ...merchantData(facts),
    taxClass: row.tax_class,
    weightGrams: row.weight_grams,
    related: related.get(row.id) ?? [],
    skus: facts.skus.map(({ sku, optionPairs, image, gtin, singleServings, stock, ...own }) => ({
      sku,
      options: chosenValues(optionPairs, facts.options),
      ...(image === null ? {} : { image }),
      ...(own.counted ? {} : { counted: false }),
      ...(own.oversell ? { oversell: true } : {}),
      ...(gtin === null ? {} : { gtin }),
      ...(own.hasOwnPrice ? { priceCents: own.priceCents } : {}),
      ...(own.hasOwnCompareAt ? { compareAtCents: own.compareAtCents } : {}),
      ...(own.costCents === null ? {} : { costCents: own.costCents }),
      ...(own.weightGrams === null ? {} : { weightGrams: own.weightGrams }),
      ...(singleServings === 1 ? {} : { singleServings }),
      stock: Object.fromEntries(
        Object.entries(stock)
          .filter(([location]) => locations.has(location))
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    })),
  }));
}

/** What a merchant says of a product, without its SKUs. What may be left out is, unless it says something. */
function merchantData(facts: CatalogueProduct) {
  const {
    no: _no,
    published: _published,
    soldOut: _soldOut,
    stores: _stores,
    groups: _groups,
    skus: _skus,
    ...fields
  } = facts;
  const { publishAt, unpublishAt, descriptionHtml, seoTitle, seoDescription, ...always } = fields;
  return {
    ...always,
    ...(publishAt === null ? {} : { publishAt }),
    ...(unpublishAt === null ? {} : { unpublishAt }),
    ...(descriptionHtml === null ? {} : { descriptionHtml }),
    ...(seoTitle === null ? {} : { seoTitle }),
    ...(seoDescription === null ? {} : { seoDescription }),
  };
}

/** In the order of the product's options. */
function chosenValues(optionPairs: string, options: StoredOptions): Record<string, string> {
  const pairs = parseOptionPairs(optionPairs) ?? new Map<string, string>();
  return Object.fromEntries(
    options.map(({ name }) => [canonicalText(name), pairs.get(canonicalText(name)) ?? '']),
  );
}

/** In no particular order; those that are not there are missing. */
export async function storedProducts(
  { stores }: { stores: Pick<StoresService, 'read'> },
  reader: Reader,
  ids: readonly string[],
) {
  if (ids.length === 0) return [];
  const stored = await loadProductsById(reader, ids);
  const locations = new Set([warehouse, ...(await stores.read(reader)).map((store) => store.id)]);
  return wholeProducts(reader, stored, locations);
}

/** As it is imported, and with the prices that its SKUs have. */
export interface WholeProduct {
  input: ProductInput;
  facts: CatalogueProduct;
}

export async function wholeProducts(
  reader: Reader,
  stored: readonly StoredProduct[],
  locations: ReadonlySet<string>,
): Promise<WholeProduct[]> {
  const inputs = await inputsOf(reader, stored, locations);
  return inputs.flatMap((input, index) => {
    const facts = stored[index]?.facts;
    return facts ? [{ input, facts }] : [];
  });
}
