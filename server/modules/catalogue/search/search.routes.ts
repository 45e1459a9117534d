/** Serves suggestions while typing. Searches that return products are served with the other lists. */
import type { FastifyInstance } from 'fastify';
import { recorded, serve } from '#server/http/endpoint.ts';
import type { SearchService } from './search.service.ts';

export function registerSearchRoutes(app: FastifyInstance, { search }: { search: SearchService }): void {
  serve(app, 'productSuggestions', ({ params, lang }) => search.suggest(params.nameLike, lang), recorded);
}
