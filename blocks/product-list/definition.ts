/** Products of a collection (SPEC §2, §3). */
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { sortValues } from '#contract/limits.ts';
import { described } from '#contract/schemas/annotate.ts';
import { ProductSummary } from '#contract/schemas/catalogue.ts';
import { Nullable } from '#contract/schemas/common.ts';
import { type BlockForm, blockId, defineBlock, loadEach, type ProductFilter, shownForm, storedForm } from '../define-block.ts';

/** SPEC §3: uiAttribute of a product-list block. */
const ProductListAttribute = Type.Object({
  collectiontype: described('Which products to show.', Type.Enum(['tag', 'newArrival', 'clearance', 'brand', 'category'])),
  collectionname: described('The id of the tag, brand or category; empty for new arrivals and clearance.', Type.String()),
  number: described('The number of products shown.', Type.Integer({ minimum: 1, maximum: 48 })),
  numberPerRow: described('Products in a row on wide screens.', Type.Integer({ minimum: 1, maximum: 6, default: 4 })),
  numberPerMobileRow: described('Products in a row on phones.', Type.Integer({ minimum: 1, maximum: 3, default: 2 })),
  sortby: described('The order of the products.', Type.Enum(sortValues)),
});
export type ProductListAttribute = Static<typeof ProductListAttribute>;

const schema = <T extends TSchema, I extends TSchema, P extends TProperties>({ text }: BlockForm<T, I>, loaded: P) =>
  Type.Object({
    ...blockId,
    title: described('The heading of the block; null for none.', Nullable(text)),
    type: Type.Literal('productList'),
    uiAttribute: described('The products to show, and how.', ProductListAttribute),
    ...loaded,
  });

const stored = schema(storedForm, {});
type Stored = Static<typeof stored>;

export const productList = defineBlock({
  stored,
  shown: schema(shownForm, { products: Type.Array(ProductSummary) }),
  collections: ({ uiAttribute: { collectiontype: kind, collectionname: id } }) =>
    kind === 'newArrival' || kind === 'clearance' ? [] : [{ path: '/uiAttribute/collectionname', kind, id }],
  load: (blocks: readonly Stored[], { products }) =>
    loadEach(blocks, ({ uiAttribute }) => {
      const { number, sortby } = uiAttribute;
      return products(collectionFilter(uiAttribute), { sortby, numberToLoad: number });
    }),
  present: (block, page, products) => ({
    ...block,
    title: page.optionalText(block.title),
    products: products.get(block) ?? [],
  }),
});

/** The filter of a collection (SPEC §3, §9: collection types). */
function collectionFilter({ collectiontype, collectionname }: ProductListAttribute): ProductFilter {
  if (collectiontype === 'newArrival') return { newArrival: true };
  if (collectiontype === 'clearance') return { clearance: true };
  const field = { tag: 'tagName', brand: 'brandName', category: 'categoryName' } as const;
  return { [field[collectiontype]]: collectionname };
}
