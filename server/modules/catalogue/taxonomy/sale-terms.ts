/** When products, categories and modifier groups are served, and whether a store delivers what is not shipped. */
import type { Locale } from '#contract/locales.ts';
import { categoryChain } from '#contract/rules/categories.ts';
import { hasTimes, type MenuItem, servedTimes } from '#contract/rules/menus.ts';
import { sellsAt } from '#contract/rules/method.ts';
import type { ServedTimes } from '#contract/schemas/common.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { deliversLocally, type StoresService } from '#server/modules/stores/index.ts';
import { translate } from '#server/platform/i18n.ts';
import type { TaxonomyNames } from './taxonomy.ts';

interface SaleTermsDeps {
  settings: Pick<SettingsService, 'all'>;
  stores: Pick<StoresService, 'all'>;
  names: () => Promise<TaxonomyNames>;
}

export interface SaleTerms {
  delivers: boolean;
  /** The field of an answer about an item, given with its nearest category. Null while everything is always served. */
  served: ((item: Omit<MenuItem, 'categories'> & { category?: string }) => { served?: ServedTimes }) | null;
}

export type ReadSaleTerms = (locale: Locale) => Promise<SaleTerms>;

export function createSaleTerms({ settings, stores, names }: SaleTermsDeps): ReadSaleTerms {
  return async (locale) => {
    const [{ menus, checkoutConfig }, all] = await Promise.all([settings.all(), stores.all()]);
    const delivers = deliversLocally(all, checkoutConfig);
    if (!menus.some(hasTimes)) return { delivers, served: null };
    const tree = await names();
    const selling = all.filter((store) => store.display && sellsAt({ ...store, localStoreName: store.id }, checkoutConfig));
    return {
      delivers,
      served: ({ category = '', ...item }) => {
        const categories = categoryChain(tree, category).map(({ id }) => id);
        const served = servedTimes({ ...item, categories }, menus, selling, locale, translate(locale));
        return served ? { served } : {};
      },
    };
  };
}
