import type { Server } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { staffBase } from '#contract/limits.ts';
import { offeredLocales } from '#contract/locales.ts';
import { tryWrite } from '#db/counters.ts';
import type { Database } from '#db/database.ts';
import { isMigrated } from '#db/migrate.ts';
import { registerApiDocs } from '#server/http/api-docs.ts';
import { createHttpServer } from '#server/http/create-http-server.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import { registerOpenApi } from '#server/http/openapi.ts';
import { registerOpeningSoon } from '#server/http/opening-soon.ts';
import { shopOrigin } from '#server/http/origin.ts';
import { registerPagePreview } from '#server/http/page-preview.ts';
import { connectionCounter, registerPages } from '#server/http/pages.ts';
import { RenderQueue } from '#server/http/render-queue.ts';
import {
  type RequestMetrics,
  registerRequestMetrics,
  registerRequestTraces,
} from '#server/http/request-metrics.ts';
import { createStillPages } from '#server/http/still-page.ts';
import { pageStyle } from '#server/modules/settings/index.ts';
import { logKey } from '#server/platform/secrets/secrets.service.ts';
import type { RequestTracer } from '#server/platform/telemetry/tracer.ts';
import { inProcessTransport, isScanner, type WebRenderer } from '#server/ssr/renderer.ts';
import type { Services } from './container.ts';
import type { Env } from './env.ts';
import { pageType } from './http/page-answer.ts';
import { contentSecurityPolicy, developmentHeaders, scannerHeaders } from './http/security-headers.ts';

const officeHeaders = { 'content-security-policy': contentSecurityPolicy() };

/** Each of them writes to the disk. */
const writeProbeEveryMs = 1000;
const pageProbeEveryMs = 5000;

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
  let drawPage = async () => {};
  registerHealth(app, db, () => drawPage());
  registerOpenApi(app, shopOrigin(app, env.publicUrl));
  registerApiDocs(app);
  for (const module of services.modules) module.registerRoutes?.(app);
  const web = (await deps.web?.(app.server)) ?? null;
  registerOffice(app, { web, officeUrl: env.officeUrl });
  const renders = new RenderQueue({ connections: connectionCounter(app) });
  const style = async () => pageStyle(await services.settings.all());
  registerPagePreview(app, {
    web,
    publicUrl: env.publicUrl,
    draft: services.content.draft,
    postDraft: services.posts.draft,
    navigationDraft: services.shell.navigationDraft,
    lookDraft: services.shell.lookDraft,
    style,
    openLink: services.draftLinks.open,
    timeZone: services.stores.timeZone,
    renders,
  });
  if (web) {
    app.addHook('onClose', () => web.close());
    drawPage = () => drawStartPage(app, web, env.publicUrl);
    registerOpeningSoon(app, {
      db,
      setting: async () => (await services.settings.all()).openingSoon,
      attempts: services.attempts,
      renders,
      draw: createStillPages(app, { web, origin: shopOrigin(app, env.publicUrl) }),
      style,
      page: services.content.page,
      shell: services.shell.content,
    });
    registerPages(app, {
      web,
      renders,
      cache: app.contract.cache,
      publicUrl: env.publicUrl,
      readLanguages: services.settings.all,
      mapTilesUrl: async () => (await services.connections.current()).mapTilesUrl,
      style,
      redirectOf: services.redirects.of,
      frames: services.framedSites,
      async providers() {
        await services.connections.current();
        const { paymentOnline, defaultGateWayProviderName } = (await services.settings.all()).paymentConfig;
        return services.payments.providers.offered(paymentOnline ? defaultGateWayProviderName : null);
      },
      ...(deps.tracer ? { tracer: deps.tracer } : {}),
    });
  }
  app.setNotFoundHandler(unknownEndpoint);
  await app.ready();
  return app;
}

export function registerHealth(
  app: FastifyInstance,
  db: Database,
  drawPage: () => Promise<void> = async () => {},
): void {
  const canWrite = atMostEvery(writeProbeEveryMs, () => tryWrite(db));
  const canDraw = atMostEvery(pageProbeEveryMs, drawPage);
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );

  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    try {
      await db.ping();
    } catch (error) {
      if (db.outage.note(error) === null) request.log.warn({ err: error }, 'database not reachable');
      return reply.status(503).send({ status: 'databaseUnreachable' });
    }
    // The query itself fails in a database without the shop's tables.
    const migrated = await isMigrated(db).catch(() => false);
    if (!migrated) return reply.status(503).send({ status: 'notMigrated' });
    if ((await canWrite()) !== null)
      return reply.status(503).send({ status: 'databaseNotWritable', cause: db.outage.cause });
    const undrawn = await canDraw();
    if (undrawn === null) return { status: 'ready' };
    request.log.error({ err: undrawn.error }, 'no page can be drawn');
    return reply.status(503).send({ status: 'pagesNotDrawn' });
  });
}

/** @throws {Error} if it cannot be drawn, or files of the build are gone */
async function drawStartPage(
  app: FastifyInstance,
  web: WebRenderer,
  publicUrl: string | null,
): Promise<void> {
  await web.check?.();
  const { cache } = app.contract;
  const page = await web.render({
    url: '/',
    transport: inProcessTransport(app, { cached: (url) => cache.text(url) }),
    visitor: false,
    origin: shopOrigin(app, publicUrl)(),
    languages: offeredLocales(),
  });
  if (page.redirect) return;
  if (page.error !== undefined) throw page.error;
  if (page.status >= 500) throw new Error(`The start page answers ${page.status}`);
}

/** What went wrong, or null. However many ask, a probe that costs runs once in a while. */
function atMostEvery(ms: number, probe: () => Promise<void>): () => Promise<{ error: unknown } | null> {
  let last: { at: number; answer: Promise<{ error: unknown } | null> } | null = null;
  return () => {
    if (!last || Date.now() - last.at >= ms) {
      const answer = probe().then(
        () => null,
        (error: unknown) => ({ error }),
      );
      last = { at: Date.now(), answer };
    }
    return last.answer;
  };
}

interface OfficeOptions {
  web: Pick<WebRenderer, 'office' | 'middleware'> | null;
  /** Null: the office answers at the shop's address. */
  officeUrl: string | null;
}

/**
 * On the shop's own address, scripts of payment providers run on /payment and could call the office in the name of somebody who
 * is signed in there. With an address of its own, the office and its calls answer nowhere else.
 */
function registerOffice(app: FastifyInstance, { web, officeUrl }: OfficeOptions): void {
  const host = officeUrl === null ? null : new URL(officeUrl).host;
  // Without a callback of its own, a hook would delay every cached answer by a turn.
  if (host !== null)
    app.addHook('onRequest', (request, reply, done) => {
      if (request.host !== host && isOfficePath(request.url)) void unknownEndpoint(request, reply);
      else done();
    });
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const html = await web?.office?.(request.url);
    if (!html) return unknownEndpoint(request, reply);
    return reply
      .headers({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        ...(isScanner(request.url) ? scannerHeaders : officeHeaders),
        ...(web?.middleware ? developmentHeaders : {}),
      })
      .type(pageType)
      .send(html);
  };
  app.get('/office', answer);
  app.get('/office/*', answer);
}

function isOfficePath(url: string): boolean {
  return url.startsWith(staffBase) || /^\/office(?:[/?]|$)/.test(url);
}
