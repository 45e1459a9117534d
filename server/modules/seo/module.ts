import type { Database } from '#db/database.ts';
import { shopOrigin } from '#server/http/origin.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { BlogService, ContentService } from '#server/modules/content/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { registerLlmsTxt } from './llms-txt.ts';
import { registerProductFeeds } from './product-feed.routes.ts';
import { registerSecurityTxt, registerSitemaps } from './sitemap.routes.ts';
import { createSitemapService, type SitemapService } from './sitemap.service.ts';

export interface SeoDeps {
  db: Database;
  env: Env;
  now: () => number;
  settings: SettingsService;
  stores: StoresService;
  media: MediaService;
  catalogue: CatalogueService;
  content: ContentService;
  blog: BlogService;
}

export interface SeoServices {
  sitemaps: SitemapService;
}

export function createSeoModule(deps: SeoDeps): ServerModule<SeoServices> {
  const services = { sitemaps: createSitemapService(deps) };
  return {
    services,
    registerRoutes(app) {
      const origin = shopOrigin(app, deps.env.publicUrl);
      registerSitemaps(app, { ...deps, ...services }, { db: deps.db, origin });
      registerProductFeeds(app, { ...deps, origin });
      registerLlmsTxt(app, deps, origin);
      registerSecurityTxt(app, deps, { origin, now: deps.now });
    },
  };
}
