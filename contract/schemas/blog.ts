/** SPEC §3. Texts are in the requested language. */
import Type, { type Static } from 'typebox';
import { ProductSummary } from './catalogue.ts';
import {
  Count,
  described,
  EpochMs,
  type FieldForm,
  Flag,
  Id,
  ImageInfo,
  LocalText,
  NamedRef,
  Nullable,
} from './common.ts';

/** SPEC §5: customers only, or guests as well. */
export const BlogConfig = Type.Object({
  enableUserLike: described('Whether customers may like posts.', Flag),
  enableGuestLike: described('Whether guests may like posts.', Flag),
});
export type BlogConfig = Static<typeof BlogConfig>;

export const BlogCategory = Type.Object({
  blogCategoryName: described('The name in addresses and filters.', Id),
  nameContent: LocalText,
  description: Type.String(),
  count: described('The number of its published posts.', Count),
});
export type BlogCategory = Static<typeof BlogCategory>;

export const Blog = Type.Object({
  id: Id,
  nameContent: LocalText,
  description: Type.String(),
  categories: described(
    "In the merchant's order, with the number of posts in each.",
    Type.Array(BlogCategory),
  ),
  count: described('The number of published posts.', Count),
});
export type Blog = Static<typeof Blog>;

export const BlogTag = Type.Object({
  name: Id,
  nameContent: LocalText,
  count: described('The number of its published posts.', Count),
});
export type BlogTag = Static<typeof BlogTag>;

export const BlogCategoryRef = Type.Object({
  blogCategoryName: described('The name in addresses and filters.', Id),
  nameContent: LocalText,
});
export const BlogAuthor = Type.Object({ name: Type.String(), role: Type.String() });
export const BlogRef = Type.Object({ id: Id });

const summaryFields = {
  id: Id,
  link: described("The post's slug, as in its address.", Id),
  title: Type.String(),
  excerpt: Type.String(),
  image: Nullable(ImageInfo),
  author: described('Null if it names none.', Nullable(BlogAuthor)),
  publishedAt: EpochMs,
  publishedOn: described(
    "The date of publication in the shop's time zone: YYYY-MM-DD.",
    Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  ),
  readingMinutes: described(
    'Whole minutes, at least 1, for a reader of the requested language.',
    Type.Integer({ minimum: 1 }),
  ),
  likes: described('As of the last content change; the call `blogLikes` returns the current count.', Count),
  blogCategory: described('Null if it has none.', Nullable(BlogCategoryRef)),
  tags: Type.Array(NamedRef),
  associatedStoreBlog: described('The blog of the post.', BlogRef),
};

export const BlogPostSummary = Type.Object(summaryFields);
export type BlogPostSummary = Static<typeof BlogPostSummary>;

/** Stored: texts in all languages, images by file name and products by id, with words for forms; shown: what a page carries. */
function articleParts<T extends Type.TSchema, I extends Type.TSchema, P extends Type.TSchema>(
  text: T,
  image: I,
  product: P,
  isStored: boolean,
) {
  const said = <S extends Type.TSchema>(description: string, schema: S, form: FieldForm) =>
    isStored ? described(description, schema, form) : described(description, schema);
  return Type.Union([
    Type.Object({
      type: Type.Literal('paragraph'),
      text: said('The text of the paragraph.', text, { label: 'office.part.text', long: true }),
    }),
    Type.Object({
      type: Type.Literal('heading'),
      level: said('The level: the title of the post has level 1.', Type.Integer({ minimum: 2, maximum: 3 }), {
        label: 'office.part.level',
        hint: 'office.part.levelHint',
      }),
      text: said('The text of the heading.', text, { label: 'office.part.text' }),
    }),
    Type.Object({
      type: Type.Literal('image'),
      image: isStored
        ? described('The file name of the image.', image, {
            label: 'office.part.picture',
            control: 'picture',
          })
        : image,
      alt: said('What the image shows, for people who do not see it.', text, {
        label: 'office.part.alt',
        hint: 'office.part.altHint',
      }),
      caption: said('The text under the image.', text, { label: 'office.part.caption' }),
    }),
    Type.Object({
      type: Type.Literal('list'),
      ordered: said('Whether the entries are numbered.', Flag, { label: 'office.part.ordered' }),
      items: said('The entries.', Type.Array(text), {
        label: 'office.part.entry',
        add: 'office.part.addEntry',
        control: 'rows',
      }),
    }),
    Type.Object({
      type: Type.Literal('quote'),
      text: said('The words.', text, { label: 'office.part.words', long: true }),
      source: said('Who said or wrote them.', text, { label: 'office.part.source' }),
    }),
    Type.Object({
      type: Type.Literal('html'),
      html: said('Rich text, which may have links and tables. The server removes everything unsafe.', text, {
        label: 'office.part.text',
        control: 'richText',
      }),
    }),
    Type.Object({
      type: Type.Literal('product'),
      product: isStored
        ? described(
            'The id of the product, which may be imported later. The part shows while it is published.',
            product,
            {
              label: 'office.part.product',
              control: 'own',
            },
          )
        : product,
    }),
  ]);
}

export const StoredArticlePart = articleParts(LocalText, Type.String(), Id, true);
export type StoredArticlePart = Static<typeof StoredArticlePart>;

export const ArticlePart = articleParts(Type.String(), ImageInfo, ProductSummary, false);
export type ArticlePart = Static<typeof ArticlePart>;

export const PostLink = Type.Object({
  link: described("The post's slug, as in its address.", Id),
  title: Type.String(),
});

export const BlogPost = Type.Object({
  ...summaryFields,
  updatedAt: EpochMs,
  blogPage: described(
    'The body of the post, from top to bottom.',
    Type.Object({ parts: Type.Array(ArticlePart) }),
  ),
  related: described(
    'Related posts, three at most: those that share the most tags and the category first, then the newest.',
    Type.Array(BlogPostSummary),
  ),
  previous: described('The neighbouring posts in time: `previous` is older.', Nullable(PostLink)),
  next: Nullable(PostLink),
});
export type BlogPost = Static<typeof BlogPost>;

export const BlogPostList = Type.Object({
  posts: Type.Array(BlogPostSummary),
  count: described('The total number, whatever range was requested.', Count),
});
export type BlogPostList = Static<typeof BlogPostList>;

/** `allowed` is for the caller: 'signIn' if only customers may like. */
export const BlogLikes = Type.Object({
  likes: Count,
  liked: described('Whether the caller likes the post.', Flag),
  allowed: described(
    'Whether the caller may like it; signIn: only customers may.',
    Type.Enum(['yes', 'signIn', 'no']),
  ),
});
export type BlogLikes = Static<typeof BlogLikes>;
