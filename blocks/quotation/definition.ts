import Type, { type TSchema } from 'typebox';
import { described, Nullable } from '#contract/schemas/common.ts';
import { type BlockForm, blockId, defineBlock, shownForm, storedForm } from '../define-block.ts';

const schema = <T extends TSchema, I extends TSchema>({ text, image }: BlockForm<T, I>) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('quotation'),
    words: described('The words, without quotation marks: each language has its own.', text, {
      label: 'office.block.words',
      hint: 'office.block.wordsHint',
      long: true,
    }),
    author: described('Who said or wrote them.', text, { label: 'office.block.author' }),
    role: described('What they do, or where the words stood; empty for nothing.', text, {
      label: 'office.block.role',
      hint: 'office.block.roleHint',
    }),
    portrait: described(
      'The file name of a picture of them; null for none. The name beside it says who it is.',
      Nullable(image),
      {
        label: 'office.block.portrait',
        control: 'picture',
      },
    ),
  });

export const quotation = defineBlock({
  stored: schema(storedForm),
  shown: schema(shownForm),
  pictures: ({ portrait }) => (portrait === null ? [] : [portrait]),
  present: ({ words, author, role, portrait, ...block }, page) => ({
    ...block,
    words: page.text(words),
    author: page.text(author),
    role: page.text(role),
    portrait: (portrait === null ? undefined : page.image(portrait)) ?? null,
  }),
});
