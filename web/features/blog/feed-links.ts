import type { Locale } from '#contract/locales.ts';
import type { Translate } from '#contract/translate.ts';
import { localizePath } from '#web/lib/locale-path.ts';
import { urls } from '#web/lib/urls.ts';

const formats = [
  { format: 'rss', name: 'RSS', type: 'application/rss+xml' },
  { format: 'atom', name: 'Atom', type: 'application/atom+xml' },
] as const;

/** Lets feed readers discover the blog's feeds from any of its pages. */
export function feedLinks(name: string, { origin, locale, t }: { origin: string; locale: Locale; t: Translate }) {
  return formats.map(({ format, name: formatName, type }) => ({
    rel: 'alternate',
    type,
    title: t('blog.feed.title', { name, format: formatName }),
    href: origin + localizePath(urls.blogFeed(format), locale),
  }));
}
