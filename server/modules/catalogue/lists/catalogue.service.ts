import type { Locale } from '#contract/locales.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { OfferTerms, ShippingTerms } from '#contract/schemas/shop.ts';
import type { Database } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService, ShopSettings } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { cachedByTopics } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { resolveGroups } from '../modifiers/modifier-groups.ts';
import { priceRanges as priceRangesOf } from '../products/listing.ts';
import { detailsOf } from '../products/product-loader.repository.ts';
import { createQueryPlanner } from '../search/plan-query.ts';
import { createSaleTerms } from '../taxonomy/sale-terms.ts';
import { loadNames, loadTaxonomy } from '../taxonomy/taxonomy.repository.ts';
import { createTaxonomyViews } from '../taxonomy/taxonomy-views.ts';
import { createCards } from './cards.ts';
import { createCurrentIndex } from './current-index.ts';
import type { ListFilter } from './filters.ts';
import { createLists, type ListPage } from './lists.ts';
import { createProductCards, createProductViews } from './product-views.ts';

export type CatalogueService = ReturnType<typeof createCatalogueService>;

export interface CatalogueReadDeps {
  db: Database;
  media: MediaService;
  settings: SettingsService;
  stores: Pick<StoresService, 'all' | 'soldOut'>;
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
