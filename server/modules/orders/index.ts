/** Orders: carts, checkout, placement, fulfilment and what customers see of their orders. */
export type { CartService } from './cart/cart.service.ts';
export type { CheckoutService } from './checkout/checkout.service.ts';
export { payAtStoreErrors, validateCheckout } from './checkout/checkout-validation.ts';
export { unpaidOrderRateLimits } from './checkout/unpaid-orders.ts';
export { closedPickups } from './closed-pickups.ts';
export type { CouponEntry } from './coupons/coupon-entry.service.ts';
export type { CouponsService } from './coupons/coupons.service.ts';
export type { OwnedOrder } from './customer-orders.ts';
export { FulfilmentError } from './fulfilment-error.ts';
export type { ImportedOrder } from './import.ts';
export { type NewOrderEmailFindings, newOrderEmailFindings } from './new-order-recipients.ts';
export type { Buyer, OrderHead } from './order.ts';
export { attemptsGivenUp, waitingHoldMs } from './order-payments.ts';
export type { OrderRemoval } from './order-removal.ts';
export type { OrderSettings } from './order-settings.ts';
export { holdMs } from './order-stock.ts';
export type { OrdersService } from './orders.service.ts';
export type { Payment, PaymentState } from './payment.ts';
export { type PaymentGuard, PaymentInProgress, withEditableCart } from './payment-guard.ts';
export {
  attemptEnded,
  attemptUnknown,
  type PaymentFailure,
  type ProviderActivity,
  type ProviderDispute,
  type ProviderRefund,
  type ShipTo,
} from './payment-vocabulary.ts';
export { createActivityQuestions, type Dispute } from './provider-activity.ts';
export { createRefundProblems, type RefundProblem } from './refund-problems.ts';
export type { DueRefund, Refund, RefundRequest, RefundState } from './refunds.ts';
export { reservedUntil } from './reservation-deadline.ts';
export type { TipsService } from './tips/tips.service.ts';
