/** Images with a text and a link each (SPEC §2). */
import Type, { type TSchema } from 'typebox';
import { described } from '#contract/schemas/annotate.ts';
import { type BlockForm, blockId, defineBlock, shownForm, storedForm } from '../define-block.ts';
import { pictureItem, presentPictureItems } from '../picture-item.ts';

const schema = <T extends TSchema, I extends TSchema>(form: BlockForm<T, I>) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('imageInfo'),
    items: described('The images, in this order.', Type.Array(pictureItem(form))),
  });

export const imageInfo = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  pictures: ({ items }) => items.map(({ image }) => image),
  present: ({ id, type, items }, page) => ({ id, type, items: presentPictureItems(items, page) }),
});
