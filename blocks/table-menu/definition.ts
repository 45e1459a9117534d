import Type, { type TProperties, type TSchema } from 'typebox';
import { ProductSummary } from '#contract/schemas/catalogue.ts';
import { described, Nullable } from '#contract/schemas/common.ts';
import { type BlockForm, blockId, defineBlock, loadEach, shownForm, storedForm } from '../define-block.ts';

const schema = <T extends TSchema, I extends TSchema, P extends TProperties>(
  { text }: BlockForm<T, I>,
  loaded: P,
) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('tableMenu'),
    title: described('The heading of the block; null for none.', Nullable(text), {
      label: 'office.block.title',
    }),
    category: described(
      'The id of the category. Its products come first, and each category below it is a section.',
      Type.String({ minLength: 1 }),
      { label: 'office.block.menuOf', control: 'own' },
    ),
    ...loaded,
  });

const Dish = Type.Pick(ProductSummary, ['id', 'productName', 'shortDesciption', 'priceInfo', 'inventory']);

export const tableMenu = defineBlock({
  stored: schema(storedForm, {}),
  shown: schema(shownForm, {
    sections: Type.Array(Type.Object({ title: Type.String(), products: Type.Array(Dish) })),
  }),
  collections: ({ category }) => [{ path: '/category', kind: 'category', id: category }],
  load: (blocks, { menu }) => loadEach(blocks, ({ category }) => menu(category)),
  present: (block, page, menus) => ({
    ...block,
    title: page.optionalText(block.title),
    sections: (menus.get(block) ?? []).map(({ title, products }) => ({
      title,
      products: products.map(({ id, productName, shortDesciption, priceInfo, inventory }) => ({
        id,
        productName,
        shortDesciption,
        priceInfo,
        inventory,
      })),
    })),
  }),
});
