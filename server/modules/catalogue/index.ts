/** Catalogue: products, taxonomy, the listing index and search. */
export { type CatalogueEditor, createCatalogueEditor } from './catalogue.editor.ts';
export { registerCatalogueRoutes } from './catalogue.routes.ts';
export { type CatalogueService, createCatalogueService } from './catalogue.service.ts';
export { lockCatalogue } from './catalogue-lock.ts';
export type { ListFilter } from './list-filter.ts';
export { skuPriceInfo } from './product.ts';
export { CatalogueInputError, ProductInput, type StoredOptions } from './product-input.ts';
export { createQueryPlanner } from './search/plan-query.ts';
export { registerSearchRoutes } from './search/search.routes.ts';
export { createSearchService, type SearchService } from './search/search.service.ts';
export { childrenOf, countOf, scopeNames } from './taxonomy.ts';
export type { CategoryInput } from './taxonomy-editor.ts';
