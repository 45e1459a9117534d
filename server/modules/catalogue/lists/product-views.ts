/** Presents products in full, for their pages, for feeds and as sets. */
import { inLocale, type Locale } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import type { Product, SetPiece } from '#contract/schemas/catalogue.ts';
import type { Database } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import { recordReads } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { loadAfter, loadProductById, loadProducts, type StoredProduct } from '../products/product-loader.repository.ts';
import { productView } from '../products/product-presenter.ts';
import type { TaxonomyNames } from '../taxonomy/taxonomy.ts';
import { type ProductCardsDeps, relatedNos } from './product-cards.ts';

export interface ProductViewsDeps {
  db: Database;
  media: MediaService;
  settings: SettingsService;
  lists: ProductCardsDeps['lists'];
  names: () => Promise<TaxonomyNames>;
}

export function createProductViews({ db, media, settings, lists, names }: ProductViewsDeps) {
  async function published(id: string) {
    const stored = await loadProductById(db.read, id);
    if (!stored?.facts.published) throw notFound();
    recordReads(topics.product(stored.row.no));
    return stored;
  }

  async function views(stored: readonly StoredProduct[], locale: Locale): Promise<Product[]> {
    const files = stored.flatMap(({ facts: { images, options } }) => [
      ...images,
      ...options.flatMap(({ values }) => values.flatMap((value) => value.image ?? [])),
    ]);
    const [known, images, shop] = await Promise.all([names(), media.images(files), settings.all()]);
    return stored.map(({ facts, row }) =>
      productView(facts, { taxonomy: known, images, shop, weightGrams: row.weight_grams }, locale),
    );
  }

  return {
    /** @throws 404 if the product is unknown or not published. */
    async product(id: string, locale: Locale): Promise<Product> {
      const [view] = await views([await published(id)], locale);
      if (!view) throw notFound();
      return view;
    },
    /** All published products, `partSize` at a time, for feeds. Memory holds one part only. */
    async *everyProduct(locale: Locale, partSize: number): AsyncGenerator<Product[]> {
      for (let after = 0; ; ) {
        const part = await loadAfter(db.read, after, { limit: partSize });
        if (part.length > 0) yield await views(part, locale);
        const last = part.at(-1);
        if (!last || part.length < partSize) return;
        after = last.facts.no;
      }
    },
    /** What makes a set with a product, in the order in which it names them. @throws 404 if it is unknown or not published. */
    async set(id: string, locale: Locale): Promise<SetPiece[]> {
      const product = await published(id);
      const nos = await relatedNos(db, lists, id);
      if (!nos) throw notFound();
      recordReads(...nos.map(topics.product));
      const stored = new Map((await loadProducts(db.read, nos)).map((each) => [each.row.no, each]));
      const [view, ...others] = await views([product, ...nos.flatMap((no) => stored.get(no) ?? [])], locale);
      return view ? piecesOfSet(view, others, locale) : [];
    },
  };
}

/** Besides the product itself. */
const mostPieces = 2;

/**
 * The first of `related` that ship and are in stock, each of another category than the product and one another: a pot goes with
 * cups and a tray, not with a second pot. Each has its first combination in stock.
 */
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

function pieceOf(product: Product, { sku, optionPairs, priceInfo }: Product['skus'][number], locale: Locale): SetPiece {
  const chosen = parseOptionPairs(optionPairs) ?? new Map<string, string>();
  const values = product.specification.options.flatMap(
    ({ name, values }) => values.find(({ value }) => value === chosen.get(name)) ?? [],
  );
  return {
    id: product.id,
    nameContent: product.nameContent,
    image: values.find(({ image }) => image)?.image ?? product.mediaInfo.imageInfos[0] ?? null,
    sku,
    optionPairs,
    optionText: values.map(({ valueContent }) => inLocale(valueContent, locale)).join(translate(locale)('ui.listSeparator')),
    priceInfo,
  };
}
