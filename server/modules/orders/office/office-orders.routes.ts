/** Serves the calls of the rooms Orders and Today. */
import type { FastifyInstance } from 'fastify';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { OrdersService } from '../order/orders.service.ts';
import type { OfficeOrders } from './office-orders.ts';
import type { Opening } from './opening.ts';
import { findOrderItems, type OrderItemsDeps } from './order-items.ts';
import { correctEmail, type OrderMailsDeps, sendAgain } from './order-mails.ts';
import type { OrderViews } from './views.ts';

interface OfficeOrdersRoutes extends OrderItemsDeps, OrderMailsDeps {
  changes: ChangesService;
  orders: OrdersService;
  office: OfficeOrders;
}

export function registerOfficeOrders(app: FastifyInstance, deps: OfficeOrdersRoutes): void {
  const { changes, orders, office } = deps;
  serveStaff(app, 'orders', ({ permit, query }) => office.page(permit, query));
  serveStaff(app, 'order', ({ permit, params, lang }) => office.sheet(permit, params.number, lang));
  serveStaff(app, 'noteOrder', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'orders note', (change) => office.note(change, permit, params.number, body.text));
    return { done: true as const };
  });
  serveStaff(app, 'findOrderItems', async ({ permit, params, query, lang }) => {
    await office.reach(permit, params.number);
    return { items: await findOrderItems(deps, query.text ?? '', lang) };
  });
  serveStaff(app, 'sendMailAgain', async ({ permit, params }) => {
    const order = await office.reach(permit, params.number);
    await changes.run(permit.actor, 'orders send-again', (change) => sendAgain(deps, change, order, params.mail));
    return { done: true as const };
  });
  serveStaff(app, 'correctEmail', async ({ permit, params, body }) => {
    const order = await office.reach(permit, params.number);
    await changes.run(permit.actor, 'orders email', (change) => correctEmail(deps, change, order, body.email));
    return { done: true as const };
  });
  serveStaff(app, 'shipOrder', ({ permit, params, body }) =>
    changes.run(permit.actor, 'orders shipped', (change) => office.ship(change, permit, params.number, body)),
  );
  serveStaff(app, 'takeBackShipment', async ({ permit, params: { number, id }, body }) => {
    await changes.run(permit.actor, 'orders take-back', (change) =>
      office.takeBackShipment(change, permit, number, { id, reason: body.reason.trim() }),
    );
    return { done: true as const };
  });
  serveStaff(app, 'takeMoney', async ({ permit, params, body }) => {
    const { number } = await office.reach(permit, params.number);
    return changes.run(permit.actor, 'orders paid', (change) =>
      orders.fulfilment.take(change, number ?? '', body.kind, body.amount),
    );
  });
}

export function registerOrderViews(app: FastifyInstance, changes: ChangesService, views: OrderViews): void {
  serveStaff(app, 'orderViews', ({ permit }) => views.list(permit));
  serveStaff(app, 'saveOrderView', async ({ permit, body }) => {
    await changes.run(permit.actor, 'orders view', (change) => views.save(change, permit, body));
    return views.list(permit);
  });
  serveStaff(app, 'shareOrderView', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'orders view', (change) => views.share(change, permit, params.id, body.shared));
    return views.list(permit);
  });
  serveStaff(app, 'removeOrderView', async ({ permit, params }) => {
    await changes.run(permit.actor, 'orders view', (change) => views.remove(change, permit, params.id));
    return views.list(permit);
  });
}

export function registerOpening(app: FastifyInstance, changes: ChangesService, opening: Opening): void {
  serveStaff(app, 'items', async ({ permit, query, lang }) => ({ items: await opening.skus(permit, query.text ?? '', lang) }));
  serveStaff(app, 'soldOut', ({ permit, params, query, lang }) => opening.soldOut(permit, params.store, lang, query.text));
  serveStaff(app, 'markSoldOut', async ({ permit, params, body, lang }) => {
    await changes.run(permit.actor, 'sold-out', (change) => opening.markSoldOut(change, permit, params.store, body));
    return opening.soldOut(permit, params.store, lang);
  });
  serveStaff(app, 'storePickup', ({ permit, params }) => opening.pickup(permit, params.store));
  serveStaff(app, 'changePickup', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'pickup', (change) => opening.changePickup(change, permit, params.store, body));
    return opening.pickup(permit, params.store);
  });
  serveStaff(app, 'storeDays', ({ permit, params, query }) => opening.days(permit, params.store, query.date));
  serveStaff(app, 'closeDay', ({ permit, params, body }) =>
    changes.run(permit.actor, 'opening hours', (change) => opening.closeDay(change, permit, params.store, body)),
  );
}
