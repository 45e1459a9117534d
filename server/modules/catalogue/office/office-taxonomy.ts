/** The room Categories, brands and tags: as the office lists, edits, orders and merges them. */
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { type LocalText, mainLocale } from '#contract/locales.ts';
import { problem } from '#contract/problems.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { BrandInput, CategoryInput, TagInput } from '#contract/schemas/taxonomy.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { AddressKind } from '#contract/staff/taxonomy.ts';
import { everything } from '#db/catalogue-version.ts';
import type { Reader } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import {
  type Change,
  type ChangesService,
  createDocuments,
  type DocumentKind,
  type RunChange,
  serveDocuments,
} from '#server/modules/changes/index.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { freeId } from '#server/platform/slugs.ts';
import { allGroups } from '../modifiers/modifier-groups.repository.ts';
import type { CatalogueEditor } from '../products/catalogue.editor.ts';
import {
  moveProducts,
  placeTaxon,
  productCounts,
  productsOf,
} from '../products/catalogue-removal.repository.ts';
import { type CatalogueWriteDeps, changeCatalogueIn } from '../products/catalogue-transaction.ts';
import { markOutdated, unmarkOutdated } from '../products/listings.repository.ts';
import { loadProducts, loadProductsById } from '../products/product-loader.repository.ts';
import { indexAround, indexProducts } from '../products/product-writer.ts';
import type { IndexLater } from '../products/taxonomy-editor.ts';
import {
  allBrands,
  allCategories,
  allTags,
  brandOf,
  categoryOf,
  loadTaxonomy,
  tagOf,
} from '../taxonomy/taxonomy.repository.ts';
import {
  childrenOf,
  kindOf,
  type TaxonKind,
  type Taxonomy,
  taxonTables,
  withDescendants,
} from '../taxonomy/taxonomy.ts';

export interface OfficeTaxonomyDeps extends CatalogueWriteDeps {
  changes: ChangesService;
  editor: CatalogueEditor;
}

/** How long a piece of the products should take, ms: half of what a transaction of the staff may. */
const pieceMs = 20;
const mostInPiece = 50;

async function listTaxons(
  { db, media }: OfficeTaxonomyDeps,
  kind: TaxonKind,
): Promise<StaffResponse<'categories'>> {
  const taxonomy = await loadTaxonomy(db.read, media);
  const counts = await productCounts(db.read, kind);
  const below = (id: string) => (kind === 'category' ? withDescendants(taxonomy, id) : [id]);
  return {
    taxons: inOrder(taxonomy, kind).map((taxon) => ({
      id: taxon.id,
      name: taxon.name,
      parent: taxon.parentId ?? null,
      image: taxon.image ?? null,
      products: below(taxon.id).reduce((sum, id) => sum + (counts.get(id) ?? 0), 0),
    })),
  };
}

export type OfficeTaxonomy = ReturnType<typeof createOfficeTaxonomy>;

export function createOfficeTaxonomy(deps: OfficeTaxonomyDeps) {
  const { db, media, editor } = deps;
  return {
    list: (kind: TaxonKind) => listTaxons(deps, kind),

    /** Free as of now: whoever adds under it first has it. */
    async freeAddress(kind: AddressKind, name: string): Promise<string> {
      if (kind === 'product')
        return freeId(name, kind, async (id) => (await loadProductsById(db.read, [id])).length > 0);
      if (kind === 'modifierGroup') {
        const groups = new Set((await allGroups(db.read)).map(({ id }) => id));
        return freeId(name, 'group', (id) => groups.has(id));
      }
      const taxonomy = await loadTaxonomy(db.read, media);
      return freeId(name, kind, (id) => taxonomy[taxonTables[kind]].has(id));
    },

    move: (change: Change, kind: TaxonKind, id: string, before: string | null) =>
      moveTaxon(deps, change, kind, { id, before }),

    /**
     * Moves the products to `to` in pieces, and what is below to `childrenTo`. What is left of it can be removed then. Ended halfway,
     * it can be begun again.
     */
    async empty(run: RunChange, kind: TaxonKind, { id, to, childrenTo }: Emptying): Promise<void> {
      const below = kind === 'category' ? childrenOf(await loadTaxonomy(db.read, media), id) : [];
      for (const child of below) {
        const rest = await run(async (change) => {
          await editor.lock(change.trx);
          const category = (await allCategories(change.trx))
            .map(categoryOf)
            .find((each) => each.id === child.id);
          if (!category) throw notFound();
          return write(deps, change, editor.upsertCategories, { ...category, parent: childrenTo });
        });
        await rest?.();
      }
      await inPieces((most) => run((change) => moveSome(deps, change, kind, { id, to, most })));
    },
  };
}

/**
 * Indexes products after what they show has changed. A process that ends meanwhile indexes all of them when it starts, if the
 * change has marked the lists as outdated. `before`: the taxonomy by which they were indexed.
 */
export async function indexInPieces(
  deps: CatalogueWriteDeps,
  nos: readonly number[],
  before: Taxonomy | null,
): Promise<void> {
  let done = 0;
  await inPieces(async (most) => {
    const part = nos.slice(done, done + most);
    await deps.db.transaction((trx) =>
      changeCatalogueIn(deps, trx, async (context) => {
        const products = await loadProducts(trx, part);
        await indexProducts(context, part, { products, taxonomy: before ?? context.taxonomy });
        // Their cards may differ although their own facts and words do not.
        context.touched.add(everything);
      }),
    );
    done += part.length;
    return done < nos.length;
  });
  await deps.db.transaction(unmarkOutdated);
}

export interface Emptying {
  id: string;
  /** Null: a tag is taken off. */
  to: string | null;
  childrenTo: string | null;
}

type Upsert<T> = (change: Change, inputs: readonly T[], later?: IndexLater) => Promise<void>;

/** Saves one; the products that show it follow in pieces. A process that ends meanwhile indexes all of them when it starts. */
async function write<T>(deps: OfficeTaxonomyDeps, change: Change, upsert: Upsert<T>, content: T) {
  const left: { nos: readonly number[]; before: Taxonomy }[] = [];
  await upsert(change, [content], (nos, before) => {
    if (nos.length > 0) left.push({ nos, before });
  });
  if (left.length === 0) return undefined;
  await markOutdated(change.trx);
  return async () => {
    for (const { nos, before } of left) await indexInPieces(deps, nos, before);
  };
}

interface Own<T, Given> {
  name: TaxonKind;
  schema: TSchema;
  all: (reader: Reader) => Promise<T[]>;
  upsert: Upsert<T>;
  /** What a new one is, besides its name. */
  fresh: (given: Given) => Omit<T, 'id' | 'name'>;
}

type Named = { id: string; name: LocalText };

function taxonKind<T extends Named & { image?: string | null }, Given extends Named>(
  deps: OfficeTaxonomyDeps,
  { name, schema, all, upsert, fresh }: Own<T, Given>,
): DocumentKind<T, Given> {
  const read = async (reader: Reader, id: string) =>
    (await all(reader)).find((each) => each.id === id) ?? null;
  return {
    name,
    schema,
    lock: deps.editor.lock,
    read,
    all,
    /** Files also bring images along; an edit can only name one that is there. */
    async problems({ image = null }, before) {
      const hasImage =
        image === null || image === before?.image || (await deps.media.images([image])).has(image);
      return hasImage ? [] : [problem(['image'], 'problem.invalid')];
    },
    /** @throws {AppError} for an id that is taken */
    async make({ trx }, given) {
      if (await read(trx, given.id)) throw validationError({ id: 'office.taxon.taken' });
      return { id: given.id, name: given.name, ...fresh(given) } as T;
    },
    write: (change, content) => write(deps, change, upsert, content),
  };
}

/** Among all others of its kind. @throws {AppError} 404 */
function moveTaxon(
  deps: OfficeTaxonomyDeps,
  change: Change,
  kind: TaxonKind,
  { id, before }: { id: string; before: string | null },
): Promise<void> {
  return changeCatalogueIn(deps, change.trx, async ({ trx, taxonomy, touched }) => {
    const known: ReadonlyMap<string, { id: string; position: number }> = taxonomy[taxonTables[kind]];
    const others = [...known.keys()].filter((each) => each !== id);
    if (!known.has(id) || (before !== null && !others.includes(before))) throw notFound();
    const ids = others.toSpliced(before === null ? others.length : others.indexOf(before), 0, id);
    for (const [position, each] of ids.entries())
      if (known.get(each)?.position !== position) await placeTaxon(trx, kind, each, position);
    touched.add(topics.taxonomy);
    const places = [[...known.keys()].indexOf(id), ids.indexOf(id)].map((place) => place + 1);
    change.note(
      kind,
      id,
      places[0] === places[1] ? [] : [{ field: 'place', from: places[0], to: places[1] }],
    );
  });
}

/** Whether there may be more. */
async function moveSome(
  deps: OfficeTaxonomyDeps,
  { trx, note }: Change,
  kind: TaxonKind,
  { id, to, most }: Pick<Emptying, 'id' | 'to'> & { most: number },
): Promise<boolean> {
  const products = await changeCatalogueIn(deps, trx, async (context) => {
    const found = await productsOf(trx, kind, { id, most });
    const nos = found.map(({ no }) => no);
    if (nos.length > 0)
      await indexAround(context, nos, async () => {
        await moveProducts(trx, kind, { from: id, to, at: deps.now(), nos });
        return context.taxonomy;
      });
    return found;
  });
  note(kind, id, []);
  for (const product of products)
    note('product', product.id, [
      kind === 'tag' ? { field: 'tags' } : { field: kind, from: id, ...(to === null ? {} : { to }) },
    ]);
  return products.length === most;
}

/** Takes pieces of a size that keeps each short, until one says that nothing is left. */
async function inPieces(work: (most: number) => Promise<boolean>): Promise<void> {
  for (let size = 4, isLeft = true; isLeft; ) {
    const from = performance.now();
    isLeft = await work(size);
    size = Math.max(
      1,
      Math.min(mostInPiece, Math.floor((size * pieceMs) / Math.max(1, performance.now() - from))),
    );
    await setImmediate();
  }
}

interface Listed {
  id: string;
  name: LocalText;
  parentId?: string | null;
  image?: ImageInfo | null;
}

/** Categories before those below them. */
function inOrder(taxonomy: Taxonomy, kind: TaxonKind): Listed[] {
  if (kind !== 'category') return [...taxonomy[taxonTables[kind]].values()];
  const below = (parent: string | null): Listed[] =>
    childrenOf(taxonomy, parent).flatMap((category) => [category, ...below(category.id)]);
  return below(null);
}

export function registerOfficeTaxonomy(
  app: FastifyInstance,
  deps: OfficeTaxonomyDeps & { officeTaxonomy: OfficeTaxonomy },
): void {
  const { changes, editor, officeTaxonomy: office } = deps;
  const none = { [mainLocale()]: '' };
  const serveKind = <T extends Named, Given extends Named>(own: Own<T, Given>) => {
    const kind = taxonKind(deps, own);
    serveDocuments(app, kind, createDocuments(deps, kind));
    serveStaff(app, taxonTables[own.name], () => office.list(own.name));
  };
  serveKind<CategoryInput, StaffBody<'addCategory'>>({
    name: 'category',
    schema: CategoryInput,
    all: async (reader) => (await allCategories(reader)).map(categoryOf),
    upsert: editor.upsertCategories,
    fresh: ({ parent }) => ({ parent, description: none, image: null }),
  });
  serveKind<BrandInput, StaffBody<'addBrand'>>({
    name: 'brand',
    schema: BrandInput,
    all: async (reader) => (await allBrands(reader)).map(brandOf),
    upsert: editor.upsertBrands,
    fresh: () => ({ story: none, image: null }),
  });
  serveKind<TagInput, StaffBody<'addTag'>>({
    name: 'tag',
    schema: TagInput,
    all: async (reader) => (await allTags(reader)).map(tagOf),
    upsert: editor.upsertTags,
    fresh: () => ({ description: none }),
  });
  serveStaff(app, 'freeAddress', async ({ params, query }) => ({
    id: await office.freeAddress(params.kind, query.name),
  }));
  serveStaff(app, 'moveTaxon', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'taxonomy order', (change) =>
      office.move(change, kindOf(params.kind), params.id, body.before),
    );
    return office.list(kindOf(params.kind));
  });
}
