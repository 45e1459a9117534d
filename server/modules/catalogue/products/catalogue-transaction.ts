import { isDeepStrictEqual } from 'node:util';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Trx } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { loadNames, loadTaxonomy } from '../taxonomy/taxonomy.repository.ts';
import { type Listing, listingOf, listTopics, priceRanges } from './listing.ts';
import { listingsOf, putListings, setCardQuantity } from './listings.repository.ts';
import { quantityOf } from './product.ts';
import { loadProducts } from './product-loader.repository.ts';
import type { WriteContext } from './product-writer.ts';
import { productNosOfSkus, setSoldOut } from './products.repository.ts';

export interface CatalogueWriteDeps {
  db: Database;
  now: () => number;
  media: MediaService;
  settings: Pick<SettingsService, 'read'>;
}

/** Writers wait for each other, so that changes of lists become visible in the order of their revisions. */
export async function changeCatalogueIn<T>(
  { db, now, media, settings }: CatalogueWriteDeps,
  trx: Trx,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> {
  await lockCatalogue(db, trx);
  const touched = new Set<string>();
  const taxonomy = await loadTaxonomy(trx, media);
  const prices = priceRanges(await settings.read(trx));
  const result = await work({ db, trx, now, media, taxonomy, prices, touched });
  await recordCatalogueChange(trx, touched);
  return result;
}

/** Take it after the rows of `stock`, which sales lock first. */
export function lockCatalogue(db: Database, trx: Trx): Promise<void> {
  return db.queries.lock(trx, 'catalogue');
}

/** SKUs whose products are read at once. */
const batchSize = 250;

/** `crossed`: those of them that passed between some and no units everywhere. */
export interface StockBoundary {
  skus: readonly string[];
  crossed: ReadonlySet<string>;
}

/** With the catalogue locked. Only what a SKU in `crossed` shows is recorded as changed: nobody sees other numbers. */
export async function stockChanged(
  deps: CatalogueWriteDeps,
  trx: Trx,
  { skus, crossed }: StockBoundary,
): Promise<void> {
  for (let start = 0; start < skus.length; start += batchSize)
    await partChanged(deps, trx, { skus: skus.slice(start, start + batchSize), crossed });
}

async function partChanged(
  { db, settings }: CatalogueWriteDeps,
  trx: Trx,
  { skus, crossed }: StockBoundary,
): Promise<void> {
  const products = (await loadProducts(trx, await productNosOfSkus(trx, skus))).map(({ facts }) => facts);
  const touched = new Set<string>();
  const turned = products.filter((product) => product.soldOut !== (quantityOf(product) === 0));
  for (const product of turned) product.soldOut = !product.soldOut;
  await setSoldOut(db, trx, turned);
  const before = await listingsOf(
    trx,
    products.map(({ no }) => no),
  );
  const moved = new Map<number, Listing>();
  for (const product of products) {
    await setCardQuantity(trx, product.no, quantityOf(product));
    // One that is in no list may be a modifier, which a store has or has not.
    if (!product.published || product.skus.some(({ sku }) => crossed.has(sku)))
      touched.add(topics.product(product.no));
    const listing = listingOf(product);
    if (before.has(product.no) && !isDeepStrictEqual(before.get(product.no), listing))
      moved.set(product.no, listing);
  }
  if (moved.size > 0) {
    const context = { tree: await loadNames(trx), prices: priceRanges(await settings.read(trx)) };
    for (const [no, listing] of moved)
      for (const topic of [
        topics.product(no),
        ...listTopics(before.get(no) ?? null, listing, context),
        topics.search,
      ])
        touched.add(topic);
    await putListings(db, trx, moved);
  }
  await recordCatalogueChange(trx, touched);
}
