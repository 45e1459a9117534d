/** The cart: an order that nobody has placed yet. Every change answers with the whole of it. */

import type { Locale } from '#contract/locales.ts';
import { canonicalOptionPairs } from '#contract/option-pairs.ts';
import { isClean } from '#contract/rules/fields.ts';
import { quantityErrors } from '#contract/rules/quantity.ts';
import type { CartItemInput, Order } from '#contract/schemas/order.ts';
import type { Database, Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { availableQuantities } from '../available-quantity.ts';
import type { Buyer, OrderHead, OrderLine } from '../order.ts';
import type { OrderSettings } from '../order-settings.ts';
import type { OrdersService } from '../orders.service.ts';
import { type PaymentGuard, PaymentInProgress, withEditableCart } from '../payment-guard.ts';
import { addUnits, deleteLine, findGuestCart, mergeCarts, setUnits } from './cart.repository.ts';

export interface CartService {
  /**
   * Brings what a customer's session collected as a guest into the customer's cart: no line lost, none
   * twice, no more units than one may order. A cart that is being paid is left for the next time.
   */
  merge(trx: Trx, buyer: Buyer, facts: OrderSettings, locale: Locale): Promise<void>;
  get(session: SessionHandle, locale: Locale): Promise<Order>;
  /** Puts units of a SKU in the cart, which begins with the first. */
  add(session: SessionHandle, sku: string, item: CartItemInput, locale: Locale): Promise<Order>;
  /** Sets a line's quantity. 404 where there is no such line: a removed one stays away. */
  update(session: SessionHandle, sku: string, item: CartItemInput, locale: Locale): Promise<Order>;
  /** Takes a line out; no error where it is out already. */
  remove(session: SessionHandle, sku: string, locale: Locale): Promise<Order>;
  comment(session: SessionHandle, text: string, locale: Locale): Promise<Order>;
}

export interface CartDeps {
  db: Database;
  orders: OrdersService;
  stock: StockService;
  payments: PaymentGuard;
}

export function createCartService({ db, orders, stock, payments }: CartDeps): CartService {
  /** The session's cart, ready to be changed: its row is locked and its version has grown. Starts one where there is none. */
  async function openCart(trx: Trx, buyer: Buyer, facts: OrderSettings, locale: Locale): Promise<OrderHead> {
    if (buyer.customerId !== null) await merge(trx, buyer, facts, locale);
    const cart = (await orders.findCart(trx, buyer)) ?? (await orders.startCart(trx, buyer, facts, locale));
    return touch(trx, cart);
  }

  async function merge(trx: Trx, buyer: Buyer, facts: OrderSettings, locale: Locale): Promise<void> {
    const guest = await findGuestCart(trx, buyer.idHash);
    // Touching it first makes two that merge the same cart come one after the other.
    if (guest === null || (await orders.changeCart(trx, guest)) === null) return;
    const cart = (await orders.findCart(trx, buyer)) ?? (await orders.startCart(trx, buyer, facts, locale));
    if (cart.state === 'cart' && (await orders.changeCart(trx, cart.id)) !== null) await mergeCarts(trx, guest, cart.id);
  }

  async function touch(trx: Trx, cart: OrderHead, change?: { customer_comment: string }): Promise<OrderHead> {
    const version = await orders.changeCart(trx, cart.id, change);
    if (version === null) throw new PaymentInProgress();
    return { ...cart, version };
  }

  /** Changes the session's cart, which is taken back where it was being paid. */
  function changing(session: SessionHandle, work: (trx: Trx) => Promise<Order>): Promise<Order> {
    return withEditableCart(payments, session, () => db.transaction(work));
  }

  /** Null, with nothing changed, where there is none to be had. */
  async function tryToAdd(
    session: SessionHandle,
    sku: string,
    item: CartItemInput,
    facts: OrderSettings,
    locale: Locale,
  ): Promise<Order | null> {
    const soldOut = Symbol('sold out');
    try {
      return await changing(session, async (trx) => {
        const cart = await openCart(trx, await session.ensure(trx), facts, locale);
        const added = await addUnits(trx, db.engine, cart.id, sku, item.quantity);
        const lines = await orders.lines(trx, cart);
        const line = lines.find((each) => each.sku === sku);
        if (!line?.offered) throw notFound();
        if (!added) throw validationError(quantityErrors(item.quantity, line.quantity));
        refuseMismatch(line, sku, item);
        const skus = lines.map((each) => each.sku);
        const levels = await stock.levels(trx, skus);
        // Whatever way the cart is to be had by so far: that may still change.
        if (availableQuantities(line, { method: null, storeId: null }, levels, facts) < 1) throw soldOut;
        return orders.view(trx, cart, facts, locale, { lines, stock: levels });
      });
    } catch (error) {
      if (error === soldOut) return null;
      throw error;
    }
  }

  return {
    merge,

    async get(session, locale) {
      const [facts, buyer] = await Promise.all([orders.settings(), session.get()]);
      // Left over where the customer's cart was being paid when they signed on.
      if (buyer?.customerId && (await findGuestCart(db.read, buyer.idHash)))
        await db.transaction((trx) => merge(trx, buyer, facts, locale));
      const cart = buyer && (await orders.findCart(db.read, buyer));
      return orders.view(db.read, cart, facts, locale);
    },

    async add(session, sku, item, locale) {
      const facts = await orders.settings();
      refuse(quantityErrors(item.quantity));
      const attempt = () => tryToAdd(session, sku, item, facts, locale);
      const order = (await attempt()) ?? ((await orders.expireHolds()) > 0 ? await attempt() : null);
      if (!order) throw new AppError('CONFLICT', { errorKey: 'rule.outOfStock', errors: { quantity: 'rule.outOfStock' } });
      return order;
    },

    async update(session, sku, item, locale) {
      const facts = await orders.settings();
      refuse(quantityErrors(item.quantity));
      const buyer = await session.get();
      if (!buyer) throw notFound();
      return changing(session, async (trx) => {
        const found = await orders.findCart(trx, buyer);
        if (!found) throw notFound();
        const cart = await touch(trx, found);
        if (!(await setUnits(trx, cart.id, sku, item.quantity))) throw notFound();
        const lines = await orders.lines(trx, cart);
        const line = lines.find((each) => each.sku === sku);
        if (line) refuseMismatch(line, sku, item);
        return orders.view(trx, cart, facts, locale, { lines });
      });
    },

    async remove(session, sku, locale) {
      const [facts, buyer] = await Promise.all([orders.settings(), session.get()]);
      if (!buyer) return orders.view(db.read, null, facts, locale);
      return changing(session, async (trx) => {
        const cart = await orders.findCart(trx, buyer);
        if (!cart) return orders.view(trx, null, facts, locale);
        const lines = await orders.lines(trx, cart);
        if (!lines.some((line) => line.sku === sku)) return orders.view(trx, cart, facts, locale, { lines });
        const touched = await touch(trx, cart);
        await deleteLine(trx, cart.id, sku);
        return orders.view(trx, touched, facts, locale);
      });
    },

    async comment(session, text, locale) {
      const facts = await orders.settings();
      return changing(session, async (trx) => {
        const buyer = await session.ensure(trx);
        const cart = (await orders.findCart(trx, buyer)) ?? (await orders.startCart(trx, buyer, facts, locale));
        const touched = await touch(trx, cart, { customer_comment: text });
        return orders.view(trx, { ...touched, comment: text }, facts, locale);
      });
    },
  };
}

function refuse(errors: ReturnType<typeof quantityErrors>): void {
  if (!isClean(errors)) throw validationError(errors);
}

/** The SKU is what counts; a product or options sent along must not say otherwise. */
function refuseMismatch(line: OrderLine, sku: string, item: CartItemInput): void {
  if (item.sku !== undefined && item.sku !== sku) throw validationError({ sku: 'rule.productMismatch' });
  if (item.product !== undefined && item.product !== line.productId) throw validationError({ product: 'rule.productMismatch' });
  if (item.optionPairs !== undefined && canonicalOptionPairs(item.optionPairs) !== canonicalOptionPairs(line.optionPairs)) {
    throw validationError({ optionPairs: 'rule.productMismatch' });
  }
}
