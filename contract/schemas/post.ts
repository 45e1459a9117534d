/** A post of a blog, and a blog, as merchants write them in the office. Files name a post by `link` (docs/shop-file.md). */
import Type, { type Static } from 'typebox';
import { described, EpochMs, Flag, Id, LocalName, LocalText, Nullable } from './common.ts';

/** In files as well. */
export const postFields = {
  link: described('The end of the address: `/blog/post/three-oolongs`.', Id, {
    label: 'office.post.link',
    hint: 'office.post.linkHint',
    section: 'office.post.found',
  }),
  title: described('The title.', LocalName, { label: 'office.page.title' }),
  excerpt: described('A sentence or two for lists, feeds and search engines.', LocalText, {
    label: 'office.post.excerpt',
    hint: 'office.post.excerptHint',
    long: true,
  }),
  image: described('The file name of the image above the post; null for none.', Nullable(Type.String()), {
    label: 'office.post.cover',
    control: 'picture',
  }),
  category: described('The id of a category of the blog; null for none.', Nullable(Id), {
    label: 'office.post.category',
    control: 'named',
    none: 'office.post.noCategory',
    section: 'office.post.found',
  }),
  tags: described('The ids of tags of the blog.', Type.Array(Id, { maxItems: 50 }), {
    label: 'office.taxon.tag',
    control: 'named',
    section: 'office.post.found',
  }),
};

const authorFields = {
  name: described('The name of the author.', LocalText, { label: 'office.post.author' }),
  role: described('What the author does, such as “Reads the proofs”.', LocalText, {
    label: 'office.post.role',
  }),
};
export const PostAuthor = Type.Object(authorFields);

export const PostDocument = Type.Object({
  id: described('Identifies the post, whatever its address becomes.', Id),
  blogId: described('The id of the blog that the post belongs to.', Id),
  title: postFields.title,
  excerpt: postFields.excerpt,
  image: postFields.image,
  author: described('The author; without texts, the post names none.', PostAuthor, {
    section: 'office.post.author',
  }),
  link: postFields.link,
  category: postFields.category,
  tags: postFields.tags,
  publishedAt: described('The date that readers see; null: when it is published.', Nullable(EpochMs), {
    label: 'office.post.date',
    hint: 'office.post.dateHint',
    section: 'office.post.found',
  }),
  parts: described(
    'The parts of the post, from top to bottom.',
    Type.Array(Type.Unknown(), { maxItems: 1000 }),
    {
      label: 'office.post.parts',
      section: 'office.post.parts',
      control: 'own',
    },
  ),
});
/** A part has an id besides what `StoredArticlePart` says. */
export type PostDocument = Omit<Static<typeof PostDocument>, 'parts'> & { parts: readonly unknown[] };

export const blogFields = {
  name: described('The name of the blog.', LocalName, { label: 'office.goods.name' }),
  description: described('A sentence for the page of the blog and for feed readers.', LocalText, {
    label: 'office.store.description',
    long: true,
  }),
  /** SPEC §3, §5: whether customers and guests may like posts. */
  enableUserLike: described('Whether signed-in customers may like posts.', Flag, {
    label: 'office.blog.customersLike',
  }),
  enableGuestLike: described('Whether guests may like posts.', Flag, { label: 'office.blog.guestsLike' }),
};

export const BlogCategoryInput = Type.Object({
  id: described('Identifies the category, and is the end of its address: `/blog/cat/care`.', Id),
  name: described('The name of the category.', LocalName, { label: 'office.goods.name' }),
  description: described('A sentence for the page of the category.', LocalText, {
    label: 'office.store.description',
  }),
});
export const BlogTagInput = Type.Object({
  id: described('Identifies the tag, and is the end of its address: `/blog/tag/oolong`.', Id),
  name: described('The name of the tag.', LocalName, { label: 'office.goods.name' }),
});

export const BlogDocument = Type.Object({
  id: described('Identifies the blog. Posts refer to it.', Id),
  ...blogFields,
  categories: described(
    'Its categories, in the order of their links.',
    Type.Array(BlogCategoryInput, { maxItems: 200 }),
    {
      label: 'office.blog.category',
      add: 'office.blog.addCategory',
      section: 'office.blog.categories',
    },
  ),
  tags: described('Its tags.', Type.Array(BlogTagInput, { maxItems: 1000 }), {
    label: 'office.blog.tag',
    add: 'office.blog.addTag',
    section: 'office.blog.tags',
  }),
});
export type BlogDocument = Static<typeof BlogDocument>;
