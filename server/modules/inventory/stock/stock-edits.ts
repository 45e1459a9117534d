import type { Database } from '#db/database.ts';
import { type Change, changedFields } from '#server/modules/changes/index.ts';
import { OperationError } from '#server/platform/errors.ts';
import type { LowStock } from './low-stock.ts';
import {
  type CorrectionReason,
  isBooked,
  type LevelChange,
  lockLevels,
  type MovementCause,
  setLevels,
  skusAmong,
} from './stock.repository.ts';
import type { StockListings } from './stock-boundary.ts';

export interface StockLevelInput {
  sku: string;
  place: string;
  /** Without those that are held for orders. */
  units: number;
  /** What was there when they were counted: what was sold since then stays sold, as far as there are units. */
  expected?: number;
}

export interface CountInput {
  sku: string;
  place: string;
  expected: number;
  found: number;
  key: string;
  note?: string | undefined;
}

/** What makes a change of the office one of its own. */
type OwnWords = Pick<MovementCause, 'key' | 'note'>;

interface Edit {
  sku: string;
  place: string;
  /** From the present level. */
  level(now: number): number;
}

interface StockEditsDeps {
  db: Database;
  now: () => number;
  lowStock: LowStock;
}

type EditCause = Pick<MovementCause, 'kind' | 'reason' | 'key' | 'note'>;

export function createStockEdits({ db, now, lowStock }: StockEditsDeps, listings: StockListings) {
  async function edit({ trx, actor, note }: Change, edits: readonly Edit[], cause: EditCause): Promise<LevelChange[]> {
    // Locks in the same order as sales: stock rows by SKU, then the catalogue if something sells out or returns.
    const bySku = [...Map.groupBy(edits, ({ sku }) => sku)].sort(([a], [b]) => (a < b ? -1 : 1));
    const changes: LevelChange[] = [];
    const crossed = new Set<string>();
    for (const [sku, wanted] of bySku) {
      const places = wanted.map(({ place }) => place);
      const levels = await lockLevels(trx, sku, places);
      // Under the lock, so that a repeated change sees the first one.
      if (cause.key !== undefined && (await isBooked(trx, cause.key))) {
        note('stock', sku, []);
        return [];
      }
      const before = sum(levels.values());
      for (const { place, level } of wanted) {
        const there = levels.get(place) ?? 0;
        const after = level(there);
        if (after < 0 && after < there) throw new OperationError('stock.short', { sku, location: place, count: there });
        levels.set(place, after);
        changes.push({ sku, location: place, before: there, after });
        note('stock', sku, changedFields({ [place]: there }, { [place]: after }));
      }
      if (before > 0 !== sum(levels.values()) > 0) crossed.add(sku);
    }
    await setLevels(db, trx, changes, { ...cause, at: now(), actor });
    await lowStock.report(trx, changes);
    await listings.lock(trx);
    await listings.stockCrossed(trx, { skus: bySku.map(([sku]) => sku), crossed });
    return changes;
  }

  return {
    count: (change: Change, levels: readonly StockLevelInput[], own: Pick<OwnWords, 'note'> = {}): Promise<LevelChange[]> =>
      edit(change, levels.map(counted), { kind: 'count', ...own }),
    /** Books `found` − `expected`, so that what was sold since then stays sold. @throws {OperationError} if that is more than is there */
    countFound: (change: Change, { sku, place, expected, found, key, note }: CountInput) =>
      edit(change, [{ sku, place, level: (there) => there + found - expected }], { kind: 'count', key, note }),
    /** @throws {OperationError} if there are fewer units at `from` */
    async transfer(
      change: Change,
      sku: string,
      { from, to, units }: { from: string; to: string; units: number },
      own: OwnWords = {},
    ) {
      if (from === to) throw new OperationError('stock.sameLocation', { location: from });
      const taken: Edit = { sku, place: from, level: (there) => there - units };
      return edit(change, [taken, { sku, place: to, level: (there) => there + units }], { kind: 'transfer', ...own });
    },
    /** `units` may be negative. @throws {OperationError} if there are fewer */
    correct: (change: Change, { sku, place, units }: StockLevelInput, reason: CorrectionReason, own: OwnWords = {}) =>
      edit(change, [{ sku, place, level: (there) => there + units }], { kind: 'correction', reason, ...own }),
    hasSku: async (sku: string): Promise<boolean> => (await skusAmong(db.read, [sku])).has(sku),
  };
}

const counted = ({ sku, place, units, expected }: StockLevelInput): Edit => ({
  ...{ sku, place },
  level: (there) => (expected === undefined ? units : Math.max(Math.min(there, 0), there + units - expected)),
});

/** Of those on sale. */
function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + Math.max(number, 0), 0);
}
