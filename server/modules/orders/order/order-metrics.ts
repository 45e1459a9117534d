/** Reports orders and payments to Prometheus. Counts begin with the process; attempts under way are read from the database. */
import type { Database, Trx } from '#db/database.ts';
import { countAfterCommit } from '#server/platform/telemetry/after-commit.ts';
import { Counter, type MetricSource } from '#server/platform/telemetry/metric.ts';
import { countOpenPayments, type OpenPayments } from '../payments.repository.ts';
import type { OrderHead } from './order.ts';

/** `late`: the money arrived for an order that could no longer be placed, and is refunded. */
export type CountedOutcome = 'succeeded' | 'failed' | 'late';

export type OrderMetrics = ReturnType<typeof createOrderMetrics>;

export function createOrderMetrics({ db, now }: { db: Database; now: () => number }) {
  const placed = new Counter({
    name: 'shopwright_orders_placed_total',
    help: 'Orders placed, by delivery method, and by whether they were paid online, are paid in store or cost nothing.',
    labels: ['method', 'payment'],
  });
  const payments = new Counter({
    name: 'shopwright_payments_total',
    help: 'Attempts to pay that ended, by provider and outcome.',
    labels: ['provider', 'outcome'],
  });
  let open: OpenPayments[] = [];
  const age = ({ oldestAt }: OpenPayments) => Math.max(0, now() - oldestAt) / 1000;
  const source: MetricSource = {
    name: 'orders',
    metrics: [placed, payments],
  };
  const openPayments: MetricSource = {
    name: 'payments',
    wholeShop: true,
    async refresh() {
      open = await countOpenPayments(db.read);
    },
    metrics: [
      {
        type: 'gauge',
        name: 'shopwright_payments_open',
        help: 'Attempts to pay without a known outcome: "pending" at the provider, "action" by the customer, "lapsed" after the hold.',
        labels: ['provider', 'state'],
        samples: () => open.map(({ provider, state, count }) => ({ labels: { provider, state }, value: count })),
      },
      {
        type: 'gauge',
        name: 'shopwright_payments_oldest_seconds',
        help: 'How long the oldest of these attempts has been open.',
        labels: ['provider', 'state'],
        samples: () => open.map((each) => ({ labels: { provider: each.provider, state: each.state }, value: age(each) })),
      },
    ],
  };
  return {
    sources: [source, openPayments],

    /** Counts an order once its transaction is committed. */
    orderPlaced(trx: Trx, { method, payAtStore, bill }: OrderHead): void {
      const payment = bill?.total === 0 ? 'none' : payAtStore ? 'store' : 'online';
      countAfterCommit(trx, () => placed.add(method ?? 'unknown', payment));
    },

    /** Counts the end of an attempt to pay once its transaction is committed. */
    paymentEnded(trx: Trx, provider: string, outcome: CountedOutcome): void {
      countAfterCommit(trx, () => payments.add(provider, outcome));
    },
  };
}
