/** Saved views of the list of orders: each person's own, and those that are shared with everybody who sees orders. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { OrderFilters, OrderView } from '#contract/staff/orders.ts';
import type { Database } from '#db/database.ts';
import { serveChange, serveStaff } from '#server/http/staff-endpoint.ts';
import type { Change, ChangesService } from '#server/modules/changes/index.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { oneLine } from '#server/platform/text.ts';
import { deleteView, putView, type ViewRow, viewsFor } from './views.repository.ts';

/** Of a person, and shared ones. More would be no menu any more. */
const mostViews = 50;

function createOrderViews({ db }: { db: Database }) {
  /** @throws {AppError} NOT_FOUND for a view that is not there, or of somebody else */
  async function seen(
    { trx }: Change,
    permit: Permit,
    isWanted: (row: ViewRow) => boolean,
  ): Promise<ViewRow> {
    const found = (await viewsFor(trx, personOf(permit))).find(isWanted);
    if (!found) throw notFound();
    return found;
  }

  return {
    async list(permit: Permit<'orders.read' | 'orders.share'>): Promise<{ views: OrderView[] }> {
      const rows = await viewsFor(db.read, personOf(permit));
      const views = rows.map(({ id, name, filters, staff_id: of }) => ({
        id,
        name,
        filters: JSON.parse(filters),
        shared: !of,
      }));
      return { views };
    },

    async save(
      change: Change,
      permit: Permit<'orders.read'>,
      input: { name: string; filters: OrderFilters },
    ): Promise<void> {
      const own = (await viewsFor(change.trx, personOf(permit))).filter(({ staff_id: of }) => of !== null);
      const name = oneLine(input.name);
      const before = own.find((row) => row.name === name);
      if (!before && own.length >= mostViews)
        throw new AppError('CONFLICT', { errorKey: 'office.views.many' });
      const filters = JSON.stringify(input.filters);
      const row = { id: before?.id ?? randomUUID(), name, filters, staff_id: personOf(permit) };
      await putView(change.trx, row);
      change.note(
        'orderView',
        row.id,
        before?.filters === filters ? [] : [{ field: 'filters', to: filters }],
      );
    },

    async share(change: Change, permit: Permit<'orders.share'>, id: string, shared: boolean): Promise<void> {
      const row = await seen(change, permit, (each) => each.id === id);
      const all = (await viewsFor(change.trx, personOf(permit))).filter(
        ({ staff_id: of }) => (of === null) === shared,
      );
      if (all.length >= mostViews) throw new AppError('CONFLICT', { errorKey: 'office.views.many' });
      await putView(change.trx, { ...row, staff_id: shared ? null : personOf(permit) });
      change.note(
        'orderView',
        id,
        (row.staff_id === null) === shared ? [] : [{ field: 'shared', to: shared }],
      );
    },

    async remove(change: Change, permit: Permit<'orders.read'>, id: string): Promise<void> {
      await seen(change, permit, (each) => each.id === id && each.staff_id !== null);
      await deleteView(change.trx, id);
      change.note('orderView', id);
    },
  };
}

/** @throws {AppError} NOT_FOUND for a command: views are people's */
function personOf({ actor }: Permit): string {
  if (actor.kind !== 'staff') throw notFound();
  return actor.id;
}

export function registerOrderViews(
  app: FastifyInstance,
  deps: { db: Database; changes: ChangesService },
): void {
  const { changes } = deps;
  const views = createOrderViews(deps);
  serveStaff(app, 'orderViews', ({ permit }) => views.list(permit));
  serveStaff(app, 'saveOrderView', async ({ permit, body }) => {
    await changes.run(permit.actor, 'orders view', (change) => views.save(change, permit, body));
    return views.list(permit);
  });
  serveStaff(app, 'shareOrderView', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'orders view', (change) =>
      views.share(change, permit, params.id, body.shared),
    );
    return views.list(permit);
  });
  serveChange(
    app,
    'removeOrderView',
    ({ permit, params }) =>
      changes.run(permit.actor, 'orders view', (change) => views.remove(change, permit, params.id)),
    ({ permit }) => views.list(permit),
  );
}
