import Type, { type Static } from 'typebox';
import {
  Count,
  described,
  Flag,
  Id,
  ImageInfo,
  LangQuery,
  LocalText as LocalTextSchema,
  Nullable,
  Strict,
} from '../schemas/common.ts';
import { BrandInput, CategoryInput, TagInput } from '../schemas/taxonomy.ts';
import { documentCalls } from './documents.ts';
import { documentOf, lang, type StaffEndpoint } from './endpoint.ts';

const taxon = Strict({ kind: described('`category`, `brand` or `tag`.', Id), id: Id });

export const TaxonList = Type.Object({
  taxons: described(
    'In the merchant’s order; categories before those below them.',
    Type.Array(
      Type.Object({
        id: Id,
        name: LocalTextSchema,
        parent: Nullable(Id),
        image: Nullable(ImageInfo),
        products: described('Those that customers do not see too; of a category with those below it.', Count),
      }),
    ),
  ),
});
export type TaxonList = Static<typeof TaxonList>;

/** What has an address of its own that a name suggests. */
export const addressKinds = ['product', 'category', 'brand', 'tag', 'modifierGroup'] as const;
export type AddressKind = (typeof addressKinds)[number];

const named = { id: Id, name: LocalTextSchema };
const usual = { list: TaxonList, needs: ['goods.read', 'goods.write'], begins: 'after all others' } as const;
const category = documentCalls('category', 'categories', {
  ...usual,
  route: 'categories',
  called: 'a category',
  answer: documentOf(CategoryInput),
  add: Strict({ ...named, parent: Nullable(Id) }),
});
const brand = documentCalls('brand', 'brands', {
  ...usual,
  route: 'brands',
  called: 'a brand',
  answer: documentOf(BrandInput),
  add: Strict(named),
});
const tag = documentCalls('tag', 'tags', {
  ...usual,
  route: 'tags',
  called: 'a tag',
  answer: documentOf(TagInput),
  add: Strict(named),
});

const inPlace = 'Where its products go';
const Ending = Strict({
  to: described(
    `${inPlace}; null: to the category above it, or nowhere if it is a tag or has none. Without a place, it is refused.`,
    Nullable(Id),
  ),
  merge: described('Whether what is below it goes there as well, and its address leads there.', Flag),
});
/** What ending it so would change. */
const AskedEnding = Strict({
  ...lang.properties,
  to: Type.Optional(described(`${inPlace}.`, Id)),
  merge: Type.Optional(Ending.properties.merge),
});

export const taxonomyEndpoints = {
  ...category,
  ...brand,
  ...tag,
  categoryUse: { ...category.categoryUse, query: AskedEnding },
  brandUse: { ...brand.brandUse, query: AskedEnding },
  tagUse: { ...tag.tagUse, query: AskedEnding },
  removeCategory: { ...category.removeCategory, body: Ending },
  removeBrand: { ...brand.removeBrand, body: Ending },
  removeTag: { ...tag.removeTag, body: Ending },
  freeAddress: {
    route: 'GET free-address/:kind',
    summary: 'The address that a name in any script suggests, with a number if it is taken.',
    needs: 'goods.write',
    params: Strict({ kind: Type.Enum(addressKinds) }),
    query: Strict({ name: Type.String({ minLength: 1, maxLength: 300 }), ...LangQuery }),
    response: Type.Object({ id: Id }),
  },
  moveTaxon: {
    route: 'POST taxonomy/:kind/:id/move',
    repeat: 'same',
    summary: 'Puts a category, brand or tag at another place among those of its level.',
    needs: 'goods.write',
    params: taxon,
    body: Strict({ before: described('Which follows it then; null: none.', Nullable(Id)) }),
    response: TaxonList,
  },
} as const satisfies Record<string, StaffEndpoint>;
