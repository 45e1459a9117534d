import Type, { type TSchema } from 'typebox';
import { described } from '#contract/schemas/common.ts';
import { type BlockForm, blockId, defineBlock, LinkTarget, shownForm, storedForm } from '../define-block.ts';

const schema = <T extends TSchema, I extends TSchema>({ text }: BlockForm<T, I>) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('buttons'),
    buttons: described(
      'The buttons, in this order.',
      Type.Array(
        Type.Object({
          label: described('The text of the button.', text, { label: 'office.block.linkLabel' }),
          link: described('Where the button leads.', LinkTarget, {
            label: 'office.block.link',
            control: 'link',
          }),
          style: described('How much the button stands out.', Type.Enum(['primary', 'secondary']), {
            label: 'office.block.buttonStyle',
          }),
        }),
      ),
      { label: 'office.block.button', add: 'office.block.addButton' },
    ),
  });

export const buttons = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  present: (block, page) => ({
    ...block,
    buttons: block.buttons.map((button) => ({ ...button, label: page.text(button.label) })),
  }),
});
