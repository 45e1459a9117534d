/** Checks a file whole with the images beside it, then writes it. */
import { warehouse } from '#contract/limits.ts';
import { type Problem, problem, shown } from '#contract/problems.ts';
import { type CatalogueEditor, type CatalogueIds, imagesOf } from '#server/modules/catalogue/index.ts';
import type { Change, RunChange } from '#server/modules/changes/index.ts';
import {
  type BlogService,
  type ContentService,
  type PhotographsService,
  pageProblems,
  picturesOfBlocks,
} from '#server/modules/content/index.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { ClosedPickups, CouponsService, OrderHead } from '#server/modules/orders/index.ts';
import {
  lookFiles,
  navigationFiles,
  type RedirectsService,
  redirectProblems,
  type SettingsService,
  settingsProblems,
} from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { InputError } from '#server/platform/errors.ts';
import { instantOf, isInstant, isoTime } from '#server/platform/time-zone.ts';
import {
  couponOfFile,
  type FoundPictures,
  findPictures,
  importPictures,
  inspectPostFile,
  inspectShopFile,
  type NamedPicture,
  type PostFileReading,
  picturesOfPosts,
  repeatedEntries,
  type ShopFile,
  type ShopFileReading,
} from './shop-file.ts';

interface FileWebhooks {
  problemsOf(contents: ShopFile['webhooks']): Promise<Problem[]>;
  putAll(change: Change, contents: ShopFile['webhooks']): Promise<void>;
}

export interface ImportsDeps {
  now: () => number;
  blog: BlogService;
  content: ContentService;
  editor: CatalogueEditor;
  media: MediaService;
  closedPickups: ClosedPickups;
  photographs: PhotographsService;
  coupons: CouponsService;
  webhooks: FileWebhooks;
  redirects: RedirectsService;
  settings: SettingsService;
  stock: StockService;
  stores: StoresService;
}

/** With the images beside the file. It can be written if there are no problems. */
export interface Checked<Reading> {
  reading: Reading;
  problems: Problem[];
  pictures: FoundPictures;
}

/** Told as the import goes on. */
export interface Progress {
  replaced(image: string): void;
  /** A kind of entry, and how many. */
  wrote(kind: string, count: number): void;
  /** By email, if the order has an address: the store is closed at the pickup time. */
  told(order: OrderHead): void;
}

export type ImportsService = ReturnType<typeof createImportsService>;

export function createImportsService(deps: ImportsDeps) {
  return { shop: createShopImport(deps), posts: createPostImport(deps) };
}

function createShopImport(deps: ImportsDeps) {
  const { media } = deps;
  return {
    /** But for its images. */
    problemsOf: (file: unknown): Promise<Problem[]> => shopFileProblems(deps, inspectShopFile(file)),

    /** Writes nothing. `closing`: stores closed although orders are to be picked up; problems unless `anyway`. */
    async check(
      file: unknown,
      folder: string,
      { anyway }: { anyway: boolean },
    ): Promise<Checked<ShopFileReading> & { closing: Problem[] }> {
      const reading = inspectShopFile(file);
      const closing = await closedPickups(deps, await deps.closedPickups.closedBy(reading.file.stores));
      const refused = anyway
        ? []
        : closing.map((each) => ({ ...each, key: 'problem.pickup.refused' as const }));
      const pictures = await findPictures(media, picturesOfShopFile(reading.file), folder);
      const problems = [...(await shopFileProblems(deps, reading)), ...refused, ...pictures.problems];
      return { reading, problems, pictures, closing };
    },

    /** What the file does not name stays. @throws {InputError} if others changed the shop since the check; parts are written */
    async write(
      run: RunChange,
      { reading: { file }, pictures }: Checked<ShopFileReading>,
      { anyway }: { anyway: boolean },
      progress: Progress,
    ): Promise<void> {
      await importPictures(media, run, pictures, progress);
      const { settings = {} } = file;
      const stores = () => writeStores(deps, run, { stores: file.stores, anyway }, progress);
      const parts = [
        [
          'setting',
          Object.keys(settings).length,
          () => run((change) => deps.settings.update(change, settings)),
        ] as const,
        ['store', file.stores.length, stores] as const,
        ...partsOf(deps, run, file),
      ];
      for (const [kind, count, write] of parts) {
        if (count === 0) continue;
        await write();
        progress.wrote(kind, count);
      }
      // An empty gallery empties that of the shop.
      if (file.gallery) await writeGallery(deps, run, file.gallery);
      if (file.gallery?.length) progress.wrote('photo', file.gallery.length);
    },
  };
}

/** After settings and stores: a kind of entry, how many, and how they are written. */
function partsOf(
  deps: ImportsDeps,
  run: RunChange,
  {
    brands,
    categories,
    tags,
    modifierGroups,
    products,
    stock,
    coupons,
    webhooks,
    pages,
    redirects,
  }: ShopFile,
): (readonly [kind: string, count: number, write: () => Promise<unknown>])[] {
  const { editor } = deps;
  const skus = new Set(products.flatMap((product) => product.skus.map(({ sku }) => sku)));
  const levels = Object.entries(stock).flatMap(([sku, units]) =>
    Object.entries(units).map(([place, count]) => ({ sku, place, units: count })),
  );
  return [
    ['brand', brands.length, () => run((change) => editor.upsertBrands(change, brands))],
    ['category', categories.length, () => run((change) => editor.upsertCategories(change, categories))],
    ['tag', tags.length, () => run((change) => editor.upsertTags(change, tags))],
    [
      'modifier group',
      modifierGroups.length,
      () => run((change) => editor.upsertModifierGroups(change, modifierGroups, skus)),
    ],
    ['product', products.length, () => writeProducts(deps, run, products)],
    ['stock level', levels.length, () => run((change) => deps.stock.count(change, levels))],
    ['coupon', coupons.length, () => writeCoupons(deps, run, coupons)],
    ['webhook', webhooks.length, () => run((change) => deps.webhooks.putAll(change, webhooks))],
    ['page', pages.length, () => run((change) => deps.content.upsertPages(change, pages))],
    ['redirect', redirects.length, () => writeRedirects(deps, run, redirects)],
  ];
}

async function closedPickups({ stores }: ImportsDeps, closed: readonly OrderHead[]): Promise<Problem[]> {
  const timeZone = await stores.timeZone();
  return closed.map(({ number, pickupAt, storeId }) => {
    const at = pickupAt === null ? '' : isoTime(pickupAt, timeZone);
    return problem(['stores', storeId ?? ''], 'problem.pickup', { at, number: number ?? '' });
  });
}

async function writeStores(
  deps: ImportsDeps,
  run: RunChange,
  { stores, anyway }: { stores: ShopFile['stores']; anyway: boolean },
  progress: Progress,
): Promise<void> {
  let told: OrderHead[] = [];
  await run((change) =>
    deps.stores.upsert(change, stores, async () => {
      told = await deps.closedPickups.tell(change.trx, stores);
      // An order was placed since the file was checked.
      if (!anyway && told.length > 0) throw new InputError(await closedPickups(deps, told));
    }),
  );
  for (const order of told) progress.told(order);
}

/** New products are as old as the import unless the file says otherwise. */
async function writeProducts(
  { editor, now }: ImportsDeps,
  run: RunChange,
  products: ShopFile['products'],
): Promise<void> {
  const made = await editor.datesOf(products.map(({ id }) => id));
  const at = now();
  const all = products.map((product) => ({
    ...product,
    createdAt: product.createdAt || (made.get(product.id) ?? at),
  }));
  await editor.importProducts(run, () => all, { given: new Set(all.map(({ id }) => id)) });
}

/** Few at a time, since each asks for others. */
async function writeRedirects(
  { redirects }: ImportsDeps,
  run: RunChange,
  all: ShopFile['redirects'],
): Promise<void> {
  for (let start = 0; start < all.length; start += 100)
    await run((change) => redirects.put(change, all.slice(start, start + 100)));
}

async function writeCoupons(
  { coupons, stores }: ImportsDeps,
  run: RunChange,
  all: ShopFile['coupons'],
): Promise<void> {
  const timeZone = await stores.timeZone();
  await run((change) =>
    coupons.putAll(
      change,
      all.map((each) => couponOfFile(each, timeZone)),
    ),
  );
}

async function writeGallery(
  { photographs, stores }: ImportsDeps,
  run: RunChange,
  gallery: NonNullable<ShopFile['gallery']>,
): Promise<void> {
  const timeZone = await stores.timeZone();
  const photos = gallery.map((photo) => ({ ...photo, takenAt: instantOf(photo.takenAt, timeZone) }));
  await run((change) => photographs.replaceGallery(change, photos));
}

function createPostImport({ blog, media, stores }: ImportsDeps) {
  return {
    async check(file: unknown, folder: string): Promise<Checked<PostFileReading>> {
      const reading = inspectPostFile(file, await stores.timeZone());
      const pictures = await findPictures(media, picturesOfPosts(reading.posts), folder);
      const problems = await blog.editor.problemsOf(reading.blog, reading.posts);
      return { reading, pictures, problems: [...reading.problems, ...problems, ...pictures.problems] };
    },

    /** @throws {InputError} if the shop has changed meanwhile; only images are written then */
    async write(
      run: RunChange,
      { reading, pictures }: Checked<PostFileReading>,
      progress: Pick<Progress, 'replaced'>,
    ): Promise<void> {
      await importPictures(media, run, pictures, progress);
      const { blog: written, posts } = reading;
      if (written || posts.length > 0) await run((change) => blog.editor.upsertAll(change, written, posts));
    },
  };
}

interface ShopReader {
  coupons: CouponsService;
  webhooks: FileWebhooks;
  editor: CatalogueEditor;
  stores: StoresService;
}

async function shopFileProblems(
  { coupons, webhooks, editor, stores }: ShopReader,
  { file, problems, ids, skus }: ShopFileReading,
): Promise<Problem[]> {
  const locations = new Set([warehouse, ...(await stores.all()).map(({ id }) => id), ...ids.stores]);
  return [
    ...problems,
    ...settingsProblems(file.settings ?? {}),
    ...repeatedEntries('stores', file.stores),
    ...(await stores.problemsOf(file.stores)),
    ...(await editor.problemsOf(file, { ...ids, locations, skus })),
    ...(await couponProblems({ coupons, stores }, file, ids)),
    ...repeatedEntries('webhooks', file.webhooks),
    ...(await webhooks.problemsOf(file.webhooks)),
    ...repeatedEntries('pages', file.pages),
    ...pagesProblems(file, await editor.ids(), ids),
    ...file.redirects.flatMap((redirect, index) =>
      redirectProblems(redirect).map((each) => ({
        ...each,
        path: ['redirects', String(index), ...each.path],
      })),
    ),
    ...repeatedEntries('gallery', file.gallery ?? []),
    ...galleryProblems(file),
  ];
}

function pagesProblems({ pages }: ShopFile, inShop: CatalogueIds, inFile: CatalogueIds): Problem[] {
  const collections = {
    brand: new Set([...inShop.brands, ...inFile.brands]),
    category: new Set([...inShop.categories, ...inFile.categories]),
    tag: new Set([...inShop.tags, ...inFile.tags]),
  };
  return pages.flatMap((page) => pageProblems(page, { collections, closed: true }));
}

/** Codes are the same in capitals. */
async function couponProblems(
  { coupons, stores }: Pick<ShopReader, 'coupons' | 'stores'>,
  file: ShopFile,
  { categories }: ShopFileReading['ids'],
): Promise<Problem[]> {
  const timeZone = await stores.timeZone();
  const also = { categories, products: new Set(file.products.map(({ id }) => id)) };
  const problems = repeatedEntries(
    'coupons',
    file.coupons.map(({ id }) => ({ id: id.toUpperCase() })),
  );
  for (const coupon of file.coupons) {
    const at = ['coupons', coupon.id];
    const times = (['startsAt', 'endsAt'] as const).filter(
      (field) => coupon[field] !== null && !isInstant(coupon[field]),
    );
    const own = await coupons.problemsOf(couponOfFile(coupon, timeZone), also);
    problems.push(
      ...times.map((field) => problem([...at, field], 'problem.instant', { found: shown(coupon[field]) })),
      ...own.map((each) => ({ ...each, path: [...at, ...each.path] })),
    );
  }
  return problems;
}

function galleryProblems({ gallery = [] }: ShopFile): Problem[] {
  return gallery
    .filter(({ takenAt }) => !isInstant(takenAt))
    .map(({ id, takenAt }) =>
      problem(['gallery', id, 'takenAt'], 'problem.instant', { found: shown(takenAt) }),
    );
}

function picturesOfShopFile({
  settings,
  brands,
  categories,
  stores,
  products,
  pages,
  gallery = [],
}: ShopFile): NamedPicture[] {
  const single = (part: string, entries: readonly { id: string; image: string | null }[]) =>
    entries.flatMap(({ id, image }) => (image === null ? [] : [{ owner: [part, id], file: image }]));
  return [
    ...single('brands', brands),
    ...single('categories', categories),
    ...single('stores', stores),
    ...products.flatMap((product) =>
      imagesOf(product).map((file) => ({ owner: ['products', product.id], file })),
    ),
    ...pages.flatMap(({ name, blocks }) =>
      picturesOfBlocks(blocks).map((file) => ({ owner: ['pages', name], file })),
    ),
    ...single('gallery', gallery),
    ...lookFiles({ look: settings?.look ?? {} }).map((file) => ({ owner: ['settings', 'look'], file })),
    ...navigationFiles(settings ?? {}).map((file) => ({ owner: ['settings', 'header'], file })),
  ];
}
