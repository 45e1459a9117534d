import Type from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { limits } from '../limits.ts';
import { Success } from '../schemas/account.ts';
import { Blog, BlogConfig, BlogLikes, BlogPost, BlogPostList, BlogTag } from '../schemas/blog.ts';
import { described, Id, LangQuery, Strict } from '../schemas/common.ts';
import { Feed, SocialPhoto } from '../schemas/feeds.ts';

const lang = Strict(LangQuery);

export const FormMessage = Strict({
  mailTo: described('As the published form has it.', Type.String({ maxLength: 254 })),
  formName: described('As the published form has it.', Type.String({ maxLength: 100 })),
  messageDetails: Type.Array(
    Strict({
      key: described('The name of a field.', Type.String({ maxLength: 100 })),
      value: Type.String({ maxLength: limits.formLongTextLength }),
    }),
    { maxItems: limits.formFields },
  ),
  website: Type.Optional(
    described('Hidden from people: filled in, it marks spam.', Type.String({ maxLength: 1000 })),
  ),
  secondsOpen: Type.Optional(
    described(
      'How long the form was visible: less than a person takes to type marks spam.',
      Type.Number({ minimum: 0, maximum: 10_000_000 }),
    ),
  ),
});
export type FormMessage = Type.Static<typeof FormMessage>;

const ofBlog = Strict({ storeBlogId: Id });

export const contentEndpoints = {
  submitForm: {
    route: 'POST message/submitForm',
    repeat: 'same',
    summary:
      'Sends what a form of a page asks for to the address that the page names. Sending it twice sends it once.',
    audience: 'session',
    changes: true,
    query: lang,
    body: FormMessage,
    response: Success,
  },
  commonSearches: {
    route: 'GET common3/commonSearches',
    summary: 'The searches that the search page offers before a customer has typed one.',
    audience: 'public',
    query: lang,
    response: Type.Object({ searches: Type.Array(Type.String()) }),
  },
  readFeed: {
    route: 'GET feed/read',
    summary: 'The entries of a feed that a page names, latest first: as last read where its source is down.',
    audience: 'public',
    query: Strict({ url: Type.String({ minLength: 1, maxLength: limits.feedUrlLength }), ...LangQuery }),
    response: Feed,
  },
  recentPhotos: {
    route: 'GET social/ig/recent',
    summary:
      "The shop's recent photographs: from Instagram where it is set up, otherwise those that came with the shop.",
    audience: 'public',
    query: lang,
    response: Type.Object({ data: Type.Array(SocialPhoto) }),
  },
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
    repeat: 'same',
    summary:
      "Likes a post ('true') or takes that back ('false'). One like a customer or guest session; saying it twice is once.",
    audience: 'session',
    changes: true,
    params: Strict({ storeBlogId: Id, storeBlogPostId: Id, like: Type.Enum(['true', 'false']) }),
    query: lang,
    response: BlogLikes,
  },
} as const satisfies Record<string, Endpoint>;
