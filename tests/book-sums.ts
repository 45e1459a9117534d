/** Sums of the books, for tests that compare them with what they are of. */
import { sql } from 'kysely';
import type { Reader } from '#db/database.ts';

/** What the books hold and what they are of, by queries that share nothing with the shop. Of money only since `from`, epoch ms. */
export async function bookSums(reader: Reader, from: number) {
  const one = async (query: ReturnType<typeof sql>) =>
    Number((await query.execute(reader)).rows.map((row) => Object.values(row as object)[0])[0] ?? 0);
  const standing = sql`state in ('placed', 'ready', 'shipped', 'completed')`;
  return {
    /** Events whose entries do not sum to zero. */
    uneven: await one(
      sql`select count(*) as n from (select event_id from ledger_entries group by event_id having sum(amount_cents) <> 0) as e`,
    ),
    money: await one(sql`select sum(amount_cents) as n from ledger_entries
      where account = 'money' and at >= ${from}
        and kind in ('payment', 'paymentUndone', 'refund', 'refundRefused', 'dispute', 'disputeWon')`),
    payments:
      (await one(sql`select sum(amount_cents + rounding_cents) as n from payments
        where received_at >= ${from} and undone_at is null`)) -
      // Cash goes back in coins of five cents.
      (await one(sql`select sum(case when p.kind = 'cash' then (r.amount_cents + 2) / 5 * 5 else r.amount_cents end) as n
        from refunds r join payments p on p.id = r.payment_id where r.state <> 'refused' and r.created_at >= ${from}`)),
    billed:
      await one(sql`select sum(amount_cents) as n from ledger_entries where source = 'bill' and account = 'receivable'
      and order_id in (select id from orders where ${standing})`),
    bills: await one(
      sql`select sum(total_cents) as n from orders where placed_at is not null and ${standing}`,
    ),
    drawer: await one(
      sql`select sum(amount_cents) as n from ledger_entries where account = 'money' and kind in ('cashIn', 'cashOut')`,
    ),
    moves: await one(sql`select sum(amount_cents) as n from cash_moves`),
  };
}

/** How many events count from then on, epoch ms. */
export async function eventsSince(reader: Reader, from: number): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from ledger_entries where no = 0 and booked_at >= ${from}`.execute(reader);
  return Number(rows[0]?.n);
}
