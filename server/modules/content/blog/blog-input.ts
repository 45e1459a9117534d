import Type, { type Static } from 'typebox';
import { type Problem, problem } from '#contract/problems.ts';
import { StoredArticlePart } from '#contract/schemas/blog.ts';
import { Count, described, EpochMs, Id, Nullable } from '#contract/schemas/common.ts';
import {
  BlogCategoryInput,
  BlogTagInput,
  blogFields,
  PostAuthor,
  PostDocument,
  postFields,
} from '#contract/schemas/post.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';

export const BlogInput = Type.Object({
  id: described('Identifies the blog. Posts refer to it.', Id),
  ...blogFields,
  categories: described(
    'Categories, in this order. Those that are left out stay as they are.',
    Type.Array(BlogCategoryInput),
  ),
  tags: described('Tags, in this order. Those that are left out stay as they are.', Type.Array(BlogTagInput)),
});
export type BlogInput = Static<typeof BlogInput>;

const { blogId, parts } = PostDocument.properties;
export const PostInput = Type.Object({
  blogId,
  link: described(
    'The end of the address: `/blog/post/three-oolongs`. An existing post with this link is replaced.',
    Id,
  ),
  title: postFields.title,
  excerpt: postFields.excerpt,
  author: described('The author; null for none.', Nullable(PostAuthor)),
  image: postFields.image,
  category: postFields.category,
  tags: postFields.tags,
  /** Epoch ms. If it is in the future, the post is published then. */
  publishedAt: EpochMs,
  parts,
  likesBefore: Type.Optional(
    described('Likes from before an import; only used when the post is created.', Count),
  ),
});
export type PostInput = Static<typeof PostInput>;

export function blogProblems(blog: BlogInput): Problem[] {
  return schemaProblems(BlogInput, blog, { closed: false }).map((each) => ({
    ...each,
    path: ['blog', ...each.path],
  }));
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
  return schemaProblems(StoredArticlePart, part).map((each) => ({
    ...each,
    path: ['parts', String(index), ...each.path],
  }));
}
