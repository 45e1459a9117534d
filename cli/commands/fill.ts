/** `fill <file>`: writes settings, products, stock, stores, pages and the gallery from a file (docs/how-to/fill-a-shop.md). */
import { dirname } from 'node:path';
import type { Services } from '#server/container.ts';
import { CatalogueInputError } from '#server/modules/catalogue/index.ts';
import { warehouse } from '#server/modules/inventory/index.ts';
import { type Command, CommandError, type Terminal, usageError } from '../command.ts';
import { countOf } from '../count.ts';
import { readJsonFile } from '../json-file.ts';
import { importPictures } from '../pictures.ts';
import { withShop } from '../shop.ts';
import { readShopFile, type ShopFile } from '../shop-file.ts';

export const fill: Command = {
  usage: '<file>',
  summary: 'Imports settings, products, stock, stores and pages from a JSON file, with the images beside it.',
  async run([path, ...rest], terminal) {
    if (!path || rest.length > 0) throw usageError(path ? 'Expected one file.' : 'Missing file.', 'fill <file>');
    const file = await read(path);
    return withShop(terminal, async (services) => {
      await importPictures(services, file, dirname(path), terminal);
      try {
        return await write(services, file, terminal);
      } catch (error) {
        if (error instanceof CatalogueInputError) throw new CommandError(['Import failed:', ...error.problems].join('\n  '));
        throw error;
      }
    });
  },
};

async function read(path: string): Promise<ShopFile> {
  const found = readShopFile(await readJsonFile(path));
  if ('problems' in found) throw new CommandError(['Nothing was imported:', ...found.problems.slice(0, 50)].join('\n  '));
  return found.file;
}

/**
 * Writes the parts in the order of their dependencies. Each part is written whole or not at all; existing records that the file
 * does not name stay unchanged.
 */
async function write(services: Services, file: ShopFile, terminal: Terminal): Promise<number> {
  const { editor, stores, content, photographs: social } = services;
  const { brands, categories, tags, products, pages, gallery } = file;
  const say = (count: number, one: string, many?: string) =>
    count > 0 && terminal.print(`Imported ${countOf(count, one, many)}.`);
  if (file.settings) await writeSettings(services, file.settings);
  say(Object.keys(file.settings ?? {}).length, 'setting');
  if (file.stores.length > 0) await stores.upsert(file.stores);
  say(file.stores.length, 'store');
  if (brands.length > 0) await editor.upsertBrands(brands);
  say(brands.length, 'brand');
  if (categories.length > 0) await editor.upsertCategories(categories);
  say(categories.length, 'category', 'categories');
  if (tags.length > 0) await editor.upsertTags(tags);
  say(tags.length, 'tag');
  await checkPlaces(services, file);
  const made = await editor.datesOf(products.map(({ id }) => id));
  const now = Date.now();
  const dated = products.map((product) => ({ ...product, createdAt: product.createdAt || (made.get(product.id) ?? now) }));
  say(await editor.importProducts(() => dated), 'product');
  say(await writeStock(services, file.stock), 'stock level');
  const reports = pages.length > 0 ? await content.upsertPages(pages) : [];
  say(pages.length, 'page');
  for (const { page, rejected, unknown } of reports) {
    for (const { id, problem } of rejected) terminal.print(`page ${page}: skipped block ${id}: ${problem}`);
    for (const { id, type } of unknown) terminal.print(`page ${page}: skipped block ${id}: unknown type ${type}`);
  }
  if (gallery) {
    await social.replaceGallery(gallery.map((photo) => ({ ...photo, takenAt: Date.parse(photo.takenAt) })));
    say(gallery.length, 'photo');
  }
  return reports.length > 0 ? 1 : 0;
}

/** @throws {CommandError} if a value is invalid; nothing is written then */
async function writeSettings(services: Services, changes: NonNullable<ShopFile['settings']>): Promise<void> {
  try {
    await services.settings.update(changes);
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(['Nothing was imported:', error.message].join('\n  '));
    throw error;
  }
}

/** @throws {CatalogueInputError} for units at a location that is neither the warehouse nor a store */
async function checkPlaces({ stores }: Services, { products, stock }: ShopFile): Promise<void> {
  const places = new Set([warehouse, ...(await stores.all()).map(({ id }) => id)]);
  const named = [...Object.values(stock), ...products.flatMap(({ skus }) => skus.map((sku) => sku.stock))].flatMap(Object.keys);
  const nowhere = [...new Set(named)].filter((place) => !places.has(place));
  if (nowhere.length > 0) throw new CatalogueInputError(nowhere.map((place) => `stock: unknown location ${place}`));
}

/** Returns the number of stock levels written. @throws {CatalogueInputError} for an unknown SKU; nothing is written then */
async function writeStock({ editor }: Services, stock: ShopFile['stock']): Promise<number> {
  const entries = Object.entries(stock).flatMap(([sku, units]) =>
    Object.entries(units).map(([place, count]) => ({ sku, place, units: count })),
  );
  const problems = (await editor.unknownSkus(Object.keys(stock))).map((sku) => `stock: unknown SKU ${sku}`);
  if (problems.length > 0) throw new CatalogueInputError(problems);
  if (entries.length > 0) await editor.setStocks(entries);
  return entries.length;
}
