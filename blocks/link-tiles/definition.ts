import Type, { type TSchema } from 'typebox';
import { described, Nullable } from '#contract/schemas/common.ts';
import { type BlockForm, blockId, defineBlock, LinkTarget, shownForm, storedForm } from '../define-block.ts';

const schema = <T extends TSchema, I extends TSchema>({ text, image }: BlockForm<T, I>) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('linkTiles'),
    title: described('The heading of the block; null for none.', Nullable(text), {
      label: 'office.block.title',
    }),
    tiles: described(
      'The tiles, in this order.',
      Type.Array(
        Type.Object({
          label: described('The large text of the tile.', text, { label: 'office.block.title' }),
          text: described('A line under it; empty for none.', text, { label: 'office.block.text.label' }),
          link: described('Where the tile leads.', LinkTarget, {
            label: 'office.block.link',
            control: 'link',
          }),
          image: Type.Optional(
            described('A picture above the words. It decorates: the words say where the tile leads.', image, {
              label: 'office.block.picture',
              control: 'picture',
            }),
          ),
        }),
        { maxItems: 12 },
      ),
      { label: 'office.block.tile', add: 'office.block.addTile' },
    ),
  });

export const linkTiles = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  pictures: ({ tiles }) => tiles.flatMap(({ image }) => image ?? []),
  present: ({ title, tiles, ...block }, page) => ({
    ...block,
    title: page.optionalText(title),
    tiles: tiles.map(({ label, text, link, image }) => {
      const picture = image ? page.image(image) : undefined;
      return { label: page.text(label), text: page.text(text), link, ...(picture ? { image: picture } : {}) };
    }),
  }),
});
