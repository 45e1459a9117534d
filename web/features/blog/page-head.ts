/** Called by loaders, because they load with their page: imports of a route's `head` become part of the code that all pages share. */
import type { BlogPostingLeaf, IdReference, PersonLeaf } from 'schema-dts';
import { inLocale, type Locale, locales, localizePath } from '#contract/locales.ts';
import type { Blog, BlogPost } from '#contract/schemas/blog.ts';
import type { Translate } from '#contract/translate.ts';
import type { Crumb } from '#ui/layout.tsx';
import {
  absoluteUrl,
  breadcrumbList,
  graphOf,
  organizationReference,
  type PageHead,
  type Place,
  pictureUrl,
} from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';

interface HeadContext {
  origin: string;
  locale: Locale;
  t: Translate;
}

export function blogHead(blog: Blog, isEmpty: boolean, context: HeadContext) {
  const title = inLocale(blog.nameContent, context.locale);
  const { description } = blog;
  return {
    title,
    description,
    unlisted: isEmpty,
    links: feedLinks(title, context),
    jsonLd: import.meta.env.SSR ? blogJsonLd({ title, description }, context) : undefined,
  } satisfies PageHead;
}

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
    jsonLd: import.meta.env.SSR ? graphOf(breadcrumbList(steps, context)) : undefined,
  } satisfies PageHead;
}

export function postHead(post: BlogPost, blog: Blog | undefined, context: HeadContext) {
  return {
    title: post.title,
    description: post.excerpt,
    image: post.image,
    openGraphType: 'article' as const,
    links: blog && feedLinks(inLocale(blog.nameContent, context.locale), context),
    jsonLd: import.meta.env.SSR
      ? postJsonLd(post, postCrumbs(post, blog, context.locale), context)
      : undefined,
  } satisfies PageHead;
}

const formats = [
  { format: 'rss', name: 'RSS', type: 'application/rss+xml' },
  { format: 'atom', name: 'Atom', type: 'application/atom+xml' },
] as const;

/** Lets feed readers discover the blog's feeds from any of its pages. */
function feedLinks(name: string, { origin, locale, t }: { origin: string; locale: Locale; t: Translate }) {
  return formats.map(({ format, name: formatName, type }) => ({
    rel: 'alternate',
    type,
    title: t('blog.feed.title', { name, format: formatName }),
    href: origin + localizePath(urls.blogFeed(format), locale),
  }));
}

function blogJsonLd({ title, description }: { title: string; description: string }, place: Place): object {
  return graphOf({
    '@type': 'Blog',
    ...blogReference(place),
    name: title,
    ...(description ? { description } : {}),
    url: absoluteUrl(urls.blog(), place),
    inLanguage: locales[place.locale].tag,
    publisher: organizationReference(place),
  });
}

function postJsonLd(post: BlogPost, crumbs: Crumb[], place: Place): object {
  const path = urls.blogPost(post.link);
  const { blogCategory, tags, image, author } = post;
  const posting: BlogPostingLeaf = {
    '@type': 'BlogPosting',
    '@id': `${absoluteUrl(path, place)}#post`,
    mainEntityOfPage: absoluteUrl(path, place),
    url: absoluteUrl(path, place),
    headline: post.title,
    description: post.excerpt,
    ...(image ? { image: pictureUrl(image, place) } : {}),
    datePublished: new Date(post.publishedAt).toISOString(),
    dateModified: new Date(post.updatedAt).toISOString(),
    inLanguage: locales[place.locale].tag,
    author: author ? personData(author) : organizationReference(place),
    publisher: organizationReference(place),
    isPartOf: blogReference(place),
    ...(blogCategory ? { articleSection: inLocale(blogCategory.nameContent, place.locale) } : {}),
    ...(tags.length > 0
      ? { keywords: tags.map(({ nameContent }) => inLocale(nameContent, place.locale)) }
      : {}),
    timeRequired: `PT${post.readingMinutes}M`,
  };
  return graphOf(posting, breadcrumbList([...crumbs, { label: post.title, href: path }], place));
}

function personData({ name, role }: NonNullable<BlogPost['author']>): PersonLeaf {
  return { '@type': 'Person', name, ...(role ? { jobTitle: role } : {}) };
}

function blogReference(place: Place): IdReference {
  return { '@id': `${absoluteUrl(urls.blog(), place)}#blog` };
}

export function postCrumbs(post: BlogPost, blog: Blog | undefined, locale: Locale): Crumb[] {
  const { blogCategory } = post;
  return [
    ...(blog ? [{ label: inLocale(blog.nameContent, locale), href: urls.blog() }] : []),
    ...(blogCategory
      ? [
          {
            label: inLocale(blogCategory.nameContent, locale),
            href: urls.blogCategory(blogCategory.blogCategoryName),
          },
        ]
      : []),
  ];
}
