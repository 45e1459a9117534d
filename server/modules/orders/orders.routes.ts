/** Calls about orders that have been placed (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/container.ts';
import { serve } from '#server/http/endpoint.ts';

export function registerOrdersRoutes(app: FastifyInstance, { orders }: Services): void {
  serve(app, 'order', async ({ session, params, lang }) => orders.placedOrder(params.id, await session.get(), lang));
}
