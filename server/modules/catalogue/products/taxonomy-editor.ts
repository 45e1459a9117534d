/** Adds and changes brands, categories and tags, and indexes the products that show them. */
import { type LocalText, localeCodes } from '#contract/locales.ts';
import { everything } from '#db/catalogue-version.ts';
import { type Change, changedFields } from '#server/modules/changes/index.ts';
import { topics } from '#server/platform/topics.ts';
import { putBrand, putCategory, putTag } from '../taxonomy/taxonomy.repository.ts';
import { type BrandInput, type CategoryInput, loadTaxonomy, type TagInput, withDescendants } from '../taxonomy/taxonomy.ts';
import { treeProblems } from './catalogue-problems.ts';
import { type CatalogueWriteDeps, changeCatalogueIn } from './catalogue-transaction.ts';
import { CatalogueInputError } from './product-input.ts';
import { indexAround, type WriteContext } from './product-writer.ts';
import { productNosWhere, productNosWithTags } from './products.repository.ts';

/** Each function adds or updates by id, in the given order; others stay. */
export function createTaxonomyEditor(deps: CatalogueWriteDeps) {
  const operation =
    <I>(upsert: (context: WriteContext, inputs: readonly I[], note: Change['note']) => Promise<void>) =>
    ({ trx, note }: Change, inputs: readonly I[]): Promise<void> =>
      changeCatalogueIn(deps, trx, async (context) => {
        // Products are found by the names of their brand, categories and tags.
        context.touched.add(topics.taxonomy).add(topics.search);
        await upsert(context, inputs, note);
      });
  return {
    upsertBrands: operation(upsertBrands),
    /** Parents before children. @throws {CatalogueInputError} if a parent is unknown, below its own child or too deep */
    upsertCategories: operation(upsertCategories),
    upsertTags: operation(upsertTags),
  };
}

async function upsertBrands(context: WriteContext, brands: readonly BrandInput[], note: Change['note']): Promise<void> {
  const { trx, media } = context;
  const known = context.taxonomy.brands;
  const next = positionAfter(known);
  const renamed = brands.filter(({ id, name }) => known.has(id) && !isSameText(known.get(id)?.name, name)).map(({ id }) => id);
  await indexAround(context, await productNosWhere(trx, 'brand_id', renamed), async () => {
    for (const [index, { id, name, story, image }] of brands.entries()) {
      const before = known.get(id);
      const position = before?.position ?? next + index;
      note('brand', id, before && changedFields({ ...before, image: before.imageFile }, { ...before, name, story, image }));
      await putBrand(trx, { id, name: JSON.stringify(name), story: JSON.stringify(story), image, position });
    }
    return loadTaxonomy(trx, media);
  });
}

async function upsertCategories(
  context: WriteContext,
  categories: readonly CategoryInput[],
  note: Change['note'],
): Promise<void> {
  const { trx, media, taxonomy } = context;
  const known = taxonomy.categories;
  const next = positionAfter(known);
  const problems = treeProblems(taxonomy, categories);
  if (problems.length > 0) throw new CatalogueInputError(problems);
  const changed = categories.filter(({ id, name, parent }) => {
    const before = known.get(id);
    return before && (before.parentId !== parent || !isSameText(before.name, name));
  });
  // A product is in the lists of all categories above its own.
  if (changed.some(({ id, parent }) => known.get(id)?.parentId !== parent)) context.touched.add(everything);
  const affected = changed.flatMap(({ id }) => withDescendants(taxonomy, id));
  await indexAround(context, await productNosWhere(trx, 'category_id', affected), async () => {
    for (const [index, { id, parent, name, description, image }] of categories.entries()) {
      const before = known.get(id);
      const position = before?.position ?? next + index;
      const fields = { parentId: parent, name, description, image };
      note('category', id, before && changedFields({ ...before, image: before.imageFile }, { ...before, ...fields }));
      const texts = { name: JSON.stringify(name), description: JSON.stringify(description) };
      await putCategory(trx, { id, parent_id: parent, ...texts, image, position });
    }
    return loadTaxonomy(trx, media);
  });
}

async function upsertTags(context: WriteContext, tags: readonly TagInput[], note: Change['note']): Promise<void> {
  const { trx, media } = context;
  const known = context.taxonomy.tags;
  const next = positionAfter(known);
  const renamed = tags.filter(({ id, name }) => known.has(id) && !isSameText(known.get(id)?.name, name)).map(({ id }) => id);
  await indexAround(context, await productNosWithTags(trx, renamed), async () => {
    for (const [index, { id, name, description }] of tags.entries()) {
      const before = known.get(id);
      const position = before?.position ?? next + index;
      note('tag', id, before && changedFields(before, { ...before, name, description }));
      await putTag(trx, { id, name: JSON.stringify(name), description: JSON.stringify(description), position });
    }
    return loadTaxonomy(trx, media);
  });
}

/** The position after all others; a removed one leaves a gap. */
function positionAfter(known: ReadonlyMap<string, { position: number }>): number {
  return Math.max(-1, ...[...known.values()].map(({ position }) => position)) + 1;
}

function isSameText(a: LocalText | undefined, b: LocalText): boolean {
  return localeCodes.every((locale) => a?.[locale] === b[locale]);
}
