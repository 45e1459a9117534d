import Type, { type Static } from 'typebox';
import type { LocalText } from '../locales.ts';
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
import { documentOf, Patch, type StaffEndpoint } from './endpoint.ts';

const Kind = described('`category`, `brand` or `tag`.', Id);
const kind = Strict({ kind: Kind });
const taxon = Strict({ kind: Kind, id: Id });

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

export interface TaxonContent {
  name: LocalText;
  /** A brand has a story instead. */
  description?: LocalText;
  story?: LocalText;
  /** Tags have none. */
  image?: string | null;
  /** Of a category: null at the top. */
  parentId?: string | null;
}

export const TaxonAnswer = Type.Object({
  ...documentOf(Type.Unsafe<TaxonContent>(Type.Unknown())).properties,
  image: Nullable(ImageInfo),
});

export const TaxonUse = Type.Object({
  products: described('Of this one itself.', Count),
  children: described('The categories below it, by id.', Type.Array(Id)),
  mentions: described(
    'What pages, posts, photos, the header and the footer say about it.',
    Type.Array(
      Type.Object({
        in: Type.Enum(['page', 'post', 'photo', 'header', 'footer', 'menu']),
        name: described('Of the page or menu; the link of the post; the text of the link.', Type.String()),
        lists: described('Whether it lists its products, and does not only link to it.', Flag),
      }),
    ),
  ),
});
export type TaxonUse = Static<typeof TaxonUse>;

/** What has an address of its own that a name suggests. */
export const addressKinds = ['product', 'category', 'brand', 'tag', 'modifierGroup'] as const;
export type AddressKind = (typeof addressKinds)[number];

export const taxonomyEndpoints = {
  freeAddress: {
    route: 'GET free-address/:kind',
    summary: 'The address that a name in any script suggests, with a number if it is taken.',
    needs: 'goods.write',
    params: Strict({ kind: Type.Enum(addressKinds) }),
    query: Strict({ name: Type.String({ minLength: 1, maxLength: 300 }), ...LangQuery }),
    response: Type.Object({ id: Id }),
  },
  taxons: {
    route: 'GET taxonomy/:kind',
    summary: 'The categories, brands or tags, with how many products each has.',
    needs: 'goods.read',
    params: kind,
    response: TaxonList,
  },
  addTaxon: {
    route: 'POST taxonomy/:kind',
    repeat: 'key',
    summary: 'Adds a category, brand or tag after all others.',
    needs: 'goods.write',
    params: kind,
    body: Strict({ id: Id, name: LocalTextSchema, parent: Nullable(Id) }),
    response: TaxonList,
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
  taxon: {
    route: 'GET taxonomy/:kind/:id',
    summary: 'A category, brand or tag, to be edited.',
    needs: 'goods.read',
    params: taxon,
    response: TaxonAnswer,
  },
  saveTaxon: {
    route: 'POST taxonomy/:kind/:id',
    repeat: 'seen',
    summary:
      'Changes fields of a category, brand or tag. A field that somebody else has changed since the revision is a conflict.',
    needs: 'goods.write',
    params: taxon,
    body: Patch,
    response: TaxonAnswer,
  },
  taxonUse: {
    route: 'GET taxonomy/:kind/:id/use',
    summary: 'What depends on a category, brand or tag.',
    needs: 'goods.read',
    params: taxon,
    response: TaxonUse,
  },
  removeTaxon: {
    route: 'POST taxonomy/:kind/:id/remove',
    repeat: 'used',
    summary: 'Removes a category, brand or tag, or merges it into another one, to which its products and its address then lead.',
    needs: 'goods.write',
    params: taxon,
    body: Strict({
      to: described('Where its products go; null only if it is a tag or has none.', Nullable(Id)),
      merge: described('Whether what is below it goes there as well, and its address leads there.', Flag),
    }),
    response: TaxonList,
  },
} as const satisfies Record<string, StaffEndpoint>;
