/** What can be taken out of a shop: tables as CSV, and the whole shop as an archive. All of it is read and written in pieces. */
import type { Readable } from 'node:stream';
import Type, { type TSchema } from 'typebox';
import type { Row } from '#contract/csv.ts';
import { warehouse } from '#contract/limits.ts';
import { inLocale, mainLocale } from '#contract/locales.ts';
import type { CouponInput } from '#contract/schemas/coupon.ts';
import type { GoodsFilter } from '#contract/staff/goods.ts';
import type { ExportForm } from '#contract/staff/imports.ts';
import {
  type CatalogueExport,
  type CatalogueService,
  type GoodsExport,
  imagesOf,
} from '#server/modules/catalogue/index.ts';
import type { BlogInput, ContentExport, GalleryPhoto, PostInput } from '#server/modules/content/index.ts';
import type { CustomersExport } from '#server/modules/customers/index.ts';
import { ownHeader, ownRows, ShopFile } from '#server/modules/imports/index.ts';
import type { TranslationsService } from '#server/modules/languages/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { CouponsService, OrdersExport } from '#server/modules/orders/index.ts';
import type { RedirectsService, SettingsService } from '#server/modules/settings/index.ts';
import type { SettlementsService } from '#server/modules/settlements/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { csvOf } from '#server/platform/csv.ts';
import type { Env } from '#server/platform/env.ts';
import { OperationError } from '#server/platform/errors.ts';
import { knownFields } from '#server/platform/schema-problems.ts';
import { type Entry, zipOf } from '#server/platform/zip.ts';
import { createPayoutsFile } from './payouts-file.ts';
import {
  customerHeader,
  customerRow,
  orderHeader,
  orderRows,
  stockHeader,
  stockRows,
} from './shopify-files.ts';
import { type ShopifyContext, shopifyHeader, shopifyRows } from './shopify-products.ts';
import { createTranslationsFile } from './translations-file.ts';

export interface ExportsDeps extends ShopFilesDeps {
  env: Env;
  now: () => number;
  catalogue: CatalogueService;
  goodsExport: GoodsExport;
  customersExport: CustomersExport;
  ordersExport: OrdersExport;
  media: MediaService;
  stores: StoresService;
  settlements: SettlementsService;
  translations: TranslationsService;
}

export const tables = ['products', 'stock', 'customers', 'orders', 'redirects'] as const;
export type Table = (typeof tables)[number];

export interface Wanted {
  table: Table;
  /** Of products. */
  form?: ExportForm;
  /** Of products and stock; null: all. */
  filter?: GoodsFilter | null;
  /** Of the shop's addresses, such as https://shop.example. */
  origin: string;
}

export type ExportsService = ReturnType<typeof createExports>;

export function createExports(deps: ExportsDeps) {
  const shopFiles = createShopFiles(deps);

  /** A table as CSV. */
  async function* table({
    table: name,
    form = 'own',
    filter = null,
    origin,
  }: Wanted): AsyncGenerator<string> {
    if (name === 'products')
      yield* form === 'own' ? ownProducts(deps, filter) : shopifyProducts(deps, filter, origin);
    else if (name === 'stock') yield* stockTable(deps, filter);
    else if (name === 'customers')
      yield* csvOf(customerHeader, mapped(deps.customersExport.pieces(), customerRow));
    else if (name === 'orders') yield* ordersTable(deps);
    else yield* csvOf(['Redirect from', 'Redirect to'], redirectRows(deps));
  }

  return {
    shopFiles,
    table,
    ...createPayoutsFile(deps),
    ...createTranslationsFile(deps),
    /** The whole shop: what `fill` takes back, and its tables for other programs. */
    archive: (origin: string): Promise<Readable> =>
      zipOf(entriesOf(deps, shopFiles, table, origin), deps.now()),
  };
}

async function* mapped<T>(pieces: AsyncIterable<readonly T[]>, row: (of: T) => Row): AsyncGenerator<Row[]> {
  for await (const piece of pieces) yield piece.map(row);
}

async function* flatMapped<T>(
  pieces: AsyncIterable<readonly T[]>,
  rows: (of: T) => Row[],
): AsyncGenerator<Row[]> {
  for await (const piece of pieces) yield piece.flatMap(rows);
}

async function placesOf({ stores }: ExportsDeps): Promise<{ id: string; name: string }[]> {
  const all = await stores.all();
  return [
    { id: warehouse, name: warehouse },
    ...all.map(({ id, name }) => ({ id, name: inLocale(name, mainLocale()) || id })),
  ];
}

async function* ownProducts(deps: ExportsDeps, filter: GoodsFilter | null): AsyncGenerator<string> {
  const places = (await placesOf(deps)).map(({ id }) => id);
  const { currency } = await deps.settings.all();
  yield* csvOf(
    ownHeader(places),
    flatMapped(deps.goodsExport.pieces(filter), (product) => ownRows(product, places, currency)),
  );
}

async function* shopifyProducts(
  deps: ExportsDeps,
  filter: GoodsFilter | null,
  origin: string,
): AsyncGenerator<string> {
  const { catalogue, goodsExport, media } = deps;
  const places = await placesOf(deps);
  const { currency } = await deps.settings.all();
  const shop = { ...(await catalogue.names()), place: places.length === 1 ? warehouse : null, currency };
  async function* rows(): AsyncGenerator<Row[]> {
    for await (const piece of goodsExport.pieces(filter)) {
      const files = piece.flatMap(({ facts }) => imagesOf(facts));
      const pictures = await media.images(files);
      const addressOf: ShopifyContext['addressOf'] = (file) => {
        const path = pictures.get(file)?.imageURL;
        return path === undefined ? undefined : origin + path;
      };
      yield piece.flatMap((product) => shopifyRows(product, { ...shop, addressOf }));
    }
  }
  yield* csvOf(shopifyHeader(shop), rows());
}

async function* stockTable(deps: ExportsDeps, filter: GoodsFilter | null): AsyncGenerator<string> {
  const places = await placesOf(deps);
  yield* csvOf(
    stockHeader,
    flatMapped(deps.goodsExport.pieces(filter), (product) => stockRows(product, places)),
  );
}

async function* redirectRows({ redirects }: ExportsDeps): AsyncGenerator<Row[]> {
  yield (await redirects.all()).map(({ from, to }) => [from, to]);
}

async function* ordersTable(deps: ExportsDeps): AsyncGenerator<string> {
  const zone = await deps.stores.timeZone();
  const names = new Map((await placesOf(deps)).map(({ id, name }) => [id, name]));
  yield* csvOf(
    orderHeader,
    flatMapped(deps.ordersExport.pieces(), (order) => orderRows(order, (at) => shopifyTime(at, zone), names)),
  );
}

/** 2026-05-01 10:00:00 +0200 */
function shopifyTime(at: number, zone: string): string {
  const text = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .toString({ smallestUnit: 'second', timeZoneName: 'never' });
  return text.replace(/^(.{10})T(.{8})([+-]\d{2}):(\d{2})$/, '$1 $2 $3$4');
}

type Files = ReturnType<typeof createShopFiles>;
const picturesAtOnce = 100;

async function* entriesOf(
  { media }: ExportsDeps,
  shopFiles: Files,
  table: (wanted: Wanted) => AsyncGenerator<string>,
  origin: string,
): AsyncGenerator<Entry> {
  const named = new Set<string>();
  const see = (text: string) => {
    for (const file of filesNamedIn(text, imageExtensions)) named.add(file);
    return text;
  };
  async function* seen(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const piece of pieces) yield see(piece);
  }
  yield { name: 'shop.json', pieces: seen(shopFiles.text()) };
  for (const { name, content } of await shopFiles.blogs())
    yield { name, pieces: [see(JSON.stringify(content))] };
  yield {
    name: 'tables/products-shopify.csv',
    pieces: table({ table: 'products', form: 'shopify', origin }),
  };
  for (const name of tables) yield { name: `tables/${name}.csv`, pieces: table({ table: name, origin }) };
  const missing: string[] = [];
  const files = [...named].sort();
  for (let from = 0; from < files.length; from += picturesAtOnce)
    for (const [name, read] of await media.originals(files.slice(from, from + picturesAtOnce))) {
      const bytes = await read();
      if (bytes) yield { name: `pictures/${name}`, pieces: [bytes], compress: false };
      else missing.push(name);
    }
  if (missing.length > 0) yield { name: 'missing-pictures.txt', pieces: [`${missing.join('\n')}\n`] };
}

/** Collects a shop as the files that `fill` and `blog` read. Accounts, orders, messages and keys are not part of them. */
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
type FileProduct = ExportedShop['shop']['products'][number];
type WithoutProducts = Omit<ExportedShop['shop'], 'products'>;

interface ShopFilesDeps {
  settings: Pick<SettingsService, 'all'>;
  coupons: Pick<CouponsService, 'contents'>;
  webhooks: { contents(): Promise<ShopFile['webhooks']> };
  redirects: RedirectsService;
  stores: Pick<StoresService, 'all'>;
  catalogueExport: CatalogueExport;
  contentExport: ContentExport;
}

const ProductOfFile: TSchema = ShopFile.properties.products.items;
const FileWithoutProducts = Type.Omit(ShopFile, ['products']);

/** How often an export begins again because the shop has changed meanwhile. */
const mostTries = 5;
/** Characters of the file that are handed on at once. */
const pieceLength = 1 << 16;

function createShopFiles(deps: ShopFilesDeps) {
  const { stores, catalogueExport, contentExport } = deps;

  async function* products(): AsyncGenerator<FileProduct> {
    const locations = new Set([warehouse, ...(await stores.all()).map(({ id }) => id)]);
    // Stock belongs to the SKUs here: the part `stock` would reset the units of a shop that has sold some meanwhile.
    // Rows from earlier versions may have fields that the file no longer knows.
    for await (const product of catalogueExport.products(locations))
      yield knownFields(ProductOfFile, product) as FileProduct;
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
        const {
          settings: set,
          stores: places,
          brands,
          categories,
          tags,
          modifierGroups,
          ...rest
        } = await withoutProducts();
        const listed: FileProduct[] = [];
        for await (const product of products()) listed.push(product);
        const shop = {
          settings: set,
          stores: places,
          brands,
          categories,
          tags,
          modifierGroups,
          products: listed,
          ...rest,
        };
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

export function fileCoupon({ startsAt, endsAt, ...coupon }: CouponInput): ShopFile['coupons'][number] {
  const at = (time: number | null) => (time === null ? null : fileTime(time));
  return { ...coupon, startsAt: at(startsAt), endsAt: at(endsAt) };
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
async function restOf({
  settings,
  coupons,
  webhooks,
  redirects,
  stores,
  catalogueExport,
  contentExport,
}: ShopFilesDeps): Promise<WithoutProducts> {
  return knownFields(FileWithoutProducts, {
    settings: await settings.all(),
    stores: [...(await stores.all())],
    brands: await catalogueExport.brands(),
    categories: await catalogueExport.categories(),
    tags: await catalogueExport.tags(),
    modifierGroups: await catalogueExport.modifierGroups(),
    coupons: (await coupons.contents()).map(fileCoupon),
    webhooks: await webhooks.contents(),
    pages: (await contentExport.pages()).map((page) => ({ ...page, blocks: [...page.blocks] })),
    redirects: await redirects.all(),
    gallery: (await contentExport.gallery()).map(filePhoto),
  }) as WithoutProducts;
}
