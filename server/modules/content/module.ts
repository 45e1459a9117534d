import type { SessionInfo } from '#contract/schemas/shop.ts';
import type { Database } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { MediaService, Videos } from '#server/modules/media/index.ts';
import type { EmailRegistry, OutboxService } from '#server/modules/notifications/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { createSafeFetch, loopbackOnly, type SafeFetch } from '#server/platform/safe-fetch/safe-fetch.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { registerBlogRoutes } from './blog/blog.routes.ts';
import { createBlogService } from './blog/blog.service.ts';
import { registerBlogFeeds } from './blog/blog-feeds.routes.ts';
import { createFeedsService } from './blog/blog-feeds.ts';
import { createContentExport } from './content-export.ts';
import { contentRemoval } from './content-removal.repository.ts';
import { createContentData } from './customer-data.ts';
import { createExternalSourcesService, type SourceFailure } from './external-sources/external-sources.service.ts';
import { createFeedReader } from './feeds/feed-reader.service.ts';
import { registerFeedsRoutes } from './feeds/feeds.routes.ts';
import { createOwnFeed } from './feeds/own-feed.ts';
import { createFormMessageEmails } from './forms/form-message-email.ts';
import { registerMessagesRoutes } from './forms/form-messages.routes.ts';
import { createFormMessagesService } from './forms/form-messages.service.ts';
import { registerContentRoutes } from './pages/content.routes.ts';
import { createContentService, type PageReport } from './pages/content.service.ts';
import { createPublishedBlocks } from './pages/published-blocks.ts';
import { createShellService } from './pages/shell.service.ts';
import { registerSocialRoutes } from './photographs/photographs.routes.ts';
import { createPhotographsService } from './photographs/photographs.service.ts';

/** How often a process checks for external feeds and photo accounts that are due, ms. */
const readEveryMs = 60_000;

export interface ContentModuleDeps {
  db: Database;
  env: Env;
  now: () => number;
  attempts: RateLimitsService;
  externalFetch: SafeFetch;
  changes: ChangesService;
  settings: SettingsService;
  media: MediaService;
  videos: Videos;
  stores: StoresService;
  catalogue: CatalogueService;
  mail: OutboxService;
  emails: EmailRegistry;
  /** The caller's session information, which the first call of a page requests along with the shell. */
  sessionInfo: (session: SessionHandle) => Promise<SessionInfo>;
  /** Called with stored blocks that cannot be shown. */
  onBadBlocks?: (report: PageReport) => void;
  /** Called with feeds and photo accounts that could not be read. */
  onSourceProblem?: (problem: SourceFailure) => void;
}

export type ContentServices = ReturnType<typeof createContentServices>;

export interface ContentModule extends ServerModule<ContentServices> {
  /** Likes and form messages of customers. */
  customerData: ReturnType<typeof createContentData>;
}

function createContentServices(deps: ContentModuleDeps) {
  const { settings, externalFetch } = deps;
  const blog = createBlogService(deps);
  const published = createPublishedBlocks(deps);
  const sources = createExternalSourcesService({ ...deps, onProblem: deps.onSourceProblem });
  const feeds = createFeedReader({ published, sources, outside: externalFetch, own: createOwnFeed(blog) });
  const photographs = createPhotographsService({ ...deps, sources, ...instagramAccess(deps) });
  return {
    blog,
    /** The blog's feeds. */
    blogFeeds: createFeedsService({ blog, settings }),
    content: createContentService({ ...deps, films: deps.videos, blog, feeds, social: photographs }),
    feeds,
    photographs,
    formMessages: createFormMessagesService({ ...deps, published }),
    shell: createShellService({ ...deps, blog }),
    /** Pages, photos and posts in the form in which they are imported. */
    contentExport: createContentExport(deps),
    contentRemoval,
    /** The origins of the video players that published pages embed. */
    framedSites: () => published.framedSites(),
    /** Reads external feeds and photo accounts that are due. Safe to run in several processes at once. */
    async refreshExternalFeeds(): Promise<void> {
      await Promise.all([feeds.refresh(), photographs.refresh()]);
    },
  };
}

/** A fake of Instagram, and its images, run on this machine. */
function instagramAccess({ env, externalFetch }: ContentModuleDeps) {
  const account = env.instagram;
  return { account, outside: account?.apiUrl.startsWith('http:') ? createSafeFetch(loopbackOnly) : externalFetch };
}

export function createContentModule(deps: ContentModuleDeps): ContentModule {
  const services = createContentServices(deps);
  const { blog, formMessages } = services;
  deps.emails.register(createFormMessageEmails({ emails: deps.emails, messages: formMessages }));
  return {
    services,
    customerData: createContentData({ likes: blog.likes, messages: formMessages }),
    registerRoutes(app) {
      registerContentRoutes(app, { ...services, sessionInfo: deps.sessionInfo });
      registerBlogRoutes(app, services);
      registerBlogFeeds(app, services, deps.env);
      registerFeedsRoutes(app, services);
      registerSocialRoutes(app, services);
      registerMessagesRoutes(app, services);
    },
    maintenance: [{ run: () => blog.editor.release() }, { run: () => formMessages.sweep() }],
    jobs: [{ name: 'reading sources', everyMs: readEveryMs, atStart: true, run: services.refreshExternalFeeds }],
  };
}
