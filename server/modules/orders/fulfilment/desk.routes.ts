/** Serves the calls of the desk and the kitchen. */
import type { FastifyInstance } from 'fastify';
import type { Locale } from '#contract/locales.ts';
import type { Outcome } from '#contract/staff/desk.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import { AppError, OperationError } from '#server/platform/errors.ts';
import { translateAny } from '#server/platform/i18n.ts';
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
  serveStaff(app, 'moveOrders', async ({ permit, body: { orders, ...move }, lang }) => ({
    outcomes: await eachOf(orders, lang, (number, version) =>
      changes.run(permit.actor, `orders ${move.to}`, (change) => desk.move(change, permit, number, { ...move, version })),
    ),
  }));
  serveStaff(app, 'undoMoves', async ({ permit, body: { orders }, lang }) => ({
    outcomes: await eachOf(orders, lang, (number, version) =>
      changes.run(permit.actor, 'orders undo', (change) => desk.undo(change, permit, number, version)),
    ),
  }));
  serveStaff(app, 'takeBackMove', async ({ permit, params: { number }, body, lang }) => {
    await changes.run(permit.actor, 'orders take-back', (change) => desk.takeBack(change, permit, number, body));
    return desk.one(permit, number, lang);
  });
  serveStaff(app, 'tickLine', async ({ permit, params: { number }, body, lang }) => {
    await changes.run(permit.actor, 'orders tick', (change) => desk.tick(change, permit, number, body));
    return desk.one(permit, number, lang);
  });
}

/** One after the other, so that nobody else waits for more than one order. */
async function eachOf(
  orders: readonly Pick<Outcome, 'number' | 'version'>[],
  locale: Locale,
  run: (number: string, version: number) => Promise<{ version: number; wasThere?: boolean }>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { number, version } of orders)
    outcomes.push(
      await run(number, version).then(
        (order) => ({ number, version: order.version, moved: !order.wasThere, problem: '' }),
        (error: unknown) => ({ number, version, moved: false, problem: problemOf(error, locale) }),
      ),
    );
  return outcomes;
}

function problemOf(error: unknown, locale: Locale): string {
  const t = translateAny(locale);
  if (error instanceof OperationError) return t(error.key, error.values);
  if (error instanceof AppError && error.details.errorKey) return t(error.details.errorKey, error.details.values);
  throw error;
}
