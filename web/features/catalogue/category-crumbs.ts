import { inLocale, type Locale } from '#contract/locales.ts';
import type { CategoryRef } from '#contract/schemas/catalogue.ts';
import type { Crumb } from '#ui/layout.tsx';
import { urls } from '#web/lib/urls.ts';

type Link = Pick<CategoryRef, 'categoryName' | 'categoryNameContent'> & { parent: Link | null };

/** The breadcrumbs of a category from the top, itself included; the current page is not a link. */
export function categoryCrumbs({ categoryNameContent, parent }: Link, locale: Locale): Crumb[] {
  return [...(parent ? categoryPath(parent, locale) : []), { label: inLocale(categoryNameContent, locale) }];
}

export function categoryPath({ categoryName, categoryNameContent, parent }: Link, locale: Locale): Crumb[] {
  const own = { label: inLocale(categoryNameContent, locale), href: urls.category(categoryName) };
  return [...(parent ? categoryPath(parent, locale) : []), own];
}
