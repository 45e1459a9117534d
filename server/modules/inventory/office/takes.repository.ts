/** Stock-takes: what people found at a place, from the start until the differences are booked. */
import { sql } from 'kysely';
import type { StockTake } from '#contract/staff/stock.ts';
import { insertMany } from '#db/bulk-writes.ts';
import type { Database, Reader, Trx } from '#db/database.ts';

export type TakeState = StockTake['state'];

const columns = ['id', 'location_id', 'state', 'started_at', 'started_by', 'booked_to', 'refused'] as const;
const takes = (reader: Reader) => reader.selectFrom('stock_takes').select(columns);
export type TakeRow = NonNullable<Awaited<ReturnType<typeof findTake>>>;

export const findTake = (reader: Reader, id: string) => takes(reader).where('id', '=', id).executeTakeFirst();

/** The newest first. */
export const takesOf = (reader: Reader, place: string, most: number) =>
  takes(reader)
    .where('location_id', '=', place)
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute();

export const openTakeOf = (reader: Reader, place: string) =>
  takes(reader).where('location_id', '=', place).where('state', 'in', ['open', 'booking']).executeTakeFirst();

/** Whether there was none under way, nor one of this id. */
export async function insertTake(
  trx: Trx,
  { id, place, by, at }: { id: string; place: string; by: string; at: number },
): Promise<boolean> {
  const row = { id, location_id: place, state: 'open', started_at: at, started_by: by, ended_at: null };
  const query = trx
    .insertInto('stock_takes')
    .values(row)
    .onConflict((conflict) => conflict.doNothing());
  return (await query.returning('id').execute()).length > 0;
}

/** Only from one of these states. No other transaction moves it, or adds counts to it, until this one ends. */
export async function moveTake(
  trx: Trx,
  id: string,
  from: readonly TakeState[],
  to: { state: TakeState; booked_to?: string; refused?: string; ended_at?: number },
): Promise<TakeRow | undefined> {
  return trx
    .updateTable('stock_takes')
    .set(to)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returning(columns)
    .executeTakeFirst();
}

export interface CountRow {
  id: string;
  code: string;
  sku: string | null;
  units: number;
  actor: string;
  at: number;
}

export async function insertCounts(
  db: Database,
  trx: Trx,
  take: string,
  counts: readonly CountRow[],
): Promise<void> {
  await insertMany(db, trx, {
    into: 'stock_take_counts',
    columns: ['take_id', 'id', 'code', 'sku', 'units', 'actor', 'at'],
    rows: counts.map(({ id, code, sku, units, actor, at }) => [take, id, code, sku, units, actor, at]),
    suffix: 'on conflict do nothing',
  });
}

const ofTake = (reader: Reader, take: string) =>
  reader.selectFrom('stock_take_counts').where('take_id', '=', take);

export async function countsOf(reader: Reader, take: string): Promise<number> {
  const row = await ofTake(reader, take)
    .select((eb) => eb.fn.countAll<number>().as('counts'))
    .executeTakeFirstOrThrow();
  return Number(row.counts);
}

/** By code; the SKUs alone, with what was found of each. */
export async function foundIn(
  reader: Reader,
  take: string,
  skus: readonly string[],
): Promise<Map<string, number>> {
  if (skus.length === 0) return new Map();
  const rows = await ofTake(reader, take)
    .select((eb) => ['sku', eb.fn.sum<number>('units').as('units')])
    .where('sku', 'in', skus)
    .groupBy('sku')
    .execute();
  return new Map(rows.map(({ sku, units }) => [sku ?? '', Math.max(0, Number(units))]));
}

/** Codes that name no SKU, with their units. */
export async function unknownIn(reader: Reader, take: string, most: number) {
  const rows = await ofTake(reader, take)
    .select((eb) => ['code', eb.fn.sum<number>('units').as('units')])
    .where('sku', 'is', null)
    .groupBy('code')
    .having((eb) => eb.fn.sum('units'), '<>', 0)
    .orderBy('code')
    .limit(most)
    .execute();
  return rows.map(({ code, units }) => ({ code, units: Number(units) }));
}

/** How much was counted, and by whom. */
export async function sumsOf(reader: Reader, take: string) {
  const sums = await ofTake(reader, take)
    .select((eb) => [
      eb.fn.countAll<number>().as('counts'),
      eb.fn.count<number>('sku').distinct().as('skus'),
      eb.fn.sum<number>('units').as('units'),
    ])
    .executeTakeFirstOrThrow();
  const people = await ofTake(reader, take).select('actor').distinct().orderBy('actor').execute();
  const { counts, skus, units } = sums;
  return {
    counts: Number(counts),
    skus: Number(skus),
    units: Number(units ?? 0),
    actors: people.map(({ actor }) => actor),
  };
}

export interface LineRow {
  sku: string;
  found: number;
  /** What the movements say was there when it was last counted. */
  expected: number;
}

/** By SKU. */
export async function linesOf(
  reader: Reader,
  { id, location_id }: Pick<TakeRow, 'id' | 'location_id'>,
  after: string,
  most: number,
): Promise<LineRow[]> {
  const counted = ofTake(reader, id)
    .select((eb) => ['sku', eb.fn.sum<number>('units').as('found'), eb.fn.max('at').as('at')])
    .where('sku', '>', after)
    .groupBy('sku')
    .orderBy('sku')
    .limit(most);
  const rows = await reader
    .selectFrom(counted.as('counted'))
    .select((eb) => [
      'counted.sku',
      'counted.found',
      eb
        .selectFrom('stock_movements as movement')
        .select((inner) => inner.fn.sum<number>('movement.quantity').as('units'))
        .whereRef('movement.sku', '=', sql.ref('counted.sku'))
        .where('movement.location_id', '=', location_id)
        .whereRef('movement.at', '<=', sql.ref('counted.at'))
        .as('expected'),
    ])
    .orderBy('counted.sku')
    .execute();
  return rows.map(({ sku, found, expected }) => ({
    sku: sku ?? '',
    found: Math.max(0, Number(found)),
    expected: Number(expected ?? 0),
  }));
}

/** With their counts. */
export async function deleteTakesBefore(trx: Trx, at: number): Promise<void> {
  const old = trx.selectFrom('stock_takes').select('id').where('ended_at', '<', at);
  await trx.deleteFrom('stock_take_counts').where('take_id', 'in', old).execute();
  await trx.deleteFrom('stock_takes').where('ended_at', '<', at).execute();
}
