import Type, { type Static } from 'typebox';
import { goodsStatuses, mostRows } from '../limits.ts';
import {
  Cents,
  Count,
  described,
  EpochMs,
  Flag,
  Id,
  ImageInfo,
  LocalText as LocalTextSchema,
  NamedRef,
  Nullable,
  Strict,
} from '../schemas/common.ts';
import { ModifierGroup } from '../schemas/modifiers.ts';
import type { ProductFields } from '../schemas/product.ts';
import { Restored, Revisions } from './documents.ts';
import { documentOf, lang, Patch, type StaffEndpoint } from './endpoint.ts';

const product = Strict({ product: Id });

const Status = Type.Enum(goodsStatuses);

/** The same for a page, a count and a change of all that are found. */
const filters = {
  text: Type.Optional(
    described('Words, the beginning of a SKU, or a bar code.', Type.String({ maxLength: 200 })),
  ),
  brand: Type.Optional(Id),
  category: Type.Optional(described('With those below it.', Id)),
  tag: Type.Optional(Id),
  status: Type.Optional(Status),
  stock: Type.Optional(Type.Enum(['some', 'none'])),
  store: Type.Optional(described('Where `stock` is asked for; left out, anywhere.', Id)),
  without: Type.Optional(Type.Enum(['picture', 'chinese'])),
  fromCents: Type.Optional(Cents),
  toCents: Type.Optional(Cents),
};
export const GoodsFilter = Strict(filters);
export type GoodsFilter = Static<typeof GoodsFilter>;

export const GoodsPage = Type.Object({
  count: described('Of all that are found.', Count),
  products: described(
    'The newest first.',
    Type.Array(
      Type.Object({
        id: Id,
        name: LocalTextSchema,
        status: Status,
        published: described('Whether customers see it now: an active one may have times.', Flag),
        image: Nullable(ImageInfo),
        brand: Id,
        category: Id,
        priceCents: described('Of the product itself.', Cents),
        priced: described(
          'Whether each of its SKUs has a price, if only 0 of its own; else it is not for sale.',
          Flag,
        ),
        lowestCents: Cents,
        highestCents: Cents,
        compareAtCents: Nullable(Cents),
        skus: Count,
        firstSku: Type.String(),
        quantity: described('That can be sold, in all places.', Type.Integer()),
      }),
    ),
  ),
});
export type GoodsPage = Static<typeof GoodsPage>;

export const GoodsNames = Type.Object({
  currency: Type.String(),
  brands: Type.Array(NamedRef),
  categories: described('Below their parents; with its parents in the label.', Type.Array(NamedRef)),
  tags: Type.Array(NamedRef),
  stores: Type.Array(NamedRef),
});
export type GoodsNames = Static<typeof GoodsNames>;

export type ProductDocument = ProductFields;
export type SkuDocument = ProductFields['skus'][number];

const Pictures = described('By file name.', Type.Record(Type.String(), ImageInfo));
export const ProductAnswer = Type.Object({
  ...documentOf(Type.Unsafe<ProductDocument>(Type.Unknown())).properties,
  pictures: Pictures,
  related: described('The names of related products that are there.', Type.Array(NamedRef)),
  whyNot: described(
    'Why it is not for sale: the keys of sentences. Empty: it is.',
    Type.Array(Type.Enum(['draft', 'archived', 'notYet', 'over', 'soldOut', 'noPrice', 'noPicture'])),
  ),
  outdated: described(
    'Translations that are older than the text in the main language, by their dotted path, with what that text was: `name.zh`.',
    Type.Record(Type.String(), Type.Unknown()),
  ),
});

const changeOfMany = {
  set: Type.Optional(described('The new price.', Cents)),
  percent: Type.Optional(
    described(
      'Added to each price, in hundredths of a percent; negative: taken off.',
      Type.Integer({ unit: 'basisPoints', minimum: -9000, maximum: 100_000 }),
    ),
  ),
  round: Type.Optional(
    described(
      'Prices end in these cents: 0, 95 and 99 round to the nearest; left out, they are not rounded.',
      Type.Enum([0, 95, 99]),
    ),
  ),
  status: Type.Optional(Status),
};
export const GoodsChange = Strict(changeOfMany);
export type GoodsChange = Static<typeof GoodsChange>;

const GoodsRow = Strict({
  id: Id,
  name: Type.Optional(described('In the languages that change.', LocalTextSchema)),
  priceCents: Type.Optional(Cents),
  compareAtCents: Type.Optional(Nullable(Cents)),
});
export type GoodsRow = Static<typeof GoodsRow>;

export const GoodsChangeState = Type.Object({
  id: Id,
  startedAt: EpochMs,
  state: Type.Enum(['running', 'done', 'takingBack', 'takenBack']),
  total: Count,
  done: Count,
  problems: described(
    'Of products that stayed as they were; at most 200.',
    Type.Array(Type.Object({ product: Id, problem: Type.String() })),
  ),
});
export type GoodsChangeState = Static<typeof GoodsChangeState>;

export const goodsEndpoints = {
  goods: {
    route: 'GET goods',
    summary: 'A page of the products that a filter finds, those that customers do not see too.',
    needs: 'goods.read',
    query: Strict({ ...lang.properties, ...filters, skip: Type.Optional(Count) }),
    response: GoodsPage,
  },
  goodsIds: {
    route: 'GET goods/ids',
    summary: 'The ids of products that a filter finds, from one place on.',
    needs: 'goods.read',
    query: Strict({
      ...lang.properties,
      ...filters,
      skip: Type.Optional(Count),
      most: Type.Optional(Type.Integer({ minimum: 1, maximum: mostRows })),
    }),
    response: Type.Object({ ids: Type.Array(Id) }),
  },
  goodsNames: {
    route: 'GET goods/names',
    summary: 'What products are filtered by and given: brands, categories, tags and stores.',
    needs: 'goods.read',
    response: GoodsNames,
  },
  product: {
    route: 'GET products/:product',
    summary: 'A product, to be edited.',
    needs: 'goods.read',
    params: product,
    response: ProductAnswer,
  },
  tryProduct: {
    route: 'POST products/:product/try',
    reads: true,
    summary: 'What a shopper would be asked when the product is ordered, after an edit. Changes nothing.',
    needs: 'goods.read',
    params: product,
    body: Strict({ edits: Patch.properties.edits }),
    response: Type.Object({ groups: Type.Array(ModifierGroup) }),
  },
  addProduct: {
    route: 'POST products',
    repeat: 'key',
    summary: 'Adds a product that customers do not see yet, as a copy of another one if it is named.',
    needs: 'goods.write',
    body: Strict({ id: Id, name: LocalTextSchema, like: Nullable(Id) }),
    response: ProductAnswer,
  },
  saveProduct: {
    route: 'POST products/:product',
    repeat: 'seen',
    summary:
      'Changes fields of a product. A field that somebody else has changed since the revision is a conflict.',
    needs: 'goods.write',
    params: product,
    body: Patch,
    response: ProductAnswer,
  },
  moveProduct: {
    route: 'POST products/:product/address',
    repeat: 'key',
    summary:
      'Gives a product another id, which is the end of its address. The old address leads to the new one.',
    needs: 'goods.write',
    params: product,
    body: Strict({ id: Id }),
    response: ProductAnswer,
  },
  productRevisions: {
    route: 'GET products/:product/revisions',
    summary: 'What was changed of a product, by whom, from what to what.',
    needs: 'goods.read',
    params: product,
    query: Strict({ ...lang.properties, before: Type.Optional(Count) }),
    response: Revisions,
  },
  restoreProduct: {
    route: 'POST products/:product/restore',
    repeat: 'seen',
    summary:
      'Saves a product as it was after one of its revisions, which is a change like others. Stock stays.',
    needs: 'goods.write',
    params: product,
    body: Restored,
    response: ProductAnswer,
  },
  changeGoods: {
    route: 'POST goods/changes',
    summary: 'Begins to change all products that a filter finds now, or those that are named.',
    needs: 'goods.write',
    repeat: 'key',
    body: Strict({
      filter: GoodsFilter,
      ids: Nullable(Type.Array(Id, { minItems: 1, maxItems: 500 })),
      change: GoodsChange,
      latest: described(
        'The latest change of many that was shown; null for none. If there is a newer one, it is refused.',
        Nullable(Id),
      ),
    }),
    response: GoodsChangeState,
  },
  goodsChanges: {
    route: 'GET goods/changes',
    summary: 'The latest changes of many products, and how far they are.',
    needs: 'goods.write',
    response: Type.Object({ changes: Type.Array(GoodsChangeState) }),
  },
  changeGoodsRows: {
    route: 'POST goods/rows',
    repeat: 'key',
    summary: 'Begins to change products, each to values of its own.',
    needs: 'goods.write',
    body: Strict({ rows: Type.Array(GoodsRow, { minItems: 1, maxItems: mostRows }) }),
    response: GoodsChangeState,
  },
  takeGoodsChangeBack: {
    route: 'POST goods/changes/:change/take-back',
    repeat: 'same',
    summary: 'Begins to restore what such a change has set and nobody has changed since.',
    needs: 'goods.write',
    params: Strict({ change: Id }),
    response: GoodsChangeState,
  },
} as const satisfies Record<string, StaffEndpoint>;
