/** The calls of the room Blog. */
import Type, { type Static } from 'typebox';
import { localeCodes } from '../locales.ts';
import { Count, described, EpochMs, LocalText, NamedRef, Nullable, Strict } from '../schemas/common.ts';
import { BlogDocument, PostAuthor, PostDocument } from '../schemas/post.ts';
import {
  documentCalls,
  draftedOf,
  fixedDocumentCalls,
  ofDocument,
  Publication,
  publishingCalls,
} from './documents.ts';
import { documentOf, Patch, type StaffEndpoint } from './endpoint.ts';
import { Drawn, Missing } from './pages.ts';

const BlogNames = Type.Object({
  id: Type.String(),
  name: LocalText,
  categories: Type.Array(NamedRef),
  tags: Type.Array(NamedRef),
});

const PostList = Type.Object({
  posts: described(
    'Drafts first, then by their dates, the newest first.',
    Type.Array(
      Type.Object({
        id: Type.String(),
        blogId: Type.String(),
        link: Type.String(),
        title: LocalText,
        author: PostAuthor.properties.name,
        category: Nullable(Type.String()),
        tags: Type.Array(Type.String()),
        publishedAt: described('Its date; null before it is published.', Nullable(EpochMs)),
        missing: Missing,
        publication: Publication,
      }),
    ),
  ),
  blogs: described('The main one first.', Type.Array(BlogNames)),
});
export type PostList = Static<typeof PostList>;

const form = {
  route: 'posts',
  called: 'a post',
  answer: Type.Object({
    ...draftedOf(PostDocument).properties,
    liveLink: described(
      'The end of the address at which visitors read it; null: they do not.',
      Nullable(Type.String()),
    ),
    blog: BlogNames,
    products: described('Of those that it shows.', Type.Array(NamedRef)),
  }),
} as const;

export const postEndpoints = {
  ...publishingCalls('post', { ...form, needs: ['content.write', 'content.publish'] }),
  ...documentCalls('post', 'posts', {
    ...form,
    list: PostList,
    needs: ['content.write', 'content.write'],
    add: Strict({ title: LocalText }),
    begins: 'to the main blog, which is made with the first one',
  }),
  tryPost: {
    route: 'POST posts/:id/try',
    reads: true,
    summary:
      'The post as the storefront would draw it after an edit, without scripts. Parts that could not be shown are left out. Changes nothing.',
    needs: 'content.write',
    params: ofDocument,
    body: Strict({
      edits: Patch.properties.edits,
      language: described('In which it is drawn.', Type.Enum(localeCodes)),
    }),
    response: Drawn,
  },
  ...fixedDocumentCalls('blog', 'blogs', {
    route: 'blogs',
    called: 'a blog',
    answer: documentOf(BlogDocument),
    list: Type.Object({
      blogs: Type.Array(
        Type.Object({ id: Type.String(), name: LocalText, posts: described('That readers see.', Count) }),
      ),
    }),
    needs: ['content.write', 'content.write'],
  }),
} as const satisfies Record<string, StaffEndpoint>;
