/** A blog and its posts as a merchant gives them: by the demo, a file or another program. */
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { Count, EpochMs, Flag, Id, LocalText, Nullable } from '#contract/schemas/common.ts';

export const BlogInput = Type.Object({
  id: Id,
  name: LocalText,
  description: LocalText,
  /** SPEC §3, §5: who may like posts. */
  enableUserLike: Flag,
  enableGuestLike: Flag,
  categories: Type.Array(Type.Object({ id: Id, name: LocalText, description: LocalText })),
  tags: Type.Array(Type.Object({ id: Id, name: LocalText })),
});
export type BlogInput = Static<typeof BlogInput>;

export const PostInput = Type.Object({
  blogId: Id,
  /** As in the post's address; the post that has it is replaced. */
  link: Id,
  title: Type.Object({ ...LocalText.properties, en: Type.String({ pattern: '\\S' }) }),
  excerpt: LocalText,
  author: Nullable(Type.Object({ name: LocalText, role: LocalText })),
  /** An imported picture's file name. */
  image: Nullable(Type.String()),
  category: Nullable(Id),
  tags: Type.Array(Id, { maxItems: 50 }),
  /** In the future: the post comes out then. */
  publishedAt: EpochMs,
  /** Judged one by one: what cannot be shown is left out and reported. */
  parts: Type.Array(Type.Unknown(), { maxItems: 1000 }),
  /** Likes the post had elsewhere, before it came here; taken when it comes. */
  likesBefore: Type.Optional(Count),
});
export type PostInput = Static<typeof PostInput>;

/** What was to be written cannot be; `problems` name where and why. */
export class BlogInputError extends Error {
  override name = 'BlogInputError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

/** What is wrong with an input, each with where; none: it is as it should be. */
export function shapeProblems(schema: typeof BlogInput | typeof PostInput, input: unknown, name: string): string[] {
  return [...Value.Errors(schema, input)].map(({ instancePath, message }) => `${name}${instancePath}: ${message}`);
}
