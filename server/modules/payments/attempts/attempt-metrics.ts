/** Reports attempts to pay to Prometheus. Counts begin with the process; attempts under way are read from the database. */
import type { Database } from '#db/database.ts';
import { Counter, type MetricSource } from '#server/platform/telemetry/metric.ts';
import { countOpenPayments, type OpenPayments } from './payments.repository.ts';

export type AttemptMetrics = ReturnType<typeof createAttemptMetrics>;

export function createAttemptMetrics({ db, now }: { db: Database; now: () => number }) {
  const outcomes = new Counter({
    name: 'shopwright_payments_total',
    help: 'Attempts to pay that ended, by provider and outcome.',
    labels: ['provider', 'outcome'],
  });
  let open: OpenPayments[] = [];
  const age = ({ oldestAt }: OpenPayments) => Math.max(0, now() - oldestAt) / 1000;
  const openAttempts: MetricSource = {
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
    sources: [{ name: 'attempts', metrics: [outcomes] }, openAttempts] satisfies MetricSource[],

    /** Counts the end of an attempt. `late`: its order could no longer be placed, and it is refunded. */
    ended: (provider: string, outcome: 'succeeded' | 'failed' | 'late'): void => outcomes.add(provider, outcome),
  };
}
