/** Each change and its consequences are one transaction, visible on the next request. */
import { inLocale, type Locale, localeCodes } from '#contract/locales.ts';
import type { ModifierGroupInput } from '#contract/schemas/modifier-input.ts';
import { mostSkus } from '#contract/schemas/product.ts';
import type { SoldOutItem } from '#contract/staff/stores.ts';
import { everything, recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Reader, Trx } from '#db/database.ts';
import { type Change, changedFields, noteDocument, type RunChange } from '#server/modules/changes/index.ts';
import type { RedirectsService } from '#server/modules/settings/index.ts';
import {
  deleteEndedSoldOut,
  deleteSoldOut,
  moveSoldOut,
  nextDaysOpening,
  putSoldOut,
  type Store,
  soldOutRows,
} from '#server/modules/stores/index.ts';
import { InputError, notFound, validationError } from '#server/platform/errors.ts';
import { optionTextOf } from '#server/platform/option-text.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import {
  allGroups,
  contentOf,
  type GroupRow,
  groupsById,
  productsUsing,
  putGroup,
} from '../modifiers/modifier-groups.repository.ts';
import { openersOf } from '../modifiers/modifier-groups.ts';
import { fold } from '../search/tokens.ts';
import { loadTaxonomy } from '../taxonomy/taxonomy.repository.ts';
import { inputsOf } from './catalogue-export.ts';
import {
  type AlsoKnown,
  type CatalogueIds,
  type CatalogueInput,
  catalogueProblems,
  groupProblemsIn,
} from './catalogue-problems.ts';
import { moveRelations } from './catalogue-removal.repository.ts';
import { removeProduct } from './catalogue-removal.ts';
import {
  type CatalogueWriteDeps,
  changeCatalogueIn,
  lockCatalogue,
  type StockBoundary,
  stockChanged,
} from './catalogue-transaction.ts';
import {
  areListingsOutdated,
  clearListings,
  listingsOf,
  markOutdated,
  publishedNosAfter,
  unmarkOutdated,
} from './listings.repository.ts';
import type { ProductInput } from './product-input.ts';
import { loadDerivedParts, loadProducts, loadProductsById } from './product-loader.repository.ts';
import { indexAround, indexProducts, type WriteContext, writeProducts } from './product-writer.ts';
import {
  datesOf,
  namedSkus,
  nosWithDueTimes,
  ownersOf,
  showByTimes,
  skusOfItem,
  skusOfProducts,
} from './products.repository.ts';
import { createTaxonomyEditor } from './taxonomy-editor.ts';

const modifiersFound = 8;
const itemsFound = 40;

export interface ImportOptions {
  /** After each batch. */
  onProgress?: (done: number) => void;
  /** All products of the import, so that SKUs can move between batches. */
  given?: ReadonlySet<string>;
}

/** In the transaction in which a product gets another id. */
type FollowAddress = (change: Change, ids: { from: string; to: string }) => Promise<void>;

export type CatalogueEditor = ReturnType<typeof createCatalogueEditor>;

const batchSize = 250;
/** Products shown or hidden at once. */
const mostDue = 20;
const redrawnAtOnce = 10;

export function createCatalogueEditor(deps: CatalogueWriteDeps & { redirects: RedirectsService }) {
  const { db, media } = deps;
  const followers: FollowAddress[] = [];
  return {
    ...createTaxonomyEditor(deps),
    ...createSoldOutEditor(deps),
    ...createModifierGroupEditor(deps),
    /** All or none. @throws {InputError} naming every problem */
    upsertProducts: (change: Change, products: readonly ProductInput[]): Promise<void> =>
      changeCatalogueIn(deps, change.trx, (context) => writeProducts(context, products, change)),
    async importProducts(
      run: RunChange,
      make: () => Iterable<ProductInput>,
      { onProgress, given }: ImportOptions = {},
    ): Promise<number> {
      let done = 0;
      for (const batch of batches(make())) {
        await run((change) =>
          changeCatalogueIn(deps, change.trx, (context) => writeProducts(context, batch, change, given)),
        );
        done += batch.length;
        onProgress?.(done);
      }
      return done;
    },
    problemsOf: (input: CatalogueInput, also: AlsoKnown) => catalogueProblems(db.read, media, input, also),
    async ids(): Promise<CatalogueIds> {
      const { brands, categories, tags } = await loadTaxonomy(db.read, media);
      return {
        brands: new Set(brands.keys()),
        categories: new Set(categories.keys()),
        tags: new Set(tags.keys()),
      };
    },
    /** Epoch ms by id; unknown ids are left out. */
    datesOf: (ids: readonly string[]): Promise<Map<string, number>> => datesOf(db.read, ids),
    async changeAddress(change: Change, ids: { from: string; to: string }): Promise<void> {
      await changeAddress(deps, change, ids);
      for (const follow of followers) await follow(change, ids);
    },
    /** For modules that name products by their ids, which change with the address. */
    followAddresses: (follow: FollowAddress): void => void followers.push(follow),
    /** Shows products whose time has come, and hides those whose time is over. */
    publishDue: () => publishDue(deps),
    /** The products of SKUs; unknown SKUs are left out. */
    ownersOf,
    skusOfProducts,
    /** Batch by batch: lists, cards, the search index and its words. */
    rebuild: () => rebuild(deps),
    /** Also after an interruption. */
    async rebuildIfOutdated(): Promise<void> {
      if (await areListingsOutdated(db.read, localeCodes)) await rebuild(deps);
    },
    /** Until no other transaction changes the catalogue. */
    lock: (trx: Trx) => lockCatalogue(db, trx),
    /** Lists them again, because pictures that they show have been replaced. */
    async redraw(nos: readonly number[]): Promise<void> {
      for (let start = 0; start < nos.length; start += redrawnAtOnce) {
        const part = nos.slice(start, start + redrawnAtOnce);
        await db.transaction((trx) =>
          changeCatalogueIn(deps, trx, (context) => indexAround(context, part, async () => context.taxonomy)),
        );
      }
    },
    /** In the transaction in which SKUs passed between some and no units in a store or everywhere. See stock-boundary.ts. */
    stockCrossed: (trx: Trx, boundary: StockBoundary) => stockChanged(deps, trx, boundary),
  };
}

async function showDue(context: WriteContext, nos: readonly number[]): Promise<void> {
  const { trx, taxonomy } = context;
  const products = await loadProducts(trx, nos);
  const derived = await loadDerivedParts(
    trx,
    products.map(({ row }) => row),
  );
  await showByTimes(trx, nos, context.now());
  await indexProducts(context, nos, { products, taxonomy, derived });
}

function* batches(products: Iterable<ProductInput>): Generator<ProductInput[]> {
  let batch: ProductInput[] = [];
  let skus = 0;
  for (const product of products) {
    batch.push(product);
    skus += product.skus.length;
    if (batch.length < batchSize && skus < mostSkus) continue;
    yield batch;
    batch = [];
    skus = 0;
  }
  if (batch.length > 0) yield batch;
}

async function rebuild(deps: CatalogueWriteDeps): Promise<void> {
  const { db } = deps;
  const change = (work: (context: WriteContext) => Promise<void>) =>
    db.transaction((trx) => changeCatalogueIn(deps, trx, work));
  await change(async ({ trx, touched }) => {
    await markOutdated(trx);
    await clearListings(trx);
    touched.add(everything);
  });
  for (let after = 0; ; ) {
    const nos = await publishedNosAfter(db.read, after, batchSize);
    await change(async (context) => {
      // One that was changed meanwhile is listed already.
      const listed = await listingsOf(context.trx, nos);
      const missing = nos.filter((no) => !listed.has(no));
      await indexProducts(context, missing, { products: [], taxonomy: context.taxonomy });
      context.touched.add(everything);
    });
    const last = nos.at(-1);
    if (last === undefined || nos.length < batchSize) break;
    after = last;
  }
  await db.transaction(unmarkOutdated);
}

async function publishDue(deps: CatalogueWriteDeps): Promise<void> {
  for (;;) {
    const nos = await nosWithDueTimes(deps.db.read, deps.now(), mostDue);
    if (nos.length === 0) return;
    await deps.db.transaction((trx) => changeCatalogueIn(deps, trx, (context) => showDue(context, nos)));
  }
}

/**
 * Gives a product another id, which is the end of its address. Its SKUs go along with their stock, and the old address leads to the
 * new one. @throws {AppError} 404, or for an id that is taken
 */
async function changeAddress(
  deps: CatalogueWriteDeps & { redirects: RedirectsService },
  change: Change,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { trx, actor, note } = change;
  await changeCatalogueIn(deps, trx, async (context) => {
    const stored = await loadProductsById(trx, [from]);
    const [input] = await inputsOf(trx, stored, new Set());
    if (!input) throw notFound();
    if ((await loadProductsById(trx, [to])).length > 0) throw validationError({ id: 'office.goods.taken' });
    await writeProducts(context, [{ ...input, id: to }], change, new Set([from, to]));
    await moveRelations(trx, from, to);
    await moveSoldOut(trx, `product:${from}`, `product:${to}`);
    await removeProduct(context, from, actor);
  });
  note('product', from, changedFields({ id: from }, { id: to }));
  await deps.redirects.put(change, [{ from: `/product/${from}`, to: `/product/${to}` }]);
}

/** The products that ask for the groups are indexed again. */
function createModifierGroupEditor(deps: CatalogueWriteDeps) {
  return {
    /**
     * By id, in the given order; others stay. `skus`: once the import is done. `later` takes the products that are to be indexed after
     * the transaction. @throws {InputError} naming every problem
     */
    upsertModifierGroups: (
      change: Change,
      inputs: readonly ModifierGroupInput[],
      skus: ReadonlySet<string> = new Set(),
      later?: (nos: readonly number[]) => void,
    ): Promise<void> =>
      changeCatalogueIn(deps, change.trx, async (context) => {
        const { trx } = change;
        const stored = await allGroups(trx);
        const problems = await groupProblemsIn(trx, inputs, { modifierGroups: new Set(), skus });
        if (problems.length > 0) throw new InputError(problems);
        const before = new Map(stored.map((group) => [group.id, group]));
        const next = Math.max(-1, ...stored.map(({ position }) => position)) + 1;
        const groups = inputs.map((input, index): GroupRow => {
          const position = before.get(input.id)?.position ?? next + index;
          return { ...input, position };
        });
        const affected = openersOf(new Set(inputs.map(({ id }) => id)), [...stored, ...groups]);
        const products = await productsUsing(trx, affected);
        const put = async () => {
          for (const group of groups) await putGroup(trx, group);
          return context.taxonomy;
        };
        const nos = products.map(({ no }) => no);
        if (later) {
          context.touched.add(everything);
          await put();
          later(nos);
        } else await indexAround(context, nos, put);
        for (const group of groups) {
          const old = before.get(group.id);
          noteDocument(change, 'modifierGroup', old ? contentOf(old) : null, contentOf(group));
        }
      }),
  };
}

/** Each after its product. */
function describeSkus(skus: Awaited<ReturnType<typeof namedSkus>>, locale: Locale): SoldOutItem[] {
  return [...Map.groupBy(skus, ({ productId }) => productId)].flatMap(([productId, each]) => [
    ...each
      .slice(0, 1)
      .map(({ name }) => ({ item: `product:${productId}`, name: inLocale(name, locale), detail: '' })),
    ...each.map(({ sku, name, pairs, options }) => ({
      item: `sku:${sku}`,
      name: inLocale(name, locale),
      detail: [sku, inLocale(optionTextOf(pairs, options), locale)].filter(Boolean).join(' · '),
    })),
  ]);
}

function describeModifiers({ id: group, name, modifiers }: GroupRow, locale: Locale): SoldOutItem[] {
  return modifiers.map((modifier) => ({
    item: `modifier:${group}/${modifier.id}`,
    name: inLocale(modifier.name, locale),
    detail: inLocale(name, locale),
  }));
}

function createItemNames({ db }: CatalogueWriteDeps) {
  return {
    /** As staff choose them: those of `items` that exist. */
    async describeItems(
      items: readonly string[],
      locale: Locale,
      reader: Reader = db.read,
    ): Promise<SoldOutItem[]> {
      const ids = (kind: string) =>
        items.flatMap((item) => (item.startsWith(kind) ? item.slice(kind.length) : []));
      const groups = items.some((item) => item.startsWith('modifier:')) ? await allGroups(reader) : [];
      const known = [
        ...describeSkus(await namedSkus(reader, { skus: ids('sku:'), products: ids('product:') }), locale),
        ...groups.flatMap((group) => describeModifiers(group, locale)),
      ];
      return known.filter(({ item }) => items.includes(item));
    },
    /** A SKU, these products with their SKUs, and modifiers whose names in any language contain the text. */
    async findItems(text: string, products: readonly string[], locale: Locale): Promise<SoldOutItem[]> {
      const wanted = fold(text.trim());
      const skus = await namedSkus(db.read, { skus: [text.trim(), text.trim().toUpperCase()], products });
      const groups = (await allGroups(db.read)).map((group) => ({
        ...group,
        modifiers: group.modifiers.filter(({ name }) =>
          Object.values(name).some((each) => fold(each).includes(wanted)),
        ),
      }));
      return [
        ...groups.flatMap((group) => describeModifiers(group, locale)).slice(0, modifiersFound),
        ...describeSkus(skus, locale),
      ].slice(0, itemsFound);
    },
  };
}

/** Taken back at once, or when the store opens on its next day. */
function createSoldOutEditor(deps: CatalogueWriteDeps) {
  const { db, now } = deps;

  /** Lists, cards and product pages leave out the units of a store that is sold out. */
  async function itemsChanged(trx: Trx, items: readonly string[]): Promise<void> {
    const skus: string[] = [];
    for (const item of items) skus.push(...(await skusOfItem(trx, item)));
    await lockCatalogue(db, trx);
    await stockChanged(deps, trx, { skus, crossed: new Set(skus) });
    await recordCatalogueChange(trx, [topics.soldOut]);
  }

  return {
    /** By SKU, product id, or `<group>/<modifier>`; null if there is none. A SKU comes before a product of the same name. */
    async soldOutItem(name: string): Promise<string | null> {
      for (const item of [`sku:${name}`, `product:${name}`])
        if ((await skusOfItem(db.read, item)).length > 0) return item;
      const [group = '', modifier] = name.split('/');
      const [found] = modifier === undefined ? [] : await groupsById(db.read, [group]);
      return found?.modifiers.some(({ id }) => id === modifier) ? `modifier:${name}` : null;
    },
    ...createItemNames(deps),
    /** What stores have none of now. */
    soldOut: async () => (await soldOutRows(db.read)).filter(({ until }) => until > now()),
    /** Returns until when, epoch ms. */
    async markSoldOut({ trx, note }: Change, store: Store, item: string): Promise<number> {
      const until = nextDaysOpening(store, now());
      const isNew = await putSoldOut(trx, { store_id: store.id, item, until });
      if (isNew) await itemsChanged(trx, [item]);
      note('soldOut', `${store.id} ${item}`, isNew ? undefined : []);
      return until;
    },
    /** False if it is not sold out. */
    async unmarkSoldOut({ trx, note }: Change, storeId: string, item: string): Promise<boolean> {
      const isGone = await deleteSoldOut(trx, storeId, item);
      note('soldOut', `${storeId} ${item}`, isGone ? undefined : []);
      if (isGone) await itemsChanged(trx, [item]);
      return isGone;
    },
    /** Takes back what is over. */
    endSoldOut: (): Promise<void> =>
      db.transaction(async (trx) => {
        const ended = await deleteEndedSoldOut(trx, now());
        if (ended.length > 0) await itemsChanged(trx, [...new Set(ended.map(({ item }) => item))]);
      }),
  };
}
