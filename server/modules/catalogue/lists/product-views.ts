import { inLocale, type Locale } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import type { Product, ProductSummary, SetPiece } from '#contract/schemas/catalogue.ts';
import type { Database } from '#db/database.ts';
import { endlessAmong } from '#server/modules/inventory/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { SoldOut, StoresService } from '#server/modules/stores/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import { optionTextOf } from '#server/platform/option-text.ts';
import { recordReads, topics } from '#server/platform/recorded-reads.ts';
import type { StoredGroup } from '../modifiers/modifier-groups.ts';
import { cardJson } from '../products/card.ts';
import { cardsByNo } from '../products/listings.repository.ts';
import { imagesOf } from '../products/product.ts';
import {
  loadAfter,
  loadProductById,
  loadProducts,
  type StoredProduct,
} from '../products/product-loader.repository.ts';
import { productView } from '../products/product-presenter.ts';
import {
  itemsNamed,
  placesOf,
  productNosById,
  productNosOfSkus,
  publicationsOf,
  relationsOf,
  stockRowsOf,
} from '../products/products.repository.ts';
import type { CardList } from '../search/suggestions.ts';
import type { TaxonomyNames } from '../taxonomy/taxonomy.ts';
import type { ReadSaleTerms } from '../taxonomy/taxonomy-views.ts';
import type { Lists } from './lists.ts';

/** A SKU, or a product; `sku` is null for a product of several. */
export interface SoldItem {
  sku: string | null;
  productName: string;
  /** The values of a SKU's options; '' for a product. */
  optionText: string;
}

interface ProductViewsDeps {
  db: Database;
  media: MediaService;
  settings: SettingsService;
  lists: Pick<Lists, 'nosOfCategory'>;
  names: () => Promise<TaxonomyNames>;
  saleTerms: ReadSaleTerms;
  stores: Pick<StoresService, 'all' | 'soldOut'>;
}

export function createProductViews({
  db,
  media,
  settings,
  lists,
  names,
  saleTerms,
  stores,
}: ProductViewsDeps) {
  async function views(stored: readonly StoredProduct[], locale: Locale): Promise<Product[]> {
    const files = stored.flatMap(({ facts }) => imagesOf(facts));
    const [known, images, shop, terms] = await Promise.all([
      names(),
      media.images(files),
      settings.all(),
      saleTerms(locale),
    ]);
    const soldOut = await unavailable(
      { db, stores },
      stored.flatMap(({ facts }) => facts.groups),
    );
    return stored.map(({ facts, row }) =>
      productView(
        facts,
        { taxonomy: known, images, shop, soldOut, terms, weightGrams: row.weight_grams },
        locale,
      ),
    );
  }

  return {
    /** @throws 404 if the product is unknown or not published. */
    async product(id: string, locale: Locale): Promise<Product> {
      const [view] = await views([await published(db, id)], locale);
      if (!view) throw notFound();
      return view;
    },
    /** Published products by their ids, or by ids of their SKUs, in no particular order. Unknown ids are left out. */
    async named(ids: readonly string[], locale: Locale): Promise<Product[]> {
      const byId = await productNosById(db.read, ids);
      const nos = new Set([
        ...byId.values(),
        ...(byId.size < ids.length ? await productNosOfSkus(db.read, ids) : []),
      ]);
      const stored = (await loadProducts(db.read, [...nos])).filter(({ facts }) => facts.published);
      return views(stored, locale);
    },
    /** What ids name that is for sale, as a line calls it: of a hundred at once, which `named` reads with all that their pages show. */
    async soldAs(ids: readonly string[], locale: Locale): Promise<Map<string, SoldItem>> {
      const items = await itemsNamed(db.read, [...new Set(ids)]);
      return new Map(
        items.map(({ id, only, name, option_pairs: pairs, options }) => {
          const text = pairs === '' ? '' : inLocale(optionTextOf(pairs, JSON.parse(options)), locale);
          return [id, { sku: only, productName: inLocale(JSON.parse(name), locale), optionText: text }];
        }),
      );
    },
    /** Published products by their numbers. */
    async numbered(nos: readonly number[], locale: Locale): Promise<Map<number, Product>> {
      recordReads(...nos.map(topics.product));
      const stored = (await loadProducts(db.read, nos)).filter(({ facts }) => facts.published);
      const shown = await views(stored, locale);
      return new Map(shown.map((product, index) => [stored[index]?.facts.no ?? 0, product]));
    },
    /** `partSize` at a time, for feeds. Memory holds one part only. */
    async *everyProduct(locale: Locale, partSize: number): AsyncGenerator<Product[]> {
      for (let after = 0; ; ) {
        const part = await loadAfter(db.read, after, { limit: partSize });
        if (part.length > 0) yield await views(part, locale);
        const last = part.at(-1);
        if (!last || part.length < partSize) return;
        after = last.facts.no;
      }
    },
    /** In the order in which the product names them. @throws 404 if it is unknown or not published. */
    async set(id: string, locale: Locale): Promise<SetPiece[]> {
      const product = await published(db, id);
      const nos = await relatedNos(db, lists, id);
      if (!nos) throw notFound();
      recordReads(...nos.map(topics.product));
      const stored = new Map((await loadProducts(db.read, nos)).map((each) => [each.row.no, each]));
      const [view, ...others] = await views([product, ...nos.flatMap((no) => stored.get(no) ?? [])], locale);
      return view ? piecesOfSet(view, others, locale) : [];
    },
  };
}

async function published(db: Database, id: string): Promise<StoredProduct> {
  const stored = await loadProductById(db.read, id);
  if (!stored?.facts.published) throw notFound();
  recordReads(topics.product(stored.row.no));
  return stored;
}

/** With the SKUs of modifiers that stores have no units of. */
async function unavailable(
  { db, stores }: Pick<ProductViewsDeps, 'db' | 'stores'>,
  groups: readonly StoredGroup[],
): Promise<SoldOut> {
  // Only a product with modifiers is made again when one is sold out.
  if (groups.length === 0) return new Map();
  const today = await stores.soldOut();
  const skus = [...new Set(groups.flatMap(({ modifiers }) => modifiers.flatMap(({ sku }) => sku ?? [])))];
  if (skus.length === 0) return today;
  recordReads(...(await productNosOfSkus(db.read, skus)).map(topics.product));
  const levels = (await stockRowsOf(db.read, skus)).filter(({ quantity }) => quantity > 0);
  const endless = await endlessAmong(db.read, skus);
  const stocked = Map.groupBy(levels, ({ location_id: location }) => location);
  return new Map(
    (await stores.all()).map(({ id }) => {
      const here = new Set(stocked.get(id)?.map(({ sku }) => sku));
      const gone = skus.filter((sku) => !here.has(sku) && !endless.has(sku)).map((sku) => `sku:${sku}`);
      return [id, new Set([...(today.get(id) ?? []), ...gone])];
    }),
  );
}

/** Besides the product itself. */
const mostPieces = 2;

/** In stock, and of other categories than the product and one another: a pot goes with cups, not with a second pot. */
function piecesOfSet(product: Product, related: readonly Product[], locale: Locale): SetPiece[] {
  if (product.inStoreOnly) return [];
  const categories = new Set([product.category.categoryName]);
  const pieces: SetPiece[] = [];
  for (const other of related) {
    const sku = other.inStoreOnly ? undefined : other.skus.find(({ inStock }) => inStock);
    if (!sku || categories.has(other.category.categoryName) || pieces.length === mostPieces) continue;
    categories.add(other.category.categoryName);
    pieces.push(pieceOf(other, sku, locale));
  }
  return pieces;
}

function pieceOf(
  product: Product,
  { sku, optionPairs, priceInfo, image }: Product['skus'][number],
  locale: Locale,
): SetPiece {
  const chosen = parseOptionPairs(optionPairs) ?? new Map<string, string>();
  const values = product.specification.options.flatMap(
    ({ name, values }) => values.find(({ value }) => value === chosen.get(name)) ?? [],
  );
  return {
    id: product.id,
    nameContent: product.nameContent,
    image: image ?? values.find((value) => value.image)?.image ?? product.mediaInfo.imageInfos[0] ?? null,
    sku,
    optionPairs,
    optionText: values
      .map(({ valueContent }) => inLocale(valueContent, locale))
      .join(translate(locale)('ui.listSeparator')),
    priceInfo,
  };
}

export function createProductCards({
  db,
  lists,
  cards,
}: Pick<ProductViewsDeps, 'db' | 'lists'> & { cards: ReadCards }) {
  return {
    /** Those that are not published are missing. */
    async cards(ids: readonly string[], locale: Locale): Promise<ReadonlyMap<string, ProductSummary>> {
      if (ids.length === 0) return new Map();
      const found = await publicationsOf(db.read, ids);
      const nos = found.flatMap(({ no, published: isPublished }) => (isPublished === 1 ? [no] : []));
      recordReads(...found.map(({ no }) => topics.product(no)));
      // A product that does not exist may be added.
      if (found.length < new Set(ids).size) recordReads(topics.counts);
      const read = (await cards(nos, locale)).map((card): ProductSummary => JSON.parse(card));
      return new Map(read.map((card) => [card.id, card]));
    },
    async related(id: string, locale: Locale): Promise<CardList> {
      const nos = await relatedNos(db, lists, id);
      if (!nos) throw notFound();
      recordReads(...nos.map(topics.product));
      return { cards: await cards(nos, locale), correctedTo: null, partial: false };
    },
  };
}

const relatedCount = 8;

/** Sold-out ones last among those the product names itself; null if the product is unknown or unpublished. */
async function relatedNos(
  db: Database,
  lists: Pick<Lists, 'nosOfCategory'>,
  id: string,
): Promise<number[] | null> {
  const found = await relationsOf(db.read, id);
  if (!found) return null;
  const { no, category, related } = found;
  recordReads(
    topics.product(no),
    ...related.map((each) => (each.no === null ? topics.counts : topics.product(each.no))),
  );
  const named = related.flatMap((each) => (each.no !== null && each.published === 1 ? [each.no] : []));
  const nos = new Set([...named, ...(await lists.nosOfCategory(category, relatedCount + named.length + 1))]);
  nos.delete(no);
  return [...nos].slice(0, relatedCount);
}

interface CardsDeps {
  db: Database;
  settings: Pick<SettingsService, 'all'>;
  saleTerms: ReadSaleTerms;
}

/** Returns the cards of products by their numbers, in that order. */
export type ReadCards = (nos: readonly number[], locale: Locale) => Promise<string[]>;

export function createCards({ db, settings, saleTerms }: CardsDeps): ReadCards {
  return async (nos, locale) => {
    const [rows, { currency }, { delivers, served }] = await Promise.all([
      cardsByNo(db, nos, locale),
      settings.all(),
      saleTerms(locale),
    ]);
    const places = served ? await placesOf(db.read, nos) : [];
    const times = new Map(
      places.map(({ no, id, category }) => [no, served?.({ product: id, category }).served]),
    );
    return rows.map((row) =>
      cardJson(row, { currency, delivers, served: times.get(row.product_no) }, locale),
    );
  };
}
