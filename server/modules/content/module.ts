import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/limits.ts';
import { type LocalText, offeredUrl, splitLocale } from '#contract/locales.ts';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import type { Database, Trx } from '#db/database.ts';
import { redirectTo } from '#server/http/encoded-answer.ts';
import { recorded, serve } from '#server/http/endpoint.ts';
import { errorBody } from '#server/http/errors.ts';
import { shopOrigin } from '#server/http/origin.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { CatalogueService, SearchService } from '#server/modules/catalogue/index.ts';
import { type ChangesService, createDraftLinks } from '#server/modules/changes/index.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import type { MediaService, Videos } from '#server/modules/media/index.ts';
import type { EmailRegistry, OutboxService } from '#server/modules/notifications/index.ts';
import {
  type RedirectsService,
  registerLook,
  registerMoreSettings,
  type SettingsChoices,
  type SettingsService,
} from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { createSafeFetch, loopbackOnly, type SafeFetch } from '#server/platform/safe-fetch/safe-fetch.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { allPages } from './blocks/pages.repository.ts';
import { createPublishedBlocks } from './blocks/published-blocks.ts';
import { type BlogService, createBlogService } from './blog/blog.service.ts';
import { createFeedsService, type FeedsService, feedPaths, feedTypes } from './blog/blog-feeds.ts';
import type { LikesService } from './blog/likes.ts';
import { createContentExport } from './content-export.ts';
import { contentRemoval } from './content-removal.ts';
import {
  createExternalSourcesService,
  type SourceFailure,
} from './external-sources/external-sources.service.ts';
import { createFeedReader, createOwnFeed, type FeedReader } from './feeds/feed-reader.service.ts';
import type { MessagesFrom } from './forms/form-messages.repository.ts';
import {
  createFormMessageEmails,
  createFormMessagesService,
  createOfficeMessages,
  type FormMessagesService,
  type OfficeMessages,
  type OfficeMessagesDeps,
} from './forms/form-messages.service.ts';
import { type ContentService, createContentService, type PageReport } from './pages/content.service.ts';
import { registerLookPictures } from './pages/look-pictures.routes.ts';
import { createMapTest } from './pages/map-test.ts';
import { createOfficePages } from './pages/page.kind.ts';
import { createShellService, type ShellService } from './pages/shell.service.ts';
import {
  createInstagramTest,
  createPhotographsService,
  type PhotographsService,
} from './photographs/photographs.service.ts';
import { createImportedPosts } from './posts/imported-posts.ts';
import { createOfficePosts } from './posts/post.kind.ts';

/** How often a process checks for external feeds and photo accounts that are due, ms. */
const readEveryMs = 60_000;

export interface ContentModuleDeps {
  db: Database;
  env: Env;
  connections: ConnectionsService;
  now: () => number;
  attempts: RateLimitsService;
  externalFetch: SafeFetch;
  changes: ChangesService;
  settings: SettingsService;
  redirects: RedirectsService;
  media: MediaService;
  videos: Videos;
  stores: StoresService;
  catalogue: CatalogueService;
  search: SearchService;
  mail: OutboxService;
  emails: EmailRegistry;
  staff: OfficeMessagesDeps['staff'];
  /** The caller's session information, which the first call of a page requests along with the shell. */
  sessionInfo: (session: SessionHandle) => Promise<SessionInfo>;
  /** Called with stored blocks that cannot be shown. */
  onBadBlocks?: (report: PageReport) => void;
  /** Called with feeds and photo accounts that could not be read. */
  onSourceProblem?: (problem: SourceFailure) => void;
}

export type ContentServices = ReturnType<typeof createContentServices>;

export interface ContentModule extends ServerModule<ContentServices> {
  customerData: ReturnType<typeof createContentData>;
}

function createContentServices(deps: ContentModuleDeps) {
  const { settings, externalFetch } = deps;
  const blog = createBlogService(deps);
  const published = createPublishedBlocks(deps);
  const sources = createExternalSourcesService({ ...deps, onProblem: deps.onSourceProblem });
  const feeds = createFeedReader({ published, sources, outside: externalFetch, own: createOwnFeed(blog) });
  const photographs = createPhotographsService({ ...deps, sources, ...instagramAccess(deps) });
  const draftLinks = createDraftLinks(deps);
  return {
    blog,
    posts: createOfficePosts({ ...deps, blog, draftLinks }),
    importedPosts: createImportedPosts(deps),
    blogFeeds: createFeedsService({ blog, settings }),
    content: createContentService({ ...deps, films: deps.videos, blog, feeds, social: photographs }),
    feeds,
    photographs,
    formMessages: createFormMessagesService({ ...deps, published }),
    officeMessages: createOfficeMessages(deps),
    shell: createShellService({ ...deps, blog }),
    contentExport: createContentExport(deps),
    contentRemoval,
    draftLinks,
    framedSites: () => published.framedSites(),
    async refreshExternalFeeds(): Promise<void> {
      await Promise.all([feeds.refresh(), photographs.refresh()]);
    },
  };
}

/** A fake of Instagram, and its images, run on this machine. */
function instagramAccess({ connections, externalFetch }: ContentModuleDeps) {
  const loopback = createSafeFetch(loopbackOnly);
  return {
    account: async () => (await connections.current()).instagram,
    outsideOf: ({ apiUrl }: { apiUrl: string }) => (apiUrl.startsWith('http:') ? loopback : externalFetch),
  };
}

export function createContentModule(deps: ContentModuleDeps): ContentModule {
  const services = createContentServices(deps);
  const { blog, formMessages } = services;
  const { connections, externalFetch } = deps;
  const officePages = createOfficePages({ ...deps, ...services });
  connections.registerTest('instagram', createInstagramTest(instagramAccess(deps)));
  connections.registerTest('map', createMapTest({ connections, externalFetch }));
  deps.emails.register(createFormMessageEmails({ emails: deps.emails, messages: formMessages }));
  return {
    services,
    customerData: createContentData({ likes: blog.likes, messages: formMessages }),
    registerRoutes(app) {
      officePages.register(app);
      services.posts.register(app);
      registerContentRoutes(app, { ...services, changes: deps.changes, sessionInfo: deps.sessionInfo });
      registerBlogFeeds(app, services, deps.env);
      registerLook(app, deps);
      registerMoreSettings(app, { ...deps, choices: () => settingsChoices(deps) });
      registerLookPictures(app, deps);
    },
    maintenance: [
      { run: () => blog.editor.release() },
      { run: officePages.publishAllDue },
      { run: services.posts.publishAllDue },
      { run: services.draftLinks.sweep },
      { run: () => formMessages.sweep() },
    ],
    jobs: [
      { name: 'reading sources', everyMs: readEveryMs, atStart: true, run: services.refreshExternalFeeds },
    ],
  };
}

/** What settings name: pages that visitors can see, categories and tags of products. */
async function settingsChoices({ db, catalogue }: ContentModuleDeps): Promise<SettingsChoices> {
  const [pages, { categories, tags }] = [await allPages(db.read), await catalogue.names()];
  const named = (all: ReadonlyMap<string, { id: string; name: LocalText }>) =>
    [...all.values()].map(({ id, name }) => ({ name: id, nameContent: name }));
  return {
    pages: pages.map(({ name, title }) => ({ name, nameContent: JSON.parse(title) })),
    categories: named(categories),
    tags: named(tags),
  };
}

interface ContentDataDeps {
  likes: Pick<LikesService, 'follow' | 'forget' | 'by'>;
  messages: Pick<FormMessagesService, 'from' | 'forget'>;
}

function createContentData({ likes, messages }: ContentDataDeps) {
  return {
    async signedIn(
      trx: Trx,
      { session, previousHash }: { session: { customerId: string }; previousHash: string | null },
    ) {
      if (previousHash !== null) await likes.follow(trx, previousHash, session.customerId);
    },
    likedPosts: likes.by,
    forgetLikes: likes.forget,
    async messages(sender: MessagesFrom) {
      const sent = await messages.from(sender);
      return sent.map(({ formName, createdAt, details }) => ({ formName, createdAt, details }));
    },
    forgetMessages: messages.forget,
  };
}

/**
 * Serves the blog's feeds, `/blog/feed.xml` and `/blog/atom.xml`, in each language. Cached and revalidated like pages.
 * `publicUrl` is the shop's address for links in a feed; null uses the address that the server listens on.
 */
function registerBlogFeeds(
  app: FastifyInstance,
  { blogFeeds }: { blogFeeds: FeedsService },
  { publicUrl }: { publicUrl: string | null },
): void {
  const { cache, readLanguages } = app.contract;
  const origin = shopOrigin(app, publicUrl);
  for (const format of ['rss', 'atom'] as const) {
    for (const prefix of ['', '/:language']) {
      app.get(prefix + feedPaths[format], {
        onRequest: cache.answerFirst,
        handler: (request, reply) =>
          cache.send(request, reply, async () => {
            await readLanguages();
            const location = offeredUrl(request.url);
            if (location !== null) return redirectTo(location);
            const { locale, pathname } = splitLocale(request.url.split('?', 1)[0] ?? '');
            const body =
              pathname === feedPaths[format] ? await blogFeeds.feed(format, locale, origin()) : null;
            if (body !== null) return { contentType: `${feedTypes[format]}; charset=utf-8`, body };
            const refusal = errorBody(request, 'NOT_FOUND', { errorKey: 'error.unknownRoute' });
            return {
              status: 404,
              contentType: 'application/json; charset=utf-8',
              body: JSON.stringify(refusal),
            };
          }),
      });
    }
  }
}

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

function registerContentRoutes(app: FastifyInstance, deps: ContentRoutesDeps): void {
  const { content, shell, feeds, photographs, formMessages, sessionInfo } = deps;
  serve(app, 'pageContent', ({ query, lang }) => content.page(query.pageName, lang), recorded);
  serve(
    app,
    'commonSearches',
    async ({ lang }) => ({ searches: await shell.commonSearches(lang) }),
    recorded,
  );
  serve(
    app,
    'appInfoInit',
    async ({ session, lang }) => ({ appContent: await shell.content(lang), ...(await sessionInfo(session)) }),
    recorded,
  );
  serve(app, 'readFeed', ({ query, lang }) => feeds.read(query.url, lang));
  serve(
    app,
    'recentPhotos',
    async ({ lang }) => ({ data: await photographs.recent(lang, limits.socialPhotos) }),
    recorded,
  );
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
    await changes.run(permit.actor, 'message mark', (change) =>
      officeMessages.mark(change, permit, params.id, body.done),
    );
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
    blog.likes.set(
      session,
      { blogId: params.storeBlogId, postId: params.storeBlogPostId },
      params.like === 'true',
      request.ip,
    ),
  );
}
