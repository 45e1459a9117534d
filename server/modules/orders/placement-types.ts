/** The types shared by the steps of placing an order. */
import type { FieldErrors } from '#contract/errors.ts';
import type { Locale } from '#contract/locales.ts';
import type { Bill } from '#contract/schemas/order.ts';
import type { Database, Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import type { PickupService } from '#server/modules/stores/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import type { CouponsService } from './coupons/coupons.service.ts';
import type { Buyer, OrderHead, OrderLine } from './order/order.ts';
import type { OrderMetrics } from './order/order-metrics.ts';
import type { OrderSettings } from './order/order-settings.ts';
import type { Payment } from './payment.ts';
import type { Refunds } from './refunds.ts';

export interface PlacementDeps {
  db: Database;
  /** The clock: epoch ms. */
  now: () => number;
  stock: StockService;
  pickup: PickupService;
  mail: OutboxService;
  coupons: CouponsService;
  refunds: Refunds;
  webhookEvents: WebhookEvents;
  metrics: OrderMetrics;
}

export interface PlacementRequest {
  buyer: Buyer;
  settings: OrderSettings;
  /** The bill the customer saw; left out, the last one that they were given (`OrderHead.shownBill`). */
  billVersion?: string | undefined;
  /** For product names in errors. */
  locale: Locale;
  /** Whether stock is held now, or by `hold` once the customer has agreed; then it only has to be available. */
  holdsStock: boolean;
  /** The customer's network (`networkOf`): the unpaid holds of one network are limited. */
  network: string;
  /** Counts an order that takes stock and sends an email without an online payment. Throws if the limit is reached. */
  countUnpaid(trx: Trx, order: OrderHead): Promise<void>;
  /** The problems that prevent the order from being placed, by the rules of checkout. */
  problems(order: OrderHead, lines: readonly OrderLine[], bill: Bill): FieldErrors;
}

/** The order that was placed already, or the pending attempt to pay. */
export type StartedPayment = { placed: string } | { payment: Payment };

/** The placed order, or the payment that arrived too late for it and has to be refunded. */
export type CompletedOrder = { orderID: string; refund: null } | { orderID: null; refund: Payment };
