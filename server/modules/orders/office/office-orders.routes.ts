/** Serves the calls of the orders room. */
import type { FastifyInstance } from 'fastify';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { OfficeOrders } from './office-orders.ts';

export function registerOfficeOrders(app: FastifyInstance, office: OfficeOrders): void {
  serveStaff(app, 'orders', ({ permit, query }) => office.page(permit, query));
  serveStaff(app, 'order', ({ permit, params, lang }) => office.sheet(permit, params.number, lang));
}
