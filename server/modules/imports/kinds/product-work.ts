/** Judges the products of a file against the shop, writes them, and takes that back. */
import { setImmediate } from 'node:timers/promises';
import Value from 'typebox/value';
import { canonicalText } from '#contract/locales.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { type Difference, differences, isEqual } from '#contract/rules/patch.ts';
import type { Database, Reader } from '#db/database.ts';
import {
  type CatalogueEditor,
  type CatalogueExport,
  type CatalogueRemoval,
  type CatalogueService,
  type GoodsChanges,
  optionIndex,
  type ProductInput,
  productProblems,
  skuPrice,
  statusOf,
} from '#server/modules/catalogue/index.ts';
import type { BulkOutcome, BulkRow, Change, RunChange } from '#server/modules/changes/index.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { CouponsService, OrderRemoval } from '#server/modules/orders/index.ts';
import {
  plainPath,
  type Redirect,
  RedirectInput,
  type RedirectsService,
  type SettingsService,
} from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { FoundProduct } from './found-product.ts';
import { idsByName, type Named } from './identities.ts';
import {
  type Entry,
  fingerprintOf,
  type ImportOptions,
  isRefused,
  type Judge,
  type Judged,
  type Known,
  type Made,
  type PlannedRow,
  type Preparation,
  type Shown,
} from './kind.ts';
import { ownMerged, ownProblems } from './own-products.ts';
import type { PictureAddresses } from './picture-addresses.repository.ts';
import { type MergeContext, type Merged, merged } from './product-merge.ts';
import { createTaxonomyNames, type MadeTaxonomy, type TaxonomyOf } from './taxonomy-names.ts';

export interface ProductWorkDeps {
  db: Database;
  now: () => number;
  catalogue: CatalogueService;
  catalogueExport: Pick<CatalogueExport, 'stored'>;
  catalogueRemoval: CatalogueRemoval;
  coupons: Pick<CouponsService, 'replaceItem'>;
  editor: CatalogueEditor;
  goodsChanges: Pick<GoodsChanges, 'write' | 'takenBack'>;
  media: MediaService;
  orderRemoval: OrderRemoval;
  settings: SettingsService;
  stock: StockService;
  stores: StoresService;
  pictures: PictureAddresses;
  redirects: RedirectsService;
}

/** To be taken back besides the fields of the product. */
interface Undo {
  /** What a product that the import made was like. */
  made?: string;
  /** `before` null: the place never had the SKU. */
  stock?: { sku: string; place: string; before: number | null; after: number }[];
  /** From addresses of the other shop. */
  redirects?: { redirect: Redirect; before: Redirect[] }[];
}

/** Of a list of things that are made in one transaction. */
const madeAtOnce = 10;

export function createProductWork(deps: ProductWorkDeps) {
  return {
    judge: (options: ImportOptions) => judge(deps, options),
    prepare: (preparation: Preparation<FoundProduct>, options: ImportOptions) =>
      prepare(deps, preparation, options),
    apply: (change: Change, rows: readonly PlannedRow<FoundProduct>[], options: ImportOptions) =>
      apply(deps, change, rows, options),
    takeBack: (change: Change, rows: readonly BulkRow[]) => takeBack(deps, change, rows),
    clear: (run: RunChange, made: Made) => clear(deps, run, made),
  };
}

const taxonomyFor = async ({ catalogue, settings }: ProductWorkDeps, { language }: ImportOptions) =>
  createTaxonomyNames(await catalogue.names(), (await settings.all()).shopName, language);

const inputsById = async (deps: ProductWorkDeps, reader: Reader, ids: readonly string[]) =>
  new Map((await deps.catalogueExport.stored(reader, ids)).map(({ input }) => [input.id, input] as const));

/** What the shop has of what a file names. */
export async function knownOf(
  { db, editor }: ProductWorkDeps,
  names: Iterable<Named | null>,
): Promise<Known> {
  const [ids, skus] = [new Set<string>(), new Set<string>()];
  for (const named of names) {
    if (named === null) {
      await setImmediate();
      continue;
    }
    const { plain, own } = idsByName(named);
    for (const id of named.handle === '' ? [plain, own] : [named.handle]) if (id !== '') ids.add(id);
    for (const sku of named.skus) skus.add(sku);
  }
  const there = await editor.datesOf([...ids]);
  const owners = new Map(
    (await editor.ownersOf(db.read, [...skus])).map(({ sku, product }) => [sku, product]),
  );
  const bySku = Map.groupBy(
    await editor.skusOfProducts(db.read, [...there.keys()]),
    ({ product }) => product,
  );
  return {
    isThere: (id) => there.has(id),
    owner: (sku) => owners.get(sku),
    skusOf: (id) => (bySku.get(id) ?? []).map(({ sku }) => sku),
  };
}

interface Merging {
  options: ImportOptions;
  taxonomy: TaxonomyOf;
  /** SKUs that products before these in the file have. */
  claimed: Map<string, string>;
}

async function mergeAll(
  deps: ProductWorkDeps,
  reader: Reader,
  all: readonly FoundProduct[],
  { options, taxonomy, claimed }: Merging,
) {
  const stored = await inputsById(
    deps,
    reader,
    all.map(({ id }) => id),
  );
  const files = await deps.pictures.known(reader, all);
  const owners = new Map<string, string | undefined>();
  const context: MergeContext = {
    ...options,
    now: deps.now(),
    brand: taxonomy.brand,
    tag: taxonomy.tag,
    currency: (await deps.settings.all()).currency,
    category: (found) =>
      taxonomy.category(found) ?? (stored.has(found.id) ? undefined : taxonomy.otherCategory()),
    file: files,
    isTaken: (sku, product) => (claimed.get(sku) ?? owners.get(sku) ?? product) !== product,
  };
  for (;;) {
    const results = all.map((found) => {
      const before = stored.get(found.id);
      const result = found.own
        ? ownMerged(before, found.id, found.own, context)
        : merged(before, found, context);
      for (const { sku } of result.after.skus) if (!claimed.has(sku)) claimed.set(sku, found.id);
      return result;
    });
    const unknown = results.flatMap(({ after }) =>
      after.skus.flatMap(({ sku }) => (owners.has(sku) ? [] : [sku])),
    );
    if (unknown.length === 0) return { stored, results, files };
    for (const sku of unknown) owners.set(sku, undefined);
    for (const { sku, product } of await deps.editor.ownersOf(reader, unknown)) owners.set(sku, product);
    const conflicts = unknown.filter(
      (sku) => owners.get(sku) !== undefined && owners.get(sku) !== claimed.get(sku),
    );
    if (conflicts.length === 0) return { stored, results, files };
    for (const sku of conflicts) claimed.delete(sku);
  }
}

function judge(deps: ProductWorkDeps, options: ImportOptions): Judge<FoundProduct> {
  const claimed = new Map<string, string>();
  const shared = taxonomyFor(deps, options);
  return {
    async of(entries: readonly Entry<FoundProduct>[]): Promise<Judged[]> {
      const good = entries.filter(({ content, problems }) => content.id !== '' && !isRefused(problems));
      const contents = good.map(({ content }) => content);
      const { stored, results, files } = await mergeAll(deps, deps.db.read, contents, {
        options,
        taxonomy: await shared,
        claimed,
      });
      const invalid = await ownProblems(
        deps,
        results.flatMap(({ after }, at) => (contents[at]?.own ? after : [])),
      );
      const byEntry = new Map(good.map((entry, at) => [entry, results[at]] as const));
      return entries.map((entry) => {
        const waiting = () => deps.pictures.waiting(entry.content, files);
        const given = invalid.get(entry.content.id) ?? [];
        return judged(entry, {
          result: byEntry.get(entry),
          before: stored.get(entry.content.id),
          given,
          waiting,
        });
      });
    },
    made: async () => madeBy((await shared).made),
  };
}

async function prepare(
  deps: ProductWorkDeps,
  { run, contents: all, keep }: Preparation<FoundProduct>,
  options: ImportOptions,
): Promise<void> {
  const taxonomy = await taxonomyFor(deps, options);
  for await (const contents of all)
    for (const found of contents) {
      if (found.own) continue;
      taxonomy.brand(found.vendor ?? '');
      for (const tag of found.tags ?? []) taxonomy.tag(tag);
      if (taxonomy.category(found) === undefined) taxonomy.otherCategory();
    }
  await keep(madeBy(taxonomy.made));
  await make(deps.editor, run, taxonomy.made, options);
}

async function apply(
  deps: ProductWorkDeps,
  change: Change,
  rows: readonly PlannedRow<FoundProduct>[],
  options: ImportOptions,
): Promise<BulkOutcome[]> {
  const { editor } = deps;
  const { trx } = change;
  const taxonomy = await taxonomyFor(deps, options);
  const all = rows.map(({ content }) => content);
  const again = () => mergeAll(deps, trx, all, { options, taxonomy, claimed: new Map() });
  const first = await again();
  // Stock before the catalogue, as sales lock them.
  const counted = await countUnits(deps, change, first);
  await editor.lock(trx);
  const { stored, results, files } = counted.size > 0 ? await again() : first;
  const outcomes = rows.map(({ no, subject }, at) => {
    const result = results[at];
    const before = stored.get(subject);
    if (!result || isRefused(result.problems))
      return { no, subject, fields: [], problems: result?.problems ?? [] };
    const after = withFirstUnits(result, before);
    return { no, subject, after, fields: before ? differences(before, after) : [{ path: [], to: subject }] };
  });
  await deps.goodsChanges.write(change, outcomes);
  const written = await inputsById(
    deps,
    trx,
    all.map(({ id }) => id),
  );
  const redirects = new Map<string, Undo['redirects']>();
  for (const { subject, content, earlier } of rows)
    if (!earlier && !stored.has(subject) && written.has(subject))
      redirects.set(subject, await redirected(deps, change, content));
  return rows.map(({ no, subject, content, earlier }, at) => {
    const { problems = [], fields = [] } = outcomes[at] ?? {};
    const [before, after] = [stored.get(subject), written.get(subject)];
    if (isRefused(problems)) return { no, subject, problems, outcome: earlier?.outcome ?? 'problem' };
    if (fields.length === 0 && !counted.has(subject)) {
      // What waits for its pictures alone is changed only if one comes.
      if (!earlier && deps.pictures.waiting(content, files).length > 0)
        return { no, subject, fields: [], outcome: 'changed' };
      return { no, subject, outcome: earlier?.undo ? (earlier.outcome ?? 'unchanged') : 'unchanged' };
    }
    const made = differences(before, after);
    if (earlier) return { no, subject, ...together(earlier, made, after) };
    const undo: Undo = {
      ...(before ? {} : { made: fingerprintOf(after) }),
      stock: counted.get(subject) ?? [],
      ...led(redirects.get(subject)),
    };
    return { no, subject, outcome: before ? 'changed' : 'new', fields: before ? made : [], undo };
  });
}

async function takeBack(
  deps: ProductWorkDeps,
  change: Change,
  rows: readonly BulkRow[],
): Promise<BulkOutcome[]> {
  const outcomes: BulkOutcome[] = [];
  const undoOf = ({ undo }: BulkRow): Undo => (undo === null ? {} : JSON.parse(undo));
  for (const row of rows)
    if (!(await uncount(deps, change, row.subject, undoOf(row)))) outcomes.push(touched(row));
  await deps.editor.lock(change.trx);
  const left = rows.filter(({ no }) => !outcomes.some((each) => each.no === no));
  const changed = left.filter((row) => undoOf(row).made === undefined);
  const restored = await deps.goodsChanges.takenBack(change.trx, changed);
  await deps.goodsChanges.write(change, restored);
  outcomes.push(...restored);
  for (const row of left) {
    const { made, redirects = [] } = undoOf(row);
    if (made === undefined) continue;
    const isRemoved = await removed(deps, change, row.subject, made);
    if (isRemoved)
      for (const { redirect, before } of redirects) await deps.redirects.restore(change, redirect, before);
    outcomes.push(isRemoved ? { no: row.no, subject: row.subject } : touched(row));
  }
  // What was said of a row before stays: its outcome is no longer told.
  return outcomes
    .map(({ no, subject, problems = [] }) => ({ no, subject, problems }))
    .sort((a, b) => b.no - a.no);
}

const led = (redirects: Undo['redirects']) => (redirects ? { redirects } : {});

/** The addresses that shops give to products, under a handle that is cut here, lead to the new one unless they lead elsewhere. */
async function redirected(
  { redirects }: ProductWorkDeps,
  change: Change,
  { id, longHandle }: FoundProduct,
): Promise<Undo['redirects']> {
  if (longHandle === undefined) return undefined;
  const undo: NonNullable<Undo['redirects']> = [];
  for (const folder of ['products', 'product']) {
    const redirect = { from: plainPath(`/${folder}/${longHandle}`), to: `/product/${id}` };
    if (!Value.Check(RedirectInput, redirect) || (await redirects.find(change.trx, redirect.from))) continue;
    undo.push({ redirect, before: await redirects.changedBy(change.trx, redirect.from) });
    await redirects.put(change, [redirect]);
  }
  return undo;
}

/** Brands, categories and tags that the import made and that nothing uses. */
async function clear(deps: ProductWorkDeps, run: RunChange, made: Made): Promise<void> {
  const all = [
    ...made.brands.map((id) => ['brand', id] as const),
    ...made.categories.toReversed().map((id) => ['category', id] as const),
    ...made.tags.map((id) => ['tag', id] as const),
  ];
  for (const [kind, id] of all)
    await run(async (change) => {
      const use = await deps.catalogueRemoval.taxonUse(change.trx, kind, id);
      const isUnused = use !== null && use.products === 0 && use.children.length === 0;
      if (isUnused && kind === 'category') await deps.coupons.replaceItem(change, { kind, id }, null);
      if (isUnused)
        await deps.catalogueRemoval.removeTaxon(change.trx, kind, { id, to: null, childrenTo: null });
      change.note(kind, id, isUnused ? undefined : []);
    });
}

/** What two phases of an import have set, as one change. */
function together(
  { fields, undo, outcome }: BulkRow,
  more: readonly Difference[],
  after: ProductInput | undefined,
): Partial<BulkOutcome> {
  const before: Undo = undo === null ? {} : JSON.parse(undo);
  if (before.made !== undefined) return { outcome: 'new', undo: { ...before, made: fingerprintOf(after) } };
  const first: Difference[] = JSON.parse(fields);
  const isAt = (path: readonly string[]) => (each: Difference) => isEqual(each.path, path);
  const all = [
    ...first.map((each) => ({ ...each, to: (more.find(isAt(each.path)) ?? each).to })),
    ...more.filter(({ path }) => !first.some(isAt(path))),
  ];
  return { outcome: outcome ?? 'changed', fields: all, undo: before };
}

const madeBy = ({ brands, categories, tags }: MadeTaxonomy): Made => ({
  brands: [...brands.keys()],
  categories: [...categories.keys()],
  tags: [...tags.keys()],
});

const touched = ({ no, subject }: BulkRow): BulkOutcome => ({
  no,
  subject,
  problems: [problem([], 'problem.touched')],
});

interface Judging {
  result: Merged | undefined;
  before: ProductInput | undefined;
  given: readonly Problem[];
  waiting: () => readonly string[];
}

function judged(entry: Entry<FoundProduct>, { result, before, given, waiting }: Judging): Judged {
  const problems = [...entry.problems, ...(result?.problems ?? [])];
  if (!result || isRefused(problems)) return { outcome: 'problem', fields: [], problems };
  const invalid = [...productProblems(result.after), ...given].map((each) => ({
    ...each,
    path: ['rows', String(entry.lines[0] ?? 0), each.path.slice(2).join(' · ')],
  }));
  if (invalid.length > 0) return { outcome: 'problem', fields: [], problems: [...problems, ...invalid] };
  if (!before) return { outcome: 'new', fields: [], problems, shows: shownOf(result, entry.content) };
  const fields: Difference[] = [
    ...differences(before, result.after).map((each) => withPrices(each, before, result.after)),
    ...unitsOf(result, before),
    ...waiting().map((address) => ({ path: ['images'], to: address })),
  ];
  return { outcome: fields.length > 0 ? 'changed' : 'unchanged', fields, problems };
}

/** A SKU without a price of its own has one: people are shown what it costs. */
function withPrices(difference: Difference, before: ProductInput, after: ProductInput): Difference {
  const [list, name, field] = difference.path;
  if (list !== 'skus' || field !== 'priceCents' || difference.path.length > 3) return difference;
  const priceIn = ({ priceCents, options, skus }: ProductInput) => {
    const sku = skus.find((each) => each.sku === name);
    return sku && (sku.priceCents ?? skuPrice(priceCents, optionIndex(options), sku.options));
  };
  return { ...difference, from: priceIn(before), to: priceIn(after) };
}

/** What a shopper would find. */
function shownOf({ after, units }: Merged, { pictures = [], own }: FoundProduct): Shown {
  const index = optionIndex(after.options);
  const prices = after.skus.map((sku) => sku.priceCents ?? skuPrice(after.priceCents, index, sku.options));
  const isCounted = after.skus.some(({ counted }) => counted !== false);
  return {
    title: canonicalText(after.name),
    status: statusOf(after),
    prices: [Math.min(...prices), Math.max(...prices)],
    units: isCounted ? units.reduce((sum, each) => sum + each.units, 0) : null,
    variants: after.skus.length,
    pictures: own ? after.images.length : pictures.length,
  };
}

function unitsOf({ units }: Merged, before: ProductInput): Difference[] {
  const levels = new Map(before.skus.map(({ sku, stock }) => [sku, stock]));
  return units.flatMap(({ sku, place, units: to }) => {
    const from = levels.get(sku)?.[place];
    return (from ?? 0) === to ? [] : [{ path: ['skus', sku, 'stock', place], from, to }];
  });
}

/** Of SKUs that are there, where the file has another number. By product. */
async function countUnits(
  { stock }: ProductWorkDeps,
  change: Change,
  { stored, results }: { stored: ReadonlyMap<string, ProductInput>; results: readonly Merged[] },
) {
  const counted = new Map<string, NonNullable<Undo['stock']>>();
  const wanted = results.flatMap((result) => {
    const before = stored.get(result.after.id);
    if (!before || isRefused(result.problems)) return [];
    const there = new Set(before.skus.map(({ sku }) => sku));
    return unitsOf(result, before).flatMap(({ path: [, sku = '', , place = ''], from, to }) =>
      there.has(sku)
        ? [{ product: before.id, sku, place, isFirst: from === undefined, units: Number(to) }]
        : [],
    );
  });
  if (wanted.length === 0) return counted;
  const productOf = new Map(wanted.map(({ sku, product }) => [sku, product]));
  const firsts = new Set(wanted.flatMap(({ isFirst, sku, place }) => (isFirst ? `${sku}\n${place}` : [])));
  for (const { sku, location, before, after } of await stock.count(change, wanted)) {
    const product = productOf.get(sku) ?? '';
    counted.set(product, [
      ...(counted.get(product) ?? []),
      {
        sku,
        place: location,
        before: before === 0 && firsts.has(`${sku}\n${location}`) ? null : before,
        after,
      },
    ]);
  }
  return counted;
}

/** Those of SKUs that were there are counted. */
function withFirstUnits({ after, units }: Merged, before: ProductInput | undefined): ProductInput {
  const there = new Set(before?.skus.map(({ sku }) => sku));
  const bySku = Map.groupBy(units, ({ sku }) => sku);
  const stockOf = (sku: string) =>
    Object.fromEntries((bySku.get(sku) ?? []).map((each) => [each.place, each.units]));
  const isNew = ({ sku }: ProductInput['skus'][number]) => !there.has(sku) && bySku.has(sku);
  return {
    ...after,
    skus: after.skus.map((sku) =>
      isNew(sku) ? { ...sku, stock: { ...sku.stock, ...stockOf(sku.sku) } } : sku,
    ),
  };
}

/** False if somebody changed or bought them since: nothing has changed then. */
async function uncount(
  deps: ProductWorkDeps,
  change: Change,
  product: string,
  { stock: counted = [] }: Undo,
): Promise<boolean> {
  if (counted.length === 0) return true;
  const now = (await inputsById(deps, change.trx, [product])).get(product);
  const levels = new Map(now?.skus.map(({ sku, stock }) => [sku, stock]));
  if (counted.some(({ sku, place, after }) => levels.get(sku)?.[place] !== after)) return false;
  const before = counted.map((each) => ({ sku: each.sku, place: each.place, units: each.before }));
  await deps.stock.count(change, before);
  return true;
}

/** A product that the import made and nobody changed, sold or bought since. */
async function removed(deps: ProductWorkDeps, change: Change, id: string, made: string): Promise<boolean> {
  const { orderRemoval, catalogueExport, catalogueRemoval, coupons } = deps;
  const [now] = await catalogueExport.stored(change.trx, [id]);
  const use = now && (await catalogueRemoval.productUse(change.trx, id));
  if (!now || !use || fingerprintOf(now.input) !== made || use.takenBy.length > 0) return false;
  if ((await orderRemoval.ordersWithSkus(change.trx, use.skus)).orders.length > 0) return false;
  await orderRemoval.removeSkusFromCarts(change.trx, use.skus);
  await coupons.replaceItem(change, { kind: 'product', id }, null);
  await catalogueRemoval.removeProduct(change, id);
  change.note('product', id);
  return true;
}

async function make(
  editor: CatalogueEditor,
  run: RunChange,
  { brands, categories, tags }: MadeTaxonomy,
  { language }: ImportOptions,
) {
  const parts = <T>(all: readonly T[]) =>
    Array.from({ length: Math.ceil(all.length / madeAtOnce) }, (_, at) =>
      all.slice(at * madeAtOnce, (at + 1) * madeAtOnce),
    );
  const named = (all: ReadonlyMap<string, string>) =>
    [...all].map(([id, name]) => ({ id, name: { [language]: name } }));
  const noText = { [language]: '' };
  for (const part of parts(named(brands)))
    await run((change) =>
      editor.upsertBrands(
        change,
        part.map((each) => ({ ...each, story: noText, image: null })),
      ),
    );
  for (const part of parts(named(tags)))
    await run((change) =>
      editor.upsertTags(
        change,
        part.map((each) => ({ ...each, description: noText })),
      ),
    );
  // Parents come before their children.
  for (const part of parts([...categories]))
    await run((change) =>
      editor.upsertCategories(
        change,
        part.map(([id, { name, parent }]) => ({ id, name, parent, description: noText, image: null })),
      ),
    );
}
