/** Lists every public page of the shop in sitemaps that are small enough for every search engine. */

import { localeCodes, localizePath, mainLocale, offeredLocales } from '#contract/locales.ts';
import { mediaPath } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { everything } from '#db/catalogue-version.ts';
import type { Database } from '#db/database.ts';
import type { CatalogueService, ListFilter } from '#server/modules/catalogue/index.ts';
import type { BlogService, ContentService } from '#server/modules/content/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { escapeHtml, withoutInvalidXml } from '#server/platform/html.ts';
import { cachedByTopics } from '#server/platform/recorded-reads.ts';
import { readableRows } from '#server/platform/unreadable-rows.ts';
import { productRanges, productsAfter } from './sitemap.repository.ts';

interface Sitemap {
  /** A name such as `products-3`, which is served as /sitemap/products-3.xml. */
  name: string;
  updatedAt: number | null;
}

interface SitemapDeps {
  db: Database;
  catalogue: CatalogueService;
  content: ContentService;
  blog: BlogService;
  media: MediaService;
  /** The most URLs in one file; search engines accept 50,000 and 50 MB. Tests use fewer. */
  addressesPerFile?: number;
}

/** With ten images each, in two languages, about 16 MB. */
const defaultAddresses = 10_000;
const picturesPerPage = 10;
const partSize = 500;
/** The width of images for search engines, px. */
const pictureWidth = 1280;

const placed: Record<string, string> = { home: '/', contact: '/contact' };

export type SitemapService = ReturnType<typeof createSitemapService>;

export function createSitemapService(deps: SitemapDeps) {
  const { db } = deps;
  const perFile = Math.floor((deps.addressesPerFile ?? defaultAddresses) / localeCodes.length);

  const pages = cachedByTopics(db, [everything], () => pageEntries(deps));
  const posts = cachedByTopics(db, [everything], () => blogEntries(deps));

  const index = cachedByTopics(db, [everything], async (): Promise<Sitemap[]> => {
    const [ranges, ...lists] = await Promise.all([productRanges(db.read, perFile), pages(), posts()]);
    const files = lists.flatMap((list, kind) =>
      chunks(list, perFile).map((part, number) => sitemap(kinds[kind], number, part)),
    );
    return [...files, ...ranges.map(({ part, updatedAt }) => ({ name: `products-${part + 1}`, updatedAt }))];
  });

  return {
    index,

    /** The entries of a sitemap, part by part; null if there is none of that name. */
    async entries(name: string): Promise<AsyncIterable<SitemapEntry[]> | null> {
      if (!(await index()).some((file) => file.name === name)) return null;
      const [kind, number] = name.split('-');
      const part = Number(number) - 1;
      if (kind === 'products') return productEntries(deps, part * perFile, (part + 1) * perFile);
      return once(chunks(await (kind === 'blog' ? posts() : pages()), perFile)[part] ?? []);
    },
  };
}

async function pageEntries({ catalogue, content }: SitemapDeps): Promise<SitemapEntry[]> {
  const [taxonomy, count, written] = await Promise.all([
    catalogue.taxonomy(),
    catalogue.taxonCounts(),
    content.pages(),
  ]);
  const stocked = async (filter: ListFilter) => (await catalogue.count(filter)) > 0;
  const updated = new Map(
    written.map(({ name, updatedAt }) => [placed[name] ?? `/${segment(name)}`, updatedAt]),
  );
  const listed = [
    '/',
    ...((await stocked({})) ? ['/productlist', '/brands'] : []),
    ...((await stocked({ newArrival: true })) ? ['/productlist?newArrival=true'] : []),
    ...((await stocked({ onSale: true })) ? ['/clearance'] : []),
    '/contact',
    ...updated.keys(),
  ];
  const entries = [...new Set(listed)].map((path) => entry(path, updated.get(path) ?? null));
  for (const { id, image } of taxonomy.categories.values())
    if (count('category', id) > 0) entries.push(entry(`/products/${segment(id)}`, null, [image]));
  for (const { id, image } of taxonomy.brands.values())
    if (count('brand', id) > 0) entries.push(entry(`/brand/${segment(id)}`, null, [image]));
  for (const { id } of taxonomy.tags.values())
    if (count('tag', id) > 0) entries.push(entry(`/tag/${segment(id)}`, null));
  return entries;
}

async function blogEntries({ blog }: SitemapDeps): Promise<SitemapEntry[]> {
  const listed = await blog.listed();
  if (listed.posts.length === 0) return [];
  return [
    entry('/blog', latest(listed.posts)),
    ...listed.posts.map(({ link, updatedAt, image }) =>
      entry(`/blog/post/${segment(link)}`, updatedAt, [image]),
    ),
    ...listed.categories.map((name) => entry(`/blog/cat/${segment(name)}`, null)),
    ...listed.tags.map((name) => entry(`/blog/tag/${segment(name)}`, null)),
  ];
}

async function* productEntries(
  { db, media }: SitemapDeps,
  first: number,
  last: number,
): AsyncGenerator<SitemapEntry[]> {
  for (let after = first; ; ) {
    const found = await productsAfter(db.read, after, last, partSize);
    const files = found.map((row) =>
      (
        readableRows(
          'products',
          [row],
          ({ id }) => id,
          ({ images }) => JSON.parse(images) as string[],
        )[0] ?? []
      ).slice(0, picturesPerPage),
    );
    const images = await media.images(files.flat());
    yield found.map(({ id, updatedAt }, row) =>
      entry(
        `/product/${segment(id)}`,
        updatedAt,
        files[row]?.map((file) => images.get(file) ?? null),
      ),
    );
    const lastFound = found.at(-1);
    if (!lastFound || found.length < partSize) return;
    after = lastFound.no;
  }
}

const kinds = ['pages', 'blog'] as const;
const segment = encodeURIComponent;

function entry(
  path: string,
  updatedAt: number | null,
  images: readonly (ImageInfo | null)[] = [],
): SitemapEntry {
  return {
    path,
    updatedAt,
    images: [...new Set(images.flatMap((image) => (image ? [largeEnough(image)] : [])))],
  };
}

/** The URL of the image names its largest width; a smaller one is enough here. */
function largeEnough({ imageURL }: ImageInfo): string {
  const [, width, name] = mediaPath.exec(imageURL) ?? [];
  return Number(width) > pictureWidth ? `/media/${pictureWidth}/${name}` : imageURL;
}

function sitemap(kind = 'pages', number: number, entries: readonly SitemapEntry[]): Sitemap {
  const known = entries.flatMap(({ updatedAt }) => updatedAt ?? []);
  return { name: `${kind}-${number + 1}`, updatedAt: known.length > 0 ? Math.max(...known) : null };
}

function latest(posts: readonly { updatedAt: number }[]): number {
  return posts.reduce((found, { updatedAt }) => Math.max(found, updatedAt), 0);
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, number) =>
    list.slice(number * size, (number + 1) * size),
  );
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

/** Formats sitemaps as XML: sitemaps.org, with Google's image extension and the W3C's links between languages. */
interface SitemapEntry {
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
    addresses.length > 1
      ? [...addresses, { code: 'x-default', href: text(origin + localizePath(path, mainLocale())) }]
      : [];
  const alternates = all
    .map(({ code, href }) => `<xhtml:link rel="alternate" hreflang="${code}" href="${href}"/>`)
    .join('');
  const rest = `${changed(updatedAt)}${alternates}${images
    .map((image) => `<image:image><image:loc>${text(origin + image)}</image:loc></image:image>`)
    .join('')}`;
  return addresses.map(({ href }) => `<url><loc>${href}</loc>${rest}</url>\n`).join('');
}

export function indexXml(
  sitemaps: readonly { path: string; updatedAt: number | null }[],
  origin: string,
): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n',
    ...sitemaps.map(
      ({ path, updatedAt }) => `<sitemap><loc>${text(origin + path)}</loc>${changed(updatedAt)}</sitemap>\n`,
    ),
    '</sitemapindex>\n',
  ].join('');
}

function changed(updatedAt: number | null): string {
  return updatedAt === null ? '' : `<lastmod>${new Date(updatedAt).toISOString()}</lastmod>`;
}

function text(value: string): string {
  return escapeHtml(withoutInvalidXml(value));
}
