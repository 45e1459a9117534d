/** The books of the simulated gateway: it takes a fee, holds the money for two days, and pays out each morning. */
import type { Database } from '#db/database.ts';
import type { SettlementEntry, Settlements } from '#server/modules/payments/providers/settlement.ts';
import { dayMs, hourMs } from '#server/platform/time-zone.ts';
import { type HouseMove, movesBetween } from './charges.repository.ts';

/** What it takes of a payment: a share, and an amount in the smallest unit. */
const [feeShare, feePerPayment] = [0.029, 30];
const settlesAfterMs = 2 * dayMs;
/** Of a day, UTC, ms. */
const payoutHour = 6 * hourMs;
/** From the payout until the bank has it. */
const arrivesAfterMs = dayMs;

export function createHouseSettlements({ db, now }: { db: Database; now: () => number }): Settlements {
  return {
    says: { rowsOfPayouts: true, fees: true },
    async *read(from, to) {
      // What is paid out within the range was taken up to three days before it.
      const moves = await movesBetween(db.read, from - settlesAfterMs - dayMs, to);
      const entries = moves.map((move) => entryOf(move, to));
      yield { entries };
      yield { entries: payoutsOf(entries, from, now()) };
      return to;
    },
  };
}

function entryOf({ id, kind, reference, amount, currency, at }: HouseMove, until: number): SettlementEntry {
  const isPayment = kind === 'payment';
  const availableAt = isPayment ? at + settlesAfterMs : at;
  const paidAt = nextPayout(availableAt);
  const gross = isPayment ? amount : -amount;
  return {
    id: `${kind}-${id}`,
    kind,
    type: kind,
    state: 'settled',
    at,
    availableAt,
    currency,
    gross,
    fee: isPayment ? Math.round(amount * feeShare) + feePerPayment : 0,
    charged: { amount: gross, currency },
    payout: paidAt <= until ? payoutId(paidAt, currency) : null,
    complete: false,
    about: isPayment ? { dashboard: '', reference } : { dashboard: '', reference, refundKey: id },
  };
}

/** The first payout at or after a time. */
const nextPayout = (at: number) => Math.ceil((at - payoutHour) / dayMs) * dayMs + payoutHour;
const payoutId = (at: number, currency: string) =>
  `payout-${new Date(at).toISOString().slice(0, 10)}-${currency}`;

/** Those since a time, each of all that became available in the day before it. */
function payoutsOf(entries: readonly SettlementEntry[], from: number, now: number): SettlementEntry[] {
  return [...Map.groupBy(entries, ({ payout }) => payout)].flatMap(
    ([payout, [first, ...others]]): SettlementEntry[] => {
      const at = first?.availableAt == null ? 0 : nextPayout(first.availableAt);
      if (payout === null || !first || at < from) return [];
      const net = [first, ...others].reduce((sum, { gross, fee }) => sum + gross - (fee ?? 0), 0);
      const availableAt = at + arrivesAfterMs;
      return [
        {
          id: payout,
          kind: 'payout',
          type: 'payout',
          state: availableAt <= now ? 'arrived' : 'sent',
          at,
          availableAt,
          currency: first.currency,
          gross: -net,
          fee: 0,
          charged: null,
          payout,
          complete: true,
          about: { dashboard: '' },
        },
      ];
    },
  );
}
