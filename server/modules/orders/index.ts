/** Orders: carts, checkout, placement, fulfilment and what customers see of their orders. */
export type { CartService } from './cart/cart.service.ts';
export type { TipsService } from './cart/tips.service.ts';
export type { CheckoutService } from './checkout/checkout.service.ts';
export { payAtStoreErrors, validateCheckout } from './checkout/checkout-validation.ts';
export { unpaidOrderRateLimits } from './checkout/unpaid-orders.ts';
export type { CouponEntry } from './coupons/coupon-entry.service.ts';
export type { CouponsService } from './coupons/coupons.service.ts';
export { type NewOrderEmailFindings, newOrderEmailFindings } from './emails/new-order-recipients.ts';
export { closedPickups } from './fulfilment/closed-pickups.ts';
export { FulfilmentError } from './fulfilment/fulfilment-error.ts';
export { reservedUntil } from './fulfilment/reservation-deadline.ts';
export type { OwnedOrder } from './order/customer-orders.ts';
export type { ImportedOrder } from './order/import.ts';
export type { Buyer, OrderHead } from './order/order.ts';
export type { OrderRemoval } from './order/order-removal.ts';
export type { OrderSettings } from './order/order-settings.ts';
export type { OrdersService } from './order/orders.service.ts';
export { attemptsGivenUp, waitingHoldMs } from './order-payments.ts';
export { holdMs } from './order-stock.ts';
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
