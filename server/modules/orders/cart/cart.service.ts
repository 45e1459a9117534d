/** The cart: an order that is not placed yet. Every change returns the whole cart. */
import type { Locale } from '#contract/locales.ts';
import type { CartItemInput, CartSetInput, Order } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import { notFound } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { Buyer, OrderHead } from '../order.ts';
import type { OrderSettings } from '../order-settings.ts';
import { withEditableCart } from '../payment-guard.ts';
import { addSetToCart } from './add-set-to-cart.ts';
import { addToCart, mismatchError, mismatchOf, validateQuantity } from './add-to-cart.ts';
import { deleteLine, findGuestCart, setUnits } from './cart.repository.ts';
import { type CartDeps, lockCart, mergeGuestCart } from './open-cart.ts';

/** A cart as an answer, and the state in which it was read. */
export interface CartRead {
  order: Order;
  /** Null if the session has no cart. */
  cart: OrderHead | null;
  /** See `LiveLines.stockText`. */
  stockText: string;
}

export type CartService = ReturnType<typeof createCartService>;

export function createCartService(deps: CartDeps) {
  const { db, orders, payments } = deps;

  /** Changes the session's cart, whose payment is ended first if it is being paid. */
  const changeCart = (session: SessionHandle, work: (trx: Trx) => Promise<Order>) =>
    withEditableCart(payments, session, () => db.transaction(work));

  /** The session's cart, with the state in which it was read. */
  async function read(session: SessionHandle, locale: Locale): Promise<CartRead> {
    const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
    // The guest's cart remains if the customer's cart was being paid when they signed in.
    if (buyer?.customerId && (await findGuestCart(db.read, buyer.idHash)))
      await db.transaction((trx) => mergeGuestCart(deps, trx, buyer, settings, locale));
    const cart = buyer && (await orders.findCart(db.read, buyer));
    const parts = cart ? await orders.parts(db.read, cart) : undefined;
    const order = await orders.view(db.read, cart, settings, locale, parts);
    return { order, cart, stockText: parts?.stockText ?? '' };
  }

  return {
    merge: (trx: Trx, buyer: Buyer, settings: OrderSettings, locale: Locale) =>
      mergeGuestCart(deps, trx, buyer, settings, locale),

    read,

    /** The session's cart. */
    get: async (session: SessionHandle, locale: Locale): Promise<Order> => (await read(session, locale)).order,

    add: (session: SessionHandle, sku: string, item: CartItemInput, locale: Locale) =>
      addToCart(deps, session, sku, item, locale),

    addSet: (session: SessionHandle, set: CartSetInput, locale: Locale) => addSetToCart(deps, session, set, locale),

    /**
     * Sets a line's quantity.
     * @throws {AppError} 404 if there is no such line: a removed line is not restored
     */
    async update(session: SessionHandle, sku: string, item: CartItemInput, locale: Locale): Promise<Order> {
      const settings = await orders.settings();
      validateQuantity(item);
      const buyer = await session.get();
      if (!buyer) throw notFound();
      return changeCart(session, async (trx) => {
        const found = await orders.findCart(trx, buyer);
        if (!found) throw notFound();
        const cart = await lockCart(deps, trx, found);
        const { lines, stock } = await orders.parts(trx, cart);
        const line = lines.find((each) => each.sku === sku);
        if (!line) throw notFound();
        const field = mismatchOf(line, sku, item);
        if (field) throw mismatchError(field);
        await setUnits(trx, cart.id, sku, item.quantity);
        const changed = lines.map((each) => (each === line ? { ...line, quantity: item.quantity } : each));
        return orders.view(trx, cart, settings, locale, { lines: changed, stock });
      });
    },

    /** Removes a line; no error if it is removed already. */
    async remove(session: SessionHandle, sku: string, locale: Locale): Promise<Order> {
      const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
      if (!buyer) return orders.view(db.read, null, settings, locale);
      return changeCart(session, async (trx) => {
        const cart = await orders.findCart(trx, buyer);
        if (!cart) return orders.view(trx, null, settings, locale);
        const lines = await orders.lines(trx, cart);
        if (!lines.some((line) => line.sku === sku)) return orders.view(trx, cart, settings, locale, { lines });
        const locked = await lockCart(deps, trx, cart);
        await deleteLine(trx, cart.id, sku);
        return orders.view(trx, locked, settings, locale);
      });
    },

    async comment(session: SessionHandle, text: string, locale: Locale): Promise<Order> {
      const settings = await orders.settings();
      return changeCart(session, async (trx) => {
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
