import type { Locale, LocalText } from '#contract/locales.ts';
import type { Suggestions } from '#contract/schemas/catalogue.ts';
import type { Taxonomy } from '../taxonomy/taxonomy.ts';
import { chunks, fold } from './tokens.ts';

/** Cards as JSON, ready to send. */
export interface CardList {
  cards: string[];
  /** Searched instead; null if the original text was used. */
  correctedTo: string | null;
  /** No product has all of the words; these have some of them. */
  partial: boolean;
}

export interface SearchedLists {
  page: (filter: { nameLike: string }, page: { numberToLoad: number }, locale: Locale) => Promise<CardList>;
  taxonomy: () => Promise<Taxonomy>;
}

export type SearchService = ReturnType<typeof createSearchService>;

const productsSuggested = 6;
const namesSuggested = 4;

export function createSearchService({ page, taxonomy }: SearchedLists) {
  return {
    async suggest(text: string, locale: Locale): Promise<Suggestions> {
      const { cards, correctedTo, partial } = await page(
        { nameLike: text },
        { numberToLoad: productsSuggested },
        locale,
      );
      const { categories, brands } = await taxonomy();
      const wanted = (correctedTo ?? text).slice(0, 200);
      return {
        products: cards.map((card) => {
          const { id, productName, mediaInfo, priceInfo } = JSON.parse(card);
          return { id, productName, image: mediaInfo.imageInfos[0] ?? null, priceInfo };
        }),
        categories: namesLike(wanted, [...categories.values()]),
        brands: namesLike(wanted, [...brands.values()]),
        correctedTo,
        partial,
      };
    },
  };
}

/** Every typed word begins a word of the name, or the name contains the typed Chinese. */
function namesLike(text: string, named: readonly { id: string; name: LocalText }[]) {
  const wanted = chunks(fold(text));
  if (wanted.length === 0) return [];
  const matches = ({ name }: { name: LocalText }) => {
    const texts = Object.values(name).map(fold);
    const words = texts.flatMap((each) => chunks(each).map((chunk) => chunk.text));
    return wanted.every(({ text: word, ideographs }) =>
      ideographs ? texts.some((each) => each.includes(word)) : words.some((each) => each.startsWith(word)),
    );
  };
  return named
    .filter(matches)
    .slice(0, namesSuggested)
    .map(({ id, name }) => ({ name: id, nameContent: name }));
}
