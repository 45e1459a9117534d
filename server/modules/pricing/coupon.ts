/** Pure; money in cents, times in epoch milliseconds. */
import type { LocalText } from '#contract/locales.ts';
import type { CouponKind, CouponState } from '#contract/schemas/order.ts';
import type { Discount } from './price-order.ts';

export interface Coupon {
  code: string;
  name: LocalText;
  kind: CouponKind;
  /** Thousandths of a percent; 0 for the other kinds. */
  percent: number;
  amount: number;
  /** Of the items before discount, cents. */
  minSubtotal: number;
  /** ISO codes of destination countries; empty: any. */
  countries: readonly string[];
  startsAt: number | null;
  /** The first moment at which it is no longer valid, epoch ms. */
  endsAt: number | null;
  totalLimit: number | null;
  /** Uses per customer or per email. */
  customerLimit: number | null;
}

export interface CouponStatus {
  /** As typed, or as the merchant writes it if the coupon exists. */
  code: string;
  coupon: Coupon | null;
  /** Regardless of the items. */
  state: Exclude<CouponState, 'minimum' | 'elsewhere'>;
}

export interface EvaluatedCoupon {
  code: string;
  coupon: Coupon | null;
  state: CouponState;
  /** To the minimum, cents; 0 unless that is the problem. */
  missing: number;
}

/** They count against the coupon's limits. */
export interface CouponUses {
  total: number;
  /** By the same customer or email, in other orders only. */
  own: number;
}

export interface CouponBuyer {
  customerId: string | null;
  /** Of the contact's email; empty without one. A use of any of them counts, and the first is stored with a new use. */
  emailHashes: readonly string[];
  /** If so, a missing email was left out on purpose. */
  contactGiven: boolean;
}

/** Upper case, without spaces from copying. */
export function codeKeyOf(code: string): string {
  return code.normalize('NFKC').replace(/\s+/g, '').toUpperCase();
}

export function couponStatus(coupon: Coupon, uses: CouponUses, buyer: CouponBuyer, now: number): CouponStatus['state'] {
  if (coupon.startsAt !== null && now < coupon.startsAt) return 'notYet';
  if (coupon.endsAt !== null && now >= coupon.endsAt) return 'expired';
  return limitState(coupon, uses, buyer);
}

/** For an order that was agreed while the coupon was valid. */
export function limitState(
  { totalLimit, customerLimit }: Coupon,
  uses: CouponUses,
  buyer: CouponBuyer,
): 'applied' | 'usedUp' | 'usedByYou' | 'emailMissing' {
  if (customerLimit !== null && uses.own >= customerLimit) return 'usedByYou';
  if (totalLimit !== null && uses.total >= totalLimit) return 'usedUp';
  const nobody = buyer.customerId === null && buyer.emailHashes.length === 0;
  return customerLimit !== null && nobody && buyer.contactGiven ? 'emailMissing' : 'applied';
}

/** `subtotal` is before any discount; `country` is where the items are delivered or handed over, null while unknown. */
export function evaluateCoupon({ code, coupon, state }: CouponStatus, subtotal: number, country: string | null): EvaluatedCoupon {
  const validated = { code, coupon, missing: 0 };
  if (state !== 'applied' || !coupon) return { ...validated, state };
  if (country !== null && coupon.countries.length > 0 && !coupon.countries.includes(country)) {
    return { ...validated, state: 'elsewhere' };
  }
  if (subtotal < coupon.minSubtotal) return { ...validated, state: 'minimum', missing: coupon.minSubtotal - subtotal };
  return { ...validated, state };
}

/** Null if the coupon does not apply. */
export function discountOf({ coupon, state }: EvaluatedCoupon): Discount | null {
  if (!coupon || state !== 'applied') return null;
  const { code, kind, percent, amount } = coupon;
  if (kind === 'percent') return { code, kind, percent };
  return kind === 'amount' ? { code, kind, cents: amount } : { code, kind };
}
