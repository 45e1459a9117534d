/** The parts of structured data (schema.org) that several kinds of pages share. Compile-time types by schema-dts. */
import type { BreadcrumbList, Graph, Organization, Thing } from 'schema-dts';
import type { Locale } from '#contract/locales.ts';
import { fittingUrl } from '#contract/media.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { localizePath } from './locale-path.ts';
import { urls } from './urls.ts';

export interface Place {
  /** Scheme and host of this shop. */
  origin: string;
  locale: Locale;
}

/** A step on the way to a page, as breadcrumbs show it. */
interface Step {
  label: string;
  href?: string | undefined;
}

/** Search engines want pictures of about this width (pixels). */
const pictureWidth = 1280;

/** The whole address of a page of this shop, in the page's language. */
export function absoluteUrl(path: string, { origin, locale }: Place): string {
  return origin + localizePath(path, locale);
}

/** The whole address of a picture. */
export function pictureUrl(image: Parameters<typeof fittingUrl>[0], { origin }: Place): string {
  return origin + fittingUrl(image, pictureWidth);
}

/** Several things as one object, for `pageHead`. */
export function graphOf(...things: Thing[]): Graph {
  return { '@context': 'https://schema.org', '@graph': things };
}

/** The way to a page; its last step is the page itself. */
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

/** By which other things name the shop. */
export function organizationId({ origin }: Pick<Place, 'origin'>): string {
  return `${origin}/#organization`;
}

/** Who keeps this shop. */
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
