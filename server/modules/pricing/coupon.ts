/** A coupon, and whether it holds for an order. Pure; money in cents, times in epoch milliseconds. */
import type { LocalText } from '#contract/locales.ts';
import type { CouponKind, CouponState } from '#contract/schemas/order.ts';
import type { Discount } from './price-order.ts';

export interface Coupon {
  /** As the merchant writes it; case does not matter when it is typed. */
  code: string;
  name: LocalText;
  kind: CouponKind;
  /** Thousandths of a percent; 0 for the other kinds. */
  percent: number;
  /** Cents off; 0 for the other kinds. */
  amount: number;
  /** Goods before discount have to come to this much. */
  minSubtotal: number;
  /** ISO codes of where the goods may go; empty: anywhere. */
  countries: readonly string[];
  startsAt: number | null;
  /** The first moment at which it no longer holds. */
  endsAt: number | null;
  totalLimit: number | null;
  /** By one customer, or by one email. */
  customerLimit: number | null;
}

/** What is known of a code for one order, apart from what is in it. */
export interface CouponStatus {
  /** As it was typed, or as the merchant writes it where there is such a coupon. */
  code: string;
  coupon: Coupon | null;
  /** What keeps it from being used whatever the goods are. */
  state: Exclude<CouponState, 'minimum' | 'elsewhere'>;
}

export interface EvaluatedCoupon {
  code: string;
  coupon: Coupon | null;
  state: CouponState;
  /** Cents of goods that are missing to the minimum; 0 unless that is what is wrong. */
  missing: number;
}

/** What is counted against a coupon's limits. */
export interface CouponUses {
  total: number;
  /** By the same customer or email, other orders only. */
  own: number;
}

/** Whose order it is, as far as limits go by that. */
export interface CouponBuyer {
  customerId: string | null;
  emailHash: string | null;
  /** Said already how to be reached: from then on an email that is missing was left out. */
  contactGiven: boolean;
}

/** How a code is looked up: upper case, without the spaces that come with copying. */
export function codeKeyOf(code: string): string {
  return code.normalize('NFKC').replace(/\s+/g, '').toUpperCase();
}

export function couponStatus(coupon: Coupon, uses: CouponUses, buyer: CouponBuyer, now: number): CouponStatus['state'] {
  if (coupon.startsAt !== null && now < coupon.startsAt) return 'notYet';
  if (coupon.endsAt !== null && now >= coupon.endsAt) return 'expired';
  return limitState(coupon, uses, buyer);
}

/** The limits alone, for an order that was agreed on while the coupon held. */
export function limitState(
  { totalLimit, customerLimit }: Coupon,
  uses: CouponUses,
  buyer: CouponBuyer,
): 'applied' | 'usedUp' | 'usedByYou' | 'emailMissing' {
  if (customerLimit !== null && uses.own >= customerLimit) return 'usedByYou';
  if (totalLimit !== null && uses.total >= totalLimit) return 'usedUp';
  const nobody = buyer.customerId === null && buyer.emailHash === null;
  return customerLimit !== null && nobody && buyer.contactGiven ? 'emailMissing' : 'applied';
}

/**
 * Whether a coupon holds for these goods. `subtotal` is before any discount; `country` is where they go
 * or are handed over, null while that is open.
 */
export function evaluateCoupon({ code, coupon, state }: CouponStatus, subtotal: number, country: string | null): EvaluatedCoupon {
  const validated = { code, coupon, missing: 0 };
  if (state !== 'applied' || !coupon) return { ...validated, state };
  if (country !== null && coupon.countries.length > 0 && !coupon.countries.includes(country)) {
    return { ...validated, state: 'elsewhere' };
  }
  if (subtotal < coupon.minSubtotal) return { ...validated, state: 'minimum', missing: coupon.minSubtotal - subtotal };
  return { ...validated, state };
}

/** What a coupon takes off; null where it does not hold. */
export function discountOf({ coupon, state }: EvaluatedCoupon): Discount | null {
  if (!coupon || state !== 'applied') return null;
  const { code, kind, percent, amount } = coupon;
  if (kind === 'percent') return { code, kind, percent };
  return kind === 'amount' ? { code, kind, cents: amount } : { code, kind };
}
