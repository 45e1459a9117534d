import Type, { type Static, type TSchema } from 'typebox';
import { described } from '#contract/schemas/common.ts';
import {
  type BlockContext,
  type BlockForm,
  blockId,
  defineBlock,
  pictureItem,
  presentPictureItems,
  shownForm,
  storedForm,
} from '../define-block.ts';

const interval = {
  intervalMs: Type.Optional(
    described(
      'For how many milliseconds a slide is shown; 2000 without it. 5000 or more leave time to read.',
      Type.Integer({ minimum: 1000, maximum: 60_000 }),
      { label: 'office.block.interval', hint: 'office.block.intervalHint', initial: 5000 },
    ),
  ),
};

const otherPictures = <I extends TSchema>(image: I) => ({
  upright: Type.Optional(
    described('The picture for windows that are higher than wide, such as 1080 × 1440 px.', image, {
      label: 'office.block.upright',
      control: 'picture',
    }),
  ),
  evening: Type.Optional(
    described('The picture in dark mode.', image, { label: 'office.block.evening', control: 'picture' }),
  ),
  uprightEvening: Type.Optional(
    described('The picture in dark mode for windows that are higher than wide.', image, {
      label: 'office.block.uprightEvening',
      control: 'picture',
    }),
  ),
});

const slide = <T extends TSchema, I extends TSchema>(form: BlockForm<T, I>) =>
  Type.Object({
    ...pictureItem(form).properties,
    title: described('The heading. Each line of it is a line on wide windows, too.', form.text, {
      label: 'office.block.title',
      long: true,
    }),
    ...otherPictures(form.image),
  });

const storedSlide = slide(storedForm);
const shownSlide = slide(shownForm);
type StoredSlide = Static<typeof storedSlide>;
type ShownSlide = Static<typeof shownSlide>;

const others = ['upright', 'evening', 'uprightEvening'] as const;

const schema = <T extends TSchema, I extends TSchema>(form: BlockForm<T, I>) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('imageSlider'),
    ...interval,
    slides: described('The slides, in this order.', Type.Array(slide(form)), {
      label: 'office.block.slide',
      add: 'office.block.addSlide',
    }),
  });

export const imageSlider = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  pictures: ({ slides }) =>
    slides.flatMap((slide) => [slide.image, ...others.flatMap((name) => slide[name] ?? [])]),
  present: ({ slides, ...block }, page) => ({
    ...block,
    slides: slides.flatMap((one) => presentSlide(one, page)),
  }),
});

function presentSlide(stored: StoredSlide, page: BlockContext): ShownSlide[] {
  return presentPictureItems([stored], page).map((shown) => {
    const pictures: Pick<ShownSlide, (typeof others)[number]> = {};
    // A shop without a night has no picture of one either.
    for (const name of page.hasNight ? others : (['upright'] as const)) {
      const info = page.image(stored[name] ?? '');
      if (info) pictures[name] = info;
    }
    return { ...shown, ...pictures };
  });
}
