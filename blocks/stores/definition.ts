import Type, { type TProperties, type TSchema } from 'typebox';
import { described, Nullable } from '#contract/schemas/common.ts';
import { OpenStore } from '#contract/schemas/shop.ts';
import { type BlockForm, blockId, defineBlock, shownForm, storedForm } from '../define-block.ts';

const schema = <T extends TSchema, I extends TSchema, P extends TProperties>(
  { text }: BlockForm<T, I>,
  loaded: P,
) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('stores'),
    title: described('The heading of the block; null for none.', Nullable(text), {
      label: 'office.block.title',
    }),
    ...loaded,
  });

export const stores = defineBlock({
  stored: schema(storedForm, {}),
  shown: schema(shownForm, { stores: Type.Array(OpenStore) }),
  load: (_blocks, sources) => sources.stores(),
  present: (block, page, loaded) => ({ ...block, title: page.optionalText(block.title), stores: loaded }),
});
