/** What is offered while somebody types. Searches that answer with products stand with the other lists. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/container.ts';
import { serve } from '#server/http/endpoint.ts';

export function registerSearchRoutes(app: FastifyInstance, { search }: Services): void {
  serve(app, 'productSuggestions', ({ params, lang }) => search.suggest(params.nameLike, lang));
}
