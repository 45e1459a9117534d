export {
  type Coupon,
  type CouponBuyer,
  type CouponStatus,
  type CouponUses,
  codeKeyOf,
  couponStatus,
  discountOf,
  type EvaluatedCoupon,
  evaluateCoupon,
  limitState,
} from './coupon.ts';
export { type DeliveryDates, deliveryDates, type PackingDays } from './delivery-dates.ts';
export { isFoodClass } from './food-tax/food-tax.ts';
export { type LinePart, linePartsOf, type ModifierToPrice } from './line-parts.ts';
export { allocate, mulDivHalfUp, skuPriceInfo } from './money.ts';
export { noTip, type PricedOrder, priceOrder, type ServiceCharge, type Tip, tipOn } from './price-order.ts';
export { methodsTo, type ShippingMethodSetting, shippingPrice } from './shipping.ts';
export { type Destination, foodRules, isTaxable, type TaxTable, taxTableOf } from './tax.ts';
