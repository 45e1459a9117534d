/** Lists rows of settlements: payouts with what is in them, what waits, and everything of a range in pages. */
import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '#db/database.ts';
import { isLatest, type SettlementRow, toRow } from './rows.repository.ts';

export interface Span {
  /** Epoch ms: `from` included, `to` not. */
  from: number;
  to: number;
  /** Null: all. */
  provider: string | null;
}

export interface Sums {
  rows: number;
  gross: number;
  /** Null if the provider does not say of some row. */
  fee: number | null;
  net: number | null;
}

export interface ListedRow extends SettlementRow {
  orderNumber: string | null;
}

/** What counts, of `settlement_rows as r`: a payout itself is not in it. */
const inPayout = sql<boolean>`r.kind not in ('payout', 'payoutReversed') and r.state not in ('pending', 'denied')`;
/** A fee of its own is a fee, and no gross amount (`effectOf`). */
const sums = sql`count(*) as count, sum(case when r.kind = 'fee' then 0 else r.gross_cents end) as gross,
  sum(case when r.kind = 'fee' then coalesce(r.fee_cents, 0) - r.gross_cents else r.fee_cents end) as fee,
  sum(case when r.fee_cents is null then 1 else 0 end) as unsaid`;

interface SummedRow {
  provider: string;
  key: string;
  count: number | string;
  gross: number | string;
  fee: number | string | null;
  unsaid: number | string;
}

function toSums({ count, gross, fee, unsaid }: SummedRow): Sums {
  const known = Number(unsaid) === 0;
  const all = Number(gross);
  return {
    rows: Number(count),
    gross: all,
    fee: known ? Number(fee ?? 0) : null,
    net: known ? all - Number(fee ?? 0) : null,
  };
}

/** Payouts of a range, the latest first, at most `most`. */
export async function payoutsIn(
  db: Reader,
  { from, to, provider }: Span,
  most: number,
): Promise<SettlementRow[]> {
  const rows = await db
    .selectFrom('settlement_rows as r')
    .selectAll('r')
    .where('r.kind', '=', 'payout')
    .where('r.at', '>=', from)
    .where('r.at', '<', to)
    .$if(provider !== null, (query) => query.where('r.provider', '=', provider ?? ''))
    .where(isLatest)
    .orderBy('r.at', 'desc')
    .orderBy('r.row_id')
    .limit(most)
    .execute();
  return rows.map(toRow);
}

/** What is in payouts, by `provider payout`. */
export async function sumsOfPayouts(
  db: Reader,
  payouts: readonly Pick<SettlementRow, 'provider' | 'payout'>[],
): Promise<Map<string, Sums>> {
  const found = new Map<string, Sums>();
  for (const [provider, some] of Map.groupBy(payouts, (each) => each.provider)) {
    const ids = some.flatMap(({ payout }) => payout ?? []);
    if (ids.length === 0) continue;
    const { rows } =
      await sql<SummedRow>`select r.provider, r.payout_id as key, ${sums} from settlement_rows r
      where r.provider = ${provider} and r.payout_id in (${sql.join(ids)}) and ${inPayout} and ${isLatest}
      group by r.provider, r.payout_id`.execute(db);
    for (const row of rows) found.set(payoutKey(provider, row.key), toSums(row));
  }
  return found;
}

export const payoutKey = (provider: string, payout: string | null) => `${provider} ${payout}`;

/** What is in no payout, by provider and currency. */
export async function waitingIn(
  db: Reader,
  span: Span,
): Promise<(Sums & { provider: string; currency: string })[]> {
  const { rows } = await sql<SummedRow>`select r.provider, r.currency as key, ${sums} from settlement_rows r
    where r.payout_id is null and ${within(span)} and ${inPayout} and ${isLatest}
    group by r.provider, r.currency order by r.provider, r.currency`.execute(db);
  return rows.map((row) => ({ ...toSums(row), provider: row.provider, currency: row.key }));
}

const within = ({ from, to, provider }: Span): RawBuilder<unknown> =>
  sql`r.at >= ${from} and r.at < ${to} ${provider === null ? sql`` : sql`and r.provider = ${provider}`}`;

/** The row after which a page begins. */
export interface Cursor {
  at: number;
  provider: string;
  id: string;
}

interface PageQuery extends Span {
  /** Only what is in this payout; null: what is in none; undefined: everything. */
  payout: string | null | undefined;
  after: Cursor | null;
  most: number;
}

/** The oldest first. */
export async function rowsPage(
  db: Reader,
  { payout, after, most, ...span }: PageQuery,
): Promise<ListedRow[]> {
  let query = db
    .selectFrom('settlement_rows as r')
    .leftJoin('orders', 'orders.id', 'r.order_id')
    .selectAll('r')
    .select('orders.order_number')
    .where(isLatest)
    .orderBy('r.at')
    .orderBy('r.provider')
    .orderBy('r.row_id')
    .limit(most);
  // What is in a payout may be older than any range.
  if (typeof payout === 'string')
    query = query.where('r.payout_id', '=', payout).where('r.provider', '=', span.provider ?? '');
  else query = query.where(sql<boolean>`${within(span)}`);
  if (payout === null) query = query.where('r.payout_id', 'is', null).where(inPayout);
  if (after)
    query = query.where(
      sql<boolean>`(r.at, r.provider, r.row_id) > (${after.at}, ${after.provider}, ${after.id})`,
    );
  return (await query.execute()).map((row) => ({ ...toRow(row), orderNumber: row.order_number }));
}

/** What providers say of payments, and of what was refunded of them, the oldest first. */
export async function settlementsOfPayments(
  db: Reader,
  payments: readonly string[],
): Promise<SettlementRow[]> {
  if (payments.length === 0) return [];
  const rows = await db
    .selectFrom('settlement_rows as r')
    .selectAll('r')
    .where('r.payment_id', 'in', payments)
    .where(isLatest)
    .orderBy('r.at')
    .orderBy('r.provider')
    .orderBy('r.row_id')
    .execute();
  return rows.map(toRow);
}
