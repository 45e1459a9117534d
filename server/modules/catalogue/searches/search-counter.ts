/** Counts the searches among all requests, before the cache answers them. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SearchCounts } from './search-counts.ts';
import { searchOfUrl } from './search-request.ts';

/** Crawlers that call themselves browsers name themselves as well. */
const crawler = /bot|crawl|spider|slurp|preview|headless|lighthouse|monitor/i;

/** Registers the counter. Pages that the shop renders call the API as well, without a browser's name, and are not counted twice. */
export function registerSearchCounter(app: FastifyInstance, searches: Pick<SearchCounts, 'count'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.method === 'GET') {
      const search = searchOfUrl(request.url);
      if (search && isShopper(request)) searches.count(search);
    }
    done();
  });
}

function isShopper({ headers }: FastifyRequest): boolean {
  const agent = headers['user-agent'] ?? '';
  return agent.startsWith('Mozilla/') && !crawler.test(agent) && headers['sec-purpose'] === undefined;
}
