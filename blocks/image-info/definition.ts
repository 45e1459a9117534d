import Type, { type TSchema } from 'typebox';
import { described, Nullable } from '#contract/schemas/common.ts';
import {
  type BlockForm,
  blockId,
  defineBlock,
  pictureItem,
  presentPictureItems,
  shownForm,
  storedForm,
} from '../define-block.ts';

const schema = <T extends TSchema, I extends TSchema>(form: BlockForm<T, I>) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('imageInfo'),
    title: Type.Optional(
      described('The heading of the block; null or left out for none.', Nullable(form.text), {
        label: 'office.block.title',
      }),
    ),
    layout: Type.Optional(
      described(
        '`columns`, the default, side by side; `steps` are small and numbered; a `band` fills the width of the window; an `index` is a row of small images with their titles, which link to the parts of the page (`#` and the id of a text block).',
        Type.Enum(['columns', 'steps', 'band', 'index']),
        { label: 'office.block.pictureLayout' },
      ),
    ),
    items: described('The images, in this order.', Type.Array(pictureItem(form)), {
      label: 'office.block.item',
      add: 'office.block.addItem',
    }),
  });

export const imageInfo = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  pictures: ({ items }) => items.map(({ image }) => image),
  present: ({ title, items, ...block }, page) => ({
    ...block,
    ...(title ? { title: page.text(title) } : {}),
    items: presentPictureItems(items, page),
  }),
});
