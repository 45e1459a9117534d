export { allocate, mulDivHalfUp } from './cents.ts';
export {
  type Coupon,
  type CouponBuyer,
  type CouponLine,
  type CouponStatus,
  type CouponUses,
  codeKeyOf,
  couponStatus,
  discountOf,
  type EvaluatedCoupon,
  evaluateCoupon,
  isLimited,
  limitState,
} from './coupon.ts';
export { isFoodClass } from './food-tax/food-tax.ts';
export {
  goodsOf,
  type LinePart,
  linePartsOf,
  type ModifierToPrice,
  noTip,
  type PricedOrder,
  priceOrder,
  type ServiceCharge,
  type SoldOn,
  skuPriceInfo,
  type Tip,
  tipOn,
} from './price-order.ts';
export {
  type DeliveryDates,
  deliveryDates,
  methodsTo,
  type PackingDays,
  packedBy,
  type ShippingMethodSetting,
  shippingPrice,
} from './shipping.ts';
export {
  type Destination,
  foodRules,
  isTaxable,
  isZeroRated,
  placeOf,
  type TaxAmount,
  type TaxedAmount,
  type TaxPart,
  type TaxTable,
  taxTableOf,
  taxTables,
} from './tax.ts';
