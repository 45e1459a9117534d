/** Searches products within a condition, and suggests while typing. */
import type { Locale, LocalText } from '#contract/locales.ts';
import type { Suggestions } from '#contract/schemas/catalogue.ts';
import { notFound } from '#server/platform/errors.ts';
import type { CatalogueService } from '../catalogue.service.ts';
import type { ListFilter } from '../lists/list-filter.ts';
import { chunks, fold } from './tokens.ts';

export type SearchService = ReturnType<typeof createSearchService>;

const productsSuggested = 6;
const namesSuggested = 4;

const conditions: Readonly<Record<string, ListFilter>> = {
  all: {},
  onSale: { onSale: true },
  clearance: { clearance: true },
  newArrival: { newArrival: true },
};

export function createSearchService({ catalogue }: { catalogue: CatalogueService }) {
  return {
    /**
     * The filter of a condition of SPEC §7: 'all', 'onSale', 'clearance', 'newArrival' or a category's name.
     * @throws {AppError} 404 for any other name
     */
    async condition(name: string): Promise<ListFilter> {
      const fixed = Object.hasOwn(conditions, name) ? conditions[name] : undefined;
      if (fixed) return fixed;
      if (!(await catalogue.taxonomy()).categories.has(name)) throw notFound();
      return { categoryName: name };
    },
    async suggest(text: string, locale: Locale): Promise<Suggestions> {
      const { cards, correctedTo } = await catalogue.page({ nameLike: text }, { numberToLoad: productsSuggested }, locale);
      const { categories, brands } = await catalogue.taxonomy();
      const wanted = (correctedTo ?? text).slice(0, 200);
      return {
        products: cards.map((card) => {
          const { id, productName, mediaInfo, priceInfo } = JSON.parse(card);
          return { id, productName, image: mediaInfo.imageInfos[0] ?? null, priceInfo };
        }),
        categories: namesLike(wanted, [...categories.values()]),
        brands: namesLike(wanted, [...brands.values()]),
        correctedTo,
      };
    },
  };
}

/** Names in which every typed word begins a word, or which contain the typed Chinese. */
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
