/** Reads the catalogue as customers see it. */
import { inLocale, type Locale } from '#contract/locales.ts';
import type {
  Brand,
  Category,
  CategoryChild,
  CategoryNode,
  Product,
  ProductSummary,
  SetPiece,
  Tag,
} from '#contract/schemas/catalogue.ts';
import type { Database } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { cachedByTopics } from '#server/platform/cached-by-topics.ts';
import { notFound } from '#server/platform/errors.ts';
import { recordReads } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { brewGuidesOf } from './brew-guides.repository.ts';
import { cardJson } from './card.ts';
import type { ListFilter } from './list-filter.ts';
import { cardsByNo } from './lists.repository.ts';
import { type CardList, createLists, type ListPage, type ListsDeps } from './lists.ts';
import { offerTerms } from './offer-terms.ts';
import { loadProductById, loadProducts, loadPublishedAfter, type StoredProduct } from './product-loader.repository.ts';
import { productView } from './product-presenter.ts';
import { piecesOfSet } from './product-set.ts';
import { publicationsOf } from './products.repository.ts';
import { relatedNos } from './related.repository.ts';
import {
  categoryRef,
  childrenOf,
  countOf,
  loadNames,
  loadTaxonomy,
  scopeNames,
  type TaxonBrand,
  type TaxonCategory,
  type Taxonomy,
} from './taxonomy.ts';

export type CatalogueService = ReturnType<typeof createCatalogueService>;

/** The id of the top level on the wire (SPEC §7). */
const topLevel = 'primary';
const relatedCount = 8;

export function createCatalogueService(
  deps: {
    db: Database;
    media: MediaService;
    settings: SettingsService;
    stores: Pick<StoresService, 'all'>;
  } & Pick<ListsDeps, 'interpreter' | 'threadedReads' | 'threadedFrom'>,
) {
  const { db, media, settings } = deps;
  const taxonomy = cachedByTopics(db, [topics.taxonomy, topics.counts], () => loadTaxonomy(db.catalogue, media));
  const names = cachedByTopics(db, [topics.taxonomy], () => loadNames(db.catalogue));
  const currency = async () => (await settings.all()).currency;
  const lists = createLists({ ...deps, taxonomy });

  async function published(id: string) {
    const stored = await loadProductById(db.catalogue, id);
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
    ...lists,
    /** What applies to every offer of the shop. */
    offerTerms: async () => offerTerms(await settings.all()),
    /** Brands, categories, tags and counts. */
    taxonomy,
    /** Their names alone, which seldom change: whatever shows counts is outdated by any product that enters or leaves a list. */
    names,
    /** The children of a category with their subtrees; the top level for 'primary'. */
    async categoryTree(id: string, locale: Locale): Promise<CategoryNode[]> {
      const known = await taxonomy();
      if (id !== topLevel && !known.categories.has(id)) throw notFound();
      return childrenOf(known, id === topLevel ? null : id).map((category) => ({
        ...categoryFields(known, category, locale),
        children: childrenOf(known, category.id).map((child) => categoryFields(known, child, locale)),
      }));
    },
    async category(id: string, locale: Locale): Promise<Category> {
      const known = await taxonomy();
      const category = known.categories.get(id);
      if (!category) throw notFound();
      return {
        ...categoryFields(known, category, locale),
        children: childrenOf(known, id).map((child) => categoryFields(known, child, locale)),
        parent: category.parentId === null ? null : categoryRef(known, category.parentId),
      };
    },
    async brand(id: string, locale: Locale): Promise<Brand> {
      const known = await taxonomy();
      const brand = known.brands.get(id);
      if (!brand) throw notFound();
      return brandFields(known, brand, locale);
    },
    async brands(locale: Locale): Promise<Brand[]> {
      const known = await taxonomy();
      return [...known.brands.values()].map((brand) => brandFields(known, brand, locale));
    },
    async tag(id: string, locale: Locale): Promise<Tag> {
      const known = await taxonomy();
      const tag = known.tags.get(id);
      if (!tag) throw notFound();
      return {
        name: id,
        nameContent: tag.name,
        description: inLocale(tag.description, locale),
        count: countOf(known, scopeNames.tag(id)),
      };
    },
    /** @throws 404 if the product is unknown or not published. */
    async product(id: string, locale: Locale): Promise<Product> {
      const [view] = await views([await published(id)], locale);
      if (!view) throw notFound();
      return view;
    },
    /** The cards of products by id; those that are not published are missing. */
    async cards(ids: readonly string[], locale: Locale): Promise<ReadonlyMap<string, ProductSummary>> {
      if (ids.length === 0) return new Map();
      const found = await publicationsOf(db.catalogue, ids);
      const nos = found.flatMap(({ no, published: isPublished }) => (isPublished === 1 ? [no] : []));
      recordReads(...found.map(({ no }) => topics.product(no)));
      // A product that does not exist may be added.
      if (found.length < new Set(ids).size) recordReads(topics.counts);
      const [rows, shopCurrency] = await Promise.all([cardsByNo(db, nos, locale), currency()]);
      const cards = rows.map((row): ProductSummary => JSON.parse(cardJson(row, shopCurrency)));
      return new Map(cards.map((card) => [card.id, card]));
    },
    /** How to brew the teas among these products, by id. */
    brewGuides: (ids: readonly string[]) => brewGuidesOf(db.read, ids),
    /** All published products, `partSize` at a time, for feeds. Memory holds one part only. */
    async *everyProduct(locale: Locale, partSize: number): AsyncGenerator<Product[]> {
      for (let after = 0; ; ) {
        const part = await loadPublishedAfter(db.catalogue, after, partSize);
        if (part.length > 0) yield await views(part, locale);
        const last = part.at(-1);
        if (!last || part.length < partSize) return;
        after = last.facts.no;
      }
    },
    /** Related products: those the product names, then others of its category. Never the product itself. */
    async related(id: string, locale: Locale): Promise<CardList> {
      const known = await taxonomy();
      const nos = await relatedNos(db, id, known, relatedCount);
      if (!nos) throw notFound();
      const [rows, shopCurrency] = await Promise.all([cardsByNo(db, nos, locale), currency()]);
      recordReads(...nos.map(topics.product));
      return { cards: rows.map((row) => cardJson(row, shopCurrency)), correctedTo: null };
    },
    /** What makes a set with a product, in the order in which it names them. @throws 404 if it is unknown or not published. */
    async set(id: string, locale: Locale): Promise<SetPiece[]> {
      const product = await published(id);
      const nos = await relatedNos(db, id, await taxonomy(), relatedCount);
      if (!nos) throw notFound();
      recordReads(...nos.map(topics.product));
      const stored = new Map((await loadProducts(db.catalogue, nos)).map((each) => [each.row.no, each]));
      const [view, ...others] = await views([product, ...nos.flatMap((no) => stored.get(no) ?? [])], locale);
      return view ? piecesOfSet(view, others, locale) : [];
    },
    /** A page of a list as objects, for page blocks that embed it. */
    async summaries(filter: ListFilter, page: ListPage, locale: Locale): Promise<ProductSummary[]> {
      const { cards } = await lists.page(filter, page, locale);
      return cards.map((card) => JSON.parse(card));
    },
  };
}

function categoryFields(taxonomy: Taxonomy, category: TaxonCategory, locale: Locale): CategoryChild {
  return {
    id: category.id,
    categoryName: category.id,
    categoryNameContent: category.name,
    description: inLocale(category.description, locale),
    image: category.image,
    count: countOf(taxonomy, scopeNames.category(category.id)),
  };
}

function brandFields(taxonomy: Taxonomy, brand: TaxonBrand, locale: Locale): Brand {
  return {
    name: brand.id,
    nameContent: brand.name,
    story: inLocale(brand.story, locale),
    image: brand.image,
    count: countOf(taxonomy, scopeNames.brand(brand.id)),
  };
}
