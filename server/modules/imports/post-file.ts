/** docs/how-to/write-a-post.md */
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { type Problem, problem, shown } from '#contract/problems.ts';
import { described, withDefault } from '#contract/schemas/common.ts';
import { BlogInput, PostInput, picturesOfParts, validateParts } from '#server/modules/content/index.ts';
import { fieldOf, nameOf, schemaProblems } from '#server/platform/schema-problems.ts';
import { instantOf, isInstant } from '#server/platform/time-zone.ts';
import type { NamedPicture } from './pictures.ts';
import { entriesOf, withoutInvalid } from './shop-file.ts';

const Post = Type.Object({
  ...PostInput.properties,
  publishedAt: described(
    'When the post is published, in ISO 8601: `2026-12-01T09:00-05:00`, or without a zone in the local time of the main store. A time in the past sets the date of the post.',
    Type.String(),
  ),
});

export const PostFile = Type.Object({
  $schema: Type.Optional(
    described('The JSON Schema of this file, for editors: `./posts.schema.json`. The import ignores it.', Type.String()),
  ),
  blog: Type.Optional(described('The blog. Required the first time, and whenever it changes.', BlogInput)),
  posts: withDefault(described('The posts.', Type.Array(Post)), []),
});
export type PostFile = Static<typeof PostFile>;

export interface PostFileReading {
  blog: BlogInput | null;
  posts: PostInput[];
  /** With the post and the place in it. */
  problems: Problem[];
}

/** `timeZone` is for times without one. */
export function inspectPostFile(content: unknown, timeZone: string): PostFileReading {
  const whole = Value.Default(PostFile, Value.Clone(content));
  const problems = schemaProblems(PostFile, whole);
  const { blog, posts } = Value.Default(PostFile, withoutInvalid(whole, problems)) as PostFile;
  const undated = posts.filter(({ publishedAt }) => !isInstant(publishedAt));
  return {
    blog: problems.some(({ path }) => path[0] === 'blog') ? namesOfBlog(content) : (blog ?? null),
    posts: posts.map((post) => ({ ...post, publishedAt: undated.includes(post) ? 0 : instantOf(post.publishedAt, timeZone) })),
    problems: [
      ...problems,
      ...undated.map(({ link, publishedAt }) =>
        problem(['posts', link, 'publishedAt'], 'problem.instant', { found: shown(publishedAt) }),
      ),
    ],
  };
}

/** Its posts are checked as if it were valid. It is never written. */
function namesOfBlog(content: unknown): BlogInput | null {
  const blog = fieldOf(content, 'blog');
  const id = nameOf(blog);
  const named = (list: string) => entriesOf(blog, list).flatMap((entry) => nameOf(entry) ?? []);
  const noText = { en: '' };
  return id === undefined
    ? null
    : {
        id,
        name: noText,
        description: noText,
        enableUserLike: false,
        enableGuestLike: false,
        categories: named('categories').map((category) => ({ id: category, name: noText, description: noText })),
        tags: named('tags').map((tag) => ({ id: tag, name: noText })),
      };
}

export function picturesOfPosts(posts: readonly PostInput[]): NamedPicture[] {
  return posts.flatMap(({ link, image, parts }) =>
    [...(image === null ? [] : [image]), ...picturesOfParts(validateParts(parts).parts)].map((file) => ({
      owner: ['posts', link],
      file,
    })),
  );
}
