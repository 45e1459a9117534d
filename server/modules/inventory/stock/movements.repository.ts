/** Compared with what is there, the sums of movements show mistakes. */
import { sql } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import { type Actor, actorIn } from '#server/platform/actors.ts';
import { soldKinds } from './costs.ts';
import type { CorrectionReason, MovementKind, StockRow } from './stock.repository.ts';

export interface Movement {
  id: string;
  sku: string;
  location: string;
  /** Negative for units that left. */
  quantity: number;
  kind: MovementKind;
  /** Null if no order is its cause, or it is deleted. */
  orderNumber: string | null;
  /** Null for customers, and for movements from before there were any. */
  actor: Actor | null;
  /** For corrections. */
  reason: CorrectionReason | null;
  note: string | null;
  /** Of a transfer, its other end. */
  other: string | null;
  /** Epoch ms. */
  at: number;
}

export interface MovementQuery {
  sku: string;
  /** Left out: everywhere. */
  locations?: readonly string[] | undefined;
  /** Only movements before this one. */
  after?: string | undefined;
  most: number;
}

/** Newest first. */
export async function movementsOf(
  reader: Reader,
  { sku, locations, after, most }: MovementQuery,
): Promise<Movement[]> {
  let query = reader
    .selectFrom('stock_movements as movement')
    .leftJoin('orders', 'orders.id', 'movement.order_id')
    .leftJoin('stock_notes as note', 'note.movement_id', 'movement.id')
    .select([
      'movement.id',
      'sku',
      'location_id as location',
      'quantity',
      'kind',
      'order_number as orderNumber',
    ])
    .select(['actor', 'reason', 'movement.at', 'note.text as note'])
    .select((eb) =>
      eb
        .selectFrom('stock_movements as end')
        .select('end.location_id')
        .whereRef('end.sku', '=', 'movement.sku')
        .whereRef('end.at', '=', 'movement.at')
        .where('movement.kind', '=', 'transfer')
        .where('end.kind', '=', 'transfer')
        .where(sql<boolean>`"end".quantity = -movement.quantity`)
        .whereRef('end.location_id', '<>', 'movement.location_id')
        .limit(1)
        .as('other'),
    )
    .where('sku', '=', sku)
    // Those of costs move no units.
    .where('quantity', '<>', 0)
    .orderBy('movement.at', 'desc')
    .orderBy('movement.id', 'desc')
    .limit(most);
  if (locations !== undefined) query = query.where('location_id', 'in', locations);
  if (after !== undefined)
    query = query.where(
      sql<boolean>`(movement.at, movement.id) < (select at, id from stock_movements where id = ${after})`,
    );
  // The columns are written only from these types.
  return (await query.execute()).map(({ actor, ...row }) => ({
    ...row,
    actor: actor && actorIn(actor),
  })) as Movement[];
}

/** What was there after a movement. */
export async function sumUpTo(
  reader: Reader,
  { id, sku }: Pick<Movement, 'id' | 'sku'>,
  locations: readonly string[],
): Promise<number> {
  const { units } = await reader
    .selectFrom('stock_movements')
    .select((eb) => eb.fn.sum<number>('quantity').as('units'))
    .where('sku', '=', sku)
    .where('location_id', 'in', locations)
    .where(sql<boolean>`(at, id) <= (select at, id from stock_movements where id = ${id})`)
    .executeTakeFirstOrThrow();
  return Number(units ?? 0);
}

export async function deleteNotesBefore(trx: Trx, at: number): Promise<void> {
  await trx.deleteFrom('stock_notes').where('at', '<', at).execute();
}

/** And that have not come back, by SKU. */
export async function soldUnits(reader: Reader, orderId: string): Promise<StockRow[]> {
  const rows = await reader
    .selectFrom('stock_movements')
    .select((eb) => ['sku', 'location_id', eb.fn.sum<number>('quantity').as('units')])
    .where('order_id', '=', orderId)
    .where('kind', 'in', soldKinds)
    .groupBy(['sku', 'location_id'])
    .orderBy('sku')
    .orderBy('location_id')
    .execute();
  return rows.flatMap(({ units, ...row }) =>
    Number(units) < 0 ? [{ ...row, quantity: -Number(units) }] : [],
  );
}

/** By how many units what is there, on sale and held, differs from the sum of the movements. There should be no row. */
export async function differences(reader: Reader): Promise<StockRow[]> {
  const { rows } = await sql<StockRow>`
    select sku, location_id, sum(quantity) as quantity from (
      select sku, location_id, quantity from stock union all
      select sku, location_id, quantity from holds union all
      select sku, location_id, -quantity from stock_movements
    ) as parts group by sku, location_id having sum(quantity) <> 0 order by sku, location_id`.execute(reader);
  return rows.map((row) => ({ ...row, quantity: Number(row.quantity) }));
}
