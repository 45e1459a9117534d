/** Sums the movements of stock by SKU: what was there on a day, what came and went since another, and what it cost. */
import { sql } from 'kysely';
import type { Reader } from '#db/database.ts';
import { soldKinds } from '../stock/costs.ts';

export interface ValueRow {
  sku: string;
  /** At the end: all units, those whose cost is known, and what these cost, cents. */
  units: number;
  costed: number;
  value: number;
  /** What was there at the beginning, cents; and its units of unknown cost. */
  before: number;
  beforeUnknown: number;
  /** Of deliveries, and of costs that became known, cents; without what was sold before it came. */
  received: number;
  receivedUnknown: number;
  /** Units that were sold, less those that came back; of how many the cost is known, and what they cost, cents. */
  sold: number;
  soldCosted: number;
  soldCents: number;
  /** What units that were sold before they came cost more than was booked then, cents. */
  late: number;
  /** What counts, damage and the like took off the value, cents. */
  lost: number;
  lostUnknown: number;
}

/** By SKU, those after one; `from` included, `to` not (epoch ms). */
export async function valuesOf(
  reader: Reader,
  { from, to, after, most }: { from: number; to: number; after: string; most: number },
): Promise<ValueRow[]> {
  const isSold = sql`kind in (${sql.join(soldKinds)})`;
  const isReceived = sql`(coalesce(reason, '') = 'received' or kind in ('opening', 'cost'))`;
  const isLost = sql`(kind <> 'transfer' and not ${isSold} and not ${isReceived})`;
  const unknown = '(quantity - costed)';
  const within = (condition: typeof isSold, of: string, sign: 1 | -1) =>
    sql`sum(case when at >= ${from} and ${condition} then ${sql.raw(sign === 1 ? of : `-${of}`)} else 0 end)`;
  const { rows } = await sql<
    Record<keyof ValueRow, string | number>
  >`select sku, sum(quantity) as units, sum(costed) as costed,
      sum(cost_cents) as value, sum(case when at < ${from} then cost_cents else 0 end) as before,
      sum(case when at < ${from} then ${sql.raw(unknown)} else 0 end) as "beforeUnknown",
      ${within(isReceived, 'cost_cents', 1)} as received, ${within(isReceived, unknown, 1)} as "receivedUnknown",
      ${within(isSold, 'quantity', -1)} as sold,
      ${within(isSold, 'costed', -1)} as "soldCosted", ${within(isSold, 'cost_cents', -1)} as "soldCents",
      sum(case when at >= ${from} then late_cents else 0 end) as late, ${within(isLost, 'cost_cents', -1)} as lost,
      ${within(isLost, unknown, -1)} as "lostUnknown"
    from stock_movements where sku > ${after} and at < ${to} group by sku order by sku limit ${most}`.execute(
    reader,
  );
  return rows.map(({ sku, ...sums }) => ({
    sku: String(sku),
    ...(Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, Number(value)])) as Omit<
      ValueRow,
      'sku'
    >),
  }));
}
