/** The room Stock: what a place has, why, and changes of it. A place that the permit does not reach is not found. */
import type { FastifyInstance } from 'fastify';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { stockPage } from '#contract/staff/stock.ts';
import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { warehouse } from '#server/platform/locations.ts';
import type { Permit } from '#server/platform/permits.ts';
import { heldUnits, levelsAt } from './levels.repository.ts';
import type { StockService } from './stock.service.ts';

export interface OfficeStockDeps {
  db: Database;
  changes: ChangesService;
  stores: Pick<StoresService, 'all'>;
  stock: StockService;
  staff: { names(): Promise<ReadonlyMap<string, string>> };
  /** Of the search for shoppers. */
  catalogue: {
    planText(text: string): Promise<{ rankGroups: readonly (readonly (readonly string[])[])[]; correctedTo: string | null }>;
  };
}

function createOfficeStock({ db, stores, stock, staff, catalogue }: OfficeStockDeps) {
  /** @throws {AppError} 404 */
  async function requirePlace(permit: Permit, place: string): Promise<void> {
    if (!permit.reaches(place === warehouse ? null : place)) throw notFound();
    if (place !== warehouse && !(await stores.all()).some(({ id }) => id === place)) throw notFound();
  }

  async function wordsIn(text: string) {
    const { rankGroups, correctedTo } = await catalogue.planText(text);
    // What another spelling would find stays out: a filter is what is written.
    return { text, groups: correctedTo === null ? (rankGroups.at(-1) ?? []) : [] };
  }

  return {
    requirePlace,
    /** @throws {AppError} 404 */
    async requireItem(permit: Permit, { place, sku }: { place: string; sku: string }): Promise<void> {
      await requirePlace(permit, place);
      if (!(await stock.hasSku(sku))) throw notFound();
    },

    async levels(place: string, text: string, after: string | undefined): Promise<StaffResponse<'stock'>> {
      const words = text === '' ? null : await wordsIn(text);
      const rows = await levelsAt(db, { place, words, after, most: stockPage + 1 });
      const page = rows.slice(0, stockPage);
      const skus = page.map(({ sku }) => sku);
      const held = await heldUnits(db.read, place, skus);
      return {
        levels: page.map(({ name, units, ...row }) => ({
          ...row,
          name: JSON.parse(name),
          units: units ?? 0,
          held: held.get(row.sku) ?? 0,
        })),
        after: rows.length > stockPage ? (skus.at(-1) ?? null) : null,
      };
    },

    async movements(location: string, sku: string, after: string | undefined): Promise<StaffResponse<'stockMovements'>> {
      const rows = await stock.history({ sku, location, after, most: stockPage + 1 });
      const page = rows.slice(0, stockPage);
      const names = await staff.names();
      return {
        movements: page.map(({ actor, sku: _sku, location: _location, ...row }) => ({
          ...row,
          person: actor?.kind === 'staff' ? (names.get(actor.id) ?? null) : null,
        })),
        after: rows.length > stockPage ? (page.at(-1)?.id ?? null) : null,
      };
    },
  };
}

const done = { done: true } as const;

export function registerOfficeStock(app: FastifyInstance, deps: OfficeStockDeps): void {
  const office = createOfficeStock(deps);
  const { changes, stock } = deps;
  serveStaff(app, 'stock', async ({ permit, params: { place }, query: { text = '', after } }) => {
    await office.requirePlace(permit, place);
    return office.levels(place, text.trim(), after);
  });
  serveStaff(app, 'stockMovements', async ({ permit, params, query }) => {
    await office.requireItem(permit, params);
    return office.movements(params.place, params.sku, query.after);
  });
  serveStaff(app, 'correctStock', async ({ permit, params, body: { key, units, reason } }) => {
    await office.requireItem(permit, params);
    await changes.run(permit.actor, 'stock correct', (change) => stock.correct(change, { ...params, units }, reason, key));
    return done;
  });
  serveStaff(app, 'countStock', async ({ permit, params, body }) => {
    await office.requireItem(permit, params);
    await changes.run(permit.actor, 'stock count', (change) => stock.countFound(change, { ...params, ...body }));
    return done;
  });
  serveStaff(app, 'transferStock', async ({ permit, params, body: { key, to, units } }) => {
    await office.requireItem(permit, params);
    await office.requirePlace(permit, to);
    const moved = { from: params.place, to, units };
    await changes.run(permit.actor, 'stock transfer', (change) => stock.transfer(change, params.sku, moved, key));
    return done;
  });
}
