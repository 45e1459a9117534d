/** Catalogue: products, taxonomy, the listing index and search. */
export type { CatalogueEditor } from './catalogue.editor.ts';
export type { CatalogueService } from './catalogue.service.ts';
export type { CatalogueIds } from './catalogue-problems.ts';
export type { CatalogueRemoval } from './catalogue-removal.ts';
export { lockCatalogue } from './catalogue-transaction.ts';
export type { ListFilter } from './lists/list-filter.ts';
export { skuPriceInfo } from './product.ts';
export { CatalogueInputError, ProductInput, type StoredOptions, skuOptionProblems } from './product-input.ts';
export { imagesOf } from './product-writer.ts';
export type { SearchService } from './search/search.service.ts';
export type { CountedSearch } from './searches/search-counts.ts';
export { childrenOf } from './taxonomy.ts';
export type { CategoryInput } from './taxonomy-input.ts';
