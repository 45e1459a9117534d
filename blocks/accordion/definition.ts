import Type, { type TSchema } from 'typebox';
import { described, Nullable } from '#contract/schemas/common.ts';
import {
  type BlockForm,
  blockId,
  defineBlock,
  sanitizedTexts,
  shownForm,
  storedForm,
} from '../define-block.ts';

const schema = <T extends TSchema, I extends TSchema>({ text }: BlockForm<T, I>) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('accordion'),
    title: described('The heading of the block; null for none.', Nullable(text), {
      label: 'office.block.title',
    }),
    entries: described(
      'What opens and closes, in this order.',
      Type.Array(
        Type.Object({
          summary: described('The line that is always visible, such as a question.', text, {
            label: 'office.block.summary',
          }),
          html: described('Rich text that opens below it. The server removes unsafe markup.', text, {
            label: 'office.block.richText',
            control: 'richText',
          }),
        }),
        { maxItems: 60 },
      ),
      { label: 'office.block.entry', add: 'office.block.addEntry' },
    ),
  });

export const accordion = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  sanitize: (block, richText) => ({
    ...block,
    entries: block.entries.map((entry) => ({ ...entry, html: sanitizedTexts(entry.html, richText) })),
  }),
  pictures: ({ entries }, richText) =>
    entries.flatMap(({ html }) => Object.values(html).flatMap((text) => richText.pictures(text))),
  present: (block, page) => ({
    ...block,
    title: page.optionalText(block.title),
    entries: block.entries.map(({ summary, html }) => ({
      summary: page.text(summary),
      html: page.richText(page.text(html)),
    })),
  }),
});
