/** The products that show them are indexed again. */
import { type LocalText, localeCodes } from '#contract/locales.ts';
import type { BrandInput, CategoryInput, TagInput } from '#contract/schemas/taxonomy.ts';
import { everything } from '#db/catalogue-version.ts';
import { type Change, noteDocument } from '#server/modules/changes/index.ts';
import { InputError } from '#server/platform/errors.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { loadTaxonomy, putBrand, putCategory, putTag } from '../taxonomy/taxonomy.repository.ts';
import { type TaxonKind, type Taxonomy, taxonTables, withDescendants } from '../taxonomy/taxonomy.ts';
import { treeProblems } from './catalogue-problems.ts';
import { type CatalogueWriteDeps, changeCatalogueIn } from './catalogue-transaction.ts';
import { indexAround, type WriteContext } from './product-writer.ts';
import { productNosOf } from './products.repository.ts';

/** Takes the products that are to be indexed again after the transaction, and the taxonomy by which they were indexed. */
export type IndexLater = (nos: readonly number[], before: Taxonomy) => void;
type Write<I> = (
  context: WriteContext,
  inputs: readonly I[],
  change: Change,
  later: IndexLater | undefined,
) => Promise<void>;

/** By id, in the given order; others stay. */
export function createTaxonomyEditor(deps: CatalogueWriteDeps) {
  const operation =
    <I>(write: Write<I>) =>
    (change: Change, inputs: readonly I[], later?: IndexLater): Promise<void> =>
      changeCatalogueIn(deps, change.trx, async (context) => {
        // Products are found by the names of their brand, categories and tags.
        context.touched.add(topics.taxonomy).add(topics.search);
        await write(context, inputs, change, later);
      });
  return {
    upsertBrands: operation(upsertBrands),
    /** Parents before children. @throws {InputError} if a parent is unknown, below its own child or too deep */
    upsertCategories: operation(upsertCategories),
    upsertTags: operation(upsertTags),
  };
}

const upsertBrands: Write<BrandInput> = (context, inputs, change, later) => {
  const known = context.taxonomy.brands;
  return upsert(
    context,
    { kind: 'brand', inputs, changed: renamed(inputs, known), later },
    (input, position) => {
      const { id, name, story, image } = input;
      const before = known.get(id);
      const stored = before && { id, name: before.name, story: before.story, image: before.imageFile };
      const brand: BrandInput = { id, name, story, image };
      noteDocument(change, 'brand', stored ?? null, brand);
      return putBrand(context.trx, {
        id,
        name: JSON.stringify(name),
        story: JSON.stringify(story),
        image,
        position,
      });
    },
  );
};

const upsertTags: Write<TagInput> = (context, inputs, change, later) => {
  const known = context.taxonomy.tags;
  return upsert(
    context,
    { kind: 'tag', inputs, changed: renamed(inputs, known), later },
    (input, position) => {
      const { id, name, description } = input;
      const before = known.get(id);
      const stored = before && { id, name: before.name, description: before.description };
      const tag: TagInput = { id, name, description };
      noteDocument(change, 'tag', stored ?? null, tag);
      return putTag(context.trx, {
        id,
        name: JSON.stringify(name),
        description: JSON.stringify(description),
        position,
      });
    },
  );
};

const upsertCategories: Write<CategoryInput> = async (context, inputs, change, later) => {
  const { trx, taxonomy } = context;
  const known = taxonomy.categories;
  const problems = treeProblems(taxonomy, inputs);
  if (problems.length > 0) throw new InputError(problems);
  const moved = inputs
    .filter(({ id, parent }) => known.has(id) && known.get(id)?.parentId !== parent)
    .map(({ id }) => id);
  // A product is in the lists of all categories above its own.
  if (moved.length > 0) context.touched.add(everything);
  const changed = [...new Set([...moved, ...renamed(inputs, known)])].flatMap((id) =>
    withDescendants(taxonomy, id),
  );
  await upsert(
    context,
    { kind: 'category', inputs, changed, later },
    ({ id, parent, name, description, image }, position) => {
      const before = known.get(id);
      const stored: CategoryInput | null = before
        ? {
            id,
            parent: before.parentId,
            name: before.name,
            description: before.description,
            image: before.imageFile,
          }
        : null;
      const category: CategoryInput = { id, parent, name, description, image };
      noteDocument(change, 'category', stored, category);
      const texts = { name: JSON.stringify(name), description: JSON.stringify(description) };
      return putCategory(trx, { id, parent_id: parent, ...texts, image, position });
    },
  );
};

interface Upsert<Input> {
  kind: TaxonKind;
  inputs: readonly Input[];
  /** The ids whose products are found or listed differently afterwards. */
  changed: readonly string[];
  later: IndexLater | undefined;
}

async function upsert<Input extends { id: string }>(
  context: WriteContext,
  { kind, inputs, changed, later }: Upsert<Input>,
  put: (input: Input, position: number) => Promise<void>,
): Promise<void> {
  const { trx, media, taxonomy } = context;
  const known: ReadonlyMap<string, { position: number }> = taxonomy[taxonTables[kind]];
  // After all others; a removed one leaves a gap.
  const next = Math.max(-1, ...[...known.values()].map(({ position }) => position)) + 1;
  const nos = await productNosOf(trx, kind, changed);
  const write = async () => {
    for (const [index, input] of inputs.entries())
      await put(input, known.get(input.id)?.position ?? next + index);
    return loadTaxonomy(trx, media);
  };
  if (!later) return indexAround(context, nos, write);
  await write();
  later(nos, taxonomy);
}

function renamed(
  inputs: readonly { id: string; name: LocalText }[],
  known: ReadonlyMap<string, { name: LocalText }>,
): string[] {
  const isSame = (a: LocalText, b: LocalText) => localeCodes.every((locale) => a[locale] === b[locale]);
  return inputs.flatMap(({ id, name }) => {
    const before = known.get(id);
    return before && !isSame(before.name, name) ? [id] : [];
  });
}
