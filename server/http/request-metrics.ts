/** Counts and times the requests of clients. It runs for every request, warm pages included, so counting allocates nothing. */
import type { FastifyInstance } from 'fastify';
import { Buckets, type HistogramSample, type MetricSource, type Sample } from '#server/platform/telemetry/metric.ts';
import type { PublicCache } from './public-cache.ts';
import { isFromClient, methodCount, methodIndex, methodName, routeLabel } from './route-label.ts';

/** Upper bounds, seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** 1xx to 5xx. */
const statusClasses = 5;

class RouteCounts {
  /** By method, then by class of the status. */
  readonly requests = new Float64Array(methodCount * statusClasses);
  readonly durations = new Buckets(bounds);
}

export class RequestMetrics {
  readonly #routes = new Map<string, RouteCounts>();

  /** `route` is a `routeLabel`; `ms` is the duration. */
  count(route: string, method: string, status: number, ms: number): void {
    let counts = this.#routes.get(route);
    if (!counts) {
      counts = new RouteCounts();
      this.#routes.set(route, counts);
    }
    const cell = methodIndex(method) * statusClasses + Math.min(Math.max(Math.floor(status / 100), 1), statusClasses) - 1;
    counts.requests[cell] = (counts.requests[cell] ?? 0) + 1;
    counts.durations.observe(ms / 1000);
  }

  readonly source: MetricSource = {
    name: 'http',
    metrics: [
      {
        type: 'counter',
        name: 'shopwright_http_requests_total',
        help: 'Answered requests by route template or page, method and class of the status.',
        labels: ['route', 'method', 'status'],
        samples: () => this.#requests(),
      },
      {
        type: 'histogram',
        name: 'shopwright_http_request_duration_seconds',
        help: 'Time from the headers of a request to the end of its response.',
        labels: ['route'],
        bounds,
        samples: () => this.#durations(),
      },
    ],
  };

  #requests(): Sample[] {
    return [...this.#routes].flatMap(([route, { requests }]) =>
      [...requests].flatMap((value, cell) => {
        if (value === 0) return [];
        const method = methodName(Math.floor(cell / statusClasses));
        return [{ labels: { route, method, status: `${(cell % statusClasses) + 1}xx` }, value }];
      }),
    );
  }

  #durations(): HistogramSample[] {
    return [...this.#routes].map(([route, { durations }]) => ({ labels: { route }, buckets: durations }));
  }
}

/** Counts the requests of routes that are registered after it. */
export function registerRequestMetrics(app: FastifyInstance, metrics: RequestMetrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (isFromClient(request)) metrics.count(routeLabel(request, reply), request.method, reply.raw.statusCode, reply.elapsedTime);
    done();
  });
}

/** The metrics of the cache of pages and public calls. The calls of a page that is rendered count as well. */
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
