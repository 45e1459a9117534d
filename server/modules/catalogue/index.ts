export type { CatalogueService } from './lists/catalogue.service.ts';
export type { ListFilter } from './lists/filters.ts';
export { ModifierGroupInput, type ProductModifierGroup } from './modifiers/modifier-group-input.ts';
export type { StoredGroup, StoredModifier } from './modifiers/modifier-groups.ts';
export { modifierGroupsOf } from './modifiers/modifier-groups.ts';
export type { GoodsChanges } from './office/goods-changes.ts';
export type { GoodsExport } from './office/goods-export.ts';
export type { OfficeTaxonomy } from './office/office-taxonomy.ts';
export type { CatalogueEditor } from './products/catalogue.editor.ts';
export type { CatalogueExport, WholeProduct } from './products/catalogue-export.ts';
export { type CatalogueIds, storedGroupProblems } from './products/catalogue-problems.ts';
export type { CatalogueRemoval } from './products/catalogue-removal.ts';
export { optionTextOf } from './products/option-text.ts';
export { imagesOf } from './products/product.ts';
export {
  optionIndex,
  ProductInput,
  productProblems,
  type StoredOptions,
  skuOptionProblems,
  skuPrice,
  statusOf,
} from './products/product-input.ts';
export type { CountedSearch } from './search/search-counts.ts';
export type { SearchService } from './search/suggestions.ts';
export type { CategoryInput } from './taxonomy/taxonomy.ts';
export { childrenOf, kindOf } from './taxonomy/taxonomy.ts';
