/** Titles, descriptions and the addresses of a page in its languages, for `head` of the routes. */
import { defaultLocale, type Locale, localeCodes } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Translate } from '#contract/translate.ts';
import { localizePath } from './locale-path.ts';
import { fittingUrl } from './media.ts';
import { stringifyPlainSearch } from './search-params.ts';
import { isPrivatePath } from './urls.ts';

type Meta = Record<string, unknown>;
interface HeadLink {
  rel: string;
  href: string;
  hrefLang?: string;
}
export interface Head {
  meta: Meta[];
  links: HeadLink[];
}

/** What this module needs of the router's matches; the first is always the root. */
type Matches = readonly { pathname: string; search: object; status: string; context: object; loaderData?: unknown }[];
interface PageContext {
  locale: Locale;
  origin: string;
  t: Translate;
}

/** Colours of the page in both schemes, as `--color-paper` in `styles/tokens.css`; a meta element cannot name a token. */
export const paper = { light: '#f8f4ed', dark: '#1a1815' };
/** Link previews want about this width (pixels). */
const previewWidth = 1280;

/** What every page has: the addresses of this page in all languages among it. */
export function rootHead(matches: Matches): Head {
  const { locale, origin, t } = contextOf(matches);
  const page = matches.at(-1);
  const path = page?.pathname ?? '/';
  const shopName = shopNameOf(matches);
  const shared: Meta[] = shopName
    ? [{ property: 'og:site_name', content: shopName }, { title: shopName }]
    : [{ title: t('shell.error.title') }];
  if (isPrivatePath(path)) return { meta: [...shared, noIndex], links: [] };
  const address = (code: Locale) => origin + localizePath(path, code) + canonicalSearch(page?.search);
  return {
    meta: [...shared, { property: 'og:url', content: address(locale) }],
    links: [
      { rel: 'canonical', href: address(locale) },
      ...localeCodes.map((code) => ({ rel: 'alternate', hrefLang: code, href: address(code) })),
      { rel: 'alternate', hrefLang: 'x-default', href: address(defaultLocale) },
    ],
  };
}

const noIndex: Meta = { name: 'robots', content: 'noindex' };
/** Where else a page's search changes what it is; sorting and filters show the same things again. */
const canonicalKeys = ['page', 'key', 'cat'];

function canonicalSearch(search: object | undefined): string {
  return stringifyPlainSearch(Object.fromEntries(Object.entries(search ?? {}).filter(([key]) => canonicalKeys.includes(key))));
}

export interface PageHead {
  title: string;
  /** One or two sentences for search results and link previews. */
  description?: string | undefined;
  image?: ImageInfo | null | undefined;
  /** Put first, before the shop's name is added. The home page's title carries the name itself. */
  bareTitle?: boolean;
  /** Not for search engines: search results, for instance. */
  unlisted?: boolean;
  /** Structured data (schema.org), written as JSON-LD. */
  jsonLd?: object | undefined;
}

/**
 * The head of one route: `head: ({ matches, loaderData }) => pageHead(matches, loaderData && { title: … })`.
 * Without a page it is the head of a page that was not found or failed.
 */
export function pageHead(matches: Matches, page: PageHead | undefined): Head {
  const { origin, t } = contextOf(matches);
  if (!page) {
    const failed = matches.some(({ status }) => status === 'error');
    return { meta: [{ title: named(matches, t(failed ? 'shell.error.title' : 'shell.notFound.title')) }, noIndex], links: [] };
  }
  const { description, image } = page;
  const meta: Meta[] = [
    { title: page.bareTitle ? page.title : named(matches, page.title) },
    { property: 'og:title', content: page.title },
  ];
  if (description) meta.push({ name: 'description', content: description }, { property: 'og:description', content: description });
  if (image) meta.push({ property: 'og:image', content: origin + fittingUrl(image, previewWidth) });
  if (page.unlisted) meta.push(noIndex);
  if (page.jsonLd) meta.push({ 'script:ld+json': page.jsonLd });
  return { meta, links: [] };
}

function named(matches: Matches, title: string): string {
  const shopName = shopNameOf(matches);
  return shopName ? `${title} · ${shopName}` : title;
}

/** The root route's loader returns it. */
function shopNameOf(matches: Matches): string {
  const data = matches[0]?.loaderData as { shopName?: string } | undefined;
  return data?.shopName ?? '';
}

function contextOf(matches: Matches): PageContext {
  return matches[0]?.context as PageContext;
}
