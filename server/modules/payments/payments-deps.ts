/** The dependencies and results of the payments service. */
import type { Database } from '#db/database.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import type { CheckoutService, OrdersService, Refund } from '#server/modules/orders/index.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { PaymentSettlement } from './attempts/payment-settlement.ts';
import type { PaymentRegistry } from './providers/registry.ts';
import type { QueueLimits } from './reconciliation/provider-queues.ts';

export interface PaymentsDeps {
  db: Database;
  /** The clock: epoch ms. */
  now: () => number;
  orders: OrdersService;
  checkout: CheckoutService;
  payments: PaymentRegistry;
  settlement: PaymentSettlement;
  attempts: RateLimitsService;
  alerts: AlertsService;
  /** How long reconciliation waits for providers; the default is `queueLimits`. */
  queueLimits?: QueueLimits;
}

export interface RefundResult {
  refund: Refund;
  /** Whether the provider has sent the money. */
  given: boolean;
  /** The provider's reason if it will never send it. */
  refused?: string;
}
