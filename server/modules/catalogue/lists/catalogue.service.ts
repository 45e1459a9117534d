import type { FilterRange } from '#contract/list-filters.ts';
import type { Locale } from '#contract/locales.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { OfferTerms, ShippingTerms } from '#contract/schemas/shop.ts';
import type { Database } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService, ShopSettings } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { cachedByTopics, refreshOnce, topics } from '#server/platform/recorded-reads.ts';
import { resolveGroups } from '../modifiers/modifier-groups.ts';
import { type Listing, priceRanges as priceRangesOf, scopeNames } from '../products/listing.ts';
import { type ListingChange, lastRevision, listingsAfter } from '../products/listings.repository.ts';
import { searchTexts } from '../products/product.ts';
import { detailsOf, loadProducts } from '../products/product-loader.repository.ts';
import { createQueryPlanner, type Groups } from '../search/plan-query.ts';
import { indexEntry } from '../search/tokens.ts';
import { loadNames, loadTaxonomy } from '../taxonomy/taxonomy.repository.ts';
import type { TaxonomyNames } from '../taxonomy/taxonomy.ts';
import { createSaleTerms, createTaxonomyViews } from '../taxonomy/taxonomy-views.ts';
import { type ListFilter, scopesOfStore } from './filters.ts';
import { ListIndex } from './list-index.ts';
import { createLists, type ListPage } from './lists.ts';
import { type Bits, type ProductSet, removeAll } from './product-bits.ts';
import { createCards, createProductCards, createProductViews } from './product-views.ts';

/** Rows read at once, so that other requests are answered in between. */
const rowsAtOnce = 5000;
const numbersAtOnce = 131_072;
const spareNos = 4096;
/** After more changes, words are read again when they are searched. */
const fewChanges = 50;
const nothingRead: Place = { revision: 0, no: 0 };

export type CatalogueService = ReturnType<typeof createCatalogueService>;

export interface CatalogueReadDeps {
  db: Database;
  media: MediaService;
  settings: SettingsService;
  stores: Pick<StoresService, 'all' | 'soldOut'>;
}

export interface Listed {
  groups?: Groups | undefined;
  tag?: string | undefined;
  stock?: 'some' | 'none' | undefined;
  store?: string | undefined;
}

export function createCatalogueService(deps: CatalogueReadDeps) {
  const { db, media, settings } = deps;
  const taxonomy = cachedByTopics(db, [topics.taxonomy], () => loadTaxonomy(db.read, media));
  const names = cachedByTopics(db, [topics.taxonomy], () => loadNames(db.read));
  const priceRanges = async () => priceRangesOf(await settings.all());
  const index = createCurrentIndex({ db, names, priceRanges });
  const planner = createQueryPlanner({ db, finds: async (groups) => (await index()).finds(groups) });
  const saleTerms = createSaleTerms({ ...deps, names });
  const cards = createCards({ ...deps, saleTerms });
  const lists = createLists({ ...deps, names, priceRanges, index, planner, cards });

  return {
    ...lists,
    ...createTaxonomyViews({ taxonomy, counts: lists.taxonCounts, saleTerms }),
    ...createProductViews({ ...deps, lists, names, saleTerms }),
    ...createProductCards({ db, lists, cards }),
    offerTerms: async () => offerTerms(await settings.all()),
    taxonomy,
    names,
    planText: planner.plan,
    /** Which of the products that customers see have the words, the tag, and something or nothing in stock at a store. */
    async listed({ groups, tag, stock, store }: Listed): Promise<Bits> {
      const known = await index();
      const selection = {
        scopes: tag === undefined ? [] : [[scopeNames.tag(tag)]],
        ...(groups && { ranks: groups.length === 0 ? [] : [groups] }),
      };
      const held = {
        ...selection,
        scopes: [...selection.scopes, ...(store === undefined ? [] : [scopesOfStore(store)])],
      };
      const found = await known.matching(stock === 'none' ? selection : held);
      if (stock === 'none') removeAll(found, await known.matching(held));
      return found;
    },
    /** So that the first list need not wait for the index. */
    warm: async () => void (await index()),
    details: (ids: readonly string[]) => detailsOf(db.read, ids),
    modifierGroups: resolveGroups,
    async summaries(filter: ListFilter, page: ListPage, locale: Locale): Promise<ProductSummary[]> {
      const { cards } = await lists.page(filter, page, locale);
      return cards.map((card) => JSON.parse(card));
    },
  };
}

function offerTerms(settings: ShopSettings): OfferTerms {
  const { checkoutConfig, countries, currency, shippingMethods, returnPolicy } = settings;
  const { days, fees, feeCents, ...rest } = returnPolicy;
  return {
    currency,
    countries: countries.map(({ countryISOCode }) => countryISOCode),
    shippingMethods: checkoutConfig.domesticShippingEnabled ? shippingMethods.map(shippingTerms) : [],
    returns: days === null ? null : { days, fees, fee: fees === 'fixed' ? feeCents : 0, ...rest },
  };
}

function shippingTerms(method: ShopSettings['shippingMethods'][number]): ShippingTerms {
  return {
    id: method.id,
    nameContent: method.name,
    countries: method.countries,
    provinceCodes: method.provinceCodes,
    price: method.priceCents,
    freeOver: method.freeOverCents,
    minBusinessDays: method.minBusinessDays,
    maxBusinessDays: method.maxBusinessDays,
  };
}

interface CurrentIndexDeps {
  db: Database;
  priceRanges: () => Promise<readonly FilterRange[]>;
  names: () => Promise<TaxonomyNames>;
}

/**
 * Built once in each process, then changed products are taken over.
 * At the state of the call, or of the answer that is being made.
 */
function createCurrentIndex({ db, priceRanges, names }: CurrentIndexDeps): () => Promise<ListIndex> {
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

async function buildIndex(
  db: Database,
  prices: readonly FilterRange[],
): Promise<{ index: ListIndex; last: Place }> {
  const { listings, last } = await changesAfter(db, nothingRead);
  const highestNo = [...listings.keys()].reduce((highest, no) => Math.max(highest, no), 0);
  const capacity = highestNo + Math.ceil(highestNo / 64) + spareNos;
  const index = new ListIndex({
    capacity,
    prices,
    load: (tokens, into) => readTokens(db, tokens, capacity, into),
  });
  index.update(listings);
  return { index, last };
}

/** With the place of the last of them. */
async function changesAfter(
  db: Database,
  place: Place,
): Promise<{ listings: Map<number, Listing | null>; last: Place }> {
  const listings = new Map<number, Listing | null>();
  for (let last = place; ; ) {
    const rows = await listingsAfter(db.read, last, rowsAtOnce);
    for (const { no, listing } of rows) listings.set(no, listing);
    last = rows.at(-1) ?? last;
    if (rows.length < rowsAtOnce) return { listings, last };
    await new Promise(setImmediate);
  }
}

async function readTokens(
  db: Database,
  tokens: readonly string[],
  capacity: number,
  into: ProductSet,
): Promise<void> {
  for (let from = 0; from < capacity; from += numbersAtOnce) {
    const nos = await db.queries.search.productNos(db.read, tokens, from, from + numbersAtOnce);
    for (const no of nos) if (no < capacity) into.add(no);
    if (from + numbersAtOnce < capacity) await new Promise(setImmediate);
  }
}

/** Nothing for products that are in no list. */
async function tokensOf(
  db: Database,
  nos: readonly number[],
  names: TaxonomyNames,
): Promise<Map<number, Set<string>>> {
  const tokens = new Map(nos.map((no) => [no, new Set<string>()]));
  for (const { facts } of await loadProducts(db.read, nos))
    if (facts.published) tokens.set(facts.no, new Set(indexEntry(searchTexts(facts, names)).tokens));
  return tokens;
}
