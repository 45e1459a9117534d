import { createHmac, randomBytes } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import type { ErrorType } from '#contract/errors.ts';
import { defaultLocale, type MessageKey } from '#contract/locales.ts';
import type { ErrorBody } from '#contract/schemas/common.ts';
import type { EndpointName } from '#contract/shop/paths.ts';
import type { Database } from '#db/database.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import { createMeter } from '#server/platform/rate-limits/meter.ts';
import { networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import { createRequestKeys } from '#server/platform/request-keys/request-keys.ts';
import type { SessionsService } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import { boundConnections, type LatestResponses } from './connections.ts';
import { cartLineLimits } from './endpoint.ts';
import { bodyLimit, registerErrors, rejectEarly } from './errors.ts';
import { registerForwardedFor, trustedProxies } from './proxy.ts';
import { PublicCache } from './public-cache.ts';
import { deferredLogger, loggerOptions, RequestLog } from './request-log.ts';
import { type HeadersFor, registerSecurityHeaders, securityHeaders } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    securityLog: SecurityLog;
  }
}

const json = 'application/json; charset=utf-8';

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
    schemaController: {
      compilersFactory: { buildValidator: unusedCompiler, buildSerializer: unusedCompiler },
    },
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
    requestKeys: createRequestKeys({ db, now }),
    secure: env.publicUrl?.startsWith('https:') ?? false,
    checkAnswers: !env.production,
    readLanguages,
    served: new Set<EndpointName>(),
    headersFor,
    cartLines: createMeter({ now, ...cartLineLimits }),
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
    const [path = ''] = request.url.split('?', 1);
    // A page that moves to another address would repeat all of the query, encoded.
    const isLongQuery = !path.startsWith('/api/') && request.url.length - path.length > longestPath;
    if (path.length <= longestPath && !isLongQuery) done();
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

/** Errors before there is a request, and expectations that cannot be met. They close the connection. */
function createEarlyRefusals(headersFor: HeadersFor, latest: LatestResponses, requestId: () => string) {
  /** Header names and values in turn, and the body. */
  const refusal = (status: number): { headers: Record<string, string>; body: string } => {
    const id = requestId();
    const body = JSON.stringify(bodyOf(status, id));
    const headers = {
      'content-type': json,
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      connection: 'close',
      ...headersFor(json),
      'x-request-id': id,
    };
    return { headers, body };
  };

  const refuseOn = (socket: Socket, status: number): void => {
    if (socket.writable) {
      const { headers, body } = refusal(status);
      const lines = Object.entries({ ...headers, date: new Date().toUTCString() }).map(
        ([name, value]) => `${name}: ${value}`,
      );
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
    }
    socket.destroySoon();
  };

  return {
    clientErrorHandler(error: Error & { code?: string }, socket: Socket) {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      const status = statusOfParserError(error.code);
      const response = latest.get(socket);
      if (!response || (response.req.complete && response.writableFinished)) return refuseOn(socket, status);
      const request = response.req;
      // The request with the broken body has no response yet: the rejection becomes its response.
      if (!request.complete && !response.headersSent) return refuseOn(socket, status);
      // The request already has its response and gets no second one; an unreadable request after it waits its turn.
      const after = request.complete ? () => refuseOn(socket, status) : () => socket.destroySoon();
      if (response.writableFinished) after();
      else response.once('finish', after);
    },
    /** Answers expectations other than `100-continue`. */
    attach(app: FastifyInstance): void {
      app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
        const { headers, body } = refusal(417);
        response.writeHead(417, headers).end(body);
      });
    },
  };
}

function statusOfParserError(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

/** In the default language, because the requested one is not known. */
function bodyOf(status: number, requestId: string): ErrorBody {
  const tooLarge = status === 413 || status === 431;
  const errorKey: MessageKey = tooLarge ? 'error.tooLarge' : 'error.malformed';
  const errorType: ErrorType = status === 413 ? 'PAYLOAD_TOO_LARGE' : 'REQUEST_VALIDATION_ERROR';
  return { errorType, errorKey, message: translate(defaultLocale)(errorKey), requestId };
}

/** `failed`: wrong password or the like. `slowed`: rate limited. `refused`: not allowed. */
type SecurityOutcome = 'done' | 'failed' | 'slowed' | 'refused';

type SecurityLog = ReturnType<typeof createSecurityLog>;

type Email = string | undefined | (() => Promise<string | undefined>);

/** Accounts and networks are keyed hashes: the same one is recognised, but not who without the shop's key. */
function createSecurityLog(key: Buffer) {
  const hash = (kind: string, text: string) =>
    createHmac('sha256', key).update(`${kind}\n${text}`).digest('base64url').slice(0, 16);
  const network = (request: FastifyRequest) => hash('network', networkOf(request.ip));
  /** Requests that `watch` has logged already. */
  const logged = new WeakSet<FastifyRequest>();

  return {
    /** Logs the outcome, errors included. An `email` function is called before the work is done. */
    async watch<T>(request: FastifyRequest, event: string, email: Email, work: () => Promise<T>): Promise<T> {
      const known = typeof email === 'function' ? await email() : email;
      const say = (outcome: SecurityOutcome) => {
        const account = known ? { account: hash('account', emailKeyOf(known)) } : {};
        logged.add(request);
        request.log[outcome === 'done' ? 'info' : 'warn'](
          { event, outcome, ...account, network: network(request) },
          'security',
        );
      };
      try {
        const result = await work();
        say('done');
        return result;
      } catch (error) {
        if (error instanceof AppError) say(outcomeOf(error));
        throw error;
      }
    },
    /** The account is not known there. */
    refused(request: FastifyRequest, refusal: AppError): void {
      if (logged.has(request)) return;
      const outcome = outcomeOf(refusal);
      if (outcome === 'failed') return;
      request.log.warn({ event: 'call', outcome, network: network(request) }, 'security');
    },
  };
}

function outcomeOf({ errorType }: AppError): SecurityOutcome {
  if (errorType === 'RATE_LIMITED') return 'slowed';
  return errorType === 'FORBIDDEN' ? 'refused' : 'failed';
}
