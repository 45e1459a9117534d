/** Counts placed orders for Prometheus, since the process began. */
import type { Trx } from '#db/database.ts';
import { Counter, countAfterCommit } from '#server/platform/telemetry/metric.ts';
import type { OrderHead } from './order.ts';

export type OrderMetrics = ReturnType<typeof createOrderMetrics>;

export function createOrderMetrics() {
  const placed = new Counter({
    name: 'shopwright_orders_placed_total',
    help: 'Orders placed, by delivery method, and by whether they were paid online, are paid in store or cost nothing.',
    labels: ['method', 'payment'],
  });
  return {
    sources: [{ name: 'orders', metrics: [placed] }],

    /** Counts an order once its transaction is committed. */
    orderPlaced(trx: Trx, { method, payAtStore, bill }: OrderHead): void {
      const payment = bill?.total === 0 ? 'none' : payAtStore ? 'store' : 'online';
      countAfterCommit(trx, () => placed.add(method ?? 'unknown', payment));
    },
  };
}
