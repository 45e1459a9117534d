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
    title: described('The heading of the block; null for none.', Nullable(text), {
      label: 'office.block.title',
    }),
    type: Type.Literal('text'),
    paragraphs: described('Paragraphs.', Type.Array(text), {
      label: 'office.block.paragraph',
      add: 'office.block.addParagraph',
      control: 'rows',
    }),
    items: described('A list after the paragraphs.', Type.Array(text), {
      label: 'office.block.listItem',
      add: 'office.block.addListItem',
      control: 'rows',
    }),
    style: Type.Optional(
      described(
        'A `statement` is a few large, centred lines; `text`, the default, is a column to read.',
        Type.Enum(['text', 'statement']),
        { label: 'office.block.textStyle' },
      ),
    ),
    html: Type.Optional(
      described('Rich text, after the paragraphs and items. The server removes unsafe markup.', text, {
        label: 'office.block.richText',
        control: 'richText',
      }),
    ),
  });

export const text = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  sanitize(block, richText) {
    if (block.html === undefined) return block;
    return { ...block, html: sanitizedTexts(block.html, richText) };
  },
  pictures: ({ html = { en: '' } }, richText) =>
    Object.values(html).flatMap((text) => richText.pictures(text)),
  present({ html, ...block }, page) {
    return {
      ...block,
      title: page.optionalText(block.title),
      paragraphs: block.paragraphs.map(page.text),
      items: block.items.map(page.text),
      ...(html === undefined ? {} : { html: page.richText(page.text(html)) }),
    };
  },
});
