/** Serves the calls for placed orders (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/http/endpoint.ts';
import type { OrdersService } from './orders.service.ts';

export function registerOrdersRoutes(app: FastifyInstance, { orders }: { orders: OrdersService }): void {
  serve(app, 'order', async ({ session, params, lang }) => orders.placedOrder(params.id, await session.get(), lang));
}
