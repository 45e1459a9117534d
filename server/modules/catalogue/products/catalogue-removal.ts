/** Removes products, brands, categories and tags, each in the transaction of the caller, visible on the next request. */
import { everything } from '#db/catalogue-version.ts';
import type { Reader, Trx } from '#db/database.ts';
import { childrenOf, loadTaxonomy, withDescendants } from '../taxonomy/taxonomy.ts';
import {
  deleteBrand,
  deleteCategory,
  deleteProduct,
  deleteStockAt,
  deleteTag,
  moveChildren,
  moveProducts,
  productsRelatedTo,
  skusOf,
  unitsAt,
} from './catalogue-removal.repository.ts';
import { type CatalogueWriteDeps, changeCatalogueIn, lockCatalogue } from './catalogue-transaction.ts';
import { loadProductById } from './product-loader.repository.ts';
import { indexAround, indexProducts, type WriteContext } from './product-writer.ts';
import { productNosWhere, productNosWithTags } from './products.repository.ts';
import { stockChanged } from './stock-boundary.ts';

/** What depends on a product. */
export interface ProductUse {
  skus: string[];
  /** Products that name it as related. */
  relatedFrom: string[];
}

/** What depends on a brand, category or tag. */
export interface TaxonUse {
  /** The number of its products, without those of categories below it. */
  products: number;
  /** The categories directly below it. */
  children: string[];
  /** The category above it; null for brands, tags and top-level categories. */
  parent: string | null;
}

export type CatalogueRemoval = ReturnType<typeof createCatalogueRemoval>;

export function createCatalogueRemoval(deps: CatalogueWriteDeps) {
  const { media } = deps;
  const change = (trx: Trx, work: (context: WriteContext) => Promise<void>) =>
    changeCatalogueIn(deps, trx, (context) => {
      // What is removed is rare, and shown in many places.
      context.touched.add(everything);
      return work(context);
    });
  return {
    /** Null if there is no such product. */
    async productUse(reader: Reader, id: string): Promise<ProductUse | null> {
      if (!(await loadProductById(reader, id))) return null;
      return { skus: await skusOf(reader, id), relatedFrom: await productsRelatedTo(reader, id) };
    },
    /** Null if there is no such brand. */
    async brandUse(reader: Reader, id: string): Promise<TaxonUse | null> {
      const { brands } = await loadTaxonomy(reader, media);
      if (!brands.has(id)) return null;
      return { products: (await productNosWhere(reader, 'brand_id', [id])).length, children: [], parent: null };
    },
    /** Null if there is no such category. */
    async categoryUse(reader: Reader, id: string): Promise<TaxonUse | null> {
      const taxonomy = await loadTaxonomy(reader, media);
      const category = taxonomy.categories.get(id);
      if (!category) return null;
      return {
        products: (await productNosWhere(reader, 'category_id', [id])).length,
        children: childrenOf(taxonomy, id).map((child) => child.id),
        parent: category.parentId,
      };
    },
    /** Null if there is no such tag. */
    async tagUse(reader: Reader, id: string): Promise<TaxonUse | null> {
      const { tags } = await loadTaxonomy(reader, media);
      if (!tags.has(id)) return null;
      return { products: (await productNosWithTags(reader, [id])).length, children: [], parent: null };
    },
    /** Units on sale at a location. */
    unitsAt,

    removeProduct: (trx: Trx, id: string) => change(trx, (context) => removeProduct(context, id)),
    /** Removes a brand; its products move to the brand `to`, which may be null if there are none. */
    removeBrand: (trx: Trx, id: string, to: string | null) => change(trx, (context) => removeBrand(context, id, to)),
    /**
     * Removes a category; its products move to the category `to`, which may be null if there are none, and the categories below
     * it to its parent.
     */
    removeCategory: (trx: Trx, id: string, to: string | null) => change(trx, (context) => removeCategory(context, id, to)),
    removeTag: (trx: Trx, id: string) => change(trx, (context) => removeTag(context, id)),
    /** Deletes the stock of a location; products without units elsewhere become sold out. */
    clearLocation: (trx: Trx, location: string): Promise<void> => clearLocation(deps, trx, location),
  };
}

async function clearLocation(deps: CatalogueWriteDeps, trx: Trx, location: string): Promise<void> {
  const skus = await deleteStockAt(trx, location);
  // Which of them have units elsewhere is not known.
  const crossed = new Set(skus);
  // After the rows of `stock`, as sales do.
  await lockCatalogue(deps.db, trx);
  await stockChanged(deps, trx, { skus, crossed });
}

async function removeProduct(context: WriteContext, id: string): Promise<void> {
  const stored = await loadProductById(context.trx, id);
  if (!stored) return;
  await deleteProduct(context.trx, { no: stored.row.no, id });
  await indexProducts(context, [stored.row.no], { products: [stored], taxonomy: context.taxonomy });
}

async function removeBrand(context: WriteContext, id: string, to: string | null): Promise<void> {
  const { trx, media } = context;
  await indexAround(context, await productNosWhere(trx, 'brand_id', [id]), async () => {
    if (to !== null) await moveProducts(trx, 'brand_id', { from: id, to, at: context.now() });
    await deleteBrand(trx, id);
    return loadTaxonomy(trx, media);
  });
}

async function removeCategory(context: WriteContext, id: string, to: string | null): Promise<void> {
  const { trx, media, taxonomy } = context;
  // Products are found by the names of the categories above their own.
  const affected = await productNosWhere(trx, 'category_id', withDescendants(taxonomy, id));
  await indexAround(context, affected, async () => {
    if (to !== null) await moveProducts(trx, 'category_id', { from: id, to, at: context.now() });
    await moveChildren(trx, id, taxonomy.categories.get(id)?.parentId ?? null);
    await deleteCategory(trx, id);
    return loadTaxonomy(trx, media);
  });
}

async function removeTag(context: WriteContext, id: string): Promise<void> {
  const { trx, media } = context;
  await indexAround(context, await productNosWithTags(trx, [id]), async () => {
    await deleteTag(trx, id);
    return loadTaxonomy(trx, media);
  });
}
