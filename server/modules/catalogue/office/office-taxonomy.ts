/** The room Categories, brands and tags: as the office lists, edits, orders and merges them. */
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { type LocalText, mainLocale } from '#contract/locales.ts';
import { problem } from '#contract/problems.ts';
import { type ImageInfo, LocalName, LocalText as LocalTextSchema, Nullable } from '#contract/schemas/common.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { AddressKind, TaxonContent } from '#contract/staff/taxonomy.ts';
import { everything } from '#db/catalogue-version.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { type Change, type ChangesService, patched, type RunChange, revisionOf } from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { InputError, notFound, validationError } from '#server/platform/errors.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { isNamed, schemaProblems } from '#server/platform/schema-problems.ts';
import { freeId } from '#server/platform/slugs.ts';
import { allGroups } from '../modifiers/modifier-groups.repository.ts';
import type { CatalogueEditor } from '../products/catalogue.editor.ts';
import { deleteTaxon, moveProducts, placeTaxon, productCounts, productsOf } from '../products/catalogue-removal.repository.ts';
import { type CatalogueWriteDeps, changeCatalogueIn } from '../products/catalogue-transaction.ts';
import { markOutdated, unmarkOutdated } from '../products/listings.repository.ts';
import { loadProducts, loadProductsById } from '../products/product-loader.repository.ts';
import { indexAround, indexProducts } from '../products/product-writer.ts';
import { loadTaxonomy } from '../taxonomy/taxonomy.repository.ts';
import { childrenOf, kindOf, type TaxonKind, type Taxonomy, taxonTables, withDescendants } from '../taxonomy/taxonomy.ts';

export interface OfficeTaxonomyDeps extends CatalogueWriteDeps {
  changes: ChangesService;
  editor: CatalogueEditor;
}

/** How long a piece of the products should take, ms: half of what a transaction of the staff may. */
const pieceMs = 20;
const mostInPiece = 50;

export const taxonSchemas: Readonly<Record<TaxonKind, TSchema>> = {
  brand: Type.Object({ name: LocalName, story: LocalTextSchema, image: Nullable(Type.String()) }),
  category: Type.Object({
    ...{ name: LocalName, description: LocalTextSchema },
    ...{ image: Nullable(Type.String()), parentId: Nullable(Type.String()) },
  }),
  tag: Type.Object({ name: LocalName, description: LocalTextSchema }),
};

async function listTaxons({ db, media }: OfficeTaxonomyDeps, kind: TaxonKind): Promise<StaffResponse<'taxons'>> {
  const taxonomy = await loadTaxonomy(db.read, media);
  const counts = await productCounts(db.read, kind);
  const below = (id: string) => (kind === 'category' ? withDescendants(taxonomy, id) : [id]);
  return {
    taxons: inOrder(taxonomy, kind).map((taxon) => ({
      ...{ id: taxon.id, name: taxon.name },
      parent: taxon.parentId ?? null,
      image: taxon.image ?? null,
      products: below(taxon.id).reduce((sum, id) => sum + (counts.get(id) ?? 0), 0),
    })),
  };
}

export type OfficeTaxonomy = ReturnType<typeof createOfficeTaxonomy>;

function newContent(kind: TaxonKind, parentId: string | null) {
  const none = { [mainLocale()]: '' };
  const content = {
    brand: { story: none, image: null },
    category: { description: none, image: null, parentId },
    tag: { description: none },
  };
  return content[kind];
}

export function createOfficeTaxonomy(deps: OfficeTaxonomyDeps) {
  const { db, media } = deps;

  const put = (run: RunChange, kind: TaxonKind, make: Make) => putTaxon(deps, run, kind, make);

  return {
    list: (kind: TaxonKind) => listTaxons(deps, kind),

    /** Free as of now: whoever adds under it first has it. */
    async freeAddress(kind: AddressKind, name: string): Promise<string> {
      if (kind === 'product') return freeId(name, kind, async (id) => (await loadProductsById(db.read, [id])).length > 0);
      if (kind === 'modifierGroup') {
        const groups = new Set((await allGroups(db.read)).map(({ id }) => id));
        return freeId(name, 'group', (id) => groups.has(id));
      }
      const taxonomy = await loadTaxonomy(db.read, media);
      return freeId(name, kind, (id) => taxonomy[taxonTables[kind]].has(id));
    },

    async read(kind: TaxonKind, id: string): Promise<StaffResponse<'taxon'>> {
      const revision = await revisionOf(db.read, { kind, ids: [id] });
      const taxonomy = await loadTaxonomy(db.read, media);
      const taxon: Listed | undefined = taxonomy[taxonTables[kind]].get(id);
      return { revision, content: contentOf(taxonomy, kind, id), image: taxon?.image ?? null };
    },

    /** @throws {AppError} for an id that is taken; {InputError} for categories too deep */
    add: (run: RunChange, kind: TaxonKind, { id, name, parent }: StaffBody<'addTaxon'>): Promise<void> =>
      put(run, kind, async (_, taxonomy) => {
        if (taxonomy[taxonTables[kind]].has(id)) throw validationError({ id: 'office.taxon.taken' });
        if (!isNamed(name)) throw new InputError([problem([taxonTables[kind], id, 'name', mainLocale()], 'problem.required')]);
        return { id, content: { name, ...newContent(kind, parent) } };
      }),

    /** @throws {AppError} CONFLICT; {InputError} naming every problem */
    save: (run: RunChange, kind: TaxonKind, id: string, patch: Patch): Promise<void> =>
      put(run, kind, async ({ trx }, taxonomy) => {
        const before = contentOf(taxonomy, kind, id);
        const content = await patched(trx, { kind, ids: [id] }, before, patch);
        await check(media, { kind, id }, content, before);
        return { id, content };
      }),

    move: (change: Change, kind: TaxonKind, id: string, before: string | null) => moveTaxon(deps, change, kind, { id, before }),

    /**
     * Moves the products to `to` in pieces, and what is below to `childrenTo`. What is left of it can be removed then. Ended halfway,
     * it can be begun again.
     */
    async empty(run: RunChange, kind: TaxonKind, { id, to, childrenTo }: Emptying): Promise<void> {
      const taxonomy = await loadTaxonomy(db.read, media);
      for (const child of kind === 'category' ? childrenOf(taxonomy, id) : [])
        await put(run, kind, async (_, latest) => ({
          id: child.id,
          content: { ...contentOf(latest, kind, child.id), parentId: childrenTo },
        }));
      await inPieces((most) => run((change) => moveSome(deps, change, kind, { id, to, most })));
    },

    /** What is empty. @throws {AppError} 404 */
    remove: ({ trx }: Change, kind: TaxonKind, id: string): Promise<void> =>
      changeCatalogueIn(deps, trx, async ({ taxonomy, touched }) => {
        if (!taxonomy[taxonTables[kind]].has(id)) throw notFound();
        // A product may have come to it since.
        if ((await productsOf(trx, kind, { id, most: 1 })).length > 0) throw validationError({ to: 'office.taxon.stillUsed' });
        await deleteTaxon(trx, kind, id);
        touched.add(topics.taxonomy).add(topics.search);
      }),
  };
}

/**
 * Indexes products after what they show has changed. A process that ends meanwhile indexes all of them when it starts, if the
 * change has marked the lists as outdated. `before`: the taxonomy by which they were indexed.
 */
export async function indexInPieces(deps: CatalogueWriteDeps, nos: readonly number[], before: Taxonomy | null): Promise<void> {
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

/** Saves one; the products that show it follow in pieces. A process that ends meanwhile indexes all of them when it starts. */
async function putTaxon(deps: OfficeTaxonomyDeps, run: RunChange, kind: TaxonKind, make: Make): Promise<void> {
  const { media, editor } = deps;
  const left = await run(async (change) => {
    await editor.lock(change.trx);
    const made = await make(change, await loadTaxonomy(change.trx, media));
    const later: { nos: readonly number[]; before: Taxonomy }[] = [];
    await upsert(editor, kind, made)(change, (nos, before) => later.push({ nos, before }));
    if (later.some(({ nos }) => nos.length > 0)) await markOutdated(change.trx);
    return later.filter(({ nos }) => nos.length > 0);
  });
  for (const { nos, before } of left) await indexInPieces(deps, nos, before);
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
    change.note(kind, id, places[0] === places[1] ? [] : [{ field: 'place', from: places[0], to: places[1] }]);
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
    note('product', product.id, [kind === 'tag' ? { field: 'tags' } : { field: kind, from: id, ...(to === null ? {} : { to }) }]);
  return products.length === most;
}

/** Takes pieces of a size that keeps each short, until one says that nothing is left. */
async function inPieces(work: (most: number) => Promise<boolean>): Promise<void> {
  for (let size = 4, isLeft = true; isLeft; ) {
    const from = performance.now();
    isLeft = await work(size);
    size = Math.max(1, Math.min(mostInPiece, Math.floor((size * pieceMs) / Math.max(1, performance.now() - from))));
    await setImmediate();
  }
}

type Make = (change: Change, taxonomy: Taxonomy) => Promise<Made>;

interface Made {
  id: string;
  content: TaxonContent;
}

function upsert(editor: CatalogueEditor, kind: TaxonKind, { id, content }: Made) {
  const { name, story = {}, description = {}, image = null, parentId: parent = null } = content;
  type Later = Parameters<CatalogueEditor['upsertTags']>[2];
  const upserts = {
    brand: (change: Change, later: Later) => editor.upsertBrands(change, [{ id, name, story, image }], later),
    category: (change: Change, later: Later) =>
      editor.upsertCategories(change, [{ id, parent, name, description, image }], later),
    tag: (change: Change, later: Later) => editor.upsertTags(change, [{ id, name, description }], later),
  };
  return upserts[kind];
}

/** @throws {AppError} 404 */
function contentOf(taxonomy: Taxonomy, kind: TaxonKind, id: string): TaxonContent {
  const taxon: { name: LocalText } | undefined = taxonomy[taxonTables[kind]].get(id);
  if (!taxon) throw notFound();
  if (kind === 'brand') {
    const { name, story, imageFile: image } = taxon as NonNullable<ReturnType<Taxonomy['brands']['get']>>;
    return { name, story, image };
  }
  if (kind === 'tag') {
    const { name, description } = taxon as NonNullable<ReturnType<Taxonomy['tags']['get']>>;
    return { name, description };
  }
  const { name, description, imageFile: image, parentId } = taxon as NonNullable<ReturnType<Taxonomy['categories']['get']>>;
  return { name, description, image, parentId };
}

/** What a file would be refused for as well. Files also bring images along; an edit can only name one that is there. */
async function check(
  media: MediaService,
  { kind, id }: { kind: TaxonKind; id: string },
  content: TaxonContent,
  before: TaxonContent,
): Promise<void> {
  const { image = null } = content;
  const hasImage = image === null || image === before.image || (await media.images([String(image)])).has(image);
  const problems = [...schemaProblems(taxonSchemas[kind], content), ...(hasImage ? [] : [problem(['image'], 'problem.invalid')])];
  if (problems.length > 0)
    throw new InputError(problems.map((each) => ({ ...each, path: [taxonTables[kind], id, ...each.path] })));
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

export function registerOfficeTaxonomy(app: FastifyInstance, office: OfficeTaxonomy, changes: ChangesService): void {
  serveStaff(app, 'freeAddress', async ({ params, query }) => ({ id: await office.freeAddress(params.kind, query.name) }));
  serveStaff(app, 'taxons', ({ params }) => office.list(kindOf(params.kind)));
  serveStaff(app, 'taxon', ({ params }) => office.read(kindOf(params.kind), params.id));
  serveStaff(app, 'addTaxon', async ({ permit, params, body }) => {
    await office.add(changes.by(permit.actor, 'taxonomy add'), kindOf(params.kind), body);
    return office.list(kindOf(params.kind));
  });
  serveStaff(app, 'saveTaxon', async ({ permit, params, body }) => {
    await office.save(changes.by(permit.actor, 'taxonomy change'), kindOf(params.kind), params.id, body);
    return office.read(kindOf(params.kind), params.id);
  });
  serveStaff(app, 'moveTaxon', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'taxonomy order', (change) =>
      office.move(change, kindOf(params.kind), params.id, body.before),
    );
    return office.list(kindOf(params.kind));
  });
}
