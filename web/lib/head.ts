import type {
  BlogLeaf,
  BlogPostingLeaf,
  BreadcrumbListLeaf,
  IdReference,
  ListItemLeaf,
  LocalBusinessLeaf,
  MerchantReturnPolicyLeaf,
  OfferShippingDetailsLeaf,
  OrganizationLeaf,
  ProductGroupLeaf,
  ProductLeaf,
  SearchActionLeaf,
  WebSiteLeaf,
} from 'schema-dts';
import { type Locale, locales, localizePath, mainLocale, offeredLocales } from '#contract/locales.ts';
import { fittingUrl } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import type { Translate } from '#contract/translate.ts';
import { isPrivatePath, stringifyPlainSearch, urls } from './urls.ts';

/** Longer texts of the page head are cut: no search engine shows them, and a pasted text must not bloat the page. Characters. */
const longest = { title: 150, description: 320 };

/** A text as one line, without control characters, cut to `most` characters with an ellipsis. */
function truncateToLine(text: string, most: number): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= most) return line;
  const cut = characters.slice(0, most - 1).join('');
  return `${cut.trimEnd()}…`;
}

type Meta = Record<string, unknown>;
interface HeadLink {
  rel: string;
  href: string;
  hrefLang?: string;
  type?: string;
  title?: string;
}
interface Head {
  meta: Meta[];
  links: HeadLink[];
}

type Matches = readonly {
  pathname: string;
  search: object;
  status: string;
  context: object;
  loaderData?: unknown;
}[];
interface PageContext {
  locale: Locale;
  origin: string;
  t: Translate;
}

/** Fields that a loader may return for the root's head, and for the response. */
export interface LoadedHead {
  /** The canonical page with the same content; a path without language. */
  canonical?: string | undefined;
  /** Excludes the page from search engines: search results, for instance. */
  unlisted?: boolean | undefined;
  /** The HTTP status of a page about something that is missing. */
  status?: number | undefined;
}

/** The head elements of every page, including its addresses in all languages. A page's own elements replace these. */
export function rootHead(matches: Matches, shop: AppContent | undefined): Head {
  const { locale, origin, t } = contextOf(matches);
  const page = matches.at(-1);
  // The router ends index routes with a slash, which the shop's addresses do not have.
  const path = page?.pathname.replace(/(?<=.)\/$/, '') ?? '/';
  const shared: Meta[] = [{ title: shop?.shopName ?? t('shell.error.title') }];
  if (isPrivatePath(path)) return { meta: [...shared, noIndex], links: [] };
  const { canonical, unlisted } = (page?.loaderData ?? {}) as LoadedHead;
  const target = canonical ?? path + canonicalSearch(page?.search);
  const address = (code: Locale) => origin + localizePath(target, code);
  return {
    meta: [
      ...shared,
      ...(shop?.tagline ? [describing(shop.tagline)] : []),
      ...(import.meta.env.SSR ? sitePreview(shop, { origin, locale, address: address(locale) }) : []),
    ],
    links: unlisted
      ? []
      : [{ rel: 'canonical', href: address(locale) }, ...(import.meta.env.SSR ? alternates(address) : [])],
  };
}

function alternates(address: (code: Locale) => string): HeadLink[] {
  const codes = offeredLocales();
  if (codes.length < 2) return [];
  const all = codes.map((code) => ({ rel: 'alternate', hrefLang: code as string, href: address(code) }));
  return [...all, { rel: 'alternate', hrefLang: 'x-default', href: address(mainLocale()) }];
}

const noIndex: Meta = { name: 'robots', content: 'noindex' };
/** The search parameters that make it a different page. A sorted or filtered list has the same content. */
const canonicalKeys = ['newArrival', 'page'];

/** Each page of a list is canonical; a sorted or filtered one points to the unfiltered list. */
function canonicalSearch(search: object | undefined): string {
  const given = Object.entries(search ?? {}).filter(([, value]) => value !== undefined);
  const plain = given.every(([key]) => canonicalKeys.includes(key));
  return stringifyPlainSearch(
    Object.fromEntries(given.filter(([key]) => canonicalKeys.includes(key) && (plain || key !== 'page'))),
  );
}

function describing(text: string): Meta {
  return { name: 'description', content: truncateToLine(text, longest.description) };
}

export interface PageHead extends LoadedHead, PreviewedPage {
  title: string;
  description?: string | undefined;
  /** The shop's name is appended to it. The home page's title contains the name itself. */
  bareTitle?: boolean;
  /** JSON-LD (schema.org), for search engines only: built under `import.meta.env.SSR`, which keeps its code out of the browser. */
  jsonLd?: object | undefined;
  links?: HeadLink[] | undefined;
}

/** Without a page it is the head of a page that was not found or failed. */
export function pageHead(matches: Matches, page: PageHead | undefined): Head {
  const { origin, t } = contextOf(matches);
  if (!page) {
    const failed = matches.some(({ status }) => status === 'error');
    return {
      meta: [{ title: named(matches, t(failed ? 'shell.error.title' : 'shell.notFound.title')) }, noIndex],
      links: [],
    };
  }
  const title = truncateToLine(numbered(matches, page.title, t), longest.title);
  const meta: Meta[] = [{ title: page.bareTitle ? title : named(matches, title) }];
  if (page.description) meta.push(describing(page.description));
  if (import.meta.env.SSR) meta.push(...pagePreview({ ...page, title }, origin));
  if (page.unlisted) meta.push(noIndex);
  if (import.meta.env.SSR && page.jsonLd)
    meta.push({ 'script:ld+json': withOrganization(page.jsonLd, matches) });
  return { meta, links: page.links ?? [] };
}

function numbered(matches: Matches, title: string, t: Translate): string {
  const { page } = (matches.at(-1)?.search ?? {}) as { page?: unknown };
  return typeof page === 'number' && page > 1 ? t('head.pageNumber', { title, page }) : title;
}

function named(matches: Matches, title: string): string {
  const shopName = truncateToLine(shopNameOf(matches), longest.title);
  return shopName ? `${title} · ${shopName}` : title;
}

function shopNameOf(matches: Matches): string {
  const data = matches[0]?.loaderData as { shopName?: string } | undefined;
  return data?.shopName ?? '';
}

function contextOf(matches: Matches): PageContext {
  return matches[0]?.context as PageContext;
}

/** Open Graph elements for links that are shared. Called on the server only, and in no browser bundle. */
type PreviewMeta = { property: string; content: string } | { name: string; content: string };

/** The image width that link previews prefer, px. */
const previewWidth = 1280;

function sitePreview(
  shop: AppContent | undefined,
  { origin, locale, address }: { origin: string; locale: Locale; address: string },
): PreviewMeta[] {
  return [
    ...(shop ? [{ property: 'og:site_name', content: truncateToLine(shop.shopName, longest.title) }] : []),
    ...(shop?.tagline
      ? [{ property: 'og:description', content: truncateToLine(shop.tagline, longest.description) }]
      : []),
    ...(shop?.image
      ? picturing(shop.image, shop.shopName, origin)
      : [{ name: 'twitter:card', content: 'summary' }]),
    { property: 'og:type', content: 'website' },
    { property: 'og:locale', content: openGraphLocale(locale) },
    { property: 'og:url', content: address },
  ];
}

/** Not for `head` of a route, because the router writes a property only once. */
export function otherLanguages(locale: Locale): { property: string; content: string }[] {
  return offeredLocales()
    .filter((code) => code !== locale)
    .map((code) => ({ property: 'og:locale:alternate', content: openGraphLocale(code) }));
}

interface PreviewedPage {
  title: string;
  description?: string | undefined;
  image?: ImageInfo | null | undefined;
  openGraphType?: 'article' | 'product' | 'website' | undefined;
}

function pagePreview(
  { title, description, image, openGraphType }: PreviewedPage,
  origin: string,
): PreviewMeta[] {
  return [
    { property: 'og:title', content: title },
    { property: 'og:type', content: openGraphType ?? 'website' },
    ...(description
      ? [{ property: 'og:description', content: truncateToLine(description, longest.description) }]
      : []),
    ...(image ? picturing(image, title, origin) : []),
  ];
}

function picturing(image: ImageInfo, alt: string, origin: string): PreviewMeta[] {
  const width = Math.min(previewWidth, image.width);
  return [
    { property: 'og:image', content: origin + fittingUrl(image, previewWidth) },
    { property: 'og:image:width', content: String(width) },
    { property: 'og:image:height', content: String(Math.round((image.height * width) / image.width)) },
    { property: 'og:image:alt', content: truncateToLine(image.alt || alt, longest.title) },
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
}

/** Open Graph's form of a locale: `en_CA`. */
function openGraphLocale(locale: Locale): string {
  return locales[locale].tag.replace('-', '_');
}

export interface Place {
  origin: string;
  locale: Locale;
}

interface Step {
  label: string;
  href?: string | undefined;
}

/** The image width that search engines prefer, px. */
const pictureWidth = 1280;

export function absoluteUrl(path: string, { origin, locale }: Place): string {
  return origin + localizePath(path, locale);
}

export function pictureUrl(image: Parameters<typeof fittingUrl>[0], { origin }: Place): string {
  return origin + fittingUrl(image, pictureWidth);
}

/** The types that the shop uses, of the hundreds that schema.org has. */
type Described =
  | BlogLeaf
  | BlogPostingLeaf
  | BreadcrumbListLeaf
  | LocalBusinessLeaf
  | MerchantReturnPolicyLeaf
  | OfferShippingDetailsLeaf
  | OrganizationLeaf
  | ProductGroupLeaf
  | ProductLeaf
  | WebSiteLeaf;

export function graphOf(...things: Described[]): object {
  return { '@context': 'https://schema.org', '@graph': things };
}

export function breadcrumbList(steps: readonly Step[], place: Place): BreadcrumbListLeaf {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(
      ({ label, href }, index): ListItemLeaf => ({
        '@type': 'ListItem',
        position: index + 1,
        name: label,
        ...(href === undefined ? {} : { item: absoluteUrl(href, place) }),
      }),
    ),
  };
}

/** With the shop, if something refers to it and nothing has defined it. */
function withOrganization(graph: object, matches: Matches): object {
  const { locale, origin } = contextOf(matches);
  const things = (graph as { '@graph'?: { '@id'?: string }[] })['@graph'] ?? [];
  const id = organizationId({ origin, locale });
  const name = shopNameOf(matches);
  const isDefined = things.some((thing) => thing['@id'] === id);
  if (isDefined || name === '' || !JSON.stringify(graph).includes(JSON.stringify(id))) return graph;
  const url = absoluteUrl(urls.home(), { origin, locale });
  const shop: OrganizationLeaf = { '@type': 'Organization', '@id': id, name, url, logo: logoAt(origin) };
  return { ...graph, '@graph': [...things, shop] };
}

const logoAt = (origin: string): string => `${origin}/icon-512.png`;

function organizationId({ origin }: Place): string {
  return `${origin}/#organization`;
}

/** By which other things refer to the shop. */
export function organizationReference(place: Place): IdReference {
  return { '@id': organizationId(place) };
}

export function organization(shop: AppContent, place: Place): OrganizationLeaf {
  const { shopName, tagline, contactEmail, socialLinks } = shop;
  return {
    '@type': 'Organization',
    '@id': organizationId(place),
    name: shopName,
    url: absoluteUrl(urls.home(), place),
    logo: logoAt(place.origin),
    ...(tagline ? { description: tagline } : {}),
    ...(contactEmail ? { email: contactEmail } : {}),
    ...(shop.image ? { image: pictureUrl(shop.image, place) } : {}),
    ...(socialLinks.length > 0 ? { sameAs: socialLinks.map(({ url }) => url) } : {}),
  };
}

const searchText = 'search_term_string';

/** An extension of schema.org by search engines: where the search text goes. */
type AskedSearchAction = SearchActionLeaf & { 'query-input': string };

export function shopJsonLd(shop: AppContent, place: Place): object {
  const search: AskedSearchAction = {
    '@type': 'SearchAction',
    target: {
      '@type': 'EntryPoint',
      urlTemplate: `${absoluteUrl(urls.search(), place)}?key={${searchText}}`,
    },
    'query-input': `required name=${searchText}`,
  };
  const site: WebSiteLeaf = {
    '@type': 'WebSite',
    '@id': `${place.origin}/#website`,
    name: shop.shopName,
    url: absoluteUrl(urls.home(), place),
    inLanguage: locales[place.locale].tag,
    publisher: organizationReference(place),
    potentialAction: search,
  };
  return graphOf(site, organization(shop, place));
}
