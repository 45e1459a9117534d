/** Reports the deliveries of webhooks to Prometheus. */
import type { Database } from '#db/database.ts';
import type { MetricSource } from '#server/platform/telemetry/metric.ts';
import { countUndelivered } from './deliveries.repository.ts';

export function deliveryMetrics({ db }: { db: Database }): MetricSource {
  let counts = { waiting: 0, failed: 0 };
  return {
    name: 'webhooks',
    wholeShop: true,
    async refresh() {
      counts = await countUndelivered(db.read);
    },
    metrics: [
      {
        type: 'gauge',
        name: 'shopwright_webhook_deliveries',
        help: 'Deliveries of webhooks that wait, and stored ones that were given up.',
        labels: ['state'],
        samples: () => Object.entries(counts).map(([state, value]) => ({ labels: { state }, value })),
      },
    ],
  };
}
