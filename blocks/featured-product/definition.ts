import Type, { type TProperties, type TSchema } from 'typebox';
import { ProductSummary } from '#contract/schemas/catalogue.ts';
import { described, Id, Nullable } from '#contract/schemas/common.ts';
import { type BlockForm, blockId, defineBlock, shownForm, storedForm } from '../define-block.ts';

const schema = <T extends TSchema, I extends TSchema, P extends TProperties>(
  { text }: BlockForm<T, I>,
  product: P,
) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('featuredProduct'),
    title: described('A line above the name, such as `Product of the week`; null for none.', Nullable(text), {
      label: 'office.block.kicker',
      hint: 'office.block.kickerHint',
    }),
    ...product,
    text: described('Why this one; empty for what the product says of itself.', text, {
      label: 'office.block.text.label',
      hint: 'office.block.ownWordsHint',
      long: true,
    }),
  });

export const featuredProduct = defineBlock({
  stored: schema(storedForm, {
    product: described('The id of the product. The block shows while it is published.', Id, {
      label: 'office.part.product',
      control: 'own',
    }),
  }),
  shown: schema(shownForm, { product: ProductSummary }),
  products: ({ product }) => [product],
  load: (blocks, sources) => sources.cards(blocks.map(({ product }) => product)),
  present({ product: id, ...block }, page, cards) {
    const product = cards.get(id);
    return product
      ? { ...block, title: page.optionalText(block.title), product, text: page.text(block.text) }
      : null;
  },
});
