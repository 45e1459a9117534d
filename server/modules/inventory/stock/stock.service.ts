/** Changes only by conditional update, so a unit is promised once: from `stock` into a hold, then sold or released. */
import { warehouse } from '#contract/limits.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { type Change, changedFields } from '#server/modules/changes/index.ts';
import { removedAmong } from '#server/modules/stores/index.ts';
import { type Actor, actorText } from '#server/platform/actors.ts';
import { AppError, OperationError, validationError } from '#server/platform/errors.ts';
import { createLowStock, type LowStock, type LowStockDeps } from './low-stock.ts';
import { differences, type MovementQuery, movementsOf, soldUnits } from './movements.repository.ts';
import {
  bookedWith,
  type CorrectionReason,
  countHold,
  dropEmptyLevels,
  endlessAmong,
  type HoldRow,
  hasHolds,
  holdEnd,
  insertHolds,
  type LevelChange,
  lockLevels,
  type MovementCause,
  ordersWithExpiredHolds,
  type ReturnedUnits,
  releaseHolds,
  returnSoldUnits,
  type StockRow,
  sellHolds,
  setHoldEnd,
  setLevels,
  shortenHolds,
  skusAmong,
  stockOf,
  takeBeyondStock,
  takeUnits,
  totalsOf,
  uncountedHolds,
  unitsLeft,
} from './stock.repository.ts';
import { levelsOf, type StockLevels } from './stock-levels.ts';

/** Held for this long, units count as gone, ms. Before, only a sale counts: paying may be given up. */
const lowCheckMs = 5 * 60_000;

const counted = ({ sku, place, units: found, expected }: StockLevelInput): Edit => {
  const units = found ?? 0;
  return {
    sku,
    place,
    isGone: found === null,
    level: (there) =>
      expected === undefined ? units : Math.max(Math.min(there, 0), there + units - expected),
  };
};

export type StockService = ReturnType<typeof createStockService>;

type StockDeps = Omit<HoldsDeps, 'lowStock'> & LowStockDeps;

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
  return new Map(
    [...bySku].map(([sku, rows]) => [
      sku,
      levelsOf(rows.flatMap(atPlace), rows[0] ?? { counted: 1, oversell: 0 }),
    ]),
  );
}

const atPlace = ({
  location_id: place,
  quantity,
}: {
  location_id: string | null;
  quantity: number | null;
}) => (place === null ? [] : [[place, quantity ?? 0] as const]);

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
    const unitsOf = (sku: string) =>
      filled.reduce((sum, each) => sum + (each.sku === sku ? each.level : 0), 0);
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
    async restock(
      trx: Trx,
      orderId: string,
      actor?: Actor,
      units?: ReadonlyMap<string, number>,
    ): Promise<number> {
      const sold = atMost(await soldUnits(trx, orderId), units);
      const there = await existing(trx, sold);
      const cause = { orderId, at: now(), ...(actor ? { actor } : {}) };
      const returned = await returnSoldUnits(db, trx, sold.filter(there), cause);
      await reportReturned(trx, returned);
      return returned.reduce((sum, { quantity }) => sum + quantity, 0);
    },
  };
}

interface StockLevelInput {
  sku: string;
  place: string;
  /** Without those that are held for orders. Null: none, as at a place that never had the SKU. */
  units: number | null;
  /** What was there when they were counted: what was sold since then stays sold, as far as there are units. */
  expected?: number;
}

interface CountInput {
  sku: string;
  place: string;
  expected: number;
  found: number;
  key: string;
  note?: string | undefined;
}

/** Whose key a change has: the person's who sent it, or that of a stock-take, which anybody may go on booking. */
type KeyOwner = 'person' | 'take';

/** What makes a change of the office one of its own. */
type OwnWords = Pick<MovementCause, 'key' | 'note'>;

interface Edit {
  sku: string;
  place: string;
  /** From the present level. */
  level(now: number): number;
  /** Whether the place is left without a level, if the SKU has no units there then. */
  isGone?: boolean;
}

interface StockEditsDeps {
  db: Database;
  now: () => number;
  lowStock: LowStock;
}

type EditCause = Pick<MovementCause, 'kind' | 'reason' | 'unitCost' | 'key' | 'note'> & {
  keyOwner?: KeyOwner;
};

function createStockEdits({ db, now, lowStock }: StockEditsDeps, listings: StockListings) {
  async function edit(
    { trx, actor, note }: Change,
    edits: readonly Edit[],
    cause: EditCause,
  ): Promise<LevelChange[]> {
    // Locks in the same order as sales: stock rows by SKU, then the catalogue if something sells out or returns.
    const bySku = [...Map.groupBy(edits, ({ sku }) => sku)].sort(([a], [b]) => (a < b ? -1 : 1));
    const locked = await lockLevels(trx, edits);
    // Under the lock, so that a repeated change sees the first one.
    const booked = cause.key === undefined ? [] : await bookedWith(trx, cause.key);
    if (booked.length > 0) {
      if (!isRepeated(booked, edits, cause, actor))
        throw new AppError('CONFLICT', { errorKey: 'error.sentBefore' });
      for (const [sku] of bySku) note('stock', sku, []);
      return [];
    }
    const changes: LevelChange[] = [];
    const crossed = new Set<string>();
    for (const [sku, wanted] of bySku) {
      const levels = locked.get(sku);
      if (!levels) throw new Error(`No level of ${sku} is locked`);
      const before = sum(levels.values());
      for (const { place, level } of wanted) {
        const there = levels.get(place) ?? 0;
        const after = level(there);
        if (after < 0 && after < there)
          throw new OperationError('stock.short', { sku, location: place, count: there });
        levels.set(place, after);
        changes.push({ sku, location: place, before: there, after });
        note('stock', sku, changedFields({ [place]: there }, { [place]: after }));
      }
      if (before > 0 !== sum(levels.values()) > 0) crossed.add(sku);
    }
    await setLevels(db, trx, changes, { ...cause, at: now(), actor });
    await dropEmptyLevels(
      trx,
      edits.filter(({ isGone }) => isGone),
    );
    await lowStock.report(trx, changes);
    await listings.lock(trx);
    await listings.stockCrossed(trx, { skus: bySku.map(([sku]) => sku), crossed });
    return changes;
  }

  return {
    count: (
      change: Change,
      levels: readonly StockLevelInput[],
      own: Pick<OwnWords, 'note'> = {},
    ): Promise<LevelChange[]> => edit(change, levels.map(counted), { kind: 'count', ...own }),
    /** Books `found` − `expected`, so that what was sold since then stays sold. @throws {OperationError} if that is more than is there */
    async countFound(
      change: Change,
      { sku, place, expected, found, key, note }: CountInput,
      keyOwner: KeyOwner = 'person',
    ) {
      if (keyOwner === 'person' && expected < 0) await requireBelowZero(change.trx, sku, place);
      return edit(change, [{ sku, place, level: (there) => there + found - expected }], {
        kind: 'count',
        key,
        note,
        keyOwner,
      });
    },
    /** @throws {OperationError} if there are fewer units at `from` */
    async transfer(
      change: Change,
      sku: string,
      { from, to, units }: { from: string; to: string; units: number },
      own: OwnWords = {},
    ) {
      if (from === to) throw new OperationError('stock.sameLocation', { location: from });
      const taken: Edit = { sku, place: from, level: (there) => there - units };
      return edit(change, [taken, { sku, place: to, level: (there) => there + units }], {
        kind: 'transfer',
        ...own,
      });
    },
    /**
     * `units` may be negative. `unitCost`: what one of those that were received cost, cents; left out: what the SKU says.
     * @throws {OperationError} if there are fewer
     */
    correct: (
      change: Change,
      { sku, place, units }: Pick<Edit, 'sku' | 'place'> & { units: number },
      reason: CorrectionReason,
      own: OwnWords & Pick<MovementCause, 'unitCost'> = {},
    ) =>
      edit(change, [{ sku, place, level: (there) => there + units }], { kind: 'correction', reason, ...own }),
    hasSku: async (sku: string): Promise<boolean> => (await skusAmong(db.read, [sku])).has(sku),
  };
}

/** Nothing else than what is sold beyond stock can be expected below zero: it would book units that nobody found. */
async function requireBelowZero(trx: Trx, sku: string, place: string): Promise<void> {
  if ((await endlessAmong(trx, [sku])).has(sku)) return;
  const here = (await stockOf(trx, [sku])).find(({ location_id }) => location_id === place);
  if ((here?.quantity ?? 0) >= 0) throw validationError({ expected: 'stock.expectedBelowZero' });
}

/** Whether what was booked with the key of a change is this change, of the same person. */
function isRepeated(
  booked: Awaited<ReturnType<typeof bookedWith>>,
  edits: readonly Edit[],
  { kind, reason, keyOwner }: EditCause,
  actor: Actor,
): boolean {
  const by = actorText(actor);
  const isOwn = booked.every(
    (row) =>
      row.kind === kind && row.reason === (reason ?? null) && (keyOwner === 'take' || row.actor === by),
  );
  const isBooked = ({ sku, place, level }: Edit) =>
    booked.some((row) => row.sku === sku && row.location_id === place && row.quantity === level(0));
  return isOwn && edits.every(isBooked);
}

/** Of those on sale. */
function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + Math.max(number, 0), 0);
}

interface RequestedUnits {
  sku: string;
  quantity: number;
}

interface HoldsDeps {
  db: Database;
  now: () => number;
  lowStock: LowStock;
}

/** Set aside for an order until it is sold, released, or its deadline passes. */
function createHolds({ db, now, lowStock }: HoldsDeps, reportStockBoundary: ReportStockBoundary) {
  const { reportSold, countHeld } = createGoneUnits({ db, now, lowStock });
  return {
    /**
     * Returns the SKUs of which there are not enough; if any, the caller must roll the transaction back. `until`: epoch ms;
     * null: when the order ends. `isWatched`: an endpoint may receive the event of low stock, which is recorded when the units
     * are sold or have been held for minutes.
     */
    async hold(
      trx: Trx,
      orderId: string,
      wanted: readonly RequestedUnits[],
      { location, until, isWatched = true }: { location: string; until: number | null; isWatched?: boolean },
    ): Promise<string[]> {
      const short: string[] = [];
      const emptied: string[] = [];
      const holds: HoldRow[] = [];
      const low_check_at = isWatched ? now() + lowCheckMs : null;
      let endless: ReturnType<typeof endlessAmong> | undefined;
      const skus = wanted.map(({ sku }) => sku);
      // Always in the same order, so that two orders for the same SKUs cannot deadlock.
      for (const { sku, quantity } of wanted.toSorted(bySku)) {
        let taken = await take(trx, sku, location, quantity);
        if (!taken) {
          endless ??= endlessAmong(trx, skus);
          taken = await takeEndless(trx, { sku, location, quantity, kind: (await endless).get(sku) });
        }
        if (!taken) {
          short.push(sku);
          continue;
        }
        const { held, left } = taken;
        const hold = { order_id: orderId, sku, location_id: location, quantity: held, expires_at: until };
        holds.push({ ...hold, low_check_at: held === 0 ? null : low_check_at });
        if (left <= 0 && left + held > 0) emptied.push(sku);
      }
      await insertHolds(db, trx, holds);
      const crossed = emptied.map((sku) => ({ sku, location }));
      await reportStockBoundary(trx, crossed, (total) => total === 0);
      return short;
    },

    isHeld: hasHolds,
    shorten: shortenHolds,
    /** At `at` (epoch ms); null: when the order ends. Does nothing for an order that holds nothing. */
    holdUntil: setHoldEnd,
    /** No `actor`: its customer. */
    sell: async (trx: Trx, orderId: string, actor?: Actor): Promise<void> =>
      reportSold(trx, await sellHolds(db, trx, orderId, { at: now(), ...(actor ? { actor } : {}) })),

    countHeld,
    /** Epoch ms; null if the order holds nothing, or until it ends. */
    heldUntil: holdEnd,
    expiredHolds: (): Promise<string[]> => ordersWithExpiredHolds(db.read, now()),
  };
}

interface Taken {
  /** Units that the hold is of. */
  held: number;
  left: number;
}

async function take(trx: Trx, sku: string, location: string, quantity: number): Promise<Taken | null> {
  const left = await takeUnits(trx, sku, location, quantity);
  return left === null ? null : { held: quantity, left };
}

interface Endless extends RequestedUnits {
  location: string;
  kind: 'uncounted' | 'oversell' | undefined;
}

/** Null for a SKU that runs out. */
async function takeEndless(trx: Trx, { sku, location, quantity, kind }: Endless): Promise<Taken | null> {
  // Of no units: the order has its deadline, and stock stays as it is.
  if (kind === 'uncounted') return { held: 0, left: 0 };
  return kind === 'oversell'
    ? { held: quantity, left: await takeBeyondStock(trx, sku, location, quantity) }
    : null;
}

function bySku(a: RequestedUnits, b: RequestedUnits): number {
  return a.sku < b.sku ? -1 : a.sku > b.sku ? 1 : 0;
}

/** Sold, or held for minutes. */
function createGoneUnits({ db, now, lowStock }: HoldsDeps) {
  async function reportGone(trx: Trx, gone: readonly StockRow[]): Promise<void> {
    if (gone.length === 0 || !(await lowStock.isWatched(trx))) return;
    const changes: LevelChange[] = [];
    for (const { sku, location_id: location, quantity } of gone) {
      const after = await unitsLeft(trx, sku, location);
      changes.push({ sku, location, before: after + quantity, after });
    }
    await lowStock.report(trx, changes);
  }

  return {
    reportSold: (trx: Trx, holds: readonly HoldRow[]): Promise<void> =>
      reportGone(
        trx,
        holds.filter(({ low_check_at }) => low_check_at !== null),
      ),
    async countHeld(): Promise<void> {
      for (const hold of await uncountedHolds(db.read, now()))
        await db.transaction(async (trx) => {
          const quantity = await countHold(trx, hold);
          if (quantity !== null) await reportGone(trx, [{ ...hold, quantity }]);
        });
    },
  };
}

/** Of the catalogue. */
export interface StockListings {
  lock(trx: Trx): Promise<void>;
  /** In the transaction in which SKUs sell out or come back (`crossed`): only such sales change catalogue pages. */
  stockCrossed(trx: Trx, change: { skus: readonly string[]; crossed: ReadonlySet<string> }): Promise<void>;
}

type ReportStockBoundary = ReturnType<typeof createStockBoundary>;

function createStockBoundary(listings: StockListings) {
  /** Unless the location is the warehouse and there are units elsewhere. */
  return async function reportStockBoundary(
    trx: Trx,
    changed: readonly { sku: string; location: string }[],
    everywhere: (total: number, sku: string) => boolean,
  ): Promise<void> {
    if (changed.length === 0) return;
    // The lock prevents two transactions from each deciding by half of the changes whether a product is sold out.
    await listings.lock(trx);
    const totals = await totalsOf(trx, [...new Set(changed.map(({ sku }) => sku))]);
    const crossed = new Set(changed.flatMap(({ sku }) => (everywhere(totals.get(sku) ?? 0, sku) ? sku : [])));
    const seen = changed.filter(({ sku, location }) => location !== warehouse || crossed.has(sku));
    if (seen.length > 0)
      await listings.stockCrossed(trx, { skus: [...new Set(seen.map(({ sku }) => sku))], crossed });
  };
}
