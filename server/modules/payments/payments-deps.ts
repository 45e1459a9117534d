/** What the payments service works with, and what it is asked for. */
import type { Database } from '#db/database.ts';
import type { CheckoutService, OrdersService, Refund } from '#server/modules/orders/index.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { PaymentSettlement } from './payment-settlement.ts';
import type { QueueLimits } from './provider-queues.ts';
import type { PaymentRegistry } from './registry.ts';

export interface PaymentsDeps {
  db: Database;
  /** The clock: epoch ms. */
  now: () => number;
  orders: OrdersService;
  checkout: CheckoutService;
  payments: PaymentRegistry;
  settlement: PaymentSettlement;
  attempts: RateLimitsService;
  /** How long reconciliation waits for providers; left out, as long as `queueLimits` says. */
  queueLimits?: QueueLimits;
}

export interface RefundResult {
  refund: Refund;
  /** Whether the provider has sent the money. */
  given: boolean;
  /** Why the provider never will, in its own words. */
  refused?: string;
}
