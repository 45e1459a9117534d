/** The call that asks for live stock. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/container.ts';
import { serve } from '#server/http/endpoint.ts';

export function registerInventoryRoutes(app: FastifyInstance, { inventory }: Services): void {
  serve(app, 'inventory', ({ params, query }) => inventory.of(params.productID, query.optionPair ?? ''));
}
