/** Slides with an image each (SPEC §2). */
import Type, { type TSchema } from 'typebox';
import { described } from '#contract/schemas/annotate.ts';
import { type BlockForm, blockId, defineBlock, shownForm, storedForm } from '../define-block.ts';
import { pictureItem, presentPictureItems } from '../picture-item.ts';

const schema = <T extends TSchema, I extends TSchema>(form: BlockForm<T, I>) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('imageSlider'),
    slides: described('The slides, in this order.', Type.Array(pictureItem(form))),
  });

export const imageSlider = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  pictures: ({ slides }) => slides.map(({ image }) => image),
  present: ({ id, type, slides }, page) => ({ id, type, slides: presentPictureItems(slides, page) }),
});
