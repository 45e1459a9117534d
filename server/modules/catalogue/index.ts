export type { CatalogueService } from './lists/catalogue.service.ts';
export type { ListFilter } from './lists/filters.ts';
export type { StoredGroup, StoredModifier } from './modifiers/modifier-groups.ts';
export { modifierGroupsOf } from './modifiers/modifier-groups.ts';
export type { GoodsChanges } from './office/goods-changes.ts';
export type { GoodsExport } from './office/goods-export.ts';
export { labelledCategories } from './office/office-goods.ts';
export type { OfficeTaxonomy } from './office/office-taxonomy.ts';
export type { CatalogueEditor } from './products/catalogue.editor.ts';
export type { CatalogueExport, WholeProduct } from './products/catalogue-export.ts';
export { type CatalogueIds, storedGroupProblems } from './products/catalogue-problems.ts';
export type { CatalogueRemoval } from './products/catalogue-removal.ts';
export { imagesOf } from './products/product.ts';
export {
  optionIndex,
  ProductInput,
  productProblems,
  skuOptionProblems,
  skuPrice,
  statusOf,
} from './products/product-input.ts';
export { productNames } from './products/products.repository.ts';
export type { CountedSearch } from './search/search-counts.ts';
export type { SearchService } from './search/suggestions.ts';
export { childrenOf, type TaxonKind } from './taxonomy/taxonomy.ts';
