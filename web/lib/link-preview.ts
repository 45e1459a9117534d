/**
 * What a link to a page is shown with where it is shared: Open Graph, which all read. Whoever makes a
 * preview reads what the server sends, so this is called on the server only and is in no browser's code.
 */
import { type Locale, localeCodes, locales } from '#contract/locales.ts';
import { fittingUrl } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { longest, truncateToLine } from './truncate.ts';

export type PreviewMeta = { property: string; content: string } | { name: string; content: string };

/** Link previews want about this width (pixels). */
const previewWidth = 1280;

/** Of any page: whose it is, its language and address; a text and a picture where it has none of its own. */
export function sitePreview(
  shop: AppContent | undefined,
  { origin, locale, address }: { origin: string; locale: Locale; address: string },
): PreviewMeta[] {
  return [
    ...(shop ? [{ property: 'og:site_name', content: truncateToLine(shop.shopName, longest.title) }] : []),
    ...(shop?.tagline ? [{ property: 'og:description', content: truncateToLine(shop.tagline, longest.description) }] : []),
    ...(shop?.image ? picturing(shop.image, shop.shopName, origin) : [{ name: 'twitter:card', content: 'summary' }]),
    { property: 'og:type', content: 'website' },
    { property: 'og:locale', content: openGraphLocale(locale) },
    { property: 'og:url', content: address },
  ];
}

/** The other languages there are. Not for `head` of a route: the router writes a property once. */
export function otherLanguages(locale: Locale): { property: string; content: string }[] {
  return localeCodes
    .filter((code) => code !== locale)
    .map((code) => ({ property: 'og:locale:alternate', content: openGraphLocale(code) }));
}

export interface PreviewedPage {
  title: string;
  description?: string | undefined;
  image?: ImageInfo | null | undefined;
  openGraphType?: 'article' | 'product' | 'website' | undefined;
}

/** Of one page; replaces what `sitePreview` says. */
export function pagePreview({ title, description, image, openGraphType }: PreviewedPage, origin: string): PreviewMeta[] {
  return [
    { property: 'og:title', content: title },
    { property: 'og:type', content: openGraphType ?? 'website' },
    ...(description ? [{ property: 'og:description', content: truncateToLine(description, longest.description) }] : []),
    ...(image ? picturing(image, title, origin) : []),
  ];
}

/** Previews keep the picture's place by its size. */
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

/** `en_CA`, as Open Graph writes it. */
function openGraphLocale(locale: Locale): string {
  return locales[locale].tag.replace('-', '_');
}
