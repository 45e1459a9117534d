/** Checkout: delivery, placement, paying and settlement. The only module that knows carts and payments. */
export type { CheckoutService } from './delivery/checkout.service.ts';
export type { Paying } from './paying/pay.ts';
export { type PrintedCards, tableCardsOf } from './placement/table-cards.ts';
export type { ChangePlan } from './settlement/order-changes.ts';
export type { OrderRefund, OrderRefunds } from './settlement/order-refunds.ts';
