/** Presents products as cards: chosen ones, and those related to a product. */
import type { Locale } from '#contract/locales.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { Database } from '#db/database.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { recordReads } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { cardJson } from '../products/card.ts';
import { cardsByNo } from '../products/listings.repository.ts';
import { publicationsOf, relationsOf } from '../products/products.repository.ts';
import type { CardList } from '../search/suggestions.ts';
import type { Lists } from './lists.ts';

export interface ProductCardsDeps {
  db: Database;
  settings: SettingsService;
  lists: Pick<Lists, 'nosOfCategory'>;
}

export function createProductCards({ db, settings, lists }: ProductCardsDeps) {
  const currency = async () => (await settings.all()).currency;

  return {
    /** The cards of products by id; those that are not published are missing. */
    async cards(ids: readonly string[], locale: Locale): Promise<ReadonlyMap<string, ProductSummary>> {
      if (ids.length === 0) return new Map();
      const found = await publicationsOf(db.read, ids);
      const nos = found.flatMap(({ no, published: isPublished }) => (isPublished === 1 ? [no] : []));
      recordReads(...found.map(({ no }) => topics.product(no)));
      // A product that does not exist may be added.
      if (found.length < new Set(ids).size) recordReads(topics.counts);
      const [rows, shopCurrency] = await Promise.all([cardsByNo(db, nos, locale), currency()]);
      const cards = rows.map((row): ProductSummary => JSON.parse(cardJson(row, shopCurrency)));
      return new Map(cards.map((card) => [card.id, card]));
    },
    /** Related products: those the product names, then others of its category. Never the product itself. */
    async related(id: string, locale: Locale): Promise<CardList> {
      const nos = await relatedNos(db, lists, id);
      if (!nos) throw notFound();
      const [rows, shopCurrency] = await Promise.all([cardsByNo(db, nos, locale), currency()]);
      recordReads(...nos.map(topics.product));
      return { cards: rows.map((row) => cardJson(row, shopCurrency)), correctedTo: null };
    },
  };
}

/** How many related products a product has at most. */
const relatedCount = 8;

/** Product numbers, sold-out ones last among those the product names itself; null if the product is unknown or unpublished. */
export async function relatedNos(db: Database, lists: Pick<Lists, 'nosOfCategory'>, id: string): Promise<number[] | null> {
  const found = await relationsOf(db.read, id);
  if (!found) return null;
  const { no, category, related } = found;
  recordReads(topics.product(no), ...related.map((each) => (each.no === null ? topics.counts : topics.product(each.no))));
  const named = related.flatMap((each) => (each.no !== null && each.published === 1 ? [each.no] : []));
  const nos = new Set([...named, ...(await lists.nosOfCategory(category, relatedCount + named.length + 1))]);
  nos.delete(no);
  return [...nos].slice(0, relatedCount);
}
