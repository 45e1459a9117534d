/** Builds the server from what it depends on. Starting it is `main.ts`'s business. */
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#db/database.ts';
import type { Env } from './env.ts';
import { registerAccountsRoutes } from './modules/accounts/accounts.routes.ts';
import { registerBlogRoutes } from './modules/blog/blog.routes.ts';
import { registerBlogFeeds } from './modules/blog/feeds.routes.ts';
import { registerCartRoutes } from './modules/cart/cart.routes.ts';
import { registerCatalogueRoutes } from './modules/catalogue/catalogue.routes.ts';
import { registerCheckoutRoutes } from './modules/checkout/checkout.routes.ts';
import { registerContentRoutes } from './modules/content/content.routes.ts';
import { registerCouponsRoutes } from './modules/coupons/coupons.routes.ts';
import { registerFeedsRoutes } from './modules/feeds/feeds.routes.ts';
import { registerGeoRoutes } from './modules/geo/geo.routes.ts';
import { registerInventoryRoutes } from './modules/inventory/inventory.routes.ts';
import { registerFilmRoutes } from './modules/media/films.routes.ts';
import { registerMediaRoutes } from './modules/media/media.routes.ts';
import { registerMessagesRoutes } from './modules/messages/messages.routes.ts';
import { registerOrdersRoutes } from './modules/orders/orders.routes.ts';
import { registerPaymentsRoutes } from './modules/payments/payments.routes.ts';
import { registerWebhooks } from './modules/payments/webhooks.routes.ts';
import { registerSearchRoutes } from './modules/search/search.routes.ts';
import { logKey } from './modules/secrets/secrets.service.ts';
import { registerSitemaps } from './modules/sitemap/sitemap.routes.ts';
import { registerSocialRoutes } from './modules/social/social.routes.ts';
import { registerStoresRoutes } from './modules/stores/stores.routes.ts';
import { registerTipsRoutes } from './modules/tips/tips.routes.ts';
import { registerApiDocs } from './plugins/api-docs.ts';
import { unknownCall } from './plugins/errors.ts';
import { createFoundation } from './plugins/foundation.ts';
import { registerHealth } from './plugins/health.ts';
import { registerOpenApi } from './plugins/openapi.ts';
import { shopOrigin } from './plugins/origin.ts';
import { registerPages } from './plugins/pages.ts';
import { createServices, type Services } from './services.ts';
import type { WebRenderer } from './ssr/renderer.ts';

/** Given the HTTP server, which the development renderer shares. */
export type OpenRenderer = (server: Server) => Promise<WebRenderer>;

export interface AppDeps {
  env: Env;
  db: Database;
  /** Where log lines go; left out, to the process's error output. */
  logStream?: { write(line: string): void };
  /** Opens the renderer of pages; left out, the app serves its API alone. */
  web?: OpenRenderer;
  /** The clock: milliseconds since the epoch. */
  now?: () => number;
  /** Left out: made here. */
  services?: Services;
}

/** The modules' routes; each registers its own calls. */
function registerModules(app: FastifyInstance, services: Services, now: () => number): void {
  registerCatalogueRoutes(app, services);
  registerContentRoutes(app, services);
  registerBlogRoutes(app, services);
  registerGeoRoutes(app, services);
  registerInventoryRoutes(app, services);
  registerMediaRoutes(app, services);
  registerFilmRoutes(app, services);
  registerFeedsRoutes(app, services);
  registerSocialRoutes(app, services);
  registerMessagesRoutes(app, services);
  registerSearchRoutes(app, services);
  registerStoresRoutes(app, services);
  registerCartRoutes(app, services);
  registerCouponsRoutes(app, services);
  registerTipsRoutes(app, services);
  registerCheckoutRoutes(app, services);
  registerPaymentsRoutes(app, services, { now });
  registerWebhooks(app, services);
  registerOrdersRoutes(app, services);
  registerAccountsRoutes(app, services);
}

export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { env, db } = deps;
  const now = deps.now ?? Date.now;
  const services = deps.services ?? createServices({ db, env, now });
  const app = createFoundation({
    env,
    db,
    sessions: services.sessions,
    logKey: await logKey(db),
    ...(deps.logStream ? { logStream: deps.logStream } : {}),
  });

  registerHealth(app, db);
  registerOpenApi(app);
  registerApiDocs(app);
  registerModules(app, services, now);
  const origin = shopOrigin(app, env.publicUrl);
  registerBlogFeeds(app, services, origin);
  registerSitemaps(app, services, { db, origin });
  if (deps.web) {
    const web = await deps.web(app.server);
    app.addHook('onClose', () => web.close());
    registerPages(app, {
      web,
      cache: app.contract.cache,
      publicUrl: env.publicUrl,
      mapTilesUrl: env.mapTilesUrl,
      frames: services.framedSites,
      providers: services.payments.registry.all(),
    });
  }
  app.setNotFoundHandler(unknownCall);
  await app.ready();
  return app;
}
