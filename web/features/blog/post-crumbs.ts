import { inLocale, type Locale } from '#contract/locales.ts';
import type { Blog, BlogPost } from '#contract/schemas/blog.ts';
import type { Crumb } from '#ui/breadcrumbs.tsx';
import { urls } from '#web/lib/urls.ts';

/** The breadcrumbs of a post: its blog, its category. */
export function postCrumbs(post: BlogPost, blog: Blog | undefined, locale: Locale): Crumb[] {
  const { blogCategory } = post;
  return [
    ...(blog ? [{ label: inLocale(blog.nameContent, locale), href: urls.blog() }] : []),
    ...(blogCategory
      ? [{ label: inLocale(blogCategory.nameContent, locale), href: urls.blogCategory(blogCategory.blogCategoryName) }]
      : []),
  ];
}
