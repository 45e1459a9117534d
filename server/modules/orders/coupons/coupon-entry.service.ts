/** Applies a coupon to the cart and removes it (SPEC §4, §5, §7). */
import type { Locale } from '#contract/locales.ts';
import { isClean } from '#contract/rules/fields.ts';
import { couponErrors } from '#contract/rules/payment.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import { PaymentInProgress } from '#server/modules/payments/index.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { type Attempt, networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { type CartDeps, changeCart, requireEditable } from '../cart/open-cart.ts';
import { couponMessage, couponOf, destinationOf } from '../order/billing.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import type { CouponsService } from './coupons.service.ts';

export type CouponEntry = ReturnType<typeof createCouponEntry>;

export interface CouponEntryDeps extends CartDeps {
  coupons: CouponsService;
  rateLimits: RateLimitsService;
}

export function createCouponEntry(deps: CouponEntryDeps) {
  const { db, orders, coupons, rateLimits } = deps;
  /** Changes the session's cart, whose payment is ended first if it is being paid. */
  const changing = (session: SessionHandle, work: (trx: Trx) => Promise<Order>) =>
    changeCart(deps, session, work, { sameCart: true });

  return {
    /**
     * Applies a coupon to the session's cart, replacing another. `address` is the client's, for the rate limit that prevents
     * guessing codes.
     * @throws {AppError} NOT_FOUND for an unknown code, CONFLICT for one that does not apply and for an empty cart,
     * REQUEST_VALIDATION_ERROR for none, RATE_LIMITED
     */
    async verify(session: SessionHandle, typed: string, address: string, locale: Locale): Promise<Order> {
      const errors = couponErrors(typed);
      if (!isClean(errors)) throw validationError(errors);
      const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
      const found = buyer && (await orders.findCart(db.read, buyer));
      if (!buyer || !found) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
      const guess: Attempt[] = [
        ['couponShopper', buyer.customerId ?? buyer.idHash],
        ['couponAddress', networkOf(address)],
      ];
      await rateLimits.count(guess);
      const code = typed.trim();
      const status = await coupons.status(db.read, code, found);
      // A known code does not count as a guess.
      if (status.coupon) await db.transaction((trx) => rateLimits.undo(trx, guess));
      // Uses reserved by customers who abandoned their payment are released first.
      if (status.state === 'usedUp' || status.state === 'usedByYou') await orders.expireHolds();
      return changing(session, async (trx) => {
        const cart = await orders.findCart(trx, buyer);
        // The use reserved for its own payment would count against it.
        if (cart?.state === 'paying') throw new PaymentInProgress();
        const lines = cart ? await orders.lines(trx, cart) : [];
        if (!cart || lines.length === 0) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
        const applied = couponOf(await coupons.status(trx, code, cart), lines, destinationOf(cart, settings));
        requireApplied(applied, locale, settings);
        const changed = requireEditable(await orders.changeCart(trx, cart.id, { coupon_code: applied?.code ?? code }));
        return orders.view(trx, changed, settings, locale, { lines });
      });
    },

    /** Removes the coupon; no error if there is none. */
    async remove(session: SessionHandle, locale: Locale): Promise<Order> {
      const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
      if (!buyer) return orders.view(db.read, null, settings, locale);
      return changing(session, async (trx) => {
        const cart = await orders.findCart(trx, buyer);
        if (!cart || cart.couponCode === null) return orders.view(trx, cart, settings, locale);
        const changed = requireEditable(await orders.changeCart(trx, cart.id, { coupon_code: null }));
        return orders.view(trx, changed, settings, locale);
      });
    },
  };
}

/** @throws {AppError} NOT_FOUND for an unknown code, CONFLICT for one that does not apply, with the reason */
function requireApplied(coupon: ReturnType<typeof couponOf>, locale: Locale, settings: OrderSettings): void {
  const words = coupon && couponMessage(coupon, locale, settings);
  if (!words) return;
  const { key, values } = words;
  throw new AppError(coupon.coupon ? 'CONFLICT' : 'NOT_FOUND', { errorKey: key, values, errors: { code: { key, values } } });
}
