/** Changes only by conditional update, so a unit is promised once: from `stock` into a hold, then sold or released. */
import type { Reader, Trx } from '#db/database.ts';
import { removedAmong } from '#server/modules/stores/index.ts';
import type { Actor } from '#server/platform/actors.ts';
import { createHolds, type HoldsDeps } from './holds.ts';
import { createLowStock, type LowStockDeps } from './low-stock.ts';
import { differences, type MovementQuery, movementsOf, soldUnits } from './movements.repository.ts';
import { type ReturnedUnits, releaseHolds, returnSoldUnits, type StockRow, skusAmong, stockOf } from './stock.repository.ts';
import { createStockBoundary, type ReportStockBoundary, type StockListings } from './stock-boundary.ts';
import { createStockEdits } from './stock-edits.ts';

/** Units by SKU and location. */
export type StockLevels = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Of a SKU that does not run out: any location has more than anybody may order. Its entries are the units that are there. */
class EndlessLevels extends Map<string, number> {
  isCounted = true;

  override get(): number {
    return Number.POSITIVE_INFINITY;
  }
}

export function levelsOf(
  units: Iterable<readonly [string, number]>,
  { counted, oversell }: Stocking,
): ReadonlyMap<string, number> {
  if (counted === 1 && oversell === 0) return new Map(units);
  const levels = new EndlessLevels(units);
  levels.isCounted = counted === 1;
  return levels;
}

/** Columns of a SKU, 0 or 1. */
export interface Stocking {
  counted: number;
  oversell: number;
}

/** Without what SKUs are sold beyond stock; null if none of them is. */
export function unitsThere(stock: StockLevels): StockLevels | null {
  const isBeyond = (levels: ReadonlyMap<string, number>) => levels instanceof EndlessLevels && levels.isCounted;
  if (![...stock.values()].some(isBeyond)) return null;
  return new Map([...stock].map(([sku, levels]) => [sku, isBeyond(levels) ? new Map(levels) : levels]));
}

export type StockService = ReturnType<typeof createStockService>;

export type StockDeps = Omit<HoldsDeps, 'lowStock'> & LowStockDeps;

export function createStockService(given: StockDeps, listings: StockListings) {
  const { db } = given;
  const deps: HoldsDeps = { ...given, lowStock: createLowStock(given) };
  const reportStockBoundary = createStockBoundary(listings);
  return {
    ...createHolds(deps, reportStockBoundary),
    ...createReturns(deps, reportStockBoundary),
    ...createStockEdits(deps, listings),
    /** From how many units on a SKU is low where nothing else is set. */
    usualThreshold: deps.lowStock.usual,
    setThreshold: deps.lowStock.set,

    levels,
    /** Undefined if there is no such SKU. */
    currentLevels: async (sku: string) => (await levels(db.read, [sku])).get(sku),
    /** Newest first. */
    history: (query: MovementQuery) => movementsOf(db.read, query),
    /** Where units are not the sum of their movements; see `doctor`. */
    differences: () => differences(db.read),
  };
}

async function levels(reader: Reader, skus: readonly string[]): Promise<StockLevels> {
  if (skus.length === 0) return new Map();
  const bySku = Map.groupBy(await stockOf(reader, skus), ({ sku }) => sku);
  return new Map([...bySku].map(([sku, rows]) => [sku, levelsOf(rows.flatMap(atPlace), rows[0] ?? { counted: 1, oversell: 0 })]));
}

const atPlace = ({ location_id: place, quantity }: { location_id: string | null; quantity: number | null }) =>
  place === null ? [] : [[place, quantity ?? 0] as const];

/** At most so many units of each SKU; all of them if that is left out. */
function atMost(rows: readonly StockRow[], units: ReadonlyMap<string, number> | undefined): StockRow[] {
  if (!units) return [...rows];
  const left = new Map(units);
  return rows.flatMap(({ quantity, ...row }) => {
    const taken = Math.min(quantity, left.get(row.sku) ?? 0);
    left.set(row.sku, (left.get(row.sku) ?? 0) - taken);
    return taken > 0 ? [{ ...row, quantity: taken }] : [];
  });
}

function createReturns({ db, now }: HoldsDeps, reportStockBoundary: ReportStockBoundary) {
  /** The SKU or the store may have been removed meanwhile; then there is no stock to return units to. */
  async function existing(trx: Trx, rows: readonly StockRow[]): Promise<(row: StockRow) => boolean> {
    const skus = await skusAmong(trx, [...new Set(rows.map(({ sku }) => sku))]);
    const removed = await removedAmong(trx, [...new Set(rows.map(({ location_id }) => location_id))]);
    return ({ sku, location_id }) => skus.has(sku) && !removed.has(location_id);
  }

  async function reportReturned(trx: Trx, returned: readonly ReturnedUnits[]): Promise<void> {
    const filled = returned.filter(({ quantity, level }) => 0 < level && level <= quantity);
    const unitsOf = (sku: string) => filled.reduce((sum, each) => sum + (each.sku === sku ? each.level : 0), 0);
    await reportStockBoundary(
      trx,
      filled.map(({ sku, location_id }) => ({ sku, location: location_id })),
      (total, sku) => total === unitsOf(sku),
    );
  }

  return {
    async release(trx: Trx, orderId: string): Promise<void> {
      const returned = await releaseHolds(db, trx, { orderId, at: now() }, (rows) => existing(trx, rows));
      await reportReturned(trx, returned);
    },

    /**
     * To where each was sold from: the inverse of its movements, so twice is once. Returns how many. No `actor`: its customer.
     */
    async restock(trx: Trx, orderId: string, actor?: Actor, units?: ReadonlyMap<string, number>): Promise<number> {
      const sold = atMost(await soldUnits(trx, orderId), units);
      const there = await existing(trx, sold);
      const cause = { orderId, at: now(), ...(actor ? { actor } : {}) };
      const returned = await returnSoldUnits(db, trx, sold.filter(there), cause);
      await reportReturned(trx, returned);
      return returned.reduce((sum, { quantity }) => sum + quantity, 0);
    },
  };
}
