/** Checks a shop file against itself and the shop before any of it is written (docs/how-to/fill-a-shop.md). */
import type { Services } from '#server/container.ts';
import { type CatalogueIds, imagesOf } from '#server/modules/catalogue/index.ts';
import { pageProblems, picturesOfBlocks } from '#server/modules/content/index.ts';
import { settingsProblems } from '#server/modules/settings/index.ts';
import { warehouse } from '#server/platform/locations.ts';
import { instantProblem } from '#server/platform/time-zone.ts';
import { repeatedEntries } from './file-problems.ts';
import type { NamedPicture } from './pictures.ts';
import type { ShopFile, ShopFileReading } from './shop-file.ts';

/** Lists everything that is wrong with a file except its images; empty if all of it can be written. Writes nothing. */
export async function shopFileProblems(services: Services, { file, problems, ids, skus }: ShopFileReading): Promise<string[]> {
  const { editor, stores } = services;
  const locations = new Set([warehouse, ...(await stores.all()).map(({ id }) => id), ...ids.stores]);
  return [
    ...problems,
    ...settingsProblems(file.settings ?? {}),
    ...repeatedEntries('stores', file.stores),
    ...(await stores.problemsOf(file.stores)),
    ...(await editor.problemsOf(file, { ...ids, locations, skus })),
    ...repeatedEntries('pages', file.pages),
    ...pagesProblems(file, await editor.ids(), ids),
    ...repeatedEntries('gallery', file.gallery ?? []),
    ...galleryProblems(file),
  ];
}

function pagesProblems({ pages }: ShopFile, inShop: CatalogueIds, inFile: CatalogueIds): string[] {
  const collections = {
    brand: new Set([...inShop.brands, ...inFile.brands]),
    category: new Set([...inShop.categories, ...inFile.categories]),
    tag: new Set([...inShop.tags, ...inFile.tags]),
  };
  return pages.flatMap((page) =>
    pageProblems(page, { collections, closed: true }).map((problem) => `page ${page.name}: ${problem}`),
  );
}

function galleryProblems({ gallery = [] }: ShopFile): string[] {
  return gallery.flatMap(({ id, takenAt }) => {
    const problem = instantProblem(takenAt);
    return problem === null ? [] : [`photo ${id}: /takenAt ${problem}`];
  });
}

/** The images that the entries of a file name. */
export function picturesOfShopFile({ brands, categories, stores, products, pages, gallery = [] }: ShopFile): NamedPicture[] {
  const single = (kind: string, entries: readonly { id: string; image: string | null }[]) =>
    entries.flatMap(({ id, image }) => (image === null ? [] : [{ owner: `${kind} ${id}`, file: image }]));
  return [
    ...single('brand', brands),
    ...single('category', categories),
    ...single('store', stores),
    ...products.flatMap((product) => imagesOf(product).map((file) => ({ owner: `product ${product.id}`, file }))),
    ...pages.flatMap(({ name, blocks }) => picturesOfBlocks(blocks).map((file) => ({ owner: `page ${name}`, file }))),
    ...single('photo', gallery),
  ];
}
