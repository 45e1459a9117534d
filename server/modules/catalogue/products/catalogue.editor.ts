/** Each change and its consequences are one transaction, visible on the next request. */
import { localeCodes } from '#contract/locales.ts';
import { everything } from '#db/catalogue-version.ts';
import type { Trx } from '#db/database.ts';
import type { Change, RunChange } from '#server/modules/changes/index.ts';
import type { RedirectsService } from '#server/modules/settings/index.ts';
import { loadTaxonomy } from '../taxonomy/taxonomy.repository.ts';
import { type AlsoKnown, type CatalogueIds, type CatalogueInput, catalogueProblems } from './catalogue-problems.ts';
import { type CatalogueWriteDeps, changeCatalogueIn, lockCatalogue } from './catalogue-transaction.ts';
import { changeAddress } from './change-address.ts';
import {
  areListingsOutdated,
  clearListings,
  listingsOf,
  markOutdated,
  publishedNosAfter,
  unmarkOutdated,
} from './listings.repository.ts';
import { createModifierGroupEditor } from './modifier-group-editor.ts';
import { mostSkus, type ProductInput } from './product-input.ts';
import { loadDerivedParts, loadProducts } from './product-loader.repository.ts';
import { indexAround, indexProducts, type WriteContext, writeProducts } from './product-writer.ts';
import { datesOf, nosWithDueTimes, ownersOf, showByTimes } from './products.repository.ts';
import { createSoldOutEditor } from './sold-out.ts';
import { type StockBoundary, stockChanged } from './stock-boundary.ts';
import { createTaxonomyEditor } from './taxonomy-editor.ts';

export interface ImportOptions {
  /** After each batch. */
  onProgress?: (done: number) => void;
  /** All products of the import, so that SKUs can move between batches. */
  given?: ReadonlySet<string>;
}

export type CatalogueEditor = ReturnType<typeof createCatalogueEditor>;

const batchSize = 250;
/** Products shown or hidden at once. */
const mostDue = 20;
const redrawnAtOnce = 10;

export function createCatalogueEditor(deps: CatalogueWriteDeps & { redirects: RedirectsService }) {
  const { db, media } = deps;
  return {
    ...createTaxonomyEditor(deps),
    ...createSoldOutEditor(deps),
    ...createModifierGroupEditor(deps),
    /** All or none. @throws {InputError} naming every problem */
    upsertProducts: (change: Change, products: readonly ProductInput[]): Promise<void> =>
      changeCatalogueIn(deps, change.trx, (context) => writeProducts(context, products, change)),
    async importProducts(
      run: RunChange,
      make: () => Iterable<ProductInput>,
      { onProgress, given }: ImportOptions = {},
    ): Promise<number> {
      let done = 0;
      for (const batch of batches(make())) {
        await run((change) => changeCatalogueIn(deps, change.trx, (context) => writeProducts(context, batch, change, given)));
        done += batch.length;
        onProgress?.(done);
      }
      return done;
    },
    problemsOf: (input: CatalogueInput, also: AlsoKnown) => catalogueProblems(db.read, media, input, also),
    async ids(): Promise<CatalogueIds> {
      const { brands, categories, tags } = await loadTaxonomy(db.read, media);
      return { brands: new Set(brands.keys()), categories: new Set(categories.keys()), tags: new Set(tags.keys()) };
    },
    /** Epoch ms by id; unknown ids are left out. */
    datesOf: (ids: readonly string[]): Promise<Map<string, number>> => datesOf(db.read, ids),
    changeAddress: (change: Change, ids: { from: string; to: string }): Promise<void> => changeAddress(deps, change, ids),
    /** Shows products whose time has come, and hides those whose time is over. */
    publishDue: () => publishDue(deps),
    /** The products of SKUs; unknown SKUs are left out. */
    ownersOf,
    /** Batch by batch: lists, cards, the search index and its words. */
    rebuild: () => rebuild(deps),
    /** Also after an interruption. */
    async rebuildIfOutdated(): Promise<void> {
      if (await areListingsOutdated(db.read, localeCodes)) await rebuild(deps);
    },
    /** Until no other transaction changes the catalogue. */
    lock: (trx: Trx) => lockCatalogue(db, trx),
    /** Lists them again, because pictures that they show have been replaced. */
    async redraw(nos: readonly number[]): Promise<void> {
      for (let start = 0; start < nos.length; start += redrawnAtOnce) {
        const part = nos.slice(start, start + redrawnAtOnce);
        await db.transaction((trx) =>
          changeCatalogueIn(deps, trx, (context) => indexAround(context, part, async () => context.taxonomy)),
        );
      }
    },
    /** In the transaction in which SKUs passed between some and no units in a store or everywhere. See stock-boundary.ts. */
    stockCrossed: (trx: Trx, boundary: StockBoundary) => stockChanged(deps, trx, boundary),
  };
}

async function showDue(context: WriteContext, nos: readonly number[]): Promise<void> {
  const { trx, taxonomy } = context;
  const products = await loadProducts(trx, nos);
  const derived = await loadDerivedParts(
    trx,
    products.map(({ row }) => row),
  );
  await showByTimes(trx, nos, context.now());
  await indexProducts(context, nos, { products, taxonomy, derived });
}

function* batches(products: Iterable<ProductInput>): Generator<ProductInput[]> {
  let batch: ProductInput[] = [];
  let skus = 0;
  for (const product of products) {
    batch.push(product);
    skus += product.skus.length;
    if (batch.length < batchSize && skus < mostSkus) continue;
    yield batch;
    batch = [];
    skus = 0;
  }
  if (batch.length > 0) yield batch;
}

async function rebuild(deps: CatalogueWriteDeps): Promise<void> {
  const { db } = deps;
  const change = (work: (context: WriteContext) => Promise<void>) => db.transaction((trx) => changeCatalogueIn(deps, trx, work));
  await change(async ({ trx, touched }) => {
    await markOutdated(trx);
    await clearListings(trx);
    touched.add(everything);
  });
  for (let after = 0; ; ) {
    const nos = await publishedNosAfter(db.read, after, batchSize);
    await change(async (context) => {
      // One that was changed meanwhile is listed already.
      const listed = await listingsOf(context.trx, nos);
      const missing = nos.filter((no) => !listed.has(no));
      await indexProducts(context, missing, { products: [], taxonomy: context.taxonomy });
      context.touched.add(everything);
    });
    const last = nos.at(-1);
    if (last === undefined || nos.length < batchSize) break;
    after = last;
  }
  await db.transaction(unmarkOutdated);
}

async function publishDue(deps: CatalogueWriteDeps): Promise<void> {
  for (;;) {
    const nos = await nosWithDueTimes(deps.db.read, deps.now(), mostDue);
    if (nos.length === 0) return;
    await deps.db.transaction((trx) => changeCatalogueIn(deps, trx, (context) => showDue(context, nos)));
  }
}
