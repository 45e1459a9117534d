/** Collects a shop as the files that `fill` and `blog` read. Accounts, orders, coupons, messages and keys are not part of them. */
import Value from 'typebox/value';
import type { Services } from '#server/container.ts';
import type { BlogInput, GalleryPhoto, PostInput } from '#server/modules/content/index.ts';
import { ShopFile } from '#server/modules/imports/index.ts';
import { warehouse } from '#server/platform/locations.ts';
import { CommandError } from './command.ts';

export interface ExportedFile {
  name: string;
  content: unknown;
}

export interface ExportedShop {
  shop: Required<Omit<ShopFile, 'stock'>>;
  /** One for each blog; the main blog's is `posts.json`. */
  blogs: { name: string; content: { blog: BlogInput; posts: FilePost[] } }[];
}

type FilePost = Omit<PostInput, 'publishedAt'> & { publishedAt: string };

/** How often an export begins again because the shop has changed meanwhile. */
const mostTries = 5;

/** As of one moment. @throws {CommandError} if the shop changes again and again meanwhile */
export async function exportShop(services: Services): Promise<ExportedShop> {
  const { version } = services.catalogueExport;
  for (let tries = 0; tries < mostTries; tries++) {
    const before = await version();
    const exported = await collect(services);
    if ((await version()) === before) return exported;
  }
  throw new CommandError('The shop changed during the export. Nothing was written. Try again when no import is running.');
}

async function collect({ settings, redirects, stores, catalogueExport, contentExport }: Services): Promise<ExportedShop> {
  const places = await stores.all();
  const locations = new Set([warehouse, ...places.map(({ id }) => id)]);
  return {
    // Rows from earlier versions may have fields that the file no longer knows.
    shop: Value.Clean(ShopFile, {
      settings: await settings.all(),
      stores: [...places],
      brands: await catalogueExport.brands(),
      categories: await catalogueExport.categories(),
      tags: await catalogueExport.tags(),
      modifierGroups: await catalogueExport.modifierGroups(),
      // Stock belongs to the SKUs here: the part `stock` would reset the units of a shop that has sold some meanwhile.
      products: await all(catalogueExport.products(locations)),
      pages: (await contentExport.pages()).map((page) => ({ ...page, blocks: [...page.blocks] })),
      redirects: await redirects.all(),
      gallery: await fileGallery({ contentExport }),
    }) as ExportedShop['shop'],
    blogs: (await contentExport.blogs()).map(({ blog, posts }, index) => ({
      name: index === 0 ? 'posts.json' : `posts-${blog.id}.json`,
      content: { blog, posts: posts.map((post) => ({ ...post, publishedAt: fileTime(post.publishedAt) })) },
    })),
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export async function fileGallery({ contentExport }: Pick<Services, 'contentExport'>): Promise<NonNullable<ShopFile['gallery']>> {
  return (await contentExport.gallery()).map(filePhoto);
}

function filePhoto({ takenAt, ...photo }: GalleryPhoto): NonNullable<ShopFile['gallery']>[number] {
  // To the second: photos have no finer time in the file.
  return { ...photo, takenAt: isoSeconds(takenAt) };
}

/** Such as 2026-11-21T14:00:00Z; with milliseconds for a time between two seconds. */
function fileTime(at: number): string {
  return at % 1000 === 0 ? isoSeconds(at) : new Date(at).toISOString();
}

function isoSeconds(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
