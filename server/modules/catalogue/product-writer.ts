import type { MediaService } from '#server/modules/media/index.ts';
import { referenceProblems, takenSkus } from './catalogue-problems.ts';
import { indexProducts, type ListingContext, recordIn, unindexProducts } from './index-products.ts';
import type { ListingRecord } from './listing-record.ts';
import { type NameKeys, rankNames } from './name-ranks.ts';
import { quantityOf } from './product.ts';
import { CatalogueInputError, type ProductInput, productProblems } from './product-input.ts';
import { loadDerivedParts, loadProducts, type ProductRow, type StoredProduct } from './product-loader.repository.ts';
import { insertProducts, productNosById, putParts, setSoldOut, takeProductNos, updateProduct } from './products.repository.ts';
import { taxonomyWithStores } from './scopes.ts';
import { scopeNames, type Taxonomy } from './taxonomy.ts';
import { type DerivedParts, type MerchantData, type ProductState, touchedTopics } from './touched-topics.ts';

export interface WriteContext extends ListingContext {
  media: MediaService;
  now: () => number;
  /** Collects the topics that the change touches. */
  touched: Set<string>;
}

export interface WriteOptions {
  /** Name ranks computed before; others are computed when the products are written. */
  names?: ReadonlyMap<string, NameKeys>;
  /** The ids of all products of an import, of which the products are a part. SKUs may move between them. */
  given?: ReadonlySet<string>;
}

/**
 * Adds or updates products by id. Returns whether the name order needs renumbering.
 * @throws {CatalogueInputError} naming every problem
 */
export async function writeProducts(
  context: WriteContext,
  inputs: readonly ProductInput[],
  { names, given }: WriteOptions = {},
): Promise<boolean> {
  const { db, trx } = context;
  await check(context, inputs, given);
  const nosById = await productNosById(
    trx,
    inputs.map(({ id }) => id),
  );
  const before = await loadProducts(trx, [...nosById.values()]);
  const derived = await loadDerivedParts(
    trx,
    before.map(({ row }) => row),
  );
  await unindexProducts(context, before);

  const fresh = inputs.filter(({ id }) => !nosById.has(id));
  let nextNo = fresh.length > 0 ? await takeProductNos(trx, fresh.length) : 0;
  const added = fresh.map((input) => [nextNo++, input] as const);
  const changed = inputs.flatMap((input) => {
    const no = nosById.get(input.id);
    return no === undefined ? [] : [[no, input] as const];
  });
  const now = context.now();
  await insertProducts(db, trx, added, now);
  const rows = new Map(before.map(({ row }) => [row.no, row]));
  for (const [no, input] of changed) await updateProduct(trx, no, input, rows.get(no), now);
  await putParts(db, trx, [...changed, ...added], new Set(nosById.keys()));
  return await list(
    context,
    [...changed, ...added].map(([no]) => no),
    { before, derived, ...(names ? { names } : {}) },
  );
}

/** Products read per query: a statement takes a limited number of parameters. */
const partSize = 500;

/** Removes products from lists while `change` runs, and lists them again as they are afterwards. */
export async function reindexAround(
  context: WriteContext,
  nos: readonly number[],
  change: () => Promise<Taxonomy>,
  names?: ReadonlyMap<string, NameKeys>,
): Promise<boolean> {
  const parts: { nos: readonly number[]; before: StoredProduct[] }[] = [];
  for (let start = 0; start < nos.length; start += partSize) {
    const part = nos.slice(start, start + partSize);
    const before = await loadProducts(context.trx, part);
    await unindexProducts(context, before);
    parts.push({ nos: part, before });
  }
  const taxonomy = await change();
  let needsRebalance = false;
  for (const { nos: part, before } of parts) {
    needsRebalance = (await list({ ...context, taxonomy }, part, { before, ...(names ? { names } : {}) })) || needsRebalance;
  }
  return needsRebalance;
}

interface ListedBefore {
  before: readonly StoredProduct[];
  /** By product number; left out where the caller says itself what the change touches besides the products' own rows. */
  derived?: ReadonlyMap<number, DerivedParts>;
  names?: ReadonlyMap<string, NameKeys>;
}

/** Lists products that are not listed now. */
async function list(given: WriteContext, nos: readonly number[], { before, derived, names }: ListedBefore): Promise<boolean> {
  const { trx, media } = given;
  const stored = await loadProducts(trx, nos);
  const taxonomy = await taxonomyWithStores(trx, media, given.taxonomy, stored);
  const context = { ...given, taxonomy };
  const products = stored.map(({ facts }) => facts).sort((a, b) => a.no - b.no);
  const turned = products.filter((product) => product.soldOut !== (quantityOf(product) === 0));
  for (const product of turned) product.soldOut = !product.soldOut;
  await setSoldOut(context.db, trx, turned);
  const published = products.filter((product) => product.published);
  const places = keptPlaces(before, published);
  for (const { id } of published) {
    const place = names?.get(id);
    if (place) places.set(id, place);
  }
  const unplaced = published.filter(({ id }) => !places.has(id));
  const { keys, needsRebalance } = await rankNames(trx, taxonomy.scopes.get(scopeNames.all)?.id ?? 0, unplaced);
  for (const [id, place] of keys) places.set(id, place);
  const images = await media.images(published.flatMap(imagesOf), trx);
  const records = await indexProducts(context, published, places, images);
  await collectTouched(context, { before, ...(derived ? { derived } : {}) }, stored, records);
  return needsRebalance;
}

/** Compares products with what they were, and collects the topics that differ. */
async function collectTouched(
  { trx, taxonomy, touched }: WriteContext,
  { before, derived }: ListedBefore,
  after: readonly StoredProduct[],
  records: ReadonlyMap<number, ListingRecord>,
): Promise<void> {
  const rows = after.map(({ row }) => row);
  const derivedNow = derived ? await loadDerivedParts(trx, rows) : undefined;
  const state = ({ facts, row }: StoredProduct, record: ListingRecord | null, parts: typeof derived): ProductState => ({
    facts,
    row: merchantData(row),
    derived: parts?.get(row.no) ?? { related: [], cards: [] },
    record,
  });
  const states = new Map(before.map((stored) => [stored.row.no, state(stored, recordIn(stored), derived)]));
  for (const stored of after) {
    const now = state(stored, records.get(stored.row.no) ?? null, derivedNow);
    for (const topic of touchedTopics(states.get(stored.row.no), now, taxonomy)) touched.add(topic);
  }
}

function merchantData({ listing: _listing, sold_out: _soldOut, updated_at: _updatedAt, ...data }: ProductRow): MerchantData {
  return data;
}

/** Products whose name has not changed keep their ranks. */
function keptPlaces(before: readonly StoredProduct[], now: readonly { id: string; name: unknown }[]): Map<string, NameKeys> {
  const names = new Map(now.map(({ id, name }) => [id, JSON.stringify(name)]));
  return new Map(
    before.flatMap((stored) => {
      const record = recordIn(stored);
      return record && names.get(stored.row.id) === JSON.stringify(stored.facts.name)
        ? [[stored.row.id, record.names] as const]
        : [];
    }),
  );
}

async function check(
  { taxonomy, trx, media }: WriteContext,
  inputs: readonly ProductInput[],
  given: ReadonlySet<string> | undefined,
): Promise<void> {
  const invalid = inputs.flatMap(productProblems);
  // Input that does not match the schema cannot be checked further.
  if (invalid.length > 0) throw new CatalogueInputError(invalid);
  const { brands, categories, tags } = taxonomy;
  const images = await media.images(inputs.flatMap(imagesOf), trx);
  const problems = [
    ...referenceProblems(inputs, {
      brands: new Set(brands.keys()),
      categories: new Set(categories.keys()),
      tags: new Set(tags.keys()),
    }),
    ...(await takenSkus(trx, inputs, given)),
    ...inputs.flatMap((input) =>
      imagesOf(input)
        .filter((file) => !images.has(file))
        .map((file) => `product ${input.id}: unknown image ${file}`),
    ),
  ];
  if (problems.length > 0) throw new CatalogueInputError(problems);
}

/** File names of the images that a product names. */
export function imagesOf({ images, options }: Pick<ProductInput, 'images' | 'options'>): string[] {
  return [...new Set([...images, ...options.flatMap(({ values }) => values.flatMap((value) => value.image ?? []))])];
}
