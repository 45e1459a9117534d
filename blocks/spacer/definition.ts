import Type, { type TSchema } from 'typebox';
import { described } from '#contract/schemas/common.ts';
import { type BlockForm, blockId, defineBlock, shownForm, storedForm } from '../define-block.ts';

const schema = <T extends TSchema, I extends TSchema>(_: BlockForm<T, I>) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('spacer'),
    size: described(
      'How much room there is between the blocks above and below, besides what there is by itself.',
      Type.Enum(['small', 'medium', 'large']),
      { label: 'office.block.size', initial: 'medium' },
    ),
    line: described('Whether a line stands in the middle of it.', Type.Boolean(), {
      label: 'office.block.line',
    }),
  });

export const spacer = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  present: (block) => block,
});
