/** What the steps of placing an order share. */
import type { FieldErrors } from '#contract/errors.ts';
import type { Locale } from '#contract/locales.ts';
import type { Bill } from '#contract/schemas/order.ts';
import type { Database, Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import type { PickupService } from '#server/modules/stores/index.ts';
import type { CouponsService } from './coupons/coupons.service.ts';
import type { Buyer, OrderHead, OrderLine } from './order.ts';
import type { OrderSettings } from './order-settings.ts';
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
}

export interface PlacementRequest {
  buyer: Buyer;
  settings: OrderSettings;
  /** The bill the shopper saw; left out, whatever the bill is now. */
  billVersion?: string | undefined;
  /** For the names of products in refusals. */
  locale: Locale;
  /** Whether stock is held now, or by `hold` once the shopper has agreed; then it only has to be available. */
  holdsStock: boolean;
  /** The shopper's network (`networkOf`): one network may hold only so much unpaid. */
  network: string;
  /** Counts an order that takes stock and sends a mail without an online payment. Throws to refuse it. */
  countUnpaid(trx: Trx, order: OrderHead): Promise<void>;
  /** What keeps the order from being placed, by the checkout's rules. */
  problems(order: OrderHead, lines: readonly OrderLine[], bill: Bill): FieldErrors;
}

/** The order that was placed already, or the attempt to pay that is pending now. */
export type StartedPayment = { placed: string } | { payment: Payment };

/** The order that was placed, or the payment that came too late for it and has to be refunded. */
export type CompletedOrder = { orderID: string; refund: null } | { orderID: null; refund: Payment };
