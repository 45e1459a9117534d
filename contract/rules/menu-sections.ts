/** The sections of a category as a menu: at a table, and on a page. */
import { inLocale, type Locale } from '../locales.ts';
import type { Category, ProductSummary } from '../schemas/catalogue.ts';

export interface MenuSection<P = ProductSummary> {
  /** '' for products of the category itself. */
  title: string;
  products: P[];
}

/** The category, whose products come first, and its subcategories, each a section. */
export const menuCategories = ({ categoryName, children }: Category): string[] => [
  categoryName,
  ...children.map((child) => child.categoryName),
];

/** `lists` has the products of each of `menuCategories`: the first also those of the subcategories. Sections without products are left out. */
export function menuSections<P extends { id: string }>(
  { children }: Category,
  [all = [], ...lists]: readonly P[][],
  locale: Locale,
): MenuSection<P>[] {
  const listed = new Set(lists.flat().map(({ id }) => id));
  const own = { title: '', products: all.filter(({ id }) => !listed.has(id)) };
  const below = lists.map((products, index) => {
    const child = children[index];
    return { title: child ? inLocale(child.categoryNameContent, locale) : '', products };
  });
  return [own, ...below].filter(({ products }) => products.length > 0);
}
