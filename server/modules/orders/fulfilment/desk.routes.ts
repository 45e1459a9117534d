/** Serves the calls of the desk and the kitchen. */
import type { FastifyInstance } from 'fastify';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { Desk } from './desk.ts';

export function registerDeskRoutes(app: FastifyInstance, { desk, changes }: { desk: Desk; changes: ChangesService }): void {
  serveStaff(app, 'deskOrders', ({ permit, query, lang }) => desk.list(permit, query, lang));
  serveStaff(app, 'moveOrder', async ({ permit, params: { number }, body, lang }) => {
    await changes.run(permit.actor, `orders ${body.to}`, (change) => desk.move(change, permit, number, body));
    return desk.one(permit, number, lang);
  });
  serveStaff(app, 'undoMove', async ({ permit, params: { number }, body, lang }) => {
    await changes.run(permit.actor, 'orders undo', (change) => desk.undo(change, permit, number, body.version));
    return desk.one(permit, number, lang);
  });
  serveStaff(app, 'takeBackMove', async ({ permit, params: { number }, body, lang }) => {
    await changes.run(permit.actor, 'orders take-back', (change) => desk.takeBack(change, permit, number, body));
    return desk.one(permit, number, lang);
  });
  serveStaff(app, 'tickLine', async ({ permit, params: { number }, body, lang }) => {
    await changes.run(permit.actor, 'orders tick', (change) => desk.tick(change, permit, number, body));
    return desk.one(permit, number, lang);
  });
}
