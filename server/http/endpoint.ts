import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { type Endpoint, refusalStatuses } from '#contract/endpoint.ts';
import {
  apiBase,
  clientToken,
  clientTokenHeader,
  requestKeyForm,
  requestKeyHeader,
} from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { type Body, endpoints, type Params, type Query, type Response } from '#contract/shop/endpoints.ts';
import { type EndpointName, methodAndPath } from '#contract/shop/paths.ts';
import { everything } from '#db/catalogue-version.ts';
import { AppError } from '#server/platform/errors.ts';
import { localeOf } from '#server/platform/i18n.ts';
import type { Meter } from '#server/platform/rate-limits/meter.ts';
import { networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import { collectReads, recordAll, recordReads, recordUntil } from '#server/platform/recorded-reads.ts';
import type { KeyedRequest, RequestKeys } from '#server/platform/request-keys/request-keys.ts';
import type { SessionHandle, SessionsService } from '#server/platform/sessions/sessions.service.ts';
import { countLines } from '#server/platform/work.ts';
import { bodyLimit, longBodyLimit } from './errors.ts';
import type { PublicCache } from './public-cache.ts';
import { isCacheable } from './public-cache.ts';
import type { HeadersFor } from './security-headers.ts';
import { sendSession, sessionOf } from './session-cookie.ts';
import type { PreSerializedJson } from './validation.ts';
import { createSerializer, createValidator, type RequestPart, type Validator } from './validation.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** `buildApp` decorates the server with it. */
    contract: EndpointDeps;
  }
}

export interface EndpointDeps {
  cache: PublicCache;
  sessions: SessionsService;
  requestKeys: RequestKeys;
  /** Whether clients reach this shop over TLS, whatever protocol this process receives. */
  secure: boolean;
  /** In development and tests, a response that does not match its schema is a crash. */
  checkAnswers: boolean;
  readLanguages: () => Promise<unknown>;
  served: Set<EndpointName>;
  /** For answers that bypass the hook that adds them. */
  headersFor: HeadersFor;
  /** By network: lines of carts that calls read. */
  cartLines: Meter;
}

/** So many lines a call reads as part of what it costs anyway: most carts have few, and are read up to three times. */
const linesIncluded = 25;
/** Lines beyond them: a cart of a hundred lines is changed forty times at once, and twice a second for as long as one likes. */
export const cartLineLimits = { burst: 10_000, perSecond: 500 };

export interface Call<N extends EndpointName> {
  params: Params<N>;
  query: Query<N>;
  body: Body<N>;
  lang: Locale;
  session: SessionHandle;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface ServeOptions {
  /** All reads of catalogue and content are recorded (`recordReads`): only a change of what it shows outdates the answer. */
  recordsReads?: boolean;
}

/** Answers a change that was made before, by the key of its request. */
interface Keyed<N extends EndpointName> {
  again?: (call: Call<N>) => Promise<Response<N>>;
}

export const recorded: ServeOptions = { recordsReads: true };

/** A `public` answer is cached by URL until what it shows changes; an endpoint that `changes` requires the client header. */
export function serve<N extends EndpointName>(
  app: FastifyInstance,
  name: N,
  handler: (call: Call<N>) => Promise<Response<N> | PreSerializedJson> | Response<N> | PreSerializedJson,
  { recordsReads = false, again }: ServeOptions & Keyed<N> = {},
): void {
  const endpoint: Endpoint = endpoints[name];
  const { cache, sessions, checkAnswers, readLanguages, served, cartLines } = app.contract;
  // Whoever pays is not stopped, whatever their neighbours do.
  const isMetered = endpoint.audience === 'session' && !refusalStatuses(name, endpoint).includes(402);
  const { method, path } = methodAndPath(name);
  const validators = {
    params: validatorFor(endpoint.params, 'params'),
    query: validatorFor(endpoint.query, 'query'),
    body: validatorFor(endpoint.body, 'body'),
  };
  const print = createSerializer(endpoint.response, checkAnswers);
  served.add(name);

  const run: Run = async (request, reply) => {
    if (!recordsReads) recordReads(everything);
    // Its answer is cached, in the default language if the request names none.
    if (endpoint.audience === 'public') await readLanguages();
    if (isMetered) cartLines.check(networkOf(request.ip));
    const session = sessionOf(request, sessions);
    const call: Call<N> = {
      params: validators.params(request.params) as Params<N>,
      query: validators.query(request.query) as Query<N>,
      body: validators.body(request.body) as Body<N>,
      lang: localeOf(request.query),
      session,
      request,
      reply,
    };
    const keyed = again && (await keyedRequest(call, name));
    const answer = print(
      await (keyed
        ? app.contract.requestKeys.done(
            keyed,
            async () => handler(call),
            () => again(call),
          )
        : handler(call)),
    );
    if (endpoint.audience === 'session' && endpoint.changes) await session.prolong();
    if (endpoint.audience === 'session') sendSession(request, reply, session);
    return answer;
  };

  const route: RouteOptions = {
    method,
    url: apiBase + path,
    bodyLimit: longBodies.has(name) ? longBodyLimit : bodyLimit,
    config: { endpoint: name },
    handler:
      endpoint.audience === 'public'
        ? publicHandler(cache, run)
        : privateHandler(isMetered ? metered(run, cartLines) : run),
  };
  if (endpoint.audience === 'public') route.onRequest = cache.answerFirst;
  else if (endpoint.changes) route.onRequest = requireClientToken;
  app.route(route);
}

/** Calls whose longest valid body exceeds `bodyLimit`. */
const longBodies: ReadonlySet<EndpointName> = new Set(['submitForm', 'updateAddresses', 'updateUserInfo']);

type Run = (request: FastifyRequest, reply: FastifyReply) => Promise<string>;

function publicHandler(cache: PublicCache, run: Run) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    // `run` rejects parameters that the schema does not name.
    const keep = isCacheable(request.url, () => true);
    const make = async () => {
      const { value: body, ...reads } = await collectReads(() => run(request, reply), true);
      return { contentType: jsonType, body, ...reads };
    };
    return cache.send(request, reply, make, keep);
  };
}

/** A page that is made with the answer records what it shows. */
function privateHandler(run: Run) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { value: answer, topics, until } = await collectReads(() => run(request, reply));
    recordAll(topics);
    recordUntil(until);
    return reply.header('cache-control', 'no-store').type(jsonType).send(answer);
  };
}

function metered(run: Run, cartLines: Meter): Run {
  return (request, reply) =>
    countLines(
      () => run(request, reply),
      (lines) => cartLines.charge(networkOf(request.ip), lines - linesIncluded),
    );
}

const jsonType = 'application/json; charset=utf-8';

function validatorFor(schema: TSchema | undefined, part: RequestPart): Validator<unknown> {
  return schema ? createValidator(schema, part) : () => undefined;
}

/**
 * Null without a key, which clients of the SPEC do not send. The key of a first call belongs to the session that this creates: the
 * browser may have its cookie although the rest of the answer was lost.
 */
async function keyedRequest<N extends EndpointName>(
  { request, session }: Call<N>,
  name: N,
): Promise<KeyedRequest | null> {
  const key = request.headers[requestKeyHeader];
  if (typeof key !== 'string' || !requestKeyForm.test(key)) return null;
  return { owner: await session.hash(), key, asked: [name, request.params, request.body] };
}

/** Another site can make a browser send the shop's cookie, but not this header. */
async function requireClientToken(request: FastifyRequest): Promise<void> {
  if (request.headers[clientTokenHeader] !== clientToken)
    throw new AppError('FORBIDDEN', { errorKey: 'error.forbidden' });
}
