/** The blog (SPEC §3): blogs, their categories and tags, posts as lists show them and whole. Texts come in the language asked for. */
import Type, { type Static } from 'typebox';
import { Count, EpochMs, Flag, Id, ImageInfo, LocalText, Nullable } from './common.ts';

/** Who may like posts (SPEC §5): customers, guests. */
export const BlogConfig = Type.Object({ enableUserLike: Flag, enableGuestLike: Flag });
export type BlogConfig = Static<typeof BlogConfig>;

export const BlogCategory = Type.Object({
  blogCategoryName: Id,
  nameContent: LocalText,
  description: Type.String(),
  count: Count,
});
export type BlogCategory = Static<typeof BlogCategory>;

export const Blog = Type.Object({
  id: Id,
  nameContent: LocalText,
  description: Type.String(),
  /** In the merchant's order, with how many posts each has. */
  categories: Type.Array(BlogCategory),
  /** Posts that are out. */
  count: Count,
});
export type Blog = Static<typeof Blog>;

export const BlogTag = Type.Object({ name: Id, nameContent: LocalText, count: Count });
export type BlogTag = Static<typeof BlogTag>;

const summaryFields = {
  id: Id,
  /** As in the post's address. */
  link: Id,
  title: Type.String(),
  excerpt: Type.String(),
  image: Nullable(ImageInfo),
  author: Nullable(Type.Object({ name: Type.String(), role: Type.String() })),
  publishedAt: EpochMs,
  /** The day of it where the shop is: YYYY-MM-DD. */
  publishedOn: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  /** Whole minutes, 1 at least, for a reader of the language asked for. */
  readingMinutes: Type.Integer({ minimum: 1 }),
  /** As of the content's last change; the call `blogLikes` has the count as of now. */
  likes: Count,
  blogCategory: Nullable(Type.Object({ blogCategoryName: Id, nameContent: LocalText })),
  tags: Type.Array(Type.Object({ name: Id, nameContent: LocalText })),
  associatedStoreBlog: Type.Object({ id: Id }),
};

export const BlogPostSummary = Type.Object(summaryFields);
export type BlogPostSummary = Static<typeof BlogPostSummary>;

/**
 * What an article is made of, in both forms: as a merchant stores it, with texts in all languages and
 * pictures by file name, and as a page carries it.
 */
function articleParts<T extends Type.TSchema, I extends Type.TSchema>(text: T, image: I) {
  return Type.Union([
    Type.Object({ type: Type.Literal('paragraph'), text }),
    Type.Object({ type: Type.Literal('heading'), level: Type.Integer({ minimum: 2, maximum: 3 }), text }),
    Type.Object({ type: Type.Literal('image'), image, alt: text, caption: text }),
    Type.Object({ type: Type.Literal('list'), ordered: Flag, items: Type.Array(text) }),
    Type.Object({ type: Type.Literal('quote'), text, source: text }),
    /** Rich text, links and tables among it. What is not harmless is taken out of it by the server. */
    Type.Object({ type: Type.Literal('html'), html: text }),
  ]);
}

export const StoredArticlePart = articleParts(LocalText, Type.String());
export type StoredArticlePart = Static<typeof StoredArticlePart>;

export const ArticlePart = articleParts(Type.String(), ImageInfo);
export type ArticlePart = Static<typeof ArticlePart>;

const PostLink = Type.Object({ link: Id, title: Type.String() });

export const BlogPost = Type.Object({
  ...summaryFields,
  updatedAt: EpochMs,
  /** What the post says, from top to bottom. */
  blogPage: Type.Object({ parts: Type.Array(ArticlePart) }),
  /** What goes with it: most tags and the category in common first, then the newest. Three at most. */
  related: Type.Array(BlogPostSummary),
  /** The posts next to it in time: `previous` is older. */
  previous: Nullable(PostLink),
  next: Nullable(PostLink),
});
export type BlogPost = Static<typeof BlogPost>;

export const BlogPostList = Type.Object({
  posts: Type.Array(BlogPostSummary),
  /** How many there are in all, whatever part was asked for. */
  count: Count,
});
export type BlogPostList = Static<typeof BlogPostList>;

/** Who may like is said for the caller: 'signIn' where only customers may. */
export const BlogLikes = Type.Object({
  likes: Count,
  liked: Flag,
  allowed: Type.Enum(['yes', 'signIn', 'no']),
});
export type BlogLikes = Static<typeof BlogLikes>;
