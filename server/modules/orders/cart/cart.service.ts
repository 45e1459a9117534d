/** The cart: an order that is not placed yet. Every change returns the whole cart. */
import type { Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { addSetToCart } from './add-set-to-cart.ts';
import { addToCart } from './add-to-cart.ts';
import { findGuestCart } from './cart.repository.ts';
import { removeLine, updateLine } from './change-line.ts';
import { type CartDeps, changeCart, lockCart, mergeGuestCart } from './open-cart.ts';
import { chooseTip } from './tip.ts';

export type CartService = ReturnType<typeof createCartService>;

export function createCartService(deps: CartDeps) {
  const { db, orders } = deps;

  async function get(session: SessionHandle, locale: Locale): Promise<Order> {
    const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
    // The guest's cart remains if the customer's cart was being paid when they signed in.
    if (buyer?.customerId && (await findGuestCart(db.read, buyer.idHash)))
      await db.transaction((trx) => mergeGuestCart(deps, trx, buyer, settings, locale));
    const cart = buyer && (await orders.findCart(db.read, buyer));
    return orders.view(db.read, cart, settings, locale);
  }

  return {
    get,
    merge: mergeGuestCart.bind(null, deps),
    add: addToCart.bind(null, deps),
    addSet: addSetToCart.bind(null, deps),
    update: updateLine.bind(null, deps),
    remove: removeLine.bind(null, deps),
    tip: chooseTip.bind(null, deps),

    /** Replaces the order note. */
    async comment(session: SessionHandle, text: string, locale: Locale): Promise<Order> {
      const settings = await orders.settings();
      return changeCart(deps, session, async (trx) => {
        const buyer = await session.ensure(trx);
        const cart =
          (await orders.findCart(trx, buyer)) ??
          (await orders.startCart(trx, buyer, settings, locale)) ??
          (await orders.findCart(trx, buyer));
        if (!cart) throw new Error('A cart that was just started is not there');
        return orders.view(trx, await lockCart(deps, trx, cart, { customer_comment: text }), settings, locale);
      });
    },
  };
}
