import type { Bit, Fixed, Json } from './tables.ts';

export interface BlogsTable {
  id: Fixed<string>;
  name: Json;
  description: Json;
  enable_user_like: Bit;
  enable_guest_like: Bit;
  /** 0: the shop's main blog. */
  position: number;
}

/** Several blogs may use the same name. */
export interface BlogCategoriesTable {
  blog_id: Fixed<string>;
  id: Fixed<string>;
  name: Json;
  description: Json;
  position: number;
}

export interface BlogTagsTable {
  blog_id: Fixed<string>;
  id: Fixed<string>;
  name: Json;
  position: number;
}

export interface BlogPostsTable {
  id: Fixed<string>;
  blog_id: Fixed<string>;
  /** Of the post's URL. Unique. */
  link: string;
  category_id: string | null;
  title: Json;
  excerpt: Json;
  /** `{ name, role }` in all languages, or null. */
  author: Json | null;
  image: string | null;
  /** The contract's `StoredArticlePart`s. */
  parts: Json;
  /** Minutes, by language. */
  reading_minutes: Json;
  published_at: number;
  updated_at: number;
  /** Set in the transaction that increments the catalogue version, so that caches agree with it. */
  released: Bit;
}

export interface BlogPostTagsTable {
  post_id: Fixed<string>;
  tag_id: Fixed<string>;
  position: number;
}

/** `liker` is 'customer:' and an id, or 'session:' and a session's hash. */
export interface BlogLikesTable {
  post_id: Fixed<string>;
  liker: string;
  created_at: Fixed<number>;
}

/** The rows of `blog_likes`, plus those from before an import. */
export interface BlogLikeCountsTable {
  post_id: Fixed<string>;
  likes: number;
}

export interface BlogTables {
  blogs: BlogsTable;
  blog_categories: BlogCategoriesTable;
  blog_tags: BlogTagsTable;
  blog_posts: BlogPostsTable;
  blog_post_tags: BlogPostTagsTable;
  blog_likes: BlogLikesTable;
  blog_like_counts: BlogLikeCountsTable;
}
