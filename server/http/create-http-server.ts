import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { EndpointName } from '#contract/shop/paths.ts';
import type { Database } from '#db/database.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionsService } from '#server/platform/sessions/sessions.service.ts';
import { boundConnections, type LatestResponses } from './connections.ts';
import { createEarlyRefusals } from './early-refusals.ts';
import { bodyLimit, registerErrors, rejectEarly } from './errors.ts';
import { registerForwardedFor, trustedProxies } from './proxy.ts';
import { PublicCache } from './public-cache.ts';
import { deferredLogger, loggerOptions, RequestLog } from './request-log.ts';
import { registerSecurityHeaders, securityHeaders } from './security-headers.ts';
import { createSecurityLog } from './security-log.ts';

/** How long a client may take to send headers, and a whole request, ms: long for a few KB over the slowest networks. */
const headersTimeoutMs = 6000;
const requestTimeoutMs = 12_000;
/** How often slow senders are looked for, ms. */
const slowSendersEveryMs = 2000;
/** Far longer than any path of the shop, in characters. */
const longestPath = 4096;
/** Fits a search text of maximum length with every character percent-encoded. */
const maxParamLength = 2000;

export interface HttpServerDeps {
  env: Env;
  db: Database;
  sessions: SessionsService;
  readLanguages: () => Promise<unknown>;
  now?: () => number;
  /** Of the hashes in the log; by default one of this process only. */
  logKey?: Buffer;
  logStream?: { write(line: string): void };
}

export function createHttpServer({
  env,
  db,
  sessions,
  readLanguages,
  logStream,
  logKey,
  now = Date.now,
}: HttpServerDeps): FastifyInstance {
  const headersFor = securityHeaders(env);
  const requestId = requestIds();
  const latest: LatestResponses = new WeakMap();
  const early = createEarlyRefusals(headersFor, latest, () => requestId({ headers: {} }));
  const app: FastifyInstance = Fastify({
    ...(env.logLevel === 'silent'
      ? {}
      : { logger: loggerOptions({ level: env.logLevel, ...(logStream ? { stream: logStream } : {}) }) }),
    logController: new RequestLog(),
    childLoggerFactory: deferredLogger,
    bodyLimit,
    // `contract.ts` validates and serialises calls, so Fastify's own compilers are not loaded.
    schemaController: { compilersFactory: { buildValidator: unusedCompiler, buildSerializer: unusedCompiler } },
    trustProxy: env.proxyHops > 0 && trustedProxies(env.proxyHops),
    genReqId: requestId,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength },
    frameworkErrors: rejectEarly(headersFor),
    clientErrorHandler: early.clientErrorHandler,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: slowSendersEveryMs,
      // Node's own rejection would carry neither a body nor the shop's headers; `refuseWithoutHost` sends both.
      requireHostHeader: false,
    },
    // Stopping waits only for responses under way.
    forceCloseConnections: 'idle',
    // An accepted connection is answered even while the process stops.
    return503OnClosing: false,
  });
  app.decorate('contract', {
    cache: new PublicCache({ changes: db.changes, now, headersFor }),
    sessions,
    secure: env.publicUrl?.startsWith('https:') ?? false,
    checkAnswers: !env.production,
    readLanguages,
    served: new Set<EndpointName>(),
    headersFor,
  });
  app.decorateReply('measuredAs', null);
  app.decorate('securityLog', createSecurityLog(logKey ?? randomBytes(32)));
  early.attach(app);
  refuseWithoutHost(app);
  registerErrors(app, db.outage);
  registerSecurityHeaders(app, headersFor);
  refuseLongPaths(app);
  closeAfterAnswers(app);
  if (env.proxyHops > 0) registerForwardedFor(app, env.proxyHops);
  boundConnections(app, latest, env);
  return app;
}

function refuseLongPaths(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const query = request.url.indexOf('?');
    const length = query < 0 ? request.url.length : query;
    if (length <= longestPath) done();
    else done(new AppError('REQUEST_VALIDATION_ERROR', { errorKey: 'error.pathTooLong', status: 414 }));
  });
}

function unusedCompiler(): never {
  throw new Error('Routes have no schemas of their own: calls are served by `serve`');
}

/** RFC 9112: an HTTP/1.1 request carries a Host header. */
function refuseWithoutHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { httpVersion, headers } = request.raw;
    if (headers.host !== undefined || httpVersion === '1.0') return done();
    reply.header('connection', 'close');
    done(new AppError('REQUEST_VALIDATION_ERROR', { errorKey: 'error.malformed' }));
  });
}

/** While stopping, each connection closes after its current response. */
function closeAfterAnswers(app: FastifyInstance): void {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close');
  });
}

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
