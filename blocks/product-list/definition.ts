import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { sortValues } from '#contract/limits.ts';
import { ProductSummary } from '#contract/schemas/catalogue.ts';
import { described, Nullable } from '#contract/schemas/common.ts';
import {
  type BlockForm,
  blockId,
  defineBlock,
  loadEach,
  type ProductFilter,
  shownForm,
  storedForm,
} from '../define-block.ts';

const ProductListAttribute = Type.Object({
  collectiontype: described(
    'Which products to show.',
    Type.Enum(['tag', 'newArrival', 'clearance', 'brand', 'category']),
    {
      label: 'office.block.products',
      initial: 'newArrival',
    },
  ),
  collectionname: described(
    'The id of the tag, brand or category; empty for new arrivals and clearance.',
    Type.String(),
    {
      label: 'office.block.productsOf',
      control: 'own',
    },
  ),
  number: described('The number of products shown.', Type.Integer({ minimum: 1, maximum: 48 }), {
    label: 'office.block.count',
    initial: 8,
  }),
  numberPerRow: described(
    'Products in a row on wide screens.',
    Type.Integer({ minimum: 1, maximum: 6, default: 4 }),
    {
      label: 'office.block.perRow',
    },
  ),
  numberPerMobileRow: described(
    'Products in a row on phones.',
    Type.Integer({ minimum: 1, maximum: 3, default: 2 }),
    {
      label: 'office.block.perPhoneRow',
    },
  ),
  sortby: described('The order of the products.', Type.Enum(sortValues), { label: 'office.block.sort' }),
});
export type ProductListAttribute = Static<typeof ProductListAttribute>;

const schema = <T extends TSchema, I extends TSchema, P extends TProperties>(
  { text }: BlockForm<T, I>,
  loaded: P,
) =>
  Type.Object({
    ...blockId,
    title: described('The heading of the block; null for none.', Nullable(text), {
      label: 'office.block.title',
    }),
    type: Type.Literal('productList'),
    uiAttribute: described('The products to show, and how.', ProductListAttribute),
    layout: Type.Optional(
      described(
        'A `grid`, the default; `featured` shows the first product large, with four beside it on wide screens.',
        Type.Enum(['grid', 'featured']),
        { label: 'office.block.productLayout' },
      ),
    ),
    mobileRow: Type.Optional(
      described('Whether phones show the products in one row that scrolls sideways.', Type.Boolean(), {
        label: 'office.block.mobileRow',
      }),
    ),
    ...loaded,
  });

const stored = schema(storedForm, {});
type Stored = Static<typeof stored>;

export const productList = defineBlock({
  stored,
  shown: schema(shownForm, { products: Type.Array(ProductSummary) }),
  collections: ({ uiAttribute: { collectiontype: kind, collectionname: id } }) =>
    kind === 'newArrival' || kind === 'clearance' ? [] : [{ path: '/uiAttribute/collectionname', kind, id }],
  async load(blocks: readonly Stored[], { products }) {
    // A later list may have every product of the earlier ones, so it loads as many more.
    const loaded = await loadEach(blocks, ({ uiAttribute }, index) => {
      const { number, sortby } = uiAttribute;
      const shownBefore = blocks.slice(0, index).reduce((sum, block) => sum + block.uiAttribute.number, 0);
      return products(collectionFilter(uiAttribute), { sortby, numberToLoad: number + shownBefore });
    });
    return withoutRepeats(blocks, loaded);
  },
  present: (block, page, products) => ({
    ...block,
    title: page.optionalText(block.title),
    products: products.get(block) ?? [],
  }),
});

/** Each list without the products of the lists before it on the page. */
function withoutRepeats(
  blocks: readonly Stored[],
  loaded: ReadonlyMap<Stored, ProductSummary[]>,
): ReadonlyMap<Stored, ProductSummary[]> {
  const shown = new Set<string>();
  return new Map(
    blocks.map((block) => {
      const fresh = (loaded.get(block) ?? [])
        .filter(({ id }) => !shown.has(id))
        .slice(0, block.uiAttribute.number);
      for (const { id } of fresh) shown.add(id);
      return [block, fresh] as const;
    }),
  );
}

function collectionFilter({ collectiontype, collectionname }: ProductListAttribute): ProductFilter {
  if (collectiontype === 'newArrival') return { newArrival: true };
  if (collectiontype === 'clearance') return { clearance: true };
  const field = { tag: 'tagName', brand: 'brandName', category: 'categoryName' } as const;
  return { [field[collectiontype]]: collectionname };
}
