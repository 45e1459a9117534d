/** The room Goods: products as the office lists, reads and edits them. */
import type { FastifyInstance } from 'fastify';
import {
  canonicalText,
  inLocale,
  type Locale,
  type LocalText,
  localeCodes,
  mainLocale,
} from '#contract/locales.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { edited, valueAt } from '#contract/rules/patch.ts';
import type { ProductModifierGroup } from '#contract/schemas/modifier-input.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffBody, StaffQuery, StaffResponse } from '#contract/staff/endpoints.ts';
import type { GoodsFilter, GoodsNames, ProductDocument } from '#contract/staff/goods.ts';
import type { Database, Reader } from '#db/database.ts';
import { type StaffCall, serveChange, serveStaff } from '#server/http/staff-endpoint.ts';
import {
  type Change,
  type ChangesService,
  contentAt,
  createStaleTexts,
  type FieldChange,
  patched,
  permissionOf,
  requireSeen,
  revisionOf,
} from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { InputError, notFound, validationError } from '#server/platform/errors.ts';
import { pathOf } from '#server/platform/local-texts.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';
import type { CatalogueService } from '../lists/catalogue.service.ts';
import { productGroupProblems } from '../modifiers/modifier-group-input.ts';
import { groupsById } from '../modifiers/modifier-groups.repository.ts';
import { resolveGroups, shownGroups } from '../modifiers/modifier-groups.ts';
import type { CatalogueEditor } from '../products/catalogue.editor.ts';
import { inputsOf, storedProducts } from '../products/catalogue-export.ts';
import { makeAlphabets } from '../products/listing.ts';
import { type CatalogueProduct, imagesOf, quantityOf } from '../products/product.ts';
import { ProductInput } from '../products/product-input.ts';
import { loadAfter, loadProducts, loadProductsById } from '../products/product-loader.repository.ts';
import { productNames } from '../products/products.repository.ts';
import { type TaxonomyNames, withDescendants } from '../taxonomy/taxonomy.ts';
import { type FoundBy, goodsIds, goodsPage } from './goods.repository.ts';
import type { GoodsChanges } from './goods-changes.ts';

export interface OfficeGoodsDeps {
  db: Database;
  now: () => number;
  changes: ChangesService;
  media: MediaService;
  settings: Pick<SettingsService, 'all'>;
  stores: Pick<StoresService, 'all' | 'read' | 'soldOut'>;
  catalogue: CatalogueService;
  editor: CatalogueEditor;
}

/** Products of a page. */
const pageSize = 50;
/** That are read at once, of all. */
const pieceSize = 250;
const mostBytes = 4 * 1024 * 1024;

/** @throws {AppError} 404 for a category that is not there */
export async function foundBy(
  catalogue: CatalogueService,
  { text = '', category, ...filter }: GoodsFilter,
): Promise<FoundBy> {
  const names = await catalogue.names();
  if (category !== undefined && !names.categories.has(category)) throw notFound();
  const wanted = text.trim();
  // What another spelling would find stays out: a filter is what is written.
  const { rankGroups, correctedTo } = await catalogue.planText(wanted);
  const groups = correctedTo === null ? (rankGroups.at(-1) ?? []) : [];
  return {
    ...filter,
    ...(category === undefined ? {} : { categories: withDescendants(names, category) }),
    ...(wanted === '' ? {} : { words: { text: wanted, groups } }),
  };
}

/** Null for what the engines find as soon: without words, a tag and the stock of a store, or with others that leave few of them. */
function listedOf(catalogue: CatalogueService, { words, tag, stock, store, ...others }: FoundBy) {
  const held = stock === undefined || store === undefined ? {} : { stock, store };
  const isNamed = words !== undefined || tag !== undefined;
  const isAlone =
    (stock === undefined || 'store' in held) && Object.values(others).every((value) => value === undefined);
  if (isNamed ? !isAlone : !('store' in held)) return null;
  return catalogue.listed({ groups: words?.groups, tag, ...held });
}

/** @throws {AppError} 404 */
async function storedProduct(deps: Pick<OfficeGoodsDeps, 'stores'>, reader: Reader, id: string) {
  const [stored] = await storedProducts(deps, reader, [id]);
  if (!stored) throw notFound();
  return stored;
}

function createOfficeGoods(deps: OfficeGoodsDeps) {
  const { db, now, media, settings, stores, catalogue, editor } = deps;
  return {
    async page({ skip = 0, lang: _lang, ...filter }: StaffQuery<'goods'>): Promise<StaffResponse<'goods'>> {
      const found = await foundBy(catalogue, filter);
      const { count, nos } = await goodsPage(
        db,
        found,
        { skip, most: pageSize },
        await listedOf(catalogue, found),
      );
      const stored = await loadProducts(db.read, nos);
      const images = await media.images(stored.flatMap(({ facts }) => facts.images[0] ?? []));
      return {
        count,
        products: stored
          .toSorted((a, b) => b.row.no - a.row.no)
          .map(({ facts }) => ({ ...inList(facts), image: images.get(facts.images[0] ?? '') ?? null })),
      };
    },

    async ids({
      skip = 0,
      most = pageSize,
      lang: _lang,
      ...filter
    }: StaffQuery<'goodsIds'>): Promise<StaffResponse<'goodsIds'>> {
      const found = await goodsIds(db, await foundBy(catalogue, filter), { skip, most });
      return { ids: found.map(({ id }) => id) };
    },

    async names(): Promise<GoodsNames> {
      const [{ currency }, all] = [await settings.all(), await stores.all()];
      return { currency, ...labelled(await catalogue.names()), stores: all.map(named) };
    },

    async read(id: string): Promise<StaffResponse<'product'>> {
      const revision = await revisionOf(db.read, { kind: 'product', ids: [id] });
      const { input, facts } = await storedProduct(deps, db.read, id);
      const pictures = Object.fromEntries(await media.images(imagesOf(input)));
      const outdated = await outdatedTexts(deps.changes, input);
      const related = await namesOf(db.read, input.related);
      return {
        revision,
        content: input as ProductDocument,
        pictures,
        related,
        whyNot: whyNot(facts, now()),
        outdated,
      };
    },

    /** @throws {AppError} 404; {InputError} for groups that could not be saved */
    async try(id: string, edits: Patch['edits']): Promise<StaffResponse<'tryProduct'>> {
      const { input } = await storedProduct(deps, db.read, id);
      const product = { ...edited(input, edits), id };
      const { modifierGroups = [] } = product;
      const groups = await groupsIn(db.read, modifierGroups);
      const problems = [
        ...schemaProblems(ProductInput, product),
        ...productGroupProblems(modifierGroups, groups),
      ];
      if (problems.length > 0) throw refused(id, problems);
      const resolved = await resolveGroups(db.read, new Map([[id, modifierGroups]]));
      return { groups: shownGroups(resolved.get(id) ?? [], await stores.soldOut()) };
    },

    /** @throws {AppError} for an id that is taken */
    async add(change: Change, { id, name, like }: StaffBody<'addProduct'>): Promise<void> {
      await editor.lock(change.trx);
      if ((await loadProductsById(change.trx, [id])).length > 0)
        throw validationError({ id: 'office.goods.taken' });
      const model = like === null ? undefined : (await storedProduct(deps, change.trx, like)).input;
      await editor.upsertProducts(change, [
        newProduct({ id, name, now: now(), like: model, ...(await catalogue.names()) }),
      ]);
    },

    /** @throws {AppError} CONFLICT; {InputError} naming every problem */
    async save(change: Change, id: string, patch: Patch): Promise<void> {
      await editor.lock(change.trx);
      const { input } = await storedProduct(deps, change.trx, id);
      const product = await patched(change.trx, { kind: 'product', ids: [id] }, input, patch);
      await write(deps, change, { input, product: { ...product, id } });
    },

    /** @throws {AppError} 404; CONFLICT if somebody has changed it since it was seen; {InputError} naming what is no longer possible */
    async restore(
      change: Change,
      id: string,
      { revision, seen }: StaffBody<'restoreProduct'>,
    ): Promise<void> {
      await editor.lock(change.trx);
      await requireSeen(change.trx, { kind: 'product', ids: [id] }, seen);
      const { input } = await storedProduct(deps, change.trx, id);
      const then = await contentAt(change.trx, { kind: 'product', id }, input, revision);
      await write(deps, change, { input, product: withStockOf(then, input) });
    },
  };
}

const refused = (id: string, problems: readonly Problem[]) =>
  new InputError(problems.map((each) => ({ ...each, path: ['products', id, ...each.path] })));

async function groupsIn(reader: Reader, used: readonly ProductModifierGroup[]) {
  const ids = [...new Set(used.map(({ group }) => group))];
  const groups = ids.length === 0 ? [] : await groupsById(reader, ids);
  return new Map(groups.map((group) => [group.id, group]));
}

/** Of those that are there. */
async function namesOf(reader: Reader, ids: readonly string[]): Promise<GoodsNames['tags']> {
  return (await productNames(reader, ids)).map(named);
}

/** @throws {InputError} naming every problem */
async function write(
  { editor }: OfficeGoodsDeps,
  change: Change,
  { input, product }: Record<'input' | 'product', ProductInput>,
) {
  const { id } = input;
  const problems = schemaProblems(ProductInput, product);
  if (problems.length > 0) throw refused(id, problems);
  const kept = new Set(product.skus.map(({ sku }) => sku));
  const gone = input.skus.find(
    ({ sku, stock }) => !kept.has(sku) && Object.values(stock).some((units) => units > 0),
  );
  if (gone) throw new InputError([problem(['products', id, 'skus', gone.sku], 'problem.invalid')]);
  await editor.upsertProducts(change, [product]);
}
const named = ({ id, name }: { id: string; name: LocalText }) => ({ name: id, nameContent: name });

/** With their parents in the label. */
export function labelledCategories({
  categories,
}: Pick<TaxonomyNames, 'categories'>): GoodsNames['categories'] {
  const pathTo = (id: string, code: Locale): string => {
    const category = categories.get(id);
    const own = category ? inLocale(category.name, code) : id;
    return category?.parentId ? `${pathTo(category.parentId, code)} › ${own}` : own;
  };
  const paths = [...categories.keys()].map((id) => ({
    id,
    name: Object.fromEntries(localeCodes.map((code) => [code, pathTo(id, code)])),
  }));
  return paths
    .map(named)
    .sort((a, b) => (canonicalText(a.nameContent) < canonicalText(b.nameContent) ? -1 : 1));
}

function labelled({
  brands,
  tags,
  ...names
}: TaxonomyNames): Pick<GoodsNames, 'brands' | 'categories' | 'tags'> {
  return {
    brands: [...brands.values()].map(named),
    categories: labelledCategories(names),
    tags: [...tags.values()].map(named),
  };
}

/** A SKU that is given away has the price 0 of its own. */
const isPriced = ({ skus }: CatalogueProduct): boolean =>
  skus.every(({ priceCents, hasOwnPrice }) => priceCents > 0 || hasOwnPrice);

function inList(facts: CatalogueProduct) {
  const { id, name, status, published, brand, category, priceCents, compareAtCents, skus } = facts;
  const prices = skus.map(({ priceCents }) => priceCents);
  return {
    id,
    name,
    status,
    published,
    brand,
    category,
    priceCents,
    compareAtCents,
    priced: isPriced(facts),
    lowestCents: Math.max(0, Math.min(...prices)),
    highestCents: Math.max(0, ...prices),
    skus: skus.length,
    firstSku: skus[0]?.sku ?? '',
    quantity: quantityOf(facts),
  };
}

function whyNot(facts: CatalogueProduct, now: number): StaffResponse<'product'>['whyNot'] {
  const { status, publishAt, unpublishAt } = facts;
  const isOver = unpublishAt !== null && unpublishAt <= now;
  return [
    ...(status === 'active' ? [] : [status]),
    ...(status === 'active' && isOver ? (['over'] as const) : []),
    ...(status === 'active' && !isOver && publishAt !== null && publishAt > now ? (['notYet'] as const) : []),
    ...(quantityOf(facts) > 0 ? [] : (['soldOut'] as const)),
    ...(isPriced(facts) ? [] : (['noPrice'] as const)),
    ...(facts.images.length > 0 ? [] : (['noPicture'] as const)),
  ];
}

interface NewProduct extends Pick<StaffBody<'addProduct'>, 'id' | 'name'> {
  now: number;
  like: ProductInput | undefined;
  brands: ReadonlyMap<string, unknown>;
  categories: ReadonlyMap<string, unknown>;
}

/** Not published, with SKUs and without stock of its own. @throws {AppError} in a shop without brands or categories */
function newProduct({ id, name, now, like, brands, categories }: NewProduct): ProductInput {
  const [brand] = brands.keys();
  const [category] = categories.keys();
  if (brand === undefined || category === undefined)
    throw validationError({ id: 'office.goods.needsTaxonomy' });
  const texts = Object.fromEntries(Object.keys(name).map((code) => [code, '']));
  const usual: ProductInput = {
    id,
    name,
    brand,
    category,
    shortDescription: texts,
    createdAt: now,
    description: Object.fromEntries(Object.keys(name).map((code) => [code, []])),
    tags: [],
    priceCents: 0,
    compareAtCents: null,
    clearance: false,
    newArrival: false,
    inStoreOnly: false,
    taxClass: 'standard',
    weightGrams: null,
    details: {},
    options: [],
    images: [],
    related: [],
    skus: [{ sku: id, options: {}, stock: {} }],
  };
  const skus = like?.skus.map(({ gtin: _gtin, ...sku }, index) => ({
    ...sku,
    sku: index === 0 ? id : `${id}-${index + 1}`.slice(0, 100),
    stock: {},
  }));
  return { ...usual, ...like, id, name, createdAt: now, status: 'draft', ...(skus && { skus }) };
}

function offerProducts(deps: OfficeGoodsDeps): void {
  deps.changes.offer({
    kind: 'product',
    schema: ProductInput,
    needs: permissionOf('saveProduct'),
    async *pieces(reader) {
      for (let after: number | undefined = 0; after !== undefined; ) {
        const stored = await loadAfter(reader, after, { limit: pieceSize, unpublished: true });
        after = stored.at(-1)?.row.no;
        if (stored.length > 0) yield await inputsOf(reader, stored, new Set());
      }
    },
    read: async (reader, ids) => (await storedProducts(deps, reader, ids)).map(({ input }) => input),
    async edit(change, id, make) {
      await deps.editor.lock(change.trx);
      const { input } = await storedProduct(deps, change.trx, id);
      await write(deps, change, { input, product: { ...(make(input) as ProductInput), id } });
      return undefined;
    },
  });
}

export function registerOfficeGoods(
  app: FastifyInstance,
  deps: OfficeGoodsDeps & { goodsChanges: GoodsChanges },
): void {
  const office = createOfficeGoods(deps);
  offerProducts(deps);
  const { changes, editor, goodsChanges } = deps;
  app.addHook('onReady', async () => makeAlphabets());
  serveStaff(app, 'changeGoods', ({ permit, body, lang }) => goodsChanges.begin(permit.actor, body, lang));
  const rows = ({ permit, body, lang }: StaffCall<'changeGoodsRows'>) =>
    goodsChanges.beginRows(permit.actor, body.rows, lang);
  serveStaff(app, 'changeGoodsRows', rows, { limit: mostBytes });
  serveStaff(app, 'goodsChanges', ({ lang }) => goodsChanges.latest(lang));
  serveStaff(app, 'takeGoodsChangeBack', ({ permit, params, lang }) =>
    goodsChanges.takeBack(permit.actor, params.change, lang),
  );
  serveStaff(app, 'goods', ({ query }) => office.page(query));
  serveStaff(app, 'goodsIds', ({ query }) => office.ids(query));
  serveStaff(app, 'goodsNames', () => office.names());
  serveStaff(app, 'product', ({ params }) => office.read(params.product));
  serveStaff(app, 'tryProduct', ({ params, body }) => office.try(params.product, body.edits));
  serveStaff(app, 'addProduct', async ({ permit, body }) => {
    await changes.run(permit.actor, 'products add', (change) => office.add(change, body));
    return office.read(body.id);
  });
  serveStaff(app, 'moveProduct', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'products move', (change) =>
      editor.changeAddress(change, { from: params.product, to: body.id }),
    );
    return office.read(body.id);
  });
  const save = async ({ permit, params, body }: StaffCall<'saveProduct'>) => {
    await changes.run(permit.actor, 'products change', (change) => office.save(change, params.product, body));
    return office.read(params.product);
  };
  serveStaff(app, 'saveProduct', save, { limit: mostBytes });
  serveChange(
    app,
    'restoreProduct',
    ({ permit, params, body }) =>
      changes.run(permit.actor, 'products restore', (change) => office.restore(change, params.product, body)),
    ({ params }) => office.read(params.product),
  );
}

/** Changes of a product that are looked at. */
const mostEntries = 500;

type Changes = Pick<ChangesService, 'journal' | 'backs'>;

/** Stock has a history of its own. */
function withStockOf(then: ProductInput, product: ProductInput): ProductInput {
  const stock = new Map(product.skus.map((sku) => [sku.sku, sku.stock]));
  return { ...then, skus: then.skus.map((sku) => ({ ...sku, stock: stock.get(sku.sku) ?? {} })) };
}

/** Translations that are older than the text in the main language, with what that was when they were written. */
async function outdatedTexts(changes: Changes, product: ProductInput): Promise<Record<string, unknown>> {
  const entries = await changes.journal({ kind: 'product', id: product.id, most: mostEntries });
  // Long texts are in the way back alone.
  const isLong = ({ from, to }: FieldChange) => from === undefined && to === undefined;
  const backs = await changes.backs(entries.flatMap(({ no, fields }) => (fields?.some(isLong) ? no : [])));
  const stale = createStaleTexts(mainLocale());
  for (const entry of entries.toReversed()) stale.follow({ ...entry, back: backs.get(entry.no) ?? null });
  const texts = [...stale.of('product', product.id)].flatMap(([field, ofText]) =>
    [...ofText].map(([code, was]) => ({ path: [...pathOf(field), code], was })),
  );
  const there = texts.filter(({ path }) => isText(valueAt(product, path)));
  return Object.fromEntries(there.map(({ path, was }) => [path.join('.'), was ?? null]));
}

const isText = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'string' && value !== '';
