/** Evaluates a coupon for an order. Pure; money in cents, times in epoch milliseconds. */
import type { LocalText } from '#contract/locales.ts';
import type { CouponKind, CouponState } from '#contract/schemas/order.ts';
import type { Discount } from './price-order.ts';

export interface Coupon {
  /** As the merchant writes it; matching ignores case. */
  code: string;
  name: LocalText;
  kind: CouponKind;
  /** Thousandths of a percent; 0 for the other kinds. */
  percent: number;
  /** Cents off; 0 for the other kinds. */
  amount: number;
  /** The minimum value of the items before discount, cents. */
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

/** The status of a code for one order, regardless of the order's items. */
export interface CouponStatus {
  /** As typed, or as the merchant writes it if the coupon exists. */
  code: string;
  coupon: Coupon | null;
  /** Why it cannot be used, regardless of the items. */
  state: Exclude<CouponState, 'minimum' | 'elsewhere'>;
}

export interface EvaluatedCoupon {
  code: string;
  coupon: Coupon | null;
  state: CouponState;
  /** Cents missing to the minimum; 0 unless that is the problem. */
  missing: number;
}

/** Uses that count against a coupon's limits. */
export interface CouponUses {
  total: number;
  /** By the same customer or email, in other orders only. */
  own: number;
}

/** The buyer whose uses the limits count. */
export interface CouponBuyer {
  customerId: string | null;
  emailHash: string | null;
  /** Whether contact details were given: if so, a missing email was left out on purpose. */
  contactGiven: boolean;
}

/** The lookup key of a code: upper case, without spaces from copying. */
export function codeKeyOf(code: string): string {
  return code.normalize('NFKC').replace(/\s+/g, '').toUpperCase();
}

export function couponStatus(coupon: Coupon, uses: CouponUses, buyer: CouponBuyer, now: number): CouponStatus['state'] {
  if (coupon.startsAt !== null && now < coupon.startsAt) return 'notYet';
  if (coupon.endsAt !== null && now >= coupon.endsAt) return 'expired';
  return limitState(coupon, uses, buyer);
}

/** Checks the limits alone, for an order that was agreed while the coupon was valid. */
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
 * Evaluates a coupon for these items. `subtotal` is before any discount; `country` is where they are delivered or handed over,
 * null while unknown.
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

/** The discount of a coupon; null if it does not apply. */
export function discountOf({ coupon, state }: EvaluatedCoupon): Discount | null {
  if (!coupon || state !== 'applied') return null;
  const { code, kind, percent, amount } = coupon;
  if (kind === 'percent') return { code, kind, percent };
  return kind === 'amount' ? { code, kind, cents: amount } : { code, kind };
}
