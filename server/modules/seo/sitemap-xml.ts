/** Formats sitemaps as XML: sitemaps.org, with Google's image extension and the W3C's links between languages. */
import { localizePath, mainLocale, offeredLocales } from '#contract/locales.ts';
import { escapeHtml, withoutInvalidXml } from '#server/platform/html.ts';

export interface SitemapEntry {
  /** Without a language; percent-encoded. */
  path: string;
  /** Epoch ms; null if unknown. */
  updatedAt: number | null;
  images: readonly string[];
}

export const sitemapHead =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" ' +
  'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n';
export const sitemapTail = '</urlset>\n';

/** The page in every language, each with links to all of them. */
export function entryXml({ path, updatedAt, images }: SitemapEntry, origin: string): string {
  const addresses = offeredLocales().map((code) => ({ code, href: text(origin + localizePath(path, code)) }));
  const all =
    addresses.length > 1 ? [...addresses, { code: 'x-default', href: text(origin + localizePath(path, mainLocale())) }] : [];
  const alternates = all.map(({ code, href }) => `<xhtml:link rel="alternate" hreflang="${code}" href="${href}"/>`).join('');
  const rest = `${changed(updatedAt)}${alternates}${images
    .map((image) => `<image:image><image:loc>${text(origin + image)}</image:loc></image:image>`)
    .join('')}`;
  return addresses.map(({ href }) => `<url><loc>${href}</loc>${rest}</url>\n`).join('');
}

export function indexXml(sitemaps: readonly { path: string; updatedAt: number | null }[], origin: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n',
    ...sitemaps.map(({ path, updatedAt }) => `<sitemap><loc>${text(origin + path)}</loc>${changed(updatedAt)}</sitemap>\n`),
    '</sitemapindex>\n',
  ].join('');
}

function changed(updatedAt: number | null): string {
  return updatedAt === null ? '' : `<lastmod>${new Date(updatedAt).toISOString()}</lastmod>`;
}

function text(value: string): string {
  return escapeHtml(withoutInvalidXml(value));
}
