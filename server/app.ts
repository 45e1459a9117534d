/** Builds the server from what it depends on. Starting it is `main.ts`'s business. */
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#db/database.ts';
import { registerApiDocs } from '#server/http/api-docs.ts';
import { createHttpServer } from '#server/http/create-http-server.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import { registerHealth } from '#server/http/health.ts';
import { registerOpenApi } from '#server/http/openapi.ts';
import { shopOrigin } from '#server/http/origin.ts';
import { registerPages } from '#server/http/pages.ts';
import { registerCatalogueRoutes, registerSearchRoutes } from '#server/modules/catalogue/index.ts';
import {
  registerBlogFeeds,
  registerBlogRoutes,
  registerContentRoutes,
  registerFeedsRoutes,
  registerMessagesRoutes,
  registerSocialRoutes,
} from '#server/modules/content/index.ts';
import { registerAccountsRoutes, registerGeoRoutes } from '#server/modules/customers/index.ts';
import { registerInventoryRoutes } from '#server/modules/inventory/index.ts';
import { registerMediaRoutes, registerVideoRoutes } from '#server/modules/media/index.ts';
import {
  registerCartRoutes,
  registerCheckoutRoutes,
  registerCouponsRoutes,
  registerOrdersRoutes,
  registerTipsRoutes,
} from '#server/modules/orders/index.ts';
import { registerPaymentsRoutes, registerWebhooks } from '#server/modules/payments/index.ts';
import { registerSecurityTxt, registerSitemaps } from '#server/modules/seo/index.ts';
import { registerStoresRoutes } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import { logKey } from '#server/platform/secrets/secrets.service.ts';
import type { WebRenderer } from '#server/ssr/renderer.ts';
import { createContainer, type Services } from './container.ts';

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
  registerVideoRoutes(app, services);
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
  const services = deps.services ?? createContainer({ db, env, now });
  const app = createHttpServer({
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
  registerSecurityTxt(app, services, { origin, now });
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
  app.setNotFoundHandler(unknownEndpoint);
  await app.ready();
  return app;
}
