/** Calls that search. */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/plugins/contract.ts';
import type { Services } from '#server/services.ts';
import { searchList } from '../catalogue/catalogue.routes.ts';

export function registerSearchRoutes(app: FastifyInstance, { catalogue, search }: Services): void {
  serve(app, 'productSearch', async ({ params, query, lang }) =>
    searchList(await catalogue.page({ nameLike: params.nameLike }, query, lang)),
  );
  serve(app, 'productsByNameAndCondition', async ({ params, query, lang }) => {
    const filter = { ...(await search.condition(params.condition)), nameLike: params.nameLike };
    return searchList(await catalogue.page(filter, query, lang));
  });
  serve(app, 'productSearchCount', async ({ params }) => {
    const start = performance.now();
    const count = await catalogue.count({ nameLike: params.nameLike });
    return { count, searchTime: Math.round((performance.now() - start) * 100) / 100 };
  });
  serve(app, 'productSuggestions', ({ params, lang }) => search.suggest(params.nameLike, lang));
}
