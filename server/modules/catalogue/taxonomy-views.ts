/** Presents categories, brands and tags to customers. */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Brand, Category, CategoryChild, CategoryNode, Tag } from '#contract/schemas/catalogue.ts';
import { notFound } from '#server/platform/errors.ts';
import { categoryRef, childrenOf, countOf, scopeNames, type TaxonBrand, type TaxonCategory, type Taxonomy } from './taxonomy.ts';

/** The id of the top level on the wire (SPEC §7). */
const topLevel = 'primary';

export function createTaxonomyViews(taxonomy: () => Promise<Taxonomy>) {
  return {
    /** The children of a category with their subtrees; the top level for 'primary'. */
    async categoryTree(id: string, locale: Locale): Promise<CategoryNode[]> {
      const known = await taxonomy();
      if (id !== topLevel && !known.categories.has(id)) throw notFound();
      return childrenOf(known, id === topLevel ? null : id).map((category) => ({
        ...categoryFields(known, category, locale),
        children: childrenOf(known, category.id).map((child) => categoryFields(known, child, locale)),
      }));
    },
    async category(id: string, locale: Locale): Promise<Category> {
      const known = await taxonomy();
      const category = known.categories.get(id);
      if (!category) throw notFound();
      return {
        ...categoryFields(known, category, locale),
        children: childrenOf(known, id).map((child) => categoryFields(known, child, locale)),
        parent: category.parentId === null ? null : categoryRef(known, category.parentId),
      };
    },
    async brand(id: string, locale: Locale): Promise<Brand> {
      const known = await taxonomy();
      const brand = known.brands.get(id);
      if (!brand) throw notFound();
      return brandFields(known, brand, locale);
    },
    async brands(locale: Locale): Promise<Brand[]> {
      const known = await taxonomy();
      return [...known.brands.values()].map((brand) => brandFields(known, brand, locale));
    },
    async tag(id: string, locale: Locale): Promise<Tag> {
      const known = await taxonomy();
      const tag = known.tags.get(id);
      if (!tag) throw notFound();
      return {
        name: id,
        nameContent: tag.name,
        description: inLocale(tag.description, locale),
        count: countOf(known, scopeNames.tag(id)),
      };
    },
  };
}

function categoryFields(taxonomy: Taxonomy, category: TaxonCategory, locale: Locale): CategoryChild {
  return {
    id: category.id,
    categoryName: category.id,
    categoryNameContent: category.name,
    description: inLocale(category.description, locale),
    image: category.image,
    count: countOf(taxonomy, scopeNames.category(category.id)),
  };
}

function brandFields(taxonomy: Taxonomy, brand: TaxonBrand, locale: Locale): Brand {
  return {
    name: brand.id,
    nameContent: brand.name,
    story: inLocale(brand.story, locale),
    image: brand.image,
    count: countOf(taxonomy, scopeNames.brand(brand.id)),
  };
}
