/**
 * Builds the head of the blog's pages for `pageHead`. Loaders call it, because they load with their page: imports of a route's
 * `head` become part of the code that all pages share.
 */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Blog, BlogPost } from '#contract/schemas/blog.ts';
import type { Translate } from '#contract/translate.ts';
import type { Crumb } from '#ui/breadcrumbs.tsx';
import type { PageHead } from '#web/lib/head.ts';
import { breadcrumbList, graphOf } from '#web/lib/json-ld.ts';
import { urls } from '#web/lib/urls.ts';
import { feedLinks } from './feed-links.ts';
import { blogJsonLd, postJsonLd } from './json-ld.ts';
import { postCrumbs } from './post-crumbs.ts';

interface HeadContext {
  origin: string;
  locale: Locale;
  t: Translate;
}

/** The head of the blog itself. A page without posts is not indexed. */
export function blogHead(blog: Blog, isEmpty: boolean, context: HeadContext) {
  const title = inLocale(blog.nameContent, context.locale);
  const { description } = blog;
  return {
    title,
    description,
    unlisted: isEmpty,
    links: feedLinks(title, context),
    jsonLd: blogJsonLd({ title, description }, context),
  } satisfies PageHead;
}

/** The head of a category or tag. */
export function narrowedHead(
  blog: Blog,
  { title, description, href }: { title: string; description?: string; href: string },
  isEmpty: boolean,
  context: HeadContext,
) {
  const name = inLocale(blog.nameContent, context.locale);
  const steps: Crumb[] = [
    { label: name, href: urls.blog() },
    { label: title, href },
  ];
  return {
    title,
    description,
    unlisted: isEmpty,
    links: feedLinks(name, context),
    jsonLd: graphOf(breadcrumbList(steps, context)),
  } satisfies PageHead;
}

export function postHead(post: BlogPost, blog: Blog | undefined, context: HeadContext) {
  return {
    title: post.title,
    description: post.excerpt,
    image: post.image,
    openGraphType: 'article' as const,
    links: blog && feedLinks(inLocale(blog.nameContent, context.locale), context),
    jsonLd: postJsonLd(post, postCrumbs(post, blog, context.locale), context),
  } satisfies PageHead;
}
