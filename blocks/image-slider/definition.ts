/** Slides with an image each (SPEC §2). */
import Type, { type TSchema } from 'typebox';
import { described } from '#contract/schemas/annotate.ts';
import { type BlockForm, blockId, defineBlock, shownForm, storedForm } from '../define-block.ts';
import { pictureItem, presentPictureItems } from '../picture-item.ts';

const interval = {
  intervalMs: Type.Optional(
    described(
      'For how many milliseconds a slide is shown; 2000 without it. 5000 or more leave time to read.',
      Type.Integer({ minimum: 1000, maximum: 60_000 }),
    ),
  ),
};

const schema = <T extends TSchema, I extends TSchema>(form: BlockForm<T, I>) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('imageSlider'),
    ...interval,
    slides: described('The slides, in this order.', Type.Array(pictureItem(form))),
  });

export const imageSlider = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  pictures: ({ slides }) => slides.map(({ image }) => image),
  present: ({ slides, ...block }, page) => ({ ...block, slides: presentPictureItems(slides, page) }),
});
