/** The calls about the blog, for the table of all endpoints. */
import Type from 'typebox';
import type { Endpoint } from './endpoints.ts';
import { limits } from './limits.ts';
import type { EndpointName } from './paths.ts';
import { Blog, BlogConfig, BlogLikes, BlogPost, BlogPostList, BlogTag } from './schemas/blog.ts';
import { Id, LangQuery, Strict } from './schemas/common.ts';

const lang = Strict(LangQuery);
const ofBlog = Strict({ storeBlogId: Id });

export const blogEndpoints = {
  blogs: { summary: "The shop's blogs, the main one first.", audience: 'public', query: lang, response: Type.Array(Blog) },
  storeBlog: {
    summary: 'A blog with its categories.',
    audience: 'public',
    params: ofBlog,
    query: lang,
    response: Blog,
  },
  blogConfig: {
    summary: 'Who may like the posts of a blog.',
    audience: 'public',
    params: ofBlog,
    query: lang,
    response: BlogConfig,
  },
  blogPost: {
    summary: 'A post, whole, by its link.',
    audience: 'public',
    params: Strict({ link: Id }),
    query: lang,
    response: BlogPost,
  },
  blogPosts: {
    summary: 'Posts of a blog, the newest first, of one category or tag where named.',
    audience: 'public',
    params: ofBlog,
    query: Strict({
      categoryName: Type.Optional(Id),
      tagName: Type.Optional(Id),
      infiniteLoad: Type.Optional(Type.Boolean()),
      startingPosition: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
      numberToLoad: Type.Optional(Type.Integer({ minimum: 1, maximum: 48, default: limits.blogPageSize })),
      ...LangQuery,
    }),
    response: BlogPostList,
  },
  blogTags: {
    summary: 'The tags of a blog that have posts, those with most first.',
    audience: 'public',
    params: ofBlog,
    query: lang,
    response: Type.Array(BlogTag),
  },
  blogLikes: {
    summary: 'How many like a post as of now, and whether the caller does and may.',
    audience: 'session',
    params: Strict({ storeBlogId: Id, storeBlogPostId: Id }),
    query: lang,
    response: BlogLikes,
  },
  likeBlogPost: {
    summary: "Likes a post ('true') or takes that back ('false'). One like a customer or guest session; saying it twice is once.",
    audience: 'session',
    changes: true,
    params: Strict({ storeBlogId: Id, storeBlogPostId: Id, like: Type.Enum(['true', 'false']) }),
    query: lang,
    response: BlogLikes,
  },
} as const satisfies Partial<Record<EndpointName, Endpoint>>;
