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
  /** Of the items that it discounts, before the discount, cents. */
  minSubtotal: number;
  /** ISO codes of destination countries; empty: any. */
  countries: readonly string[];
  /** Ids of the products that it discounts, besides those of its categories; both empty: all. */
  products: readonly string[];
  /** Ids; categories below them count too. */
  categories: readonly string[];
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
  state: Exclude<CouponState, 'minimum' | 'elsewhere' | 'otherItems'>;
  /** By the ids of lines whose bill was agreed, whether it discounts them, whatever their products are by now. */
  agreed?: Readonly<Record<string, boolean>>;
}

/** A line, as a coupon sees it. */
export interface CouponLine {
  id: string;
  /** Cents. */
  total: number;
  product: string;
  /** Its own category and those above it. */
  categories: readonly string[];
}

export interface EvaluatedCoupon {
  code: string;
  coupon: Coupon | null;
  state: CouponState;
  /** To the minimum, cents; 0 unless that is the problem. */
  missing: number;
  /** Whether it discounts a line, in their order; null: all of them. */
  on: readonly boolean[] | null;
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

export function couponStatus(
  coupon: Coupon,
  uses: CouponUses,
  buyer: CouponBuyer,
  now: number,
): CouponStatus['state'] {
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

/** Whether a coupon discounts certain items only. */
export const isLimited = ({ products, categories }: Pick<Coupon, 'products' | 'categories'>): boolean =>
  products.length > 0 || categories.length > 0;

/** `country` is where the items are delivered or handed over, null while unknown. */
export function evaluateCoupon(
  { code, coupon, state, agreed }: CouponStatus,
  lines: readonly CouponLine[],
  country: string | null,
): EvaluatedCoupon {
  const validated = { code, coupon, missing: 0, on: null };
  if (state !== 'applied' || !coupon) return { ...validated, state };
  if (country !== null && coupon.countries.length > 0 && !coupon.countries.includes(country)) {
    return { ...validated, state: 'elsewhere' };
  }
  const on = isLimited(coupon) ? lines.map((line) => agreed?.[line.id] ?? discounts(coupon, line)) : null;
  if (on && !on.includes(true)) return { ...validated, state: 'otherItems' };
  const subtotal = lines.reduce((sum, { total }, index) => sum + (on && !on[index] ? 0 : total), 0);
  if (subtotal < coupon.minSubtotal)
    return { ...validated, state: 'minimum', missing: coupon.minSubtotal - subtotal };
  return { ...validated, state, on };
}

const discounts = ({ products, categories }: Coupon, line: CouponLine) =>
  products.includes(line.product) || line.categories.some((each) => categories.includes(each));

/** Null if the coupon does not apply. */
export function discountOf({ coupon, state, on }: EvaluatedCoupon): Discount | null {
  if (!coupon || state !== 'applied') return null;
  const { code, kind, percent, amount } = coupon;
  if (kind === 'freeShipping') return { code, kind };
  return { code, ...(kind === 'percent' ? { kind, percent } : { kind, cents: amount }), ...(on && { on }) };
}
