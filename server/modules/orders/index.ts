/** Orders: carts, coupons, what customers see of their orders, fulfilment, emails and links. */

export type { CartService } from './cart/cart.service.ts';
export { changeCart, type EndPayment, requireEditable, withEditableCart } from './cart/open-cart.ts';
export {
  type CouponEntry,
  type CouponItem,
  type CouponsService,
  couponContent,
  couponOf,
  isOnlyFor,
} from './coupons/coupons.service.ts';
export {
  enqueueChangeEmails,
  enqueuePaymentReceipt,
  enqueuePlacedOrderEmails,
  enqueueRefundEmail,
  enqueueUncollectedEmail,
  type NewOrderEmailFindings,
  newOrderEmailFindings,
} from './emails/order-emails.ts';
export type { HowCancelled } from './fulfilment/cancelling.ts';
export { type ClosedPickups, closedPickups } from './fulfilment/closed-pickups.ts';
export { askAboutStock, stockQuestions } from './fulfilment/desk.repository.ts';
export type { Fulfilment } from './fulfilment/fulfilment.ts';
export { unsentOf } from './fulfilment/shipping.ts';
export { lockCartCopies, resolveCartCopy } from './holds/cart-copies.repository.ts';
export { type HeldByOrders, type Holds, returnToCart } from './holds/holds.ts';
export type { OrderLinksService } from './links/order-links.service.ts';
export type { OfficeOrders } from './office/office-orders.ts';
export type { OrdersExport, WholeOrder } from './office/orders-export.repository.ts';
export {
  amountShares,
  coversOf,
  type RefundCovers,
  refundAmount,
  refundableOf,
  refundShares,
  taxedOf,
} from './order/bill-parts.ts';
export { agreedBill, billOf, shippingTo, soldBefore, withTaxTerms } from './order/billing.ts';
export { type ChangedLines, changedLines } from './order/changed-lines.ts';
export { reservedUntil } from './order/deadlines.ts';
export { type Delivery, parcelPromise } from './order/delivery.ts';
export type { ImportedOrder } from './order/import.ts';
export { archivedNumber, type OrderArchive, type WrittenOrder } from './order/import.ts';
export {
  allModifiers,
  availableQuantities,
  lineErrors,
  modifierTextOf,
  unitsIn,
  unitsLeft,
  unitsOf,
} from './order/line-units.ts';
export {
  type AgreedBill,
  type Buyer,
  deliveringStores,
  deliveryNamed,
  isArchived,
  locationOf,
  type OrderHead,
  type OrderLine,
  type StoreDelivery,
  slotOf,
  storeDelivery,
  type TaxedPart,
} from './order/order.ts';
export { freezeLines, frozenLinesOf, replaceLines } from './order/order-lines.repository.ts';
export {
  cashStepOf,
  dueVersionOf,
  findByDueVersion,
  isDueVersion,
  partOf,
  payableOf,
  recordReceived,
} from './order/order-money.ts';
export {
  addOrderWords,
  largestPage,
  type OrderQuery,
  orderPage,
  writeOrderWords,
} from './order/order-pages.repository.ts';
export { emptyCart } from './order/order-presenter.ts';
export type { OrderRemoval } from './order/order-removal.repository.ts';
export type { OrderSettings } from './order/order-settings.ts';
export { slotUseOf, unservedErrors } from './order/order-settings.ts';
export type { OrderEvents } from './order/order-webhooks.ts';
export {
  feedOrder,
  findCart,
  findOrder,
  findOrderByNumber,
  findPlaced,
  numberOrder,
  type OrderChange,
  orderCounter,
  placeHeldOrder,
  transitionOrder,
  updateOrder,
} from './order/orders.repository.ts';
export type { OrdersService } from './order/orders.service.ts';
