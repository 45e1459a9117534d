/** A form whose answers are emailed to the address that the merchant chose (SPEC §3–§5). */
import Type, { type TSchema } from 'typebox';
import { limits } from '#contract/limits.ts';
import { Id, LocalText, Nullable } from '#contract/schemas/common.ts';
import { type BlockForm, blockId, defineBlock, shownForm, storedForm } from '../define-block.ts';

/**
 * SPEC §3: a field of a form. Its label `nameContent` is in all languages in both forms of the block;
 * `content` is its initial value; `options` are the choices of a 'select'.
 */
const formField = <T extends TSchema>(text: T) =>
  Type.Object({
    name: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,49}$' }),
    nameContent: LocalText,
    isRequired: Type.Boolean(),
    fieldType: Type.Enum(['text', 'email', 'tel', 'textarea', 'select']),
    options: Type.Array(text),
    content: Type.String(),
  });

const schema = <T extends TSchema, I extends TSchema>({ text }: BlockForm<T, I>) =>
  Type.Object({
    ...blockId,
    title: Nullable(text),
    type: Type.Literal('form'),
    uiFormName: Id,
    uiMailTo: Type.String({ pattern: '^[^\\s@<>",;:]+@[^\\s@<>",;:]+$', maxLength: 254 }),
    fields: Type.Array(formField(text), { minItems: 1, maxItems: limits.formFields }),
    submitLabel: text,
    submittedMessage: text,
  });

export const form = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  validate({ fields }) {
    const names = fields.map(({ name }) => name);
    const repeated = names.find((name, index) => names.indexOf(name) !== index);
    if (repeated !== undefined) return `/fields two are named ${repeated}`;
    const empty = fields.findIndex(({ fieldType, options }) => fieldType === 'select' && options.length === 0);
    return empty === -1 ? null : `/fields/${empty}/options must not be empty`;
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
