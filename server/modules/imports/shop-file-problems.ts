import { type Problem, problem, shown } from '#contract/problems.ts';
import { type CatalogueEditor, type CatalogueIds, imagesOf } from '#server/modules/catalogue/index.ts';
import { pageProblems, picturesOfBlocks } from '#server/modules/content/index.ts';
import { redirectProblems, settingsProblems } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { warehouse } from '#server/platform/locations.ts';
import { isInstant } from '#server/platform/time-zone.ts';
import { repeatedEntries } from './file-entries.ts';
import type { NamedPicture } from './pictures.ts';
import type { ShopFile, ShopFileReading } from './shop-file.ts';

interface ShopReader {
  editor: CatalogueEditor;
  stores: StoresService;
}

export async function shopFileProblems(
  { editor, stores }: ShopReader,
  { file, problems, ids, skus }: ShopFileReading,
): Promise<Problem[]> {
  const locations = new Set([warehouse, ...(await stores.all()).map(({ id }) => id), ...ids.stores]);
  return [
    ...problems,
    ...settingsProblems(file.settings ?? {}),
    ...repeatedEntries('stores', file.stores),
    ...(await stores.problemsOf(file.stores)),
    ...(await editor.problemsOf(file, { ...ids, locations, skus })),
    ...repeatedEntries('pages', file.pages),
    ...pagesProblems(file, await editor.ids(), ids),
    ...redirectProblems(file.redirects),
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

function galleryProblems({ gallery = [] }: ShopFile): Problem[] {
  return gallery
    .filter(({ takenAt }) => !isInstant(takenAt))
    .map(({ id, takenAt }) => problem(['gallery', id, 'takenAt'], 'problem.instant', { found: shown(takenAt) }));
}

export function picturesOfShopFile({ brands, categories, stores, products, pages, gallery = [] }: ShopFile): NamedPicture[] {
  const single = (part: string, entries: readonly { id: string; image: string | null }[]) =>
    entries.flatMap(({ id, image }) => (image === null ? [] : [{ owner: [part, id], file: image }]));
  return [
    ...single('brands', brands),
    ...single('categories', categories),
    ...single('stores', stores),
    ...products.flatMap((product) => imagesOf(product).map((file) => ({ owner: ['products', product.id], file }))),
    ...pages.flatMap(({ name, blocks }) => picturesOfBlocks(blocks).map((file) => ({ owner: ['pages', name], file }))),
    ...single('gallery', gallery),
  ];
}
