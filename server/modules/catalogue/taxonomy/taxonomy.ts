import { taxonKinds } from '#contract/limits.ts';
import { type CategoryTree, categoryChain } from '#contract/rules/categories.ts';
import type { CategoryRef } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { BrandInput, CategoryInput, TagInput } from '#contract/schemas/taxonomy.ts';
import { notFound } from '#server/platform/errors.ts';

export type TaxonKind = 'brand' | 'category' | 'tag';
export const taxonTables = { brand: 'brands', category: 'categories', tag: 'tags' } as const;

export interface TaxonBrand extends Omit<BrandInput, 'image'> {
  image: ImageInfo | null;
  imageFile: string | null;
  position: number;
}

export interface TaxonCategory extends Omit<CategoryInput, 'image' | 'parent'> {
  parentId: string | null;
  image: ImageInfo | null;
  imageFile: string | null;
  position: number;
}

export interface TaxonTag extends TagInput {
  position: number;
}

export interface Taxonomy {
  /** In the merchant's order. */
  brands: ReadonlyMap<string, TaxonBrand>;
  categories: ReadonlyMap<string, TaxonCategory>;
  tags: ReadonlyMap<string, TaxonTag>;
}

/** What shows no count and no image. */
export interface TaxonomyNames {
  brands: ReadonlyMap<string, Pick<TaxonBrand, 'id' | 'name'>>;
  categories: ReadonlyMap<string, Pick<TaxonCategory, 'id' | 'parentId' | 'name'>>;
  tags: ReadonlyMap<string, Pick<TaxonTag, 'id' | 'name'>>;
}

export function childrenOf<C extends Pick<TaxonCategory, 'id' | 'parentId'>>(
  taxonomy: { categories: ReadonlyMap<string, C> },
  parentId: string | null,
): C[] {
  return [...taxonomy.categories.values()].filter((category) => category.parentId === parentId);
}

export function withDescendants(taxonomy: CategoryTree, id: string): string[] {
  return [id, ...childrenOf(taxonomy, id).flatMap((child) => withDescendants(taxonomy, child.id))];
}

export function categoryRef(taxonomy: Pick<TaxonomyNames, 'categories'>, id: string): CategoryRef | null {
  const ref = categoryChain(taxonomy, id).reduceRight<unknown>(
    (parent, category) => ({ categoryName: category.id, categoryNameContent: category.name, parent }),
    null,
  );
  // A chain is never longer than the wire's type is deep.
  return ref as CategoryRef | null;
}

/** @throws {AppError} 404 */
export function kindOf(text: string): TaxonKind {
  const kind = taxonKinds.find((each) => each === text);
  if (!kind) throw notFound();
  return kind;
}
