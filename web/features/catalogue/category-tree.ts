import type { ProductFacets } from '#contract/schemas/catalogue.ts';
import type { ListSource } from './source.ts';

export type CategoryFacet = ProductFacets['categories'][number];
export interface CategoryBranch extends CategoryFacet {
  children: CategoryBranch[];
}

/** Nests categories under their parents. A category whose parent is missing is at the top level. */
export function categoryTree(categories: CategoryFacet[]): CategoryBranch[] {
  const branches = new Map<string, CategoryBranch>(categories.map((category) => [category.name, { ...category, children: [] }]));
  const top: CategoryBranch[] = [];
  for (const branch of branches.values()) {
    const siblings = branches.get(branch.parent ?? '')?.children ?? top;
    siblings.push(branch);
  }
  return top;
}

/** What a list of a category or of all products shows as links above it: the children of the category, or the top level. */
export function subCategories(source: ListSource, categories: CategoryFacet[]): CategoryFacet[] {
  if (source.kind === 'all') return childrenOf(categories, undefined);
  return source.kind === 'category' ? childrenOf(categories, source.name) : [];
}

export function childrenOf(categories: CategoryFacet[], name: string | undefined): CategoryFacet[] {
  return name === undefined
    ? categories.filter(({ parent }) => parent === null)
    : categories.filter(({ parent }) => parent === name);
}
