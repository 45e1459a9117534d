/** `fill`, `blog`: import files of merchants (docs/how-to/fill-a-shop.md, docs/how-to/write-a-post.md). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Value from 'typebox/value';
import { warehouse } from '#contract/limits.ts';
import type { CouponInput } from '#contract/schemas/coupon.ts';
import type { Services } from '#server/container.ts';
import { statusOf } from '#server/modules/catalogue/index.ts';
import { fileCoupon, filePhoto, unzipShop } from '#server/modules/exports/index.ts';
import { couponOfFile, type Progress, ShopFile } from '#server/modules/imports/index.ts';
import { couponContent, couponOf } from '#server/modules/orders/index.ts';
import { InputError } from '#server/platform/errors.ts';
import { fieldOf, knownFields } from '#server/platform/schema-problems.ts';
import { isoTime } from '#server/platform/time-zone.ts';
import {
  CommandError,
  type CommandSetup,
  countOf,
  printable,
  problemLines,
  requireNone,
  type Terminal,
  withShop,
} from '../command.ts';
import { readJsonFile } from '../json-file.ts';

const mostLines = 200;
const mostNames = 20;
const mostDifferences = 6;
const mostCharacters = 60;

class Plan implements ImportPlan {
  readonly counts = new Map<string, string>();
  #lines: string[] = [];

  get lines(): string[] {
    return cut(this.#lines, mostLines);
  }

  say(line: string): void {
    this.#lines.push(printable(line));
  }

  compare(kind: string, entries: readonly Entry[], inShop: readonly Entry[]): void {
    const known = new Map(inShop.map((entry) => [nameOf(entry), entry]));
    const added = entries.filter((entry) => !known.has(nameOf(entry))).map(nameOf);
    const count = { new: added.length, changed: 0, unchanged: 0 };
    if (added.length > 0) this.say(`new: ${kind} ${cut(added, mostNames).join(', ')}`);
    for (const entry of entries) {
      const before = known.get(nameOf(entry));
      if (before === undefined) continue;
      const found = differences(before, entry);
      count[found.length > 0 ? 'changed' : 'unchanged']++;
      if (found.length > 0)
        this.say(`changed: ${kind} ${nameOf(entry)}: ${cut(found, mostDifferences).join(', ')}`);
    }
    this.counts.set(kind, counted(count));
  }
}

export const fill: CommandSetup = (program, terminal) => {
  const command = program.command('fill <file>');
  command.description(
    'Imports settings, products, stock, stores and pages from a JSON file with the images beside it, or a whole shop from shop.zip.',
  );
  command.option('--check', 'Checks the file and lists what it would change. Imports nothing.');
  command.option(
    '--anyway',
    'Closes stores although orders are to be picked up then, and emails their customers.',
  );
  command.changes('same', async (path: string, chosen: { check?: boolean; anyway?: boolean }) => {
    if (!path.toLowerCase().endsWith('.zip')) return fillFrom(path, chosen, terminal);
    const folder = await mkdtemp(join(tmpdir(), 'shopwright-fill-'));
    try {
      const { files } = await unzipShop(path, folder);
      for (const file of files.filter((name) => name.endsWith('.json')))
        await (file === 'shop.json' ? fillFrom : writePosts)(join(folder, file), chosen, terminal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
};

interface Chosen {
  check?: boolean;
  anyway?: boolean;
}

async function fillFrom(
  path: string,
  { check = false, anyway = false }: Chosen,
  terminal: Terminal,
): Promise<void> {
  const content = await readJsonFile(path);
  await withShop(terminal, async (services, run) => {
    const checked = await services.imports.shop.check(content, dirname(path), { anyway });
    requireNone(checked.problems, terminal);
    const plan = await planImport(services, checked.reading.file);
    for (const line of [...problemLines(checked.closing, terminal), ...plan.lines]) terminal.print(line);
    if (check) return terminal.print(`${path} is valid. Nothing was imported.`);
    await services.imports.shop
      .write(run, checked, { anyway }, progress(plan.counts, terminal))
      .catch((error: unknown) => {
        if (!(error instanceof InputError)) throw error;
        throw new CommandError(
          [terminal.t('import.changed'), ...problemLines(error.problems, terminal)].join('\n  '),
        );
      });
  });
}

function progress(counts: ReadonlyMap<string, string>, { print }: Terminal): Progress {
  const plural = (kind: string) => (kind === 'category' ? 'categories' : undefined);
  return {
    replaced: (image) => print(`${image} replaced the existing image.`),
    wrote: (kind, count) => print(`Imported ${countOf(count, kind, plural(kind))}: ${counts.get(kind)}.`),
    told: ({ number, contact }) =>
      print(
        contact?.email
          ? `Emailed the customer of order ${number} to choose another pickup time.`
          : `Order ${number} has no email address. Tell its customer yourself: npm run shop -- orders show ${number}`,
      ),
  };
}

export const blog: CommandSetup = (program, terminal) => {
  const command = program.command('blog <file>');
  command.description(
    'Imports posts from a JSON file, with the images beside it. Replaces posts with the same link.',
  );
  command.option('--check', 'Only checks the file. Imports nothing.');
  command.changes('same', (path: string, chosen: { check?: boolean }) => writePosts(path, chosen, terminal));
};

async function writePosts(path: string, { check = false }: Chosen, terminal: Terminal): Promise<void> {
  const content = await readJsonFile(path);
  await withShop(terminal, async ({ imports }, run) => {
    const checked = await imports.posts.check(content, dirname(path));
    requireNone(checked.problems, terminal);
    if (check) return terminal.print(`${path} is valid. Nothing was imported.`);
    await imports.posts.write(run, checked, {
      replaced: (image) => terminal.print(`${image} replaced the existing image.`),
    });
    for (const { link, publishedAt } of checked.reading.posts) {
      terminal.print(
        publishedAt <= Date.now()
          ? `Published ${link}.`
          : `Scheduled ${link} for ${isoTime(publishedAt, terminal.timeZone)}.`,
      );
    }
  });
}

interface ImportPlan {
  /** A line for each entry that is new or changed, and for stock that stays although the file has another number. */
  lines: string[];
  /** By kind of entry: "1 new, 2 changed, 5 unchanged". */
  counts: ReadonlyMap<string, string>;
}

/** What the import of a valid file changes: compares what it has with what `export` writes. */
async function planImport(services: Services, file: ShopFile): Promise<ImportPlan> {
  const { settings, coupons, webhooks, redirects, stores, catalogueExport, contentExport } = services;
  const places = await stores.all();
  const locations = new Set([warehouse, ...places.map(({ id }) => id)]);
  const products = await catalogueExport.productsOf(
    file.products.map(({ id }) => id),
    locations,
  );
  const inShop = knownFields(ShopFile, {
    settings: await settings.all(),
    stores: [...places],
    brands: await ofShop(file.brands, catalogueExport.brands),
    categories: await ofShop(file.categories, catalogueExport.categories),
    tags: await ofShop(file.tags, catalogueExport.tags),
    modifierGroups: await ofShop(file.modifierGroups, catalogueExport.modifierGroups),
    products: [...products.values()].map(withoutStock),
    coupons: (await ofShop(file.coupons, coupons.contents)).map(fileCoupon),
    webhooks: await ofShop(file.webhooks, () => webhooks.contents()),
    pages: (await ofShop(file.pages, contentExport.pages)).map((page) => ({
      ...page,
      blocks: [...page.blocks],
    })),
    redirects: await ofShop(file.redirects, redirects.all),
    gallery: file.gallery ? (await contentExport.gallery()).map(filePhoto) : [],
  }) as Required<Omit<ShopFile, '$schema' | 'stock'>>;
  const plan = new Plan();
  plan.compare('setting', settingEntries(file.settings ?? {}), settingEntries(inShop.settings));
  plan.compare('store', file.stores, inShop.stores);
  plan.compare('brand', file.brands, inShop.brands);
  plan.compare('category', file.categories, inShop.categories);
  plan.compare('tag', file.tags, inShop.tags);
  plan.compare('modifier group', file.modifierGroups, inShop.modifierGroups);
  // As the import writes them: products without a date keep theirs, and a product is active unless the file says otherwise.
  const written = file.products.map(({ published, publishAt, unpublishAt, ...product }) => ({
    ...product,
    status: statusOf({ published, ...product }),
    ...(publishAt == null ? {} : { publishAt }),
    ...(unpublishAt == null ? {} : { unpublishAt }),
    createdAt: product.createdAt || (products.get(product.id)?.createdAt ?? 0),
  }));
  plan.compare('product', written.map(withoutStock), inShop.products);
  // In capitals a code is the same, and a time in any zone.
  const timeZone = await stores.timeZone();
  const byKey = (list: readonly CouponInput[]) =>
    list.map((each) => fileCoupon({ ...couponContent(couponOf(each)), id: each.id.toUpperCase() }));
  const given = file.coupons.map((each) => couponOfFile(each, timeZone));
  plan.compare('coupon', byKey(given), byKey(inShop.coupons.map((each) => couponOfFile(each, timeZone))));
  plan.compare('webhook', file.webhooks, inShop.webhooks);
  plan.compare('page', file.pages, inShop.pages);
  const addresses = (list: ShopFile['redirects']) => list.map(({ from, to }) => ({ id: from, to }));
  plan.compare('redirect', addresses(file.redirects), addresses(inShop.redirects));
  if (file.gallery) {
    plan.compare('photo', file.gallery, inShop.gallery);
    const kept = new Set(file.gallery.map(({ id }) => id));
    const removed = inShop.gallery.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
    if (removed.length > 0) plan.say(`removed: photo ${cut(removed, mostNames).join(', ')}`);
  }
  await compareStock(plan, services, file);
  return plan;
}

/** Of the shop, if the file has any. */
const ofShop = async <T>(inFile: readonly unknown[], inShop: () => Promise<T[]>): Promise<T[]> =>
  inFile.length > 0 ? inShop() : [];

interface Entry {
  id?: string;
  name?: unknown;
}

function settingEntries(settings: object): Entry[] {
  return Object.entries(settings).map(([id, value]: [string, unknown]) => ({ id, value }));
}

function withoutStock<P extends { skus: readonly { stock: unknown }[] }>(product: P) {
  return { ...product, skus: product.skus.map(({ stock: _, ...sku }) => sku) };
}

/** At most that many of the words, and the number of those left out. */
function cut(words: readonly string[], most: number): string[] {
  return words.length > most ? [...words.slice(0, most), `and ${words.length - most} more`] : [...words];
}

function counted(count: Readonly<Record<string, number>>): string {
  const some = Object.entries(count).filter(([, number]) => number > 0);
  return some.map(([word, number]) => `${number} ${word}`).join(', ');
}

function nameOf({ id, name }: Entry): string {
  return id ?? String(name);
}

/** The fields of the file's entry whose values differ from the shop's: "priceCents 1800 → 18". Fields of the shop alone are kept. */
function differences(before: unknown, after: unknown, path = ''): string[] {
  if (Value.Equal(before, after)) return [];
  const isPair = [before, after].every((value) => typeof value === 'object' && value !== null);
  if (!isPair || Array.isArray(before) !== Array.isArray(after))
    return [`${path} ${shown(before)} → ${shown(after)}`.trim()];
  if (Array.isArray(before) && Array.isArray(after) && before.length !== after.length)
    return [`${path} ${listed(before)} → ${listed(after)}`.trim()];
  const keys = new Set([...Object.keys(before as object), ...Object.keys(after as object)]);
  return [...keys].flatMap((key) => {
    const inside = path === '' || key === 'value' ? key : `${path}.${key}`;
    return differences(
      fieldOf(before, key),
      fieldOf(after, key),
      path === '' && key === 'value' ? '' : inside,
    );
  });
}

function listed(list: readonly unknown[]): string {
  return list.every((each) => typeof each !== 'object')
    ? shown(list)
    : countOf(list.length, 'entry', 'entries');
}

function shown(value: unknown): string {
  const text = value === undefined ? 'none' : (JSON.stringify(value) ?? 'none');
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}

/** Stock levels of the part `stock` are set; those of SKUs in products only where the SKU has none, so that sales are not undone. */
async function compareStock(
  plan: Plan,
  { catalogueExport }: Services,
  { products, stock }: ShopFile,
): Promise<void> {
  const skus = products.flatMap((product) => product.skus);
  const levels = await catalogueExport.stockOf([
    ...new Set([...skus.map(({ sku }) => sku), ...Object.keys(stock)]),
  ]);
  const count = { changed: 0, unchanged: 0 };
  for (const [sku, units] of Object.entries(stock)) {
    for (const [place, wanted] of Object.entries(units)) {
      const has = levels.get(sku)?.get(place);
      count[has === wanted ? 'unchanged' : 'changed']++;
      if (has !== wanted) plan.say(`changed: stock of ${sku} at ${place}: ${has ?? 'none'} → ${wanted}`);
    }
  }
  plan.counts.set('stock level', counted(count));
  for (const { sku, stock: units } of skus) {
    for (const [place, wanted] of Object.entries(units)) {
      const has = levels.get(sku)?.get(place);
      if (has === undefined || has === wanted || stock[sku]?.[place] !== undefined) continue;
      const how = `To set it, write it into the part "stock": { "${sku}": { "${place}": ${wanted} } }`;
      plan.say(
        `unchanged: stock of ${sku} at ${place} stays ${has}; the product's entry says ${wanted}. ${how}`,
      );
    }
  }
}
