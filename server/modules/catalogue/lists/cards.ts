import type { Locale } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { cardJson } from '../products/card.ts';
import { cardsByNo } from '../products/listings.repository.ts';
import { placesOf } from '../products/products.repository.ts';
import type { ReadSaleTerms } from '../taxonomy/sale-terms.ts';

interface CardsDeps {
  db: Database;
  settings: Pick<SettingsService, 'all'>;
  saleTerms: ReadSaleTerms;
}

/** Returns the cards of products by their numbers, in that order. */
export type ReadCards = (nos: readonly number[], locale: Locale) => Promise<string[]>;

export function createCards({ db, settings, saleTerms }: CardsDeps): ReadCards {
  return async (nos, locale) => {
    const [rows, { currency }, { delivers, served }] = await Promise.all([
      cardsByNo(db, nos, locale),
      settings.all(),
      saleTerms(locale),
    ]);
    const places = served ? await placesOf(db.read, nos) : [];
    const times = new Map(places.map(({ no, id, category }) => [no, served?.({ product: id, category }).served]));
    return rows.map((row) => cardJson(row, { currency, delivers, served: times.get(row.product_no) }, locale));
  };
}
