/** Builds the server from what it depends on. Starting it is `main.ts`'s business. */
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { EndpointName } from '#contract/paths.ts';
import type { Database } from '#db/database.ts';
import type { Env } from './env.ts';
import { registerApiDocs } from './plugins/api-docs.ts';
import { PublicCache } from './plugins/cache.ts';
import { bodyLimit, registerErrors, unknownCall } from './plugins/errors.ts';
import { registerHealth } from './plugins/health.ts';
import { loggerOptions, RequestLog } from './plugins/log.ts';
import { registerOpenApi } from './plugins/openapi.ts';
import { registerPages } from './plugins/pages.ts';
import { registerSecurityHeaders, securityHeaders } from './plugins/security.ts';
import { createServices, type Services } from './services.ts';
import type { WebRenderer } from './ssr/renderer.ts';

export interface AppDeps {
  env: Env;
  db: Database;
  /** Where log lines go; left out, to the process's error output. */
  logStream?: { write(line: string): void };
  /** Opens the renderer of pages; left out, the app serves its API alone. */
  web?: (server: Server) => Promise<WebRenderer>;
  /** The clock: milliseconds since the epoch. */
  now?: () => number;
  /** Left out: made here. */
  services?: Services;
}

/** The modules' routes; each registers its own calls. */
function registerModules(_app: FastifyInstance, _services: Services): void {}

export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { env, db } = deps;
  const now = deps.now ?? Date.now;
  const services = deps.services ?? createServices({ db, env, now });
  const headers = securityHeaders(env);

  const app = Fastify({
    ...(env.logLevel === 'silent'
      ? {}
      : { logger: loggerOptions({ level: env.logLevel, ...(deps.logStream ? { stream: deps.logStream } : {}) }) }),
    logController: new RequestLog(),
    bodyLimit,
    trustProxy: env.trustProxy,
    genReqId: requestIds(),
    routerOptions: { maxParamLength: 700, ignoreTrailingSlash: false },
    forceCloseConnections: 'idle',
  });
  app.decorate('contract', {
    cache: new PublicCache({ version: () => db.catalogueVersion(), headers }),
    sessions: services.sessions,
    checkAnswers: !env.production,
    served: new Set<EndpointName>(),
  });
  registerErrors(app);
  registerSecurityHeaders(app, headers);
  registerHealth(app, db);
  registerOpenApi(app);
  registerApiDocs(app);
  registerModules(app, services);
  if (deps.web) {
    const web = await deps.web(app.server);
    app.addHook('onClose', () => web.close());
    registerPages(app, { web, cache: app.contract.cache, publicUrl: env.publicUrl });
  }
  app.setNotFoundHandler(unknownCall);
  await app.ready();
  return app;
}

/** A caller's own id where it is harmless, else one that no other process gives. */
function requestIds(): (request: { headers: FastifyRequest['headers'] }) => string {
  const prefix = randomBytes(4).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && /^[\w.:-]{8,64}$/.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
