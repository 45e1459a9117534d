/** Serves the calls of the orders room. */
import type { FastifyInstance } from 'fastify';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { OrdersService } from '../order/orders.service.ts';
import type { OfficeOrders } from './office-orders.ts';

interface OfficeOrdersRoutes {
  changes: ChangesService;
  orders: OrdersService;
  office: OfficeOrders;
}

export function registerOfficeOrders(app: FastifyInstance, { changes, orders, office }: OfficeOrdersRoutes): void {
  serveStaff(app, 'orders', ({ permit, query }) => office.page(permit, query));
  serveStaff(app, 'order', ({ permit, params, lang }) => office.sheet(permit, params.number, lang));
  serveStaff(app, 'noteOrder', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'orders note', (change) => office.note(change, permit, params.number, body.text));
    return { done: true as const };
  });
  serveStaff(app, 'takeMoney', async ({ permit, params, body }) => {
    const { number } = await office.reach(permit, params.number);
    return changes.run(permit.actor, 'orders paid', (change) =>
      orders.fulfilment.take(change, number ?? '', body.kind, body.amount),
    );
  });
}
