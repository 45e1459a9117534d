/** Reads the catalogue as customers see it. */
import type { Locale } from '#contract/locales.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { Database } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { cachedByTopics } from '#server/platform/cached-by-topics.ts';
import { topics } from '#server/platform/topics.ts';
import { brewGuidesOf } from './brew-guides.repository.ts';
import { createCurrentIndex } from './lists/current-index.ts';
import { type ListFilter, priceRanges as priceRangesOf } from './lists/list-filter.ts';
import { createLists, type ListPage } from './lists/lists.ts';
import { offerTerms } from './offer-terms.ts';
import { createProductCards } from './product-cards.ts';
import { createProductViews } from './product-views.ts';
import { createQueryPlanner } from './search/plan-query.ts';
import { loadNames, loadTaxonomy } from './taxonomy.ts';
import { createTaxonomyViews } from './taxonomy-views.ts';

export type CatalogueService = ReturnType<typeof createCatalogueService>;

export interface CatalogueReadDeps {
  db: Database;
  media: MediaService;
  settings: SettingsService;
  stores: Pick<StoresService, 'all'>;
}

export function createCatalogueService(deps: CatalogueReadDeps) {
  const { db, media, settings } = deps;
  const taxonomy = cachedByTopics(db, [topics.taxonomy], () => loadTaxonomy(db.catalogue, media));
  const names = cachedByTopics(db, [topics.taxonomy], () => loadNames(db.catalogue));
  const priceRanges = async () => priceRangesOf(await settings.all());
  const index = createCurrentIndex({ db, names, priceRanges });
  const planner = createQueryPlanner({ db, finds: async (groups) => (await index()).finds(groups) });
  const lists = createLists({ ...deps, names, priceRanges, index, planner });

  return {
    ...lists,
    ...createTaxonomyViews(taxonomy, lists.taxonCounts),
    ...createProductViews({ ...deps, lists, names }),
    ...createProductCards({ ...deps, lists }),
    /** What applies to every offer of the shop. */
    offerTerms: async () => offerTerms(await settings.all()),
    /** Brands, categories and tags. */
    taxonomy,
    /** Their names alone. */
    names,
    /** Reads how all products are listed into memory, so that the first list need not wait for it. */
    warm: async () => void (await index()),
    /** How to brew the teas among these products, by id. */
    brewGuides: (ids: readonly string[]) => brewGuidesOf(db.read, ids),
    /** A page of a list as objects, for page blocks that embed it. */
    async summaries(filter: ListFilter, page: ListPage, locale: Locale): Promise<ProductSummary[]> {
      const { cards } = await lists.page(filter, page, locale);
      return cards.map((card) => JSON.parse(card));
    },
  };
}
