/** The input schemas of a blog and its posts, used by the demo, import files and other programs. */
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { Count, EpochMs, Flag, Id, LocalText, Nullable } from '#contract/schemas/common.ts';

export const BlogInput = Type.Object({
  id: Id,
  name: LocalText,
  description: LocalText,
  /** SPEC §3, §5: whether customers and guests may like posts. */
  enableUserLike: Flag,
  enableGuestLike: Flag,
  categories: Type.Array(Type.Object({ id: Id, name: LocalText, description: LocalText })),
  tags: Type.Array(Type.Object({ id: Id, name: LocalText })),
});
export type BlogInput = Static<typeof BlogInput>;

export const PostInput = Type.Object({
  blogId: Id,
  /** The last part of the post's URL; an existing post with this link is replaced. */
  link: Id,
  title: Type.Object({ ...LocalText.properties, en: Type.String({ pattern: '\\S' }) }),
  excerpt: LocalText,
  author: Nullable(Type.Object({ name: LocalText, role: LocalText })),
  /** The file name of an imported image. */
  image: Nullable(Type.String()),
  category: Nullable(Id),
  tags: Type.Array(Id, { maxItems: 50 }),
  /** Epoch ms. If it is in the future, the post is published then. */
  publishedAt: EpochMs,
  /** Validated one by one: parts that cannot be shown are left out and reported. */
  parts: Type.Array(Type.Unknown(), { maxItems: 1000 }),
  /** Likes from before an import; only used when the post is created. */
  likesBefore: Type.Optional(Count),
});
export type PostInput = Static<typeof PostInput>;

/** The input is invalid; `problems` name the place and the reason. */
export class BlogInputError extends Error {
  override name = 'BlogInputError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

/** Lists the problems of an input with their places; empty if it is valid. */
export function shapeProblems(schema: typeof BlogInput | typeof PostInput, input: unknown, name: string): string[] {
  return [...Value.Errors(schema, input)].map(({ instancePath, message }) => `${name}${instancePath}: ${message}`);
}
