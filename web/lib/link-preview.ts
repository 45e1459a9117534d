/**
 * Open Graph elements for links that are shared, which all preview services read. They read the server's HTML, so this is
 * called on the server only and is in no browser bundle.
 */
import { type Locale, locales, offeredLocales } from '#contract/locales.ts';
import { fittingUrl } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { longest, truncateToLine } from './truncate.ts';

export type PreviewMeta = { property: string; content: string } | { name: string; content: string };

/** The image width that link previews prefer, px. */
const previewWidth = 1280;

/** For every page: site name, language and address, with a default text and image. */
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

/** The other languages. Not for `head` of a route, because the router writes a property only once. */
export function otherLanguages(locale: Locale): { property: string; content: string }[] {
  return offeredLocales()
    .filter((code) => code !== locale)
    .map((code) => ({ property: 'og:locale:alternate', content: openGraphLocale(code) }));
}

export interface PreviewedPage {
  title: string;
  description?: string | undefined;
  image?: ImageInfo | null | undefined;
  openGraphType?: 'article' | 'product' | 'website' | undefined;
}

/** For one page; replaces the values of `sitePreview`. */
export function pagePreview({ title, description, image, openGraphType }: PreviewedPage, origin: string): PreviewMeta[] {
  return [
    { property: 'og:title', content: title },
    { property: 'og:type', content: openGraphType ?? 'website' },
    ...(description ? [{ property: 'og:description', content: truncateToLine(description, longest.description) }] : []),
    ...(image ? picturing(image, title, origin) : []),
  ];
}

/** Previews reserve space by the image's size. */
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
