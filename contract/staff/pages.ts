/** The calls of the room Pages. */
import Type, { type Static } from 'typebox';
import { pageBeginnings } from '../limits.ts';
import { localeCodes } from '../locales.ts';
import {
  Count,
  described,
  EpochMs,
  LangQuery,
  LocalText,
  NamedRef,
  Nullable,
  Strict,
} from '../schemas/common.ts';
import { PageDocument } from '../schemas/page.ts';
import { documentCalls, draftedOf, ofDocument, Publication, publishingCalls } from './documents.ts';
import { Patch, type StaffEndpoint } from './endpoint.ts';

const Language = Type.String();

export const Missing = described(
  'Texts that are written in the first language and not in this one, by the shop’s other languages.',
  Type.Array(Type.Object({ language: Language, texts: Count })),
);

const PageList = Type.Object({
  pages: Type.Array(
    Type.Object({
      id: Type.String(),
      title: LocalText,
      blocks: described('How many blocks it has.', Count),
      missing: Missing,
      updatedAt: described(
        'When what visitors see was last changed; null: they do not see it.',
        Nullable(EpochMs),
      ),
      publication: Publication,
    }),
  ),
});

/** What pages can link to, and list. */
export const ContentChoices = Type.Object({
  links: described(
    'Pages of the shop that the text finds; without a text, the first of them.',
    Type.Array(Type.Object({ link: Type.String(), nameContent: LocalText })),
  ),
  collections: Type.Object({
    brand: Type.Array(NamedRef),
    category: Type.Array(NamedRef),
    tag: Type.Array(NamedRef),
  }),
  stores: described('Those that customers see.', Type.Array(NamedRef)),
  posts: described(
    'The categories and tags of the blog.',
    Type.Object({ category: Type.Array(NamedRef), tag: Type.Array(NamedRef) }),
  ),
});
export type ContentChoices = Static<typeof ContentChoices>;

/** A page as it would be. */
export const Drawn = Type.Object({
  html: described(
    'A document; style attributes are named `data-style`, so that the policy of the office lets them pass.',
    Type.String(),
  ),
});

const form = {
  route: 'pages',
  called: 'a page',
  answer: Type.Object({
    ...draftedOf(PageDocument).properties,
    products: described('The names of the products that its blocks name.', Type.Array(NamedRef)),
  }),
} as const;

export const pageEndpoints = {
  ...publishingCalls('page', { ...form, needs: ['content.write', 'content.publish'] }),
  ...documentCalls('page', 'pages', {
    ...form,
    list: PageList,
    needs: ['content.write', 'content.write'],
    add: Strict({
      id: described('Empty for the address that the title suggests.', Type.String({ maxLength: 60 })),
      title: LocalText,
      beginning: Type.Enum(pageBeginnings),
    }),
    begins: 'with the blocks of a beginning, in each of the shop’s languages',
  }),
  tryPage: {
    route: 'POST pages/:id/try',
    reads: true,
    summary:
      'The page as the storefront would draw it after an edit, without scripts. Blocks that could not be shown are left out. Changes nothing.',
    needs: 'content.write',
    params: ofDocument,
    body: Strict({
      edits: Patch.properties.edits,
      language: described('In which it is drawn.', Type.Enum(localeCodes)),
    }),
    response: Drawn,
  },
  contentChoices: {
    route: 'GET content-choices',
    summary: 'What blocks of pages can link to, and of what they can list products and posts.',
    needs: 'content.write',
    query: Strict({ text: Type.Optional(Type.String({ maxLength: 100 })), ...LangQuery }),
    response: ContentChoices,
  },
} as const satisfies Record<string, StaffEndpoint>;
