/** Orders: carts, checkout, placement, fulfilment and what customers see of their orders. */
export { registerCartRoutes } from './cart/cart.routes.ts';
export { type CartService, createCartService } from './cart/cart.service.ts';
export { reservedUntil } from './cart-lock.ts';
export { registerCheckoutRoutes } from './checkout/checkout.routes.ts';
export { type CheckoutService, createCheckoutService } from './checkout/checkout.service.ts';
export { validateCheckout } from './checkout/checkout-validation.ts';
export { unpaidOrderRateLimits } from './checkout/unpaid-orders.ts';
export { type CouponEntry, createCouponEntry } from './coupons/coupon-entry.service.ts';
export { registerCouponsRoutes } from './coupons/coupons.routes.ts';
export { type CouponsService, createCouponsService } from './coupons/coupons.service.ts';
export type { OwnedOrder } from './customer-orders.ts';
export { FulfilmentError } from './fulfilment-error.ts';
export type { ImportedOrder } from './import.ts';
export { type Buyer, type OrderHead, type ResolvedAddress, warehouse } from './order.ts';
export { attemptsGivenUp, waitingHoldMs } from './order-payments.ts';
export type { OrderSettings } from './order-settings.ts';
export { holdMs } from './order-stock.ts';
export { registerOrdersRoutes } from './orders.routes.ts';
export { createOrdersService, type OrdersService } from './orders.service.ts';
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
export { registerTipsRoutes } from './tips/tips.routes.ts';
export { createTipsService, type TipsService } from './tips/tips.service.ts';
