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
    type: Type.Literal('columns'),
    title: described('The heading of the block; null for none.', Nullable(text), {
      label: 'office.block.title',
    }),
    columns: described(
      'The columns, from the left. On phones they stand below each other.',
      Type.Array(
        Type.Object({
          title: described('The heading of the column; null for none.', Nullable(text), {
            label: 'office.block.title',
          }),
          html: described('Rich text. The server removes unsafe markup.', text, {
            label: 'office.block.richText',
            control: 'richText',
          }),
        }),
        { maxItems: 4 },
      ),
      { label: 'office.block.column', add: 'office.block.addColumn' },
    ),
  });

export const columns = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  sanitize: (block, richText) => ({
    ...block,
    columns: block.columns.map((column) => ({ ...column, html: sanitizedTexts(column.html, richText) })),
  }),
  pictures: ({ columns }, richText) =>
    columns.flatMap(({ html }) => Object.values(html).flatMap((text) => richText.pictures(text))),
  present: (block, page) => ({
    ...block,
    title: page.optionalText(block.title),
    columns: block.columns.map(({ title, html }) => ({
      title: page.optionalText(title),
      html: page.richText(page.text(html)),
    })),
  }),
});
