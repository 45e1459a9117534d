/**
 * Coupons: what the merchant gives out, and their uses. A use is taken in the transaction in which an
 * order leaves the cart, under a lock of the coupon's row, so that no limit is passed however many
 * pay at once; it becomes final when the order is placed and is given back when that fails or lapses.
 */
import { createHash } from 'node:crypto';
import type { Database, Reader, Trx } from '#db/database.ts';
import { emailKeyOf } from '#server/modules/customers/index.ts';
import {
  type Coupon,
  type CouponBuyer,
  type CouponStatus,
  codeKeyOf,
  couponStatus,
  limitState,
} from '#server/modules/pricing/index.ts';
import type { OrderHead } from '../order.ts';
import {
  allCoupons,
  type CouponCount,
  confirmUse,
  countOwnUses,
  deleteUse,
  findCoupon,
  insertCoupon,
  insertUse,
  lockCoupon,
  type StoredCoupon,
  setEnd,
} from './coupons.repository.ts';

/** What limits go by. */
export type CouponOrder = Pick<OrderHead, 'id' | 'customerId' | 'contact' | 'method'>;

export type CouponsService = ReturnType<typeof createCouponsService>;

export function createCouponsService({ db, now }: { db: Database; now: () => number }) {
  async function usesOf(reader: Reader, { coupon, used }: StoredCoupon, order: CouponOrder, buyer: CouponBuyer) {
    const limited = coupon.customerLimit !== null;
    return { total: used, own: limited ? await countOwnUses(reader, codeKeyOf(coupon.code), order.id, buyer) : 0 };
  }

  async function evaluate(reader: Reader, code: string, found: StoredCoupon | null, order: CouponOrder): Promise<CouponStatus> {
    if (!found) return { code, coupon: null, state: 'unknown' };
    const buyer = buyerOf(order);
    const state = couponStatus(found.coupon, await usesOf(reader, found, order, buyer), buyer, now());
    return { code: found.coupon.code, coupon: found.coupon, state };
  }

  return {
    /** How a code stands for a cart now. */
    async standing(reader: Reader, code: string, order: CouponOrder): Promise<CouponStatus> {
      return evaluate(reader, code, await findCoupon(reader, codeKeyOf(code)), order);
    },

    /** As `standing`, and nobody takes a use of it before this transaction has ended. Null for an order without a code. */
    async locked(trx: Trx, order: CouponOrder & { couponCode: string | null }): Promise<CouponStatus | null> {
      if (order.couponCode === null) return null;
      return evaluate(trx, order.couponCode, await lockCoupon(trx, codeKeyOf(order.couponCode)), order);
    },

    /** Takes a use for an order whose coupon was `locked` in this transaction and holds. */
    async take(trx: Trx, order: CouponOrder, code: string): Promise<void> {
      const taken = await insertUse(trx, codeKeyOf(code), order.id, buyerOf(order), now());
      if (!taken) throw new Error(`A use of ${code} was taken from under a lock`);
    },

    /**
     * Takes a use for an order that had given its own back: its price was agreed on, so dates no longer
     * matter. False, with nothing taken, where a limit has been reached meanwhile.
     */
    async takeAgain(trx: Trx, order: CouponOrder, code: string): Promise<boolean> {
      const found = await lockCoupon(trx, codeKeyOf(code));
      if (!found) return false;
      const buyer = buyerOf(order);
      if (limitState(found.coupon, await usesOf(trx, found, order, buyer), buyer) !== 'applied') return false;
      return insertUse(trx, codeKeyOf(code), order.id, buyer, now());
    },

    /** The order is placed. No error where it has no coupon. */
    confirm: confirmUse,

    /** The order will not be placed, or was cancelled. Twice is once. */
    giveBack: deleteUse,

    /** Adds a coupon. False where there is one of this code, in whatever case. */
    async add(coupon: Coupon): Promise<boolean> {
      return db.transaction((trx) => insertCoupon(trx, codeKeyOf(coupon.code), coupon, now()));
    },

    /** All coupons, the newest first, with their uses. */
    list: (): Promise<CouponCount[]> => allCoupons(db.read),

    /** Ends a coupon at `at` (epoch ms; left out: now). Carts that carry it are told. False where there is none. */
    async end(code: string, at: number = now()): Promise<boolean> {
      return db.transaction((trx) => setEnd(trx, codeKeyOf(code), at));
    },
  };
}

/** Emails are kept hashed: enough to know the same one again. */
function buyerOf({ customerId, contact, method }: CouponOrder): CouponBuyer {
  const email = emailKeyOf(contact?.email ?? '');
  return {
    customerId,
    emailHash: email === '' ? null : createHash('sha256').update(email).digest('hex'),
    contactGiven: method !== null,
  };
}
