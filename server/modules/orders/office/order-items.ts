/** Products that staff put in an order, with what is chosen for them. */
import { inLocale, type Locale } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import type { OrderItem } from '#contract/staff/order-changes.ts';
import type { Database } from '#db/database.ts';
import type { CatalogueService, SearchService } from '#server/modules/catalogue/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { productOfSku } from '../order/order-lines.repository.ts';

export interface OrderItemsDeps {
  db: Database;
  catalogue: Pick<CatalogueService, 'product'>;
  search: Pick<SearchService, 'suggest'>;
}

/** The product of a SKU, then those whose name has the words. */
export async function findOrderItems({ db, catalogue, search }: OrderItemsDeps, text: string, locale: Locale) {
  const wanted = text.trim();
  if (wanted === '') return [];
  const [bySku, { products }] = await Promise.all([productOfSku(db.read, wanted), search.suggest(wanted, locale)]);
  const ids = new Set([...(bySku === null ? [] : [bySku]), ...products.map(({ id }) => id)]);
  const found = await Promise.all([...ids].map((id) => catalogue.product(id, locale).catch(nothing)));
  return found.flatMap((product) => (product ? viewItem(product, locale) : []));
}

/** Of a product that is not published. */
function nothing(error: unknown): null {
  if (error instanceof AppError && error.status === 404) return null;
  throw error;
}

function viewItem({ productName, skus, specification, modifierGroups = [] }: Product, locale: Locale): OrderItem {
  const textOf = (optionPairs: string) => {
    const pairs = parseOptionPairs(optionPairs);
    const values = specification.options.map(({ name, values: offered }) => {
      const chosen = pairs?.get(name) ?? '';
      const value = offered.find((each) => each.value === chosen);
      return value ? inLocale(value.valueContent, locale) : chosen;
    });
    return values.filter(Boolean).join(' · ');
  };
  return {
    name: productName,
    skus: skus.map(({ sku, optionPairs, priceInfo }) => ({
      sku,
      optionPairs,
      text: textOf(optionPairs),
      price: priceInfo.price,
    })),
    groups: modifierGroups,
  };
}
