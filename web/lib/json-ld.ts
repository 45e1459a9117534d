import type { BreadcrumbList, Graph, Organization, SearchAction, Thing, WebSite } from 'schema-dts';
import { type Locale, locales, localizePath } from '#contract/locales.ts';
import { fittingUrl } from '#contract/media.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { urls } from './urls.ts';

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

/** Formats cents as schema.org writes an amount: a decimal point, no separators, no currency sign. */
export function amount(cents: number): string {
  return (cents / 100).toFixed(2);
}

export function graphOf(...things: Thing[]): Graph {
  return { '@context': 'https://schema.org', '@graph': things };
}

export function breadcrumbList(steps: readonly Step[], place: Place): BreadcrumbList {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ label, href }, index) => ({
      '@type': 'ListItem' as const,
      position: index + 1,
      name: label,
      ...(href === undefined ? {} : { item: absoluteUrl(href, place) }),
    })),
  };
}

/** The id by which other things reference the shop. */
export function organizationId({ origin }: Pick<Place, 'origin'>): string {
  return `${origin}/#organization`;
}

export function organization(shop: AppContent, place: Place): Organization {
  const { shopName, tagline, contactEmail, socialLinks } = shop;
  return {
    '@type': 'Organization',
    '@id': organizationId(place),
    name: shopName,
    url: absoluteUrl(urls.home(), place),
    logo: `${place.origin}/icon-512.png`,
    ...(tagline ? { description: tagline } : {}),
    ...(contactEmail ? { email: contactEmail } : {}),
    ...(shop.image ? { image: pictureUrl(shop.image, place) } : {}),
    ...(socialLinks.length > 0 ? { sameAs: socialLinks.map(({ url }) => url) } : {}),
  };
}

const searchText = 'search_term_string';

/** An extension of schema.org by search engines: where the search text goes. */
type AskedSearchAction = SearchAction & { 'query-input': string };

export function shopJsonLd(shop: AppContent, place: Place): object {
  const search: AskedSearchAction = {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${absoluteUrl(urls.search(), place)}?key={${searchText}}` },
    'query-input': `required name=${searchText}`,
  };
  const site: WebSite = {
    '@type': 'WebSite',
    '@id': `${place.origin}/#website`,
    name: shop.shopName,
    url: absoluteUrl(urls.home(), place),
    inLanguage: locales[place.locale].tag,
    publisher: { '@id': organizationId(place) },
    potentialAction: search,
  };
  return graphOf(site, organization(shop, place));
}
