import Type, { type Static } from 'typebox';
import { type Problem, problem } from '#contract/problems.ts';
import { StoredArticlePart } from '#contract/schemas/blog.ts';
import { Count, described, EpochMs, Flag, Id, LocalText, Nullable } from '#contract/schemas/common.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';

export const BlogInput = Type.Object({
  id: described('Identifies the blog. Posts refer to it.', Id),
  name: described('The name of the blog.', LocalText),
  description: described('A sentence for the page of the blog and for feed readers.', LocalText),
  /** SPEC §3, §5: whether customers and guests may like posts. */
  enableUserLike: described('Whether signed-in customers may like posts.', Flag),
  enableGuestLike: described('Whether guests may like posts.', Flag),
  categories: described(
    'Categories, in this order. Those that are left out stay as they are.',
    Type.Array(
      Type.Object({
        id: described('Identifies the category, and is the end of its address: `/blog/cat/care`.', Id),
        name: described('The name of the category.', LocalText),
        description: described('A sentence for the page of the category.', LocalText),
      }),
    ),
  ),
  tags: described(
    'Tags, in this order. Those that are left out stay as they are.',
    Type.Array(
      Type.Object({
        id: described('Identifies the tag, and is the end of its address: `/blog/tag/oolong`.', Id),
        name: described('The name of the tag.', LocalText),
      }),
    ),
  ),
});
export type BlogInput = Static<typeof BlogInput>;

export const PostInput = Type.Object({
  blogId: described('The id of the blog that the post belongs to.', Id),
  link: described('The end of the address: `/blog/post/three-oolongs`. An existing post with this link is replaced.', Id),
  title: described(
    'The title.',
    Type.Object({
      ...LocalText.properties,
      en: Type.String({ pattern: '\\S', problem: 'problem.empty' }),
    }),
  ),
  excerpt: described('A sentence or two for lists, feeds and search engines.', LocalText),
  author: described(
    'The author; null for none.',
    Nullable(
      Type.Object({
        name: described('The name of the author.', LocalText),
        role: described('What the author does, such as “Reads the proofs”.', LocalText),
      }),
    ),
  ),
  image: described('The file name of the image above the post; null for none.', Nullable(Type.String())),
  category: described('The id of a category of the blog; null for none.', Nullable(Id)),
  tags: described('The ids of tags of the blog.', Type.Array(Id, { maxItems: 50 })),
  /** Epoch ms. If it is in the future, the post is published then. */
  publishedAt: EpochMs,
  parts: described('The parts of the post, from top to bottom.', Type.Array(Type.Unknown(), { maxItems: 1000 })),
  likesBefore: Type.Optional(described('Likes from before an import; only used when the post is created.', Count)),
});
export type PostInput = Static<typeof PostInput>;

export function blogProblems(blog: BlogInput): Problem[] {
  return schemaProblems(BlogInput, blog, { closed: false }).map((each) => ({ ...each, path: ['blog', ...each.path] }));
}

export function postProblems(posts: readonly PostInput[]): Problem[] {
  const links = posts.map(({ link }) => link);
  const repeated = new Set(links.filter((link, index) => links.indexOf(link) !== index));
  return [
    ...[...repeated].map((link) => problem(['posts', link], 'problem.repeated')),
    ...posts.flatMap((post) => {
      const invalid = schemaProblems(PostInput, post, { closed: false });
      const parts = Array.isArray(post.parts) ? post.parts.flatMap(partProblems) : [];
      return [...invalid, ...parts].map((each) => ({ ...each, path: ['posts', post.link, ...each.path] }));
    }),
  ];
}

function partProblems(part: unknown, index: number): Problem[] {
  return schemaProblems(StoredArticlePart, part).map((each) => ({ ...each, path: ['parts', String(index), ...each.path] }));
}
