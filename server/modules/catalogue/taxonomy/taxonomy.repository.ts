/** Few rows, read completely. */
import type { Selectable } from 'kysely';
import type { LocalText } from '#contract/locales.ts';
import type { BrandInput, CategoryInput, TagInput } from '#contract/schemas/taxonomy.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { BrandsTable, CategoriesTable, TagsTable } from '#db/tables.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { Taxonomy, TaxonomyNames } from './taxonomy.ts';

export type BrandRow = Selectable<BrandsTable>;
export type CategoryRow = Selectable<CategoriesTable>;
export type TagRow = Selectable<TagsTable>;

export const allBrands = (db: Reader): Promise<BrandRow[]> =>
  db.selectFrom('brands').selectAll().orderBy('position').orderBy('id').execute();
export const allCategories = (db: Reader): Promise<CategoryRow[]> =>
  db.selectFrom('categories').selectAll().orderBy('position').orderBy('id').execute();
export const allTags = (db: Reader): Promise<TagRow[]> =>
  db.selectFrom('tags').selectAll().orderBy('position').orderBy('id').execute();

/** As merchants write them. */
export const brandOf = ({ id, name, story, image }: BrandRow): BrandInput => ({
  id,
  name: JSON.parse(name),
  story: JSON.parse(story),
  image,
});
export const categoryOf = ({ id, parent_id, name, description, image }: CategoryRow): CategoryInput => ({
  id,
  parent: parent_id,
  name: JSON.parse(name),
  description: JSON.parse(description),
  image,
});
export const tagOf = ({ id, name, description }: TagRow): TagInput => ({
  id,
  name: JSON.parse(name),
  description: JSON.parse(description),
});

export async function loadTaxonomy(reader: Reader, media: MediaService): Promise<Taxonomy> {
  const [brands, categories, tags] = [
    await allBrands(reader),
    await allCategories(reader),
    await allTags(reader),
  ];
  const images = await media.images(
    [...brands, ...categories].flatMap((row) => row.image ?? []),
    reader,
  );
  const imageOf = (file: string | null) => (file === null ? null : (images.get(file) ?? null));
  return {
    brands: byId(brands, ({ story, image, position }) => ({
      story: JSON.parse(story),
      image: imageOf(image),
      imageFile: image,
      position,
    })),
    categories: byId(categories, ({ parent_id, description, image, position }) => ({
      parentId: parent_id,
      description: JSON.parse(description),
      image: imageOf(image),
      imageFile: image,
      position,
    })),
    tags: byId(tags, ({ description, position }) => ({ description: JSON.parse(description), position })),
  };
}

export async function loadNames(reader: Reader): Promise<TaxonomyNames> {
  const [brands, categories, tags] = [
    await allBrands(reader),
    await allCategories(reader),
    await allTags(reader),
  ];
  return {
    brands: byId(brands, () => ({})),
    categories: byId(categories, ({ parent_id }) => ({ parentId: parent_id })),
    tags: byId(tags, () => ({})),
  };
}

function byId<Row extends { id: string; name: string }, More>(
  rows: readonly Row[],
  more: (row: Row) => More,
) {
  return new Map(
    rows.map((row) => [row.id, { id: row.id, name: JSON.parse(row.name) as LocalText, ...more(row) }]),
  );
}

export async function putBrand(trx: Trx, { id, ...rest }: BrandRow): Promise<void> {
  await trx
    .insertInto('brands')
    .values({ id, ...rest })
    .onConflict((c) => c.column('id').doUpdateSet(rest))
    .execute();
}

export async function putCategory(trx: Trx, { id, ...rest }: CategoryRow): Promise<void> {
  await trx
    .insertInto('categories')
    .values({ id, ...rest })
    .onConflict((c) => c.column('id').doUpdateSet(rest))
    .execute();
}

export async function putTag(trx: Trx, { id, ...rest }: TagRow): Promise<void> {
  await trx
    .insertInto('tags')
    .values({ id, ...rest })
    .onConflict((c) => c.column('id').doUpdateSet(rest))
    .execute();
}
