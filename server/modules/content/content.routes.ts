/** Serves the calls for pages, the shell, the blog, feeds, photos and forms (SPEC §7 "Common" and "Social, blog, forms"). */
import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/limits.ts';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { recorded, serve } from '#server/http/endpoint.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { BlogService } from './blog/blog.service.ts';
import type { FeedReader } from './feeds/feed-reader.service.ts';
import type { FormMessagesService, OfficeMessages } from './forms/form-messages.service.ts';
import type { ContentService } from './pages/content.service.ts';
import type { ShellService } from './pages/shell.service.ts';
import type { PhotographsService } from './photographs/photographs.service.ts';

export interface ContentRoutesDeps {
  content: ContentService;
  shell: ShellService;
  blog: BlogService;
  feeds: FeedReader;
  photographs: PhotographsService;
  formMessages: FormMessagesService;
  officeMessages: OfficeMessages;
  changes: ChangesService;
  sessionInfo: (session: SessionHandle) => Promise<SessionInfo>;
}

export function registerContentRoutes(app: FastifyInstance, deps: ContentRoutesDeps): void {
  const { content, shell, feeds, photographs, formMessages, sessionInfo } = deps;
  serve(app, 'pageContent', ({ query, lang }) => content.page(query.pageName, lang), recorded);
  serve(app, 'commonSearches', async ({ lang }) => ({ searches: await shell.commonSearches(lang) }), recorded);
  serve(
    app,
    'appInfoInit',
    async ({ session, lang }) => ({ appContent: await shell.content(lang), ...(await sessionInfo(session)) }),
    recorded,
  );
  serve(app, 'readFeed', ({ query, lang }) => feeds.read(query.url, lang));
  serve(app, 'recentPhotos', async ({ lang }) => ({ data: await photographs.recent(lang, limits.socialPhotos) }), recorded);
  serve(app, 'submitForm', async ({ body, lang, request, session }) => {
    const customerId = (await session.get())?.customerId ?? null;
    await formMessages.submit(body, { locale: lang, address: request.ip, customerId });
    return { status: 'success' };
  });
  registerBlog(app, deps);
  registerMessages(app, deps);
}

function registerMessages(app: FastifyInstance, { officeMessages, changes }: ContentRoutesDeps): void {
  serveStaff(app, 'messages', ({ permit, query }) => officeMessages.page(permit, query));
  serveStaff(app, 'markMessage', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'message mark', (change) => officeMessages.mark(change, permit, params.id, body.done));
    return officeMessages.show(permit, params.id);
  });
}

function registerBlog(app: FastifyInstance, { blog }: ContentRoutesDeps): void {
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
