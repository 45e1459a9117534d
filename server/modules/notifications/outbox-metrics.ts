/** Reports the outbox to Prometheus: emails that wait or were given up, and how long the oldest has waited. */
import type { Database } from '#db/database.ts';
import type { MetricSource } from '#server/platform/telemetry/metric.ts';
import { countMails } from './outbox.repository.ts';

export function outboxMetrics({ db, now }: { db: Database; now: () => number }): MetricSource {
  let counts = { waiting: 0, failed: 0 };
  let oldestMs = 0;
  return {
    name: 'mail',
    wholeShop: true,
    async refresh() {
      const { waiting, failed, oldestAt } = await countMails(db.read);
      counts = { waiting, failed };
      oldestMs = oldestAt === null ? 0 : Math.max(0, now() - oldestAt);
    },
    metrics: [
      {
        type: 'gauge',
        name: 'shopwright_mail_outbox',
        help: 'Emails that wait to be sent, and emails of the last 30 days that were given up.',
        labels: ['state'],
        samples: () => Object.entries(counts).map(([state, value]) => ({ labels: { state }, value })),
      },
      {
        type: 'gauge',
        name: 'shopwright_mail_oldest_seconds',
        help: 'How long the oldest unsent email has waited; 0 if none waits.',
        samples: () => [{ value: oldestMs / 1000 }],
      },
    ],
  };
}
