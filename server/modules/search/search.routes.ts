/** What is offered while somebody types. Searches that answer with products stand with the other lists. */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/plugins/contract.ts';
import type { Services } from '#server/services.ts';

export function registerSearchRoutes(app: FastifyInstance, { search }: Services): void {
  serve(app, 'productSuggestions', ({ params, lang }) => search.suggest(params.nameLike, lang));
}
