import type { Bit, Fixed, Json } from './tables.ts';

export interface FormMessagesTable {
  id: Fixed<string>;
  form_name: Fixed<string>;
  /** The form named it. */
  mail_to: Fixed<string>;
  language: Fixed<string>;
  /** Fields in the form's order: `{ name, label, value }`. */
  details: Fixed<Json>;
  /** The value of the form's email field. */
  reply_to: Fixed<string | null>;
  suspected: Bit;
  /** The same text from the same caller on one day. Unique. */
  fingerprint: Fixed<string>;
  created_at: Fixed<number>;
  /** Null for a guest. */
  customer_id: Fixed<string | null>;
  /** Null until somebody of the staff has dealt with it. */
  done_at: number | null;
  /** The id of this person. */
  done_by: string | null;
}

/** With when to read it again. */
export interface ExternalSourcesTable {
  /** 'feed:' and a URL, or 'photos'. */
  key: Fixed<string>;
  /** Null before the first good one. */
  value: Json | null;
  /** For conditional requests: `{ etag, lastModified }`. */
  validators: Json;
  /** The earliest time of the next request, epoch ms. */
  due_at: number;
  good_at: number | null;
  /** Consecutive failures. */
  failures: number;
  problem: string | null;
}

/** Shown if no social account is set up. */
export interface GalleryPhotosTable {
  id: Fixed<string>;
  caption: Json;
  image: string;
  /** It shows the same subject; or ''. */
  link: string;
  taken_at: number;
}

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
interface BlogLikesTable {
  post_id: Fixed<string>;
  liker: string;
  created_at: Fixed<number>;
}

/** The rows of `blog_likes`, plus those from before an import. */
interface BlogLikeCountsTable {
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
