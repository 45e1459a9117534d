/** Collects a shop as the files that `fill` and `blog` read. Accounts, orders, coupons, messages and keys are not part of them. */
import Value from 'typebox/value';
import type { CatalogueExport } from '#server/modules/catalogue/index.ts';
import type { BlogInput, ContentExport, GalleryPhoto, PostInput } from '#server/modules/content/index.ts';
import { ShopFile } from '#server/modules/imports/index.ts';
import type { RedirectsService, SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { OperationError } from '#server/platform/errors.ts';
import { warehouse } from '#server/platform/locations.ts';

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
type WithoutProducts = Omit<ExportedShop['shop'], 'products'>;

export interface ShopFilesDeps {
  settings: Pick<SettingsService, 'all'>;
  redirects: RedirectsService;
  stores: Pick<StoresService, 'all'>;
  catalogueExport: CatalogueExport;
  contentExport: ContentExport;
}

export type ShopFiles = ReturnType<typeof createShopFiles>;

/** How often an export begins again because the shop has changed meanwhile. */
const mostTries = 5;
/** Characters of the file that are handed on at once. */
const pieceLength = 1 << 16;

export function createShopFiles(deps: ShopFilesDeps) {
  const { stores, catalogueExport, contentExport } = deps;

  async function* products(): AsyncGenerator<ExportedShop['shop']['products'][number]> {
    const locations = new Set([warehouse, ...(await stores.all()).map(({ id }) => id)]);
    // Stock belongs to the SKUs here: the part `stock` would reset the units of a shop that has sold some meanwhile.
    // Rows from earlier versions may have fields that the file no longer knows.
    for await (const product of catalogueExport.products(locations))
      yield Value.Clean(ShopFile.properties.products.items, product) as ExportedShop['shop']['products'][number];
  }

  const withoutProducts = () => restOf(deps);

  const blogs = async (): Promise<ExportedShop['blogs']> =>
    (await contentExport.blogs()).map(({ blog, posts }, index) => ({
      name: index === 0 ? 'posts.json' : `posts-${blog.id}.json`,
      content: { blog, posts: posts.map((post) => ({ ...post, publishedAt: fileTime(post.publishedAt) })) },
    }));

  return {
    blogs,

    /** As of one moment. @throws {OperationError} if the shop changes again and again meanwhile */
    async whole(): Promise<ExportedShop> {
      for (let tries = 0; tries < mostTries; tries++) {
        const before = await catalogueExport.version();
        const { settings: set, stores: places, brands, categories, tags, modifierGroups, ...rest } = await withoutProducts();
        const listed: ExportedShop['shop']['products'] = [];
        for await (const product of products()) listed.push(product);
        const shop = { settings: set, stores: places, brands, categories, tags, modifierGroups, products: listed, ...rest };
        const exported = { shop, blogs: await blogs() };
        if ((await catalogueExport.version()) === before) return exported;
      }
      throw new OperationError('export.changed');
    },

    /** As text, in pieces, each product as of one moment. What products refer to comes after them, so that it is there. */
    async *text(): AsyncGenerator<string> {
      let piece = '{\n  "products": [';
      let separator = '\n';
      for await (const product of products()) {
        piece += `${separator}    ${JSON.stringify(product)}`;
        separator = ',\n';
        if (piece.length < pieceLength) continue;
        yield piece;
        piece = '';
      }
      yield `${piece}\n  ]`;
      for (const [part, content] of Object.entries(await withoutProducts()))
        yield `,\n  ${JSON.stringify(part)}: ${JSON.stringify(content)}`;
      yield '\n}\n';
    },
  };
}

export function filePhoto({ takenAt, ...photo }: GalleryPhoto): NonNullable<ShopFile['gallery']>[number] {
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

export const imageExtensions = ['jpg', 'jpeg', 'png', 'webp', 'avif'];

/** The file names with one of these extensions that JSON names, each once, in the order of their first mention. */
export function filesNamedIn(json: string, extensions: readonly string[]): Set<string> {
  // In a part of rich text the quotes around a name are themselves escaped.
  const name = new RegExp(`(?<=")[A-Za-z0-9][A-Za-z0-9._-]*\\.(?:${extensions.join('|')})(?=\\\\?")`, 'gi');
  return new Set(json.match(name) ?? []);
}

/** All but the products. */
async function restOf({ settings, redirects, stores, catalogueExport, contentExport }: ShopFilesDeps): Promise<WithoutProducts> {
  return Value.Clean(ShopFile, {
    settings: await settings.all(),
    stores: [...(await stores.all())],
    brands: await catalogueExport.brands(),
    categories: await catalogueExport.categories(),
    tags: await catalogueExport.tags(),
    modifierGroups: await catalogueExport.modifierGroups(),
    pages: (await contentExport.pages()).map((page) => ({ ...page, blocks: [...page.blocks] })),
    redirects: await redirects.all(),
    gallery: (await contentExport.gallery()).map(filePhoto),
  }) as WithoutProducts;
}
