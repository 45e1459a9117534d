/** Links of a menu that stand for the categories of the shop. */
import type { LocalText } from '#contract/locales.ts';
import type { NavigationLink } from '#contract/schemas/navigation.ts';
import type { TaxonList } from '#contract/staff/taxonomy.ts';

type Category = Pick<TaxonList['taxons'][number], 'id' | 'parent'> & { name: LocalText };

const addressOf = ({ id }: Pick<Category, 'id'>) => `/products/${id}`;

/** As the shop lists them: each with those below it. */
export function linksOfCategories(categories: readonly Category[]): NavigationLink[] {
  const linkOf = (category: Category) => ({ label: category.name, link: addressOf(category) });
  const below = (id: string | null) => categories.filter(({ parent }) => parent === id);
  return below(null).map((top) => ({ ...linkOf(top), children: below(top.id).map(linkOf) }));
}

/** Without what the shop lists by itself: links to its first categories, with the categories below. What else stands there moves up. */
export function withoutCategories(
  links: readonly NavigationLink[],
  categories: readonly Category[],
): NavigationLink[] {
  const all = new Set(categories.map(addressOf));
  const first = new Set(categories.filter(({ parent }) => parent === null).map(addressOf));
  return links.flatMap((each) =>
    first.has(each.link) ? (each.children ?? []).filter(({ link }) => !all.has(link)) : [each],
  );
}
