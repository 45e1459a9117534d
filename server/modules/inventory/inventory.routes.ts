/** Serves the call for live stock. */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/http/endpoint.ts';
import type { InventoryService } from './inventory.service.ts';

export function registerInventoryRoutes(app: FastifyInstance, { inventory }: { inventory: InventoryService }): void {
  serve(app, 'inventory', ({ params, query }) => inventory.of(params.productID, query.optionPair ?? ''));
}
