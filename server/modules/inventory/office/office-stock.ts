/** The room Stock: what a place has, why, and changes of it. A place that the permit does not reach is not found. */
import type { FastifyInstance } from 'fastify';
import { warehouse } from '#contract/limits.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { stockPage } from '#contract/staff/stock.ts';
import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { notFound } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { namesOf } from '../stock/items.ts';
import { countLow, heldUnits, itemsOf, levelsAt, lowLevels, placesOf } from '../stock/levels.repository.ts';
import { sumUpTo } from '../stock/movements.repository.ts';
import type { StockService } from '../stock/stock.service.ts';

export interface OfficeStockDeps {
  db: Database;
  changes: ChangesService;
  settings: SettingsService;
  stores: Pick<StoresService, 'all'>;
  stock: StockService;
  staff: { names(): Promise<ReadonlyMap<string, string>> };
  /** Of the search for shoppers. */
  catalogue: {
    planText(
      text: string,
    ): Promise<{ rankGroups: readonly (readonly (readonly string[])[])[]; correctedTo: string | null }>;
  };
}

export interface Reach {
  /** Those of the permit: stores, and the warehouse, which belongs to no store. */
  places(permit: Permit): Promise<string[]>;
  /** @throws {AppError} 404 */
  requirePlace(permit: Permit, place: string): Promise<void>;
}

export function createReach({ stores }: Pick<OfficeStockDeps, 'stores'>): Reach {
  const places = async (permit: Permit) =>
    [...(await stores.all()).map(({ id }) => id), warehouse].filter((each) =>
      permit.reaches(each === warehouse ? null : each),
    );
  return {
    places,
    async requirePlace(permit, place) {
      if (!(await places(permit)).includes(place)) throw notFound();
    },
  };
}

function createLevels({ db, stock, catalogue }: OfficeStockDeps) {
  async function wordsIn(text: string) {
    const { rankGroups, correctedTo } = await catalogue.planText(text);
    // What another spelling would find stays out: a filter is what is written.
    return { text, groups: correctedTo === null ? (rankGroups.at(-1) ?? []) : [] };
  }

  async function rowsOf(
    place: string,
    usual: number,
    { text = '', low, after }: { text?: string; low?: 'only'; after?: string },
  ) {
    const most = stockPage + 1;
    if (!low)
      return levelsAt(db, {
        place,
        words: text.trim() === '' ? null : await wordsIn(text.trim()),
        after,
        most,
      });
    const [units = '', ...sku] = after?.split(':') ?? [];
    return lowLevels(db.read, {
      place,
      usual,
      most,
      after: (after && { units: Number(units), sku: sku.join(':') }) || undefined,
    });
  }

  return async (
    place: string,
    query: { text?: string; low?: 'only'; after?: string },
  ): Promise<StaffResponse<'stock'>> => {
    const usual = await stock.usualThreshold();
    const rows = await rowsOf(place, usual, query);
    const page = rows.slice(0, stockPage);
    const held = await heldUnits(
      db.read,
      place,
      page.map(({ sku }) => sku),
    );
    const last = page.at(-1);
    return {
      levels: page.map(({ sku, product, units, own, ...row }) => ({
        sku,
        product,
        ...namesOf(row),
        units: units ?? 0,
        held: held.get(sku) ?? 0,
        low: own ?? usual,
        ownLow: own !== null,
      })),
      after: last && rows.length > stockPage ? (query.low ? `${last.units}:${last.sku}` : last.sku) : null,
      usualLow: usual,
    };
  };
}

function createLedger({ db, stock, staff }: OfficeStockDeps, reach: Reach) {
  /** @throws {AppError} 404 for an unknown SKU */
  return async (
    permit: Permit,
    sku: string,
    { place, after }: { place?: string; after?: string },
  ): Promise<StaffResponse<'stockLedger'>> => {
    if (place !== undefined) await reach.requirePlace(permit, place);
    const reached = await reach.places(permit);
    const [item] = await itemsOf(db.read, [sku]);
    if (!item) throw notFound();
    const locations = place === undefined ? reached : [place];
    const rows = await stock.history({ sku, locations, after, most: stockPage + 1 });
    const page = rows.slice(0, stockPage);
    const names = await staff.names();
    const usual = await stock.usualThreshold();
    let left = page[0] ? await sumUpTo(db.read, page[0], locations) : 0;
    return {
      sku,
      product: item.product,
      ...namesOf(item),
      places: (await placesOf(db.read, sku))
        .filter((each) => reached.includes(each.place))
        .toSorted((a, b) => reached.indexOf(a.place) - reached.indexOf(b.place))
        .map(({ own, ...each }) => ({ ...each, low: own ?? usual, ownLow: own !== null })),
      movements: page.map(({ actor, sku: _sku, location, ...row }) => {
        const then = left;
        left -= row.quantity;
        const person = actor?.kind === 'staff' ? (names.get(actor.id) ?? null) : null;
        return { ...row, place: location, left: then, person, byTerminal: actor?.kind === 'terminal' };
      }),
      after: rows.length > stockPage ? (page.at(-1)?.id ?? null) : null,
    };
  };
}

const done = { done: true } as const;

export function registerOfficeStock(app: FastifyInstance, deps: OfficeStockDeps, reach: Reach): void {
  const levels = createLevels(deps);
  const ledger = createLedger(deps, reach);
  const { db, changes, stock, settings } = deps;
  const { requirePlace } = reach;
  async function requireItem(permit: Permit, { place, sku }: { place: string; sku: string }): Promise<void> {
    await requirePlace(permit, place);
    if (!(await stock.hasSku(sku))) throw notFound();
  }
  serveStaff(app, 'stock', async ({ permit, params: { place }, query }) => {
    await requirePlace(permit, place);
    return levels(place, query);
  });
  serveStaff(app, 'lowStock', async ({ permit }) => {
    const usual = await stock.usualThreshold();
    const places = await reach.places(permit);
    return {
      places: await Promise.all(
        places.map(async (place) => ({ place, skus: await countLow(db.read, place, usual) })),
      ),
    };
  });
  serveStaff(app, 'stockLedger', ({ permit, params: { sku }, query }) => ledger(permit, sku, query));
  serveStaff(
    app,
    'correctStock',
    async ({ permit, params, body: { units, reason, costCents: unitCost, ...own } }) => {
      await requireItem(permit, params);
      await changes.run(permit.actor, 'stock correct', (change) =>
        stock.correct(change, { ...params, units }, reason, { ...own, unitCost }),
      );
      return done;
    },
  );
  serveStaff(app, 'countStock', async ({ permit, params, body }) => {
    await requireItem(permit, params);
    await changes.run(permit.actor, 'stock count', (change) =>
      stock.countFound(change, { ...params, ...body }),
    );
    return done;
  });
  serveStaff(app, 'transferStock', async ({ permit, params, body: { to, units, ...own } }) => {
    await requireItem(permit, params);
    await requirePlace(permit, to);
    const moved = { from: params.place, to, units };
    await changes.run(permit.actor, 'stock transfer', (change) =>
      stock.transfer(change, params.sku, moved, own),
    );
    return done;
  });
  serveStaff(app, 'setLowStock', async ({ permit, params, body: { units } }) => {
    await requireItem(permit, params);
    await changes.run(permit.actor, 'stock low', (change) =>
      stock.setThreshold(change, { ...params, units }),
    );
    return done;
  });
  serveStaff(app, 'setUsualLowStock', async ({ permit, body: { units } }) => {
    if (!permit.reaches(null)) throw notFound();
    await changes.run(permit.actor, 'settings set', (change) =>
      settings.update(change, { lowStockThreshold: units }),
    );
    return done;
  });
}
