/**
 * The only file that writes `stock`, `holds` and `stock_movements` (tests/one-owner.test.ts). What is there, on sale or held, is
 * the sum of the movements: each function writes those of the units that it adds or takes away. A hold is none, as it leaves the
 * units where they are.
 */
import { randomUUID } from 'node:crypto';
import { bookCosts, type StockCost } from '#db/before-commit.ts';
import { insertMany } from '#db/bulk-writes.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { type Actor, actorText } from '#server/platform/actors.ts';
import { costsOf, costsThatLeft, lockPools, skusToValue, writePools } from './costs.repository.ts';
import {
  arrive,
  atAverage,
  atCost,
  type Batch,
  leave,
  type MovedCost,
  moved,
  type Pool,
  returned,
  soldKinds,
  valued,
} from './costs.ts';

export interface StockRow {
  sku: string;
  location_id: string;
  quantity: number;
}

export interface HoldRow extends StockRow {
  order_id: string;
  expires_at: number | null;
  low_check_at: number | null;
}

export const correctionReasons = ['received', 'found', 'damaged', 'lost', 'used', 'other'] as const;
export type CorrectionReason = (typeof correctionReasons)[number];

/** `opening`: there before movements were written; `removal`: product or store were removed. */
export type MovementKind = 'opening' | 'sale' | 'refund' | 'count' | 'transfer' | 'correction' | 'removal';

export interface MovementCause {
  kind: MovementKind;
  /** Epoch ms. */
  at: number;
  orderId?: string | null;
  /** Left out for customers. */
  actor?: Actor;
  reason?: CorrectionReason;
  /** Of units that were received, what one of them cost, in cents; left out: what the SKU says. */
  unitCost?: number | undefined;
  /** Of the client, so that what it repeats is booked once. */
  key?: string | undefined;
  /** Kept beside the movements. */
  note?: string | undefined;
}

const keyedId = (key: string, index: number) => `${key}.${index}`;

/** What was booked with a key: the two ends of a transfer, or one movement. */
export function bookedWith(trx: Trx, key: string) {
  return trx
    .selectFrom('stock_movements')
    .select(['sku', 'location_id', 'quantity', 'kind', 'reason', 'actor'])
    .where('id', 'in', [keyedId(key, 0), keyedId(key, 1)])
    .execute();
}

const movementColumns = [
  'id',
  'sku',
  'location_id',
  'quantity',
  'kind',
  'order_id',
  'actor',
  'reason',
  'at',
  'costed',
  'cost_cents',
  'late_cents',
];

async function addMovements(
  db: Database,
  trx: Trx,
  rows: readonly StockRow[],
  cause: MovementCause,
): Promise<void> {
  const { at, key, note } = cause;
  const moves = rows
    .filter(({ quantity }) => quantity !== 0)
    .map((row, index) => ({ ...row, id: key === undefined ? randomUUID() : keyedId(key, index) }));
  await insertMovements(db, trx, await withCosts(db, trx, moves, cause), cause);
  if (!note) return;
  const texts = moves.map(({ id }) => [id, note, at]);
  await insertMany(db, trx, { into: 'stock_notes', columns: ['movement_id', 'text', 'at'], rows: texts });
}

/** `cost`: units that are there got a cost; none of them moved. */
type CostCause = Omit<MovementCause, 'kind'> & { kind: MovementKind | 'cost' };

/** Writes rows of which the costs are known, and books these. */
async function insertMovements(
  db: Database,
  trx: Trx,
  rows: readonly CostedRow<StockRow & { id: string }>[],
  cause: CostCause,
): Promise<void> {
  const { kind, at, orderId = null, reason = null } = cause;
  const actor = cause.actor ? actorText(cause.actor) : null;
  await insertMany(db, trx, {
    into: 'stock_movements',
    columns: movementColumns,
    rows: rows.map(({ id, sku, location_id, quantity, by }) => [
      id,
      sku,
      location_id,
      quantity,
      kind,
      orderId,
      actor,
      reason,
      at,
      by.costed,
      by.cents,
      by.late,
    ]),
  });
  bookCosts(
    trx,
    rows.flatMap((row) => bookedCost(row, cause)),
  );
}

/** Rows of one statement: engines limit its parameters. */
const partSize = 1000;

type CostedRow<R extends StockRow> = R & { by: MovedCost };

/** Each row with its share of what its SKU's units cost. What leaves in a transfer goes before what comes. */
async function withCosts<R extends StockRow>(
  db: Database,
  trx: Trx,
  rows: readonly R[],
  { kind, orderId, reason, unitCost }: MovementCause,
): Promise<CostedRow<R>[]> {
  const bySku = [...Map.groupBy(rows, ({ sku }) => sku)].sort(([a], [b]) => (a < b ? -1 : 1));
  const done: CostedRow<R>[] = [];
  const isBack = kind === 'refund' || kind === 'transfer';
  const left = kind === 'refund' && orderId ? await costsThatLeft(trx, orderId) : new Map<string, never>();
  for (let start = 0; start < bySku.length; start += partSize) {
    const part = bySku.slice(start, start + partSize);
    const skus = part.map(([sku]) => sku);
    const pools = await lockPools(trx, skus);
    const isThere = part.every(
      ([sku, own]) =>
        own.every(({ quantity }) => quantity < 0) && unitsIn(own) + (pools.get(sku)?.units ?? 0) >= 0,
    );
    const costs = isThere ? new Map<string, number>() : await costsOf(trx, skus);
    for (const [sku, own] of part) {
      let pool = pools.get(sku) ?? { units: 0, costed: 0, cents: 0 };
      const cost = costs.get(sku) ?? null;
      const out: Batch = { quantity: 0, costed: 0, cents: 0, ...left.get(sku) };
      for (const row of own.toSorted((a, b) => a.quantity - b.quantity)) {
        const { quantity } = row;
        const by =
          quantity < 0 ? leave(pool, -quantity, cost) : arrive(pool, batchOf(row, { pool, out, cost }));
        // Those figures are below zero.
        if (kind === 'transfer' && quantity < 0) take(out, by);
        done.push({ ...row, by });
        pool = moved(pool, quantity, by);
      }
      pools.set(sku, pool);
    }
    await writePools(db, trx, pools);
  }
  return done;

  function batchOf(
    { quantity }: R,
    { pool, out, cost }: { pool: Pool; out: Batch; cost: number | null },
  ): Batch {
    if (isBack) {
      const batch = returned(out, quantity);
      take(out, batch);
      return batch;
    }
    if (reason !== 'received') return atAverage(pool, quantity, cost);
    const each = unitCost ?? cost;
    return each === null ? { quantity, costed: 0, cents: 0 } : atCost(quantity, each);
  }
}

const unitsIn = (rows: readonly StockRow[]) => rows.reduce((sum, { quantity }) => sum + quantity, 0);

function take(out: Batch, { costed, cents }: Pick<Batch, 'costed' | 'cents'>): void {
  out.costed -= costed;
  out.cents -= cents;
}

/** What came in by a delivery, or from one place to another, is no cost; but that of units that were sold before they came. */
function bookedCost(
  { sku, location_id: place, by }: CostedRow<StockRow>,
  { kind, at, orderId = null, actor, reason }: CostCause,
): StockCost[] {
  const own = { at, order: orderId, place, actor: actor ? actorText(actor) : null, sku };
  const isSold = soldKinds.some((sold) => sold === kind);
  const isCost = kind !== 'transfer' && kind !== 'cost' && reason !== 'received';
  const costs: StockCost[] = [
    {
      ...own,
      part: isSold ? 'sold' : 'lost',
      units: isCost ? 0 - by.costed : 0,
      cents: isCost ? 0 - by.cents : 0,
    },
    { ...own, part: 'sold', units: 0, cents: by.late },
  ];
  return costs.filter(({ units, cents }) => units !== 0 || cents !== 0);
}

/** What a cost of SKUs says of their units whose cost was not known: those that are there have it, and those that were sold before they came. */
export async function valueUnits(
  db: Database,
  trx: Trx,
  skus: readonly string[],
  cause: Pick<MovementCause, 'at' | 'actor'>,
): Promise<void> {
  const found = await skusToValue(trx, skus);
  if (found.length === 0) return;
  const pools = await lockPools(
    trx,
    found.map(({ sku }) => sku),
  );
  const rows = found.flatMap(({ sku, cost }) => {
    const pool = pools.get(sku);
    if (!pool) return [];
    const by = valued(pool, cost);
    pools.set(sku, moved(pool, 0, by));
    return [{ id: randomUUID(), sku, location_id: '', quantity: 0, by }];
  });
  await insertMovements(db, trx, rows, { ...cause, kind: 'cost' });
  await writePools(db, trx, pools);
}

/** Of SKUs of the catalogue; one without a level has a row without a location. */
export function stockOf(db: Reader, skus: readonly string[]) {
  return db
    .selectFrom('skus')
    .leftJoin('stock', 'stock.sku', 'skus.id')
    .select(['skus.id as sku', 'skus.counted', 'skus.oversell', 'stock.location_id', 'stock.quantity'])
    .where('skus.id', 'in', skus)
    .execute();
}

/** SKUs among these that do not run out: their stock is not counted, or they are sold beyond it. */
export async function endlessAmong(
  db: Reader,
  skus: readonly string[],
): Promise<Map<string, 'uncounted' | 'oversell'>> {
  if (skus.length === 0) return new Map();
  const rows = await db
    .selectFrom('skus')
    .select(['id', 'counted'])
    .where('id', 'in', skus)
    .where(({ or, eb }) => or([eb('counted', '=', 0), eb('oversell', '=', 1)]))
    .execute();
  return new Map(rows.map(({ id, counted }) => [id, counted === 0 ? 'uncounted' : 'oversell']));
}

/** The remaining units; null if there were not enough, or they are not counted. */
export async function takeUnits(
  trx: Trx,
  sku: string,
  location: string,
  quantity: number,
): Promise<number | null> {
  const row = await trx
    .updateTable('stock')
    .set((eb) => ({ quantity: eb('quantity', '-', quantity) }))
    .where('sku', '=', sku)
    .where('location_id', '=', location)
    .where('quantity', '>=', quantity)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('skus').select('id').where('id', '=', sku).where('counted', '=', 0))),
    )
    .returning('quantity')
    .executeTakeFirst();
  return row?.quantity ?? null;
}

/** The remaining units, below zero for those that are still to come. */
export async function takeBeyondStock(
  trx: Trx,
  sku: string,
  location_id: string,
  quantity: number,
): Promise<number> {
  const { left } = await trx
    .insertInto('stock')
    .values({ sku, location_id, quantity: -quantity })
    .onConflict((c) =>
      c
        .columns(['sku', 'location_id'])
        .doUpdateSet((eb) => ({ quantity: eb('stock.quantity', '-', quantity) })),
    )
    .returning('quantity as left')
    .executeTakeFirstOrThrow();
  return left;
}

export async function insertHolds(db: Database, trx: Trx, holds: readonly HoldRow[]): Promise<void> {
  const columns = ['order_id', 'sku', 'location_id', 'quantity', 'expires_at', 'low_check_at'] as const;
  const values = holds.map((hold) => columns.map((column) => hold[column]));
  await insertMany(db, trx, { into: 'holds', columns, rows: values });
}

/** Their units are sold. By SKU. */
export async function sellHolds(
  db: Database,
  trx: Trx,
  orderId: string,
  cause: Pick<MovementCause, 'at' | 'actor'>,
): Promise<HoldRow[]> {
  const holds = await deleteHolds(trx, orderId);
  const gone = holds.map((hold) => ({ ...hold, quantity: -hold.quantity }));
  await addMovements(db, trx, gone, { ...cause, kind: 'sale', orderId });
  return holds;
}

/** Units that `exists` denies are gone with their product or store. Returns the rows that went back, with their levels. */
export async function releaseHolds(
  db: Database,
  trx: Trx,
  { orderId, at }: { orderId: string; at: number },
  exists: (rows: readonly StockRow[]) => Promise<(row: StockRow) => boolean>,
): Promise<ReturnedUnits[]> {
  const holds = await deleteHolds(trx, orderId);
  const there = await exists(holds);
  const gone = holds.filter((hold) => !there(hold)).map((hold) => ({ ...hold, quantity: -hold.quantity }));
  await addMovements(db, trx, gone, { kind: 'removal', at, orderId });
  return returnUnits(
    trx,
    holds.filter((hold) => hold.quantity > 0 && there(hold)),
  );
}

export interface ReturnedUnits extends StockRow {
  /** The level after it. */
  level: number;
}

export async function returnSoldUnits(
  db: Database,
  trx: Trx,
  rows: readonly StockRow[],
  cause: Omit<MovementCause, 'kind'>,
): Promise<ReturnedUnits[]> {
  const returned = await returnUnits(trx, rows);
  await addMovements(db, trx, rows, { ...cause, kind: 'refund' });
  return returned;
}

async function returnUnits(trx: Trx, rows: readonly StockRow[]): Promise<ReturnedUnits[]> {
  const returned: ReturnedUnits[] = [];
  for (const { sku, location_id, quantity } of rows) {
    const { level } = await trx
      .insertInto('stock')
      .values({ sku, location_id, quantity })
      .onConflict((c) =>
        c
          .columns(['sku', 'location_id'])
          .doUpdateSet((eb) => ({ quantity: eb('stock.quantity', '+', quantity) })),
      )
      .returning('quantity as level')
      .executeTakeFirstOrThrow();
    returned.push({ sku, location_id, quantity, level });
  }
  return returned;
}

/** SKUs that are locked by one statement. */
const lockedAtOnce = 500;

/**
 * Units by SKU and place, of all places of the SKUs. No other transaction changes them until this one ends. A place of `wanted` that had
 * no level has one of 0 then. Locks by SKU, as sales do.
 */
export async function lockLevels(
  trx: Trx,
  wanted: readonly { sku: string; place: string }[],
): Promise<Map<string, Map<string, number>>> {
  const skus = [...new Set(wanted.map(({ sku }) => sku))].sort();
  const places = Map.groupBy(wanted, ({ sku }) => sku);
  const locked = new Map<string, Map<string, number>>();
  for (let start = 0; start < skus.length; start += lockedAtOnce) {
    const part = skus.slice(start, start + lockedAtOnce);
    const known = await trx
      .selectFrom('stock')
      .select(['sku', 'location_id'])
      .where('sku', 'in', part)
      .execute();
    const knownBySku = Map.groupBy(known, ({ sku }) => sku);
    const rows = part.flatMap((sku) => {
      const all = new Set([
        ...(knownBySku.get(sku) ?? []).map(({ location_id }) => location_id),
        ...(places.get(sku) ?? []).map(({ place }) => place),
      ]);
      return [...all].sort().map((location_id) => ({ sku, location_id, quantity: 0 }));
    });
    // An update that changes nothing locks the rows, one after another; a plain SELECT would not.
    const levels = await trx
      .insertInto('stock')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['sku', 'location_id'])
          .doUpdateSet((eb) => ({ quantity: eb.ref('stock.quantity') })),
      )
      .returning(['sku', 'location_id', 'quantity'])
      .execute();
    for (const [sku, own] of Map.groupBy(levels, (level) => level.sku))
      locked.set(sku, new Map(own.map(({ location_id, quantity }) => [location_id, quantity])));
  }
  return locked;
}

export interface LevelChange {
  sku: string;
  location: string;
  before: number;
  after: number;
}

export async function setLevels(
  db: Database,
  trx: Trx,
  changes: readonly LevelChange[],
  cause: MovementCause,
): Promise<void> {
  await insertMany(db, trx, {
    into: 'stock',
    columns: ['sku', 'location_id', 'quantity'],
    rows: changes.map(({ sku, location, after }) => [sku, location, after]),
    suffix: 'on conflict (sku, location_id) do update set quantity = excluded.quantity',
  });
  const rows = changes.map(({ sku, location, before, after }) => ({
    sku,
    location_id: location,
    quantity: after - before,
  }));
  await addMovements(db, trx, rows, cause);
}

/** A place that has a level of 0 had units once, and counts as low; one without never had any. */
export async function dropEmptyLevels(
  trx: Trx,
  levels: readonly { sku: string; place: string }[],
): Promise<void> {
  for (const [place, own] of Map.groupBy(levels, (level) => level.place))
    for (let start = 0; start < own.length; start += lockedAtOnce) {
      const skus = own.slice(start, start + lockedAtOnce).map(({ sku }) => sku);
      await trx
        .deleteFrom('stock')
        .where('location_id', '=', place)
        .where('sku', 'in', skus)
        .where('quantity', '=', 0)
        .execute();
    }
}

/** Only where SKUs have no level yet. */
export async function addFirstLevels(
  db: Database,
  trx: Trx,
  rows: readonly StockRow[],
  cause: Omit<MovementCause, 'kind'>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += partSize) {
    const added = await trx
      .insertInto('stock')
      .values(rows.slice(start, start + partSize))
      .onConflict((conflict) => conflict.doNothing())
      .returning(['sku', 'location_id', 'quantity'])
      .execute();
    await addMovements(db, trx, added, { ...cause, kind: 'count', reason: 'received' });
  }
}

/** Of SKUs, or of a location. Returns the SKUs that had units on sale. */
export async function removeLevels(
  db: Database,
  trx: Trx,
  of: { skus: readonly string[] } | { location: string },
  cause: Omit<MovementCause, 'kind'>,
): Promise<string[]> {
  if ('skus' in of && of.skus.length === 0) return [];
  const rows = await trx
    .deleteFrom('stock')
    .where((eb) => ('skus' in of ? eb('sku', 'in', of.skus) : eb('location_id', '=', of.location)))
    .returning(['sku', 'location_id', 'quantity'])
    .execute();
  await trx
    .deleteFrom('stock_thresholds')
    .where((eb) => ('skus' in of ? eb('sku', 'in', of.skus) : eb('location_id', '=', of.location)))
    .execute();
  await addMovements(
    db,
    trx,
    rows.map((row) => ({ ...row, quantity: -row.quantity })),
    { ...cause, kind: 'removal' },
  );
  return rows.flatMap(({ sku, quantity }) => (quantity > 0 ? sku : []));
}

/** Units on sale everywhere. */
export async function totalsOf(trx: Trx, skus: readonly string[]): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('stock')
    .select((eb) => ['sku', eb.fn.sum<number>('quantity').as('total')])
    .where('sku', 'in', skus)
    .where('quantity', '>', 0)
    .groupBy('sku')
    .execute();
  return new Map(rows.map(({ sku, total }) => [sku, Number(total)]));
}

/** In the catalogue. */
export async function skusAmong(reader: Reader, skus: readonly string[]): Promise<Set<string>> {
  if (skus.length === 0) return new Set();
  const rows = await reader.selectFrom('skus').select('id').where('id', 'in', skus).execute();
  return new Set(rows.map(({ id }) => id));
}

async function deleteHolds(trx: Trx, orderId: string): Promise<HoldRow[]> {
  const rows = await trx.deleteFrom('holds').where('order_id', '=', orderId).returningAll().execute();
  return rows.toSorted((a, b) => (a.sku < b.sku ? -1 : 1));
}

/** Null if the order has no holds, or they do not expire. */
export async function holdEnd(db: Reader, orderId: string): Promise<number | null> {
  const row = await db
    .selectFrom('holds')
    .select((eb) => eb.fn.min('expires_at').as('at'))
    .where('order_id', '=', orderId)
    .executeTakeFirst();
  return row?.at == null ? null : Number(row.at);
}

/** Null: when the order ends. */
export async function setHoldEnd(trx: Trx, orderId: string, at: number | null): Promise<void> {
  await trx.updateTable('holds').set({ expires_at: at }).where('order_id', '=', orderId).execute();
}

export async function shortenHolds(trx: Trx, orderId: string, at: number): Promise<void> {
  await trx
    .updateTable('holds')
    .set({ expires_at: at })
    .where('order_id', '=', orderId)
    .where('expires_at', '>', at)
    .execute();
}

export async function hasHolds(db: Reader, orderId: string): Promise<boolean> {
  const row = await db
    .selectFrom('holds')
    .select('sku')
    .where('order_id', '=', orderId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function ordersWithExpiredHolds(db: Reader, now: number): Promise<string[]> {
  // Without `distinct`, for which SQLite would read every hold in the order of their orders.
  const rows = await db
    .selectFrom('holds')
    .select('order_id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(500)
    .execute();
  return [...new Set(rows.map((row) => row.order_id))];
}

export function uncountedHolds(
  db: Reader,
  now: number,
): Promise<Pick<HoldRow, 'order_id' | 'sku' | 'location_id'>[]> {
  return db
    .selectFrom('holds')
    .select(['order_id', 'sku', 'location_id'])
    .where('low_check_at', '<=', now)
    .orderBy('low_check_at')
    .limit(500)
    .execute();
}

/** How many; null if the hold is over, or counted already. */
export async function countHold(
  trx: Trx,
  hold: Pick<HoldRow, 'order_id' | 'sku' | 'location_id'>,
): Promise<number | null> {
  const row = await trx
    .updateTable('holds')
    .set({ low_check_at: null })
    .where('order_id', '=', hold.order_id)
    .where('sku', '=', hold.sku)
    .where('location_id', '=', hold.location_id)
    .where('low_check_at', 'is not', null)
    .returning('quantity')
    .executeTakeFirst();
  return row?.quantity ?? null;
}

/** On sale, or held for a few minutes only. Locks them. */
export async function unitsLeft(trx: Trx, sku: string, location: string): Promise<number> {
  const stock = await trx
    .updateTable('stock')
    // No-op update to lock the row; a plain SELECT would not.
    .set((eb) => ({ quantity: eb.ref('quantity') }))
    .where('sku', '=', sku)
    .where('location_id', '=', location)
    .returning('quantity')
    .executeTakeFirst();
  const held = await trx
    .selectFrom('holds')
    .select((eb) => eb.fn.sum<number>('quantity').as('units'))
    .where('sku', '=', sku)
    .where('location_id', '=', location)
    .where('low_check_at', 'is not', null)
    .executeTakeFirst();
  return (stock?.quantity ?? 0) + Number(held?.units ?? 0);
}
