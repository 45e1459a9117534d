/** Structured data of the blog for search engines (schema.org). */
import type { BlogPosting } from 'schema-dts';
import { inLocale, locales } from '#contract/locales.ts';
import type { BlogPost } from '#contract/schemas/blog.ts';
import type { Crumb } from '#ui/breadcrumbs.tsx';
import { absoluteUrl, breadcrumbList, graphOf, organizationId, type Place, pictureUrl } from '#web/lib/json-ld.ts';
import { urls } from '#web/lib/urls.ts';

/** The blog as a whole, which posts belong to. */
export function blogJsonLd({ title, description }: { title: string; description: string }, place: Place): object {
  return graphOf({
    '@type': 'Blog',
    '@id': blogId(place),
    name: title,
    ...(description ? { description } : {}),
    url: absoluteUrl(urls.blog(), place),
    inLanguage: locales[place.locale].tag,
    publisher: { '@id': organizationId(place) },
  });
}

/** A post, with its breadcrumbs. */
export function postJsonLd(post: BlogPost, crumbs: Crumb[], place: Place): object {
  const path = urls.blogPost(post.link);
  const { blogCategory, tags, image, author } = post;
  const posting: BlogPosting = {
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
    author: author
      ? { '@type': 'Person', name: author.name, ...(author.role ? { jobTitle: author.role } : {}) }
      : { '@id': organizationId(place) },
    publisher: { '@id': organizationId(place) },
    isPartOf: { '@id': blogId(place) },
    ...(blogCategory ? { articleSection: inLocale(blogCategory.nameContent, place.locale) } : {}),
    ...(tags.length > 0 ? { keywords: tags.map(({ nameContent }) => inLocale(nameContent, place.locale)) } : {}),
    timeRequired: `PT${post.readingMinutes}M`,
  };
  return graphOf(posting, breadcrumbList([...crumbs, { label: post.title, href: path }], place));
}

function blogId(place: Place): string {
  return `${absoluteUrl(urls.blog(), place)}#blog`;
}
