/** Calls about the blog (SPEC §7 "Social, blog, forms"). */
import type { FastifyInstance } from 'fastify';
import { recorded, serve } from '#server/http/endpoint.ts';
import type { BlogService } from './blog.service.ts';

export function registerBlogRoutes(app: FastifyInstance, { blog }: { blog: BlogService }): void {
  serve(app, 'blogs', ({ lang }) => blog.blogs(lang), recorded);
  serve(app, 'storeBlog', ({ params, lang }) => blog.blog(params.storeBlogId, lang), recorded);
  serve(app, 'blogConfig', ({ params }) => blog.config(params.storeBlogId), recorded);
  serve(app, 'blogPost', ({ params, lang }) => blog.post(params.link, lang), recorded);
  serve(app, 'blogPosts', ({ params, query, lang }) => blog.posts(params.storeBlogId, query, lang), recorded);
  serve(app, 'blogTags', ({ params }) => blog.tags(params.storeBlogId), recorded);
  serve(app, 'blogLikes', ({ params, session }) =>
    blog.likes.of(session, { blogId: params.storeBlogId, postId: params.storeBlogPostId }),
  );
  serve(app, 'likeBlogPost', ({ params, session, request }) =>
    blog.likes.set(session, { blogId: params.storeBlogId, postId: params.storeBlogPostId }, params.like === 'true', request.ip),
  );
}
