import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, durations, type MetricSource } from '#server/platform/telemetry/metric.ts';
import type { RequestTracer } from '#server/platform/telemetry/tracer.ts';
import { trustedProxies } from './proxy.ts';
import type { PublicCache } from './public-cache.ts';

/** As metrics and traces name it: from a fixed set, never what the client wrote. */
declare module 'fastify' {
  interface FastifyReply {
    /** Null: the route's own URL. */
    measuredAs: string | null;
  }
}

/** No route: an address that nobody answers. */
export const unknownRoute = '(unknown)';
export const assetRoute = '(asset)';
/** A page that redirects, or that was never rendered. */
export const redirectRoute = '(redirect)';

/** Such as `/api/istore/client/orders/:id`, or `/products/$cat` for a page. */
function routeLabel(request: FastifyRequest, reply: FastifyReply): string {
  return reply.measuredAs ?? request.routeOptions.url ?? unknownRoute;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Every other method is `other`: Node knows more than 30 of them. */
function methodName(method: string): string {
  return methods.has(method) ? method : 'other';
}

/** The calls of a page that is rendered come from this process. */
function isFromClient(request: FastifyRequest): boolean {
  return request.raw.socket instanceof Socket;
}

export class RequestMetrics {
  readonly #requests = new Counter({
    name: 'shopwright_http_requests_total',
    help: 'Answered requests by route template or page, method and class of the status.',
    labels: ['route', 'method', 'status'],
  });
  readonly #durations = durations({
    name: 'shopwright_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labels: ['route'],
  });
  readonly source: MetricSource = { name: 'http', metrics: [this.#requests, this.#durations] };

  count(route: string, method: string, status: number, ms: number): void {
    this.#requests.add(route, methodName(method), `${Math.trunc(status / 100)}xx`);
    this.#durations.observe(ms / 1000, { route });
  }
}

export function registerRequestMetrics(app: FastifyInstance, metrics: RequestMetrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (isFromClient(request))
      metrics.count(routeLabel(request, reply), request.method, reply.raw.statusCode, reply.elapsedTime);
    done();
  });
}

export function cacheMetrics(cache: PublicCache): MetricSource {
  const { stats } = cache;
  return {
    name: 'page cache',
    metrics: [
      {
        type: 'gauge',
        name: 'shopwright_page_cache_entries',
        help: 'Pages and public responses in memory.',
        samples: () => [{ value: cache.size }],
      },
      {
        type: 'gauge',
        name: 'shopwright_page_cache_bytes',
        help: 'Memory of these responses.',
        samples: () => [{ value: cache.bytes }],
      },
      {
        type: 'counter',
        name: 'shopwright_page_cache_requests_total',
        help: 'Requests by result: "hit" from memory, "joined" a response under way, "miss" made a new one.',
        labels: ['result'],
        samples: () => [
          { labels: { result: 'hit' }, value: stats.hits },
          { labels: { result: 'joined' }, value: stats.joined },
          { labels: { result: 'miss' }, value: stats.misses },
        ],
      },
      {
        type: 'gauge',
        name: 'shopwright_page_cache_renders',
        help: 'Responses under way.',
        samples: () => [{ value: cache.underWay }],
      },
    ],
  };
}

/** `hops` trusted proxies stand in front of the shop: only they may continue a trace of their own. */
export function registerRequestTraces(app: FastifyInstance, tracer: RequestTracer, hops: number): void {
  const trusts = trustedProxies(hops);

  app.addHook('onRequest', (request, reply, done) => {
    if (!isFromClient(request)) return done();
    const { socket, headers } = request.raw;
    const given = trusts(socket.remoteAddress ?? '', 0) ? headers.traceparent : undefined;
    const span = tracer.begin(typeof given === 'string' ? given : undefined);
    // Unlike `finish`, it also comes if the client leaves.
    reply.raw.once('close', () => {
      const method = methodName(request.method);
      const route = routeLabel(request, reply);
      const { statusCode } = reply.raw;
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': statusCode,
      };
      span.end(`${method} ${route}`, attributes, statusCode >= 500);
    });
    span.run(done);
  });
}
