/** A form whose answers are emailed to the address that the merchant chose (SPEC §3–§5). */
import Type, { type TSchema } from 'typebox';
import { limits } from '#contract/limits.ts';
import { problem } from '#contract/problems.ts';
import { described, Id, LocalText, Nullable } from '#contract/schemas/common.ts';
import { type BlockForm, blockId, defineBlock, shownForm, storedForm } from '../define-block.ts';

/** SPEC §3. `nameContent` is in all languages in both forms of the block; `content` is the initial value; `options` are those of a 'select'. */
const formField = <T extends TSchema>(text: T) =>
  Type.Object({
    name: described(
      'Identifies the field in its form.',
      Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,49}$' }),
      {
        label: 'office.block.fieldId',
        control: 'unique',
      },
    ),
    nameContent: described('The label of the field.', LocalText, { label: 'office.block.fieldLabel' }),
    isRequired: described('Whether the field must be filled in.', Type.Boolean(), {
      label: 'office.block.fieldRequired',
    }),
    fieldType: described('The kind of field.', Type.Enum(['text', 'email', 'tel', 'textarea', 'select']), {
      label: 'office.block.fieldType',
    }),
    options: described('The choices of a `select`; an empty list for other kinds.', Type.Array(text), {
      label: 'office.block.option',
      add: 'office.block.addOption',
      control: 'rows',
    }),
    content: described('The initial value; empty for none.', Type.String(), {
      label: 'office.block.fieldContent',
    }),
  });

const schema = <T extends TSchema, I extends TSchema>({ text }: BlockForm<T, I>) =>
  Type.Object({
    ...blockId,
    title: described('The heading of the block; null for none.', Nullable(text), {
      label: 'office.block.title',
    }),
    type: Type.Literal('form'),
    uiFormName: described('Names the form in emails and lists of messages.', Id, {
      label: 'office.block.formName',
      hint: 'office.block.formNameHint',
      initial: 'contact',
    }),
    uiMailTo: described(
      'The email address that receives the messages.',
      Type.String({ pattern: '^[^\\s@<>",;:]+@[^\\s@<>",;:]+$', maxLength: 254, problem: 'problem.email' }),
      { label: 'office.block.mailTo' },
    ),
    fields: described(
      'The fields, in this order.',
      Type.Array(formField(text), { minItems: 1, maxItems: limits.formFields }),
      {
        label: 'office.block.field',
        add: 'office.block.addField',
      },
    ),
    submitLabel: described('The text of the button.', text, { label: 'office.block.submitLabel' }),
    submittedMessage: described('The text that is shown when the form was sent.', text, {
      label: 'office.block.submitted',
      long: true,
    }),
  });

export const form = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  validate({ fields }) {
    const names = fields.map(({ name }) => name);
    const repeated = names.filter((name, index) => names.indexOf(name) !== index);
    const empty = fields.filter(({ fieldType, options }) => fieldType === 'select' && options.length === 0);
    return [
      ...repeated.map((name) => problem(['fields'], 'problem.repeatedEntry', { name })),
      ...empty.map(({ name }) => problem(['fields', name, 'options'], 'problem.empty')),
    ];
  },
  publish: (block) => ({ form: block }),
  present: (block, page) => ({
    ...block,
    title: page.optionalText(block.title),
    fields: block.fields.map((field) => ({ ...field, options: field.options.map(page.text) })),
    submitLabel: page.text(block.submitLabel),
    submittedMessage: page.text(block.submittedMessage),
  }),
});
