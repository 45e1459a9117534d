import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#db/database.ts';
import { registerApiDocs } from '#server/http/api-docs.ts';
import { createHttpServer } from '#server/http/create-http-server.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import { registerHealth } from '#server/http/health.ts';
import { registerOffice } from '#server/http/office.ts';
import { registerOpenApi } from '#server/http/openapi.ts';
import { shopOrigin } from '#server/http/origin.ts';
import { registerPages } from '#server/http/pages.ts';
import { type RequestMetrics, registerRequestMetrics, registerRequestTraces } from '#server/http/request-metrics.ts';
import { logKey } from '#server/platform/secrets/secrets.service.ts';
import type { RequestTracer } from '#server/platform/telemetry/tracer.ts';
import type { WebRenderer } from '#server/ssr/renderer.ts';
import type { Services } from './container.ts';
import type { Env } from './env.ts';

export type OpenRenderer = (server: Server) => Promise<WebRenderer>;

export interface AppDeps {
  env: Env;
  db: Database;
  logStream?: { write(line: string): void };
  web?: OpenRenderer;
  now?: () => number;
  services: Services;
  requestMetrics?: RequestMetrics | null;
  tracer?: RequestTracer | null;
}

export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { env, db, services } = deps;
  const app = createHttpServer({
    ...(deps.now ? { now: deps.now } : {}),
    env,
    db,
    sessions: services.sessions,
    readLanguages: services.settings.all,
    logKey: await logKey(db),
    ...(deps.logStream ? { logStream: deps.logStream } : {}),
  });

  if (deps.requestMetrics) registerRequestMetrics(app, deps.requestMetrics);
  if (deps.tracer) registerRequestTraces(app, deps.tracer, env.proxyHops);
  registerHealth(app, db);
  registerOpenApi(app, shopOrigin(app, env.publicUrl));
  registerApiDocs(app);
  for (const module of services.modules) module.registerRoutes?.(app);
  const web = (await deps.web?.(app.server)) ?? null;
  registerOffice(app, { web, officeUrl: env.officeUrl });
  if (web) {
    app.addHook('onClose', () => web.close());
    registerPages(app, {
      web,
      cache: app.contract.cache,
      publicUrl: env.publicUrl,
      readLanguages: services.settings.all,
      mapTilesUrl: env.mapTilesUrl,
      redirectOf: services.redirects.of,
      frames: services.framedSites,
      providers: services.payments.providers.all(),
      ...(deps.tracer ? { tracer: deps.tracer } : {}),
    });
  }
  app.setNotFoundHandler(unknownEndpoint);
  await app.ready();
  return app;
}
