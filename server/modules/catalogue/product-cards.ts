/** Presents products as cards: chosen ones, and those related to a product. */
import type { Locale } from '#contract/locales.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { Database } from '#db/database.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { recordReads } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { cardJson } from './card.ts';
import { cardsByNo } from './lists.repository.ts';
import type { CardList } from './lists.ts';
import { publicationsOf } from './products.repository.ts';
import { relatedCount, relatedNos } from './related.repository.ts';
import type { Taxonomy } from './taxonomy.ts';

export interface ProductCardsDeps {
  db: Database;
  settings: SettingsService;
  taxonomy: () => Promise<Taxonomy>;
}

export function createProductCards({ db, settings, taxonomy }: ProductCardsDeps) {
  const currency = async () => (await settings.all()).currency;

  return {
    /** The cards of products by id; those that are not published are missing. */
    async cards(ids: readonly string[], locale: Locale): Promise<ReadonlyMap<string, ProductSummary>> {
      if (ids.length === 0) return new Map();
      const found = await publicationsOf(db.catalogue, ids);
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
      const known = await taxonomy();
      const nos = await relatedNos(db, id, known, relatedCount);
      if (!nos) throw notFound();
      const [rows, shopCurrency] = await Promise.all([cardsByNo(db, nos, locale), currency()]);
      recordReads(...nos.map(topics.product));
      return { cards: rows.map((row) => cardJson(row, shopCurrency)), correctedTo: null };
    },
  };
}
