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
import type { ListFilter } from './list-filter.ts';
import { createLists, type ListPage, type ListsDeps } from './lists.ts';
import { offerTerms } from './offer-terms.ts';
import { createProductCards } from './product-cards.ts';
import { createProductViews } from './product-views.ts';
import { loadNames, loadTaxonomy } from './taxonomy.ts';
import { createTaxonomyViews } from './taxonomy-views.ts';

export type CatalogueService = ReturnType<typeof createCatalogueService>;

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
  const lists = createLists({ ...deps, taxonomy });

  return {
    ...lists,
    ...createTaxonomyViews(taxonomy),
    ...createProductViews({ ...deps, taxonomy, names }),
    ...createProductCards({ ...deps, taxonomy }),
    /** What applies to every offer of the shop. */
    offerTerms: async () => offerTerms(await settings.all()),
    /** Brands, categories, tags and counts. */
    taxonomy,
    /** Their names alone, which seldom change: whatever shows counts is outdated by any product that enters or leaves a list. */
    names,
    /** How to brew the teas among these products, by id. */
    brewGuides: (ids: readonly string[]) => brewGuidesOf(db.read, ids),
    /** A page of a list as objects, for page blocks that embed it. */
    async summaries(filter: ListFilter, page: ListPage, locale: Locale): Promise<ProductSummary[]> {
      const { cards } = await lists.page(filter, page, locale);
      return cards.map((card) => JSON.parse(card));
    },
  };
}
