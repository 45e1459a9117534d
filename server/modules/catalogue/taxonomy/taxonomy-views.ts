import { inLocale, type Locale } from '#contract/locales.ts';
import { categoryChain } from '#contract/rules/categories.ts';
import { hasTimes, type MenuItem, servedTimes } from '#contract/rules/menus.ts';
import { sellsAt, takesOrders } from '#contract/rules/method.ts';
import type { Brand, Category, CategoryChild, CategoryNode, Tag } from '#contract/schemas/catalogue.ts';
import type { ServedTimes } from '#contract/schemas/common.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { deliversLocally, type StoresService } from '#server/modules/stores/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import {
  categoryRef,
  childrenOf,
  type TaxonBrand,
  type TaxonCategory,
  type TaxonKind,
  type Taxonomy,
  type TaxonomyNames,
} from './taxonomy.ts';

/** Of categories with those below. */
export type TaxonCount = (kind: TaxonKind, id: string) => number;

const topLevel = 'primary';

interface TaxonomyViewsDeps {
  taxonomy: () => Promise<Taxonomy>;
  counts: () => Promise<TaxonCount>;
  saleTerms: ReadSaleTerms;
}

export function createTaxonomyViews({ taxonomy, counts, saleTerms }: TaxonomyViewsDeps) {
  return {
    /** With subtrees; the top level for 'primary'. */
    async categoryTree(id: string, locale: Locale): Promise<CategoryNode[]> {
      const known = await taxonomy();
      const count = await counts();
      if (id !== topLevel && !known.categories.has(id)) throw notFound();
      return childrenOf(known, id === topLevel ? null : id).map((category) => ({
        ...categoryFields(category, count, locale),
        children: childrenOf(known, category.id).map((child) => categoryFields(child, count, locale)),
      }));
    },
    async category(id: string, locale: Locale): Promise<Category> {
      const known = await taxonomy();
      const count = await counts();
      const category = known.categories.get(id);
      if (!category) throw notFound();
      return {
        ...categoryFields(category, count, locale),
        children: childrenOf(known, id).map((child) => categoryFields(child, count, locale)),
        parent: category.parentId === null ? null : categoryRef(known, category.parentId),
        ...(await saleTerms(locale)).served?.({ category: id }),
      };
    },
    async brand(id: string, locale: Locale): Promise<Brand> {
      const known = await taxonomy();
      const count = await counts();
      const brand = known.brands.get(id);
      if (!brand) throw notFound();
      return brandFields(brand, count, locale);
    },
    async brands(locale: Locale): Promise<Brand[]> {
      const known = await taxonomy();
      const count = await counts();
      return [...known.brands.values()].map((brand) => brandFields(brand, count, locale));
    },
    async tag(id: string, locale: Locale): Promise<Tag> {
      const known = await taxonomy();
      const tag = known.tags.get(id);
      if (!tag) throw notFound();
      return {
        name: id,
        nameContent: tag.name,
        description: inLocale(tag.description, locale),
        count: (await counts())('tag', id),
      };
    },
  };
}

function categoryFields(category: TaxonCategory, count: TaxonCount, locale: Locale): CategoryChild {
  return {
    id: category.id,
    categoryName: category.id,
    categoryNameContent: category.name,
    description: inLocale(category.description, locale),
    image: category.image,
    count: count('category', category.id),
  };
}

function brandFields(brand: TaxonBrand, count: TaxonCount, locale: Locale): Brand {
  return {
    name: brand.id,
    nameContent: brand.name,
    story: inLocale(brand.story, locale),
    image: brand.image,
    count: count('brand', brand.id),
  };
}

/** When products, categories and modifier groups are served, and whether a store delivers what is not shipped. */
interface SaleTermsDeps {
  settings: Pick<SettingsService, 'all'>;
  stores: Pick<StoresService, 'all'>;
  names: () => Promise<TaxonomyNames>;
}

export interface SaleTerms {
  delivers: boolean;
  /** Whether an order can reach anybody. */
  takesOrders: boolean;
  /** The field of an answer about an item, given with its nearest category. Null while everything is always served. */
  served: ((item: Omit<MenuItem, 'categories'> & { category?: string }) => { served?: ServedTimes }) | null;
}

export type ReadSaleTerms = (locale: Locale) => Promise<SaleTerms>;

export function createSaleTerms({ settings, stores, names }: SaleTermsDeps): ReadSaleTerms {
  return async (locale) => {
    const [{ menus, checkoutConfig }, all] = await Promise.all([settings.all(), stores.all()]);
    const displayed = all
      .filter(({ display }) => display)
      .map((store) => ({ ...store, localStoreName: store.id }));
    const terms = {
      delivers: deliversLocally(all, checkoutConfig),
      takesOrders: takesOrders(displayed, checkoutConfig),
    };
    if (!menus.some(hasTimes)) return { ...terms, served: null };
    const tree = await names();
    const selling = displayed.filter((store) => sellsAt(store, checkoutConfig));
    return {
      ...terms,
      served: ({ category = '', ...item }) => {
        const categories = categoryChain(tree, category).map(({ id }) => id);
        const served = servedTimes({ ...item, categories }, menus, selling, locale, translate(locale));
        return served ? { served } : {};
      },
    };
  };
}
