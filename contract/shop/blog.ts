import Type from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { limits } from '../limits.ts';
import { Blog, BlogConfig, BlogLikes, BlogPost, BlogPostList, BlogTag } from '../schemas/blog.ts';
import { Id, LangQuery, Strict } from '../schemas/common.ts';

const lang = Strict(LangQuery);
const ofBlog = Strict({ storeBlogId: Id });

export const blogEndpoints = {
  blogs: {
    route: 'GET blog/blogs',
    summary: "The shop's blogs, the main one first.",
    audience: 'public',
    query: lang,
    response: Type.Array(Blog),
  },
  storeBlog: {
    route: 'GET blog/storeBlog/:storeBlogId',
    summary: 'A blog with its categories.',
    audience: 'public',
    params: ofBlog,
    query: lang,
    response: Blog,
  },
  blogConfig: {
    route: 'GET blog/blogConfig/:storeBlogId',
    summary: 'Who may like the posts of a blog.',
    audience: 'public',
    params: ofBlog,
    query: lang,
    response: BlogConfig,
  },
  blogPost: {
    route: 'GET blog/blogPost/:link',
    summary: 'A post, whole, by its link.',
    audience: 'public',
    params: Strict({ link: Id }),
    query: lang,
    response: BlogPost,
  },
  blogPosts: {
    route: 'GET blog/blogPosts/:storeBlogId',
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
    route: 'GET blog/blogTags/:storeBlogId',
    summary: 'The tags of a blog that have posts, those with most first.',
    audience: 'public',
    params: ofBlog,
    query: lang,
    response: Type.Array(BlogTag),
  },
  blogLikes: {
    route: 'GET blog/blogPost/likes/:storeBlogId/:storeBlogPostId',
    summary: 'How many like a post as of now, and whether the caller does and may.',
    audience: 'session',
    params: Strict({ storeBlogId: Id, storeBlogPostId: Id }),
    query: lang,
    response: BlogLikes,
  },
  likeBlogPost: {
    route: 'GET blog/blogPost/like/:storeBlogId/:storeBlogPostId/:like',
    summary: "Likes a post ('true') or takes that back ('false'). One like a customer or guest session; saying it twice is once.",
    audience: 'session',
    changes: true,
    params: Strict({ storeBlogId: Id, storeBlogPostId: Id, like: Type.Enum(['true', 'false']) }),
    query: lang,
    response: BlogLikes,
  },
} as const satisfies Record<string, Endpoint>;
