/** With all that is derived: how they are listed, their cards, what they are found by. */
import { isDeepStrictEqual } from 'node:util';
import type { FilterRange } from '#contract/list-filters.ts';
import { localeCodes } from '#contract/locales.ts';
import { problem, shown } from '#contract/problems.ts';
import { differences } from '#contract/rules/patch.ts';
import type { Database, Trx } from '#db/database.ts';
import { type Change, changedFields } from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { InputError } from '#server/platform/errors.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { indexEntry } from '../search/tokens.ts';
import { addTermCounts } from '../search/vocabulary.repository.ts';
import type { Taxonomy } from '../taxonomy/taxonomy.ts';
import { cardRow } from './card.ts';
import { inputsOf } from './catalogue-export.ts';
import { groupUseProblems, referenceProblems, takenSkus } from './catalogue-problems.ts';
import { type Listing, listingOf, listTopics } from './listing.ts';
import { listingsOf, putCards, putListings } from './listings.repository.ts';
import { type CatalogueProduct, imagesOf, quantityOf, searchTexts } from './product.ts';
import { type ProductInput, productProblems } from './product-input.ts';
import {
  type DerivedParts,
  loadDerivedParts,
  loadProducts,
  type ProductRow,
  type StoredProduct,
} from './product-loader.repository.ts';
import {
  insertProducts,
  productNosById,
  putParts,
  setSoldOut,
  takeProductNos,
  updateProduct,
} from './products.repository.ts';

export interface WriteContext {
  db: Database;
  trx: Trx;
  taxonomy: Taxonomy;
  prices: readonly FilterRange[];
  media: MediaService;
  now: () => number;
  touched: Set<string>;
}

/** `given`: all products of the import, between which SKUs may move. @throws {InputError} naming every problem */
export async function writeProducts(
  context: WriteContext,
  inputs: readonly ProductInput[],
  { actor, note }: Pick<Change, 'actor' | 'note'>,
  given?: ReadonlySet<string>,
): Promise<void> {
  const { db, trx, taxonomy } = context;
  await check(context, inputs, given);
  const nosById = await productNosById(
    trx,
    inputs.map(({ id }) => id),
  );
  const before = await loadProducts(trx, [...nosById.values()]);
  const rows = new Map(before.map(({ row }) => [row.no, row]));
  const derived = await loadDerivedParts(trx, [...rows.values()]);
  const documents = await documentsOf(trx, before);
  const fresh = inputs.filter(({ id }) => !nosById.has(id));
  let nextNo = fresh.length > 0 ? await takeProductNos(trx, fresh.length) : 0;
  const added = fresh.map((input) => [nextNo++, input] as const);
  const changed = inputs.flatMap((input) => {
    const no = nosById.get(input.id);
    return no === undefined ? [] : [[no, input] as const];
  });
  const now = context.now();
  await insertProducts(db, trx, added, now);
  for (const [no, input] of changed) await updateProduct(trx, { no, input, before: rows.get(no), now });
  await putParts(db, trx, [...changed, ...added], {
    known: new Set(nosById.keys()),
    cause: { at: now, actor },
  });
  const nos = [...changed, ...added].map(([no]) => no);
  const after = await indexProducts(context, nos, { products: before, taxonomy, derived });
  const earlier = new Map(before.map((stored) => [stored.row.no, stored]));
  const edited = await documentsOf(
    trx,
    after.filter(({ row }) => earlier.has(row.no)),
  );
  for (const stored of after) {
    const { no, id } = stored.row;
    const old = earlier.get(no);
    const [then, latest] = [documents.get(no), edited.get(no)];
    note(
      'product',
      id,
      old && changedFields(forJournal(old, then), forJournal(stored, latest)),
      differences(latest, then),
    );
  }
}

/** As people edit them, without stock, which has movements of its own. */
async function documentsOf(trx: Trx, products: readonly StoredProduct[]): Promise<Map<number, ProductInput>> {
  const inputs = await inputsOf(trx, products, new Set());
  return new Map(products.map(({ row }, index) => [row.no, inputs[index] as ProductInput]));
}

/** Under the names of the input, by which people edit it. */
function forJournal({ row, facts }: StoredProduct, document: ProductInput | undefined) {
  const {
    no: _no,
    published: _published,
    soldOut: _soldOut,
    stores: _stores,
    groups: _groups,
    ...fields
  } = facts;
  return {
    ...fields,
    taxClass: row.tax_class,
    weightGrams: row.weight_grams,
    related: document?.related ?? [],
  };
}

const partSize = 500;

/** `change` is of what products are found by or show besides their own data. */
export async function indexAround(
  context: WriteContext,
  nos: readonly number[],
  change: () => Promise<Taxonomy>,
): Promise<void> {
  const parts: { nos: readonly number[]; products: StoredProduct[] }[] = [];
  for (let start = 0; start < nos.length; start += partSize) {
    const part = nos.slice(start, start + partSize);
    parts.push({ nos: part, products: await loadProducts(context.trx, part) });
  }
  const { taxonomy: before } = context;
  const taxonomy = await change();
  for (const { nos: part, products } of parts)
    await indexProducts({ ...context, taxonomy }, part, { products, taxonomy: before });
}

interface Before {
  products: readonly StoredProduct[];
  taxonomy: Taxonomy;
  /** Left out where the caller says itself what the change touches besides the products' own rows. */
  derived?: ReadonlyMap<number, DerivedParts>;
}

export async function indexProducts(
  context: WriteContext,
  nos: readonly number[],
  before: Before,
): Promise<StoredProduct[]> {
  const { db, trx } = context;
  const listed = await listingsOf(trx, nos);
  const stored = (await loadProducts(trx, nos)).sort((a, b) => a.row.no - b.row.no);
  const turned = stored.flatMap(({ facts }) => (facts.soldOut === (quantityOf(facts) === 0) ? [] : [facts]));
  for (const product of turned) product.soldOut = !product.soldOut;
  await setSoldOut(db, trx, turned);
  const published = stored.flatMap(({ facts }) => (facts.published ? [facts] : []));
  const listings = new Map<number, Listing | null>([...listed.keys()].map((no) => [no, null]));
  for (const product of published) listings.set(product.no, listingOf(product));
  await putListings(db, trx, changedListings(listed, listings));
  await putCards(db, trx, nos, await cardsOf(context, published));
  const reworded = await indexWords(context, published, {
    ...before,
    products: before.products.filter(({ row }) => listed.has(row.no)),
  });
  await collectTouched(context, stored, { ...before, listed, listings, reworded });
  return stored;
}

function changedListings(
  before: ReadonlyMap<number, Listing>,
  after: ReadonlyMap<number, Listing | null>,
): Map<number, Listing | null> {
  return new Map([...after].filter(([no, listing]) => !isDeepStrictEqual(before.get(no) ?? null, listing)));
}

async function cardsOf({ trx, media, taxonomy }: WriteContext, products: readonly CatalogueProduct[]) {
  const images = await media.images(products.flatMap(imagesOf), trx);
  return products.flatMap((product) => {
    const brand = taxonomy.brands.get(product.brand);
    if (!brand) throw new Error(`No brand ${product.brand}`);
    return localeCodes.map((language) => ({ language, ...cardRow(product, brand, images, language) }));
  });
}

/** Returns the numbers of those whose words have changed. */
async function indexWords(
  { db, trx, taxonomy }: WriteContext,
  products: readonly CatalogueProduct[],
  before: Before,
): Promise<Set<number>> {
  const entries = new Map(
    products.map((product) => [product.no, indexEntry(searchTexts(product, taxonomy))]),
  );
  const old = new Map(
    before.products.map(({ facts }) => [facts.no, indexEntry(searchTexts(facts, before.taxonomy))]),
  );
  const reworded = new Set(
    [...new Set([...entries.keys(), ...old.keys()])].filter(
      (no) => !isDeepStrictEqual(entries.get(no), old.get(no)),
    ),
  );
  await db.queries.search.remove(
    trx,
    [...old.keys()].filter((no) => reworded.has(no)),
  );
  const documents = [...entries].flatMap(([no, { tokens }]) => (reworded.has(no) ? [{ no, tokens }] : []));
  await db.queries.search.put(trx, documents);
  const changes = new Map<string, { term: string; stem: string; by: number }>();
  for (const [source, by] of [
    [old, -1],
    [entries, 1],
  ] as const)
    for (const no of reworded)
      for (const [term, stem] of source.get(no)?.words ?? [])
        changes.set(term, { term, stem, by: (changes.get(term)?.by ?? 0) + by });
  await addTermCounts(
    db,
    trx,
    [...changes.values()].filter(({ by }) => by !== 0),
  );
  return reworded;
}

interface Compared extends Before {
  listed: ReadonlyMap<number, Listing>;
  listings: ReadonlyMap<number, Listing | null>;
  reworded: ReadonlySet<number>;
}

async function collectTouched(
  context: WriteContext,
  after: readonly StoredProduct[],
  was: Compared,
): Promise<void> {
  const { trx, taxonomy, prices, touched } = context;
  const derivedNow = was.derived
    ? await loadDerivedParts(
        trx,
        after.map(({ row }) => row),
      )
    : undefined;
  const parts = (all: Compared['derived'], no: number): DerivedParts =>
    all?.get(no) ?? { related: [], cards: [] };
  const earlier = new Map(was.products.map((stored) => [stored.row.no, stored]));
  for (const stored of after) {
    const { no } = stored.row;
    const before = earlier.get(no);
    const [from, to] = [was.listed.get(no) ?? null, was.listings.get(no) ?? null];
    const isSame =
      before &&
      isDeepStrictEqual(
        [before.facts, merchantData(before.row), from],
        [stored.facts, merchantData(stored.row), to],
      ) &&
      isDeepStrictEqual(parts(was.derived, no), parts(derivedNow, no));
    if (isSame && !was.reworded.has(no)) continue;
    touched.add(topics.product(no));
    for (const topic of listTopics(from, to, { tree: taxonomy, prices })) touched.add(topic);
    // Results stand in the default order, within filters.
    const isFoundAlike = !was.reworded.has(no) && isDeepStrictEqual(withoutPrice(from), withoutPrice(to));
    if (!isFoundAlike) touched.add(topics.search);
  }
}

function withoutPrice(listing: Listing | null) {
  return listing && { ...listing, price: 0, names: {} };
}

function merchantData({ sold_out: _soldOut, updated_at: _updatedAt, ...data }: ProductRow) {
  return data;
}

async function check(
  { taxonomy, trx, media }: WriteContext,
  inputs: readonly ProductInput[],
  given: ReadonlySet<string> | undefined,
): Promise<void> {
  const invalid = inputs.flatMap(productProblems);
  // Input that does not match the schema cannot be checked further.
  if (invalid.length > 0) throw new InputError(invalid);
  const { brands, categories, tags } = taxonomy;
  const images = await media.images(inputs.flatMap(imagesOf), trx);
  const problems = [
    ...referenceProblems(inputs, {
      brands: new Set(brands.keys()),
      categories: new Set(categories.keys()),
      tags: new Set(tags.keys()),
    }),
    ...(await takenSkus(trx, inputs, given)),
    ...(await groupUseProblems(trx, inputs)),
    ...inputs.flatMap((input) =>
      imagesOf(input)
        .filter((file) => !images.has(file))
        .map((file) =>
          problem(['products', input.id, 'images'], 'problem.reference', {
            kind: 'image',
            found: shown(file),
          }),
        ),
    ),
  ];
  if (problems.length > 0) throw new InputError(problems);
}
