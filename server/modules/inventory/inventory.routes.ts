/** The call that asks for live stock. */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/plugins/contract.ts';
import type { Services } from '#server/services.ts';

export function registerInventoryRoutes(app: FastifyInstance, { inventory }: Services): void {
  serve(app, 'inventory', ({ params, query }) => inventory.of(params.productID, query.optionPair ?? ''));
}
