/** `fill <file>`: writes settings, products, stock, stores, pages and the gallery from a file (docs/how-to/fill-a-shop.md). */
import { type Problem, problem } from '#contract/problems.ts';
import type { Services } from '#server/container.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import type { OrderHead } from '#server/modules/orders/index.ts';
import { InputError } from '#server/platform/errors.ts';
import { instantOf, isoTime } from '#server/platform/time-zone.ts';
import { picturesOfShopFile, shopFileProblems } from '../check-shop-file.ts';
import { CommandError, type CommandSetup, countOf, type Terminal } from '../command.ts';
import { problemLines } from '../file-problems.ts';
import { importFile } from '../import-file.ts';
import { type ImportPlan, planImport } from '../import-plan.ts';
import { readJsonFile } from '../json-file.ts';
import { withShop } from '../shop.ts';
import { inspectShopFile, type ShopFile } from '../shop-file.ts';

export const fill: CommandSetup = (program, terminal) => {
  const command = program.command('fill <file>');
  command.description('Imports settings, products, stock, stores and pages from a JSON file, with the images beside it.');
  command.option('--check', 'Checks the file and lists what it would change. Imports nothing.');
  command.option('--anyway', 'Closes stores although orders are to be picked up then, and emails their customers.');
  command.action(async (path: string, { check = false, anyway = false }: { check?: boolean; anyway?: boolean }) => {
    const content = await readJsonFile(path);
    await withShop(terminal, async (services, run) => {
      const reading = inspectShopFile(content);
      const closed = await services.orders.closedPickups.closedBy(reading.file.stores);
      const closing = closed.map((order) => closedPickup(order, terminal.timeZone));
      const refused = anyway ? [] : closing.map((each) => ({ ...each, key: 'problem.pickup.refused' as const }));
      const problems = [...(await shopFileProblems(services, reading)), ...refused];
      const pictures = picturesOfShopFile(reading.file);
      const plan = problems.length === 0 ? await planImport(services, reading.file) : null;
      const counts = plan?.counts ?? new Map<string, string>();
      const begin = () => write(services, run, { file: reading.file, counts, anyway }, terminal);
      await importFile(
        services,
        run,
        terminal,
        { path, check, problems, pictures, plan: [...problemLines(closing, terminal.t), ...(plan?.lines ?? [])] },
        begin,
      );
    });
  });
};

/**
 * Writes the parts in the order of their dependencies. Existing records that the file does not name stay unchanged. The whole file
 * was checked before, so a problem here is a change that another process made meanwhile.
 * @throws {CommandError} with the parts that were written, and the problems
 */
async function write(
  services: Services,
  run: RunChange,
  { file, counts, anyway }: { file: ShopFile; counts: ImportPlan['counts']; anyway: boolean },
  terminal: Terminal,
): Promise<void> {
  const { settings, editor, content, photographs } = services;
  const { brands, categories, tags, modifierGroups, products, pages, gallery } = file;
  const say = (count: number, one: string, many?: string) =>
    count > 0 && terminal.print(`Imported ${countOf(count, one, many)}: ${counts.get(one)}.`);
  try {
    const { settings: changed = {} } = file;
    if (Object.keys(changed).length > 0) await run((change) => settings.update(change, changed));
    say(Object.keys(changed).length, 'setting');
    if (file.stores.length > 0) await writeStores(services, run, { stores: file.stores, anyway }, terminal);
    say(file.stores.length, 'store');
    if (brands.length > 0) await run((change) => editor.upsertBrands(change, brands));
    say(brands.length, 'brand');
    if (categories.length > 0) await run((change) => editor.upsertCategories(change, categories));
    say(categories.length, 'category', 'categories');
    if (tags.length > 0) await run((change) => editor.upsertTags(change, tags));
    say(tags.length, 'tag');
    const skus = new Set(products.flatMap((product) => product.skus.map(({ sku }) => sku)));
    if (modifierGroups.length > 0) await run((change) => editor.upsertModifierGroups(change, modifierGroups, skus));
    say(modifierGroups.length, 'modifier group');
    say(await writeProducts(services, run, products), 'product');
    say(await writeStock(services, run, file.stock), 'stock level');
    if (pages.length > 0) await run((change) => content.upsertPages(change, pages));
    say(pages.length, 'page');
    const photos = gallery && (await dated(services, gallery));
    if (photos) await run((change) => photographs.replaceGallery(change, photos));
    say(gallery?.length ?? 0, 'photo');
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new CommandError([terminal.t('import.changed'), ...problemLines(error.problems, terminal.t)].join('\n  '));
  }
}

/** A store that a file closes when an order is to be picked up there. */
function closedPickup({ number, pickupAt, storeId }: OrderHead, timeZone: string): Problem {
  const at = pickupAt === null ? '' : isoTime(pickupAt, timeZone);
  return problem(['stores', storeId ?? ''], 'problem.pickup', { at, number: number ?? '' });
}

/** Emails the customers of orders that are to be picked up when their store is closed now. */
async function writeStores(
  { stores, orders }: Services,
  run: RunChange,
  { stores: changes, anyway }: { stores: ShopFile['stores']; anyway: boolean },
  terminal: Terminal,
): Promise<void> {
  let told: OrderHead[] = [];
  await run((change) =>
    stores.upsert(change, changes, async () => {
      told = await orders.closedPickups.tell(change.trx, changes);
      // An order was placed since the file was checked.
      if (!anyway && told.length > 0) throw new InputError(told.map((order) => closedPickup(order, terminal.timeZone)));
    }),
  );
  for (const { number, contact } of told)
    terminal.print(
      contact?.email
        ? `Emailed the customer of order ${number} to choose another pickup time.`
        : `Order ${number} has no email address. Tell its customer yourself: npm run shop -- orders show ${number}`,
    );
}

/** Returns the number of products written. New products are as old as the import unless the file says otherwise. */
async function writeProducts({ editor }: Services, run: RunChange, products: ShopFile['products']): Promise<number> {
  const made = await editor.datesOf(products.map(({ id }) => id));
  const now = Date.now();
  const all = products.map((product) => ({ ...product, createdAt: product.createdAt || (made.get(product.id) ?? now) }));
  return editor.importProducts(run, () => all, { given: new Set(all.map(({ id }) => id)) });
}

/** Returns the number of stock levels written. */
async function writeStock(services: Services, run: RunChange, stock: ShopFile['stock']): Promise<number> {
  const entries = Object.entries(stock).flatMap(([sku, units]) =>
    Object.entries(units).map(([place, count]) => ({ sku, place, units: count })),
  );
  if (entries.length > 0) await run((change) => services.stock.count(change, entries));
  return entries.length;
}

async function dated({ stores }: Services, gallery: NonNullable<ShopFile['gallery']>) {
  const timeZone = await stores.timeZone();
  return gallery.map((photo) => ({ ...photo, takenAt: instantOf(photo.takenAt, timeZone) }));
}
