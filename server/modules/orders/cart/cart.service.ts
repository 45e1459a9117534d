/** The cart: an order that is not placed yet. Every change returns the whole cart. */

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
import { findSkuLine } from '../orders.repository.ts';
import type { OrdersService } from '../orders.service.ts';
import { type PaymentGuard, PaymentInProgress, withEditableCart } from '../payment-guard.ts';
import { addUnits, deleteLine, findGuestCart, mergeCarts, setUnits } from './cart.repository.ts';

export type CartService = ReturnType<typeof createCartService>;

export interface CartDeps {
  db: Database;
  orders: OrdersService;
  stock: StockService;
  payments: PaymentGuard;
}

/** Why units of a SKU cannot be put in a cart. */
type AddRejection = { kind: 'notOffered' } | { kind: 'mismatch'; field: MismatchField } | { kind: 'soldOut' };
type AddResult = { order: Order } | { rejected: AddRejection };

export function createCartService({ db, orders, stock, payments }: CartDeps) {
  /** The session's cart, with its row locked and its version incremented. Starts a cart if there is none. */
  async function openCart(trx: Trx, buyer: Buyer, settings: OrderSettings, locale: Locale): Promise<OrderHead> {
    if (buyer.customerId !== null) await merge(trx, buyer, settings, locale);
    const cart = (await orders.findCart(trx, buyer)) ?? (await orders.startCart(trx, buyer, settings, locale));
    return lockCart(trx, cart);
  }

  async function merge(trx: Trx, buyer: Buyer, settings: OrderSettings, locale: Locale): Promise<void> {
    const guest = await findGuestCart(trx, buyer.idHash);
    // Changing it first puts two requests that merge the same cart one after the other.
    if (guest === null || (await orders.changeCart(trx, guest)) === null) return;
    const cart = (await orders.findCart(trx, buyer)) ?? (await orders.startCart(trx, buyer, settings, locale));
    if (cart.state === 'cart' && (await orders.changeCart(trx, cart.id)) !== null) await mergeCarts(trx, guest, cart.id);
  }

  /** @throws {PaymentInProgress} if the cart is being paid */
  async function lockCart(trx: Trx, cart: OrderHead, change?: { customer_comment: string }): Promise<OrderHead> {
    const version = await orders.changeCart(trx, cart.id, change);
    if (version === null) throw new PaymentInProgress();
    return { ...cart, version };
  }

  /** Changes the session's cart, whose payment is ended first if it is being paid. */
  function changeInTransaction<T>(session: SessionHandle, work: (trx: Trx) => Promise<T>): Promise<T> {
    return withEditableCart(payments, session, () => db.transaction(work));
  }

  /** Null if the SKU can be put in a cart. The delivery method may still change, so it is not considered. */
  async function rejectionOf(trx: Trx, sku: string, item: CartItemInput, settings: OrderSettings): Promise<AddRejection | null> {
    const product = await findSkuLine(trx, db.engine, sku);
    if (!product?.offered) return { kind: 'notOffered' };
    const field = mismatchOf(product, sku, item);
    if (field) return { kind: 'mismatch', field };
    const levels = await stock.levels(trx, [sku]);
    const available = availableQuantities(product, { method: null, storeId: null }, levels, settings);
    return available < 1 ? { kind: 'soldOut' } : null;
  }

  function tryToAdd(
    session: SessionHandle,
    sku: string,
    item: CartItemInput,
    settings: OrderSettings,
    locale: Locale,
  ): Promise<AddResult> {
    return changeInTransaction(session, async (trx) => {
      const rejected = await rejectionOf(trx, sku, item, settings);
      if (rejected) return { rejected };
      const cart = await openCart(trx, await session.ensure(trx), settings, locale);
      const added = await addUnits(trx, db.engine, cart.id, sku, item.quantity);
      const lines = await orders.lines(trx, cart);
      if (!added) throw validationError(quantityErrors(item.quantity, lines.find((line) => line.sku === sku)?.quantity));
      return { order: await orders.view(trx, cart, settings, locale, { lines }) };
    });
  }

  return {
    /**
     * Moves what a customer's session collected as a guest into the customer's cart: no line lost, none twice, no line above the
     * limit. A cart that is being paid is left for the next time.
     */
    merge,

    async get(session: SessionHandle, locale: Locale): Promise<Order> {
      const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
      // The guest's cart is left over if the customer's cart was being paid when they signed in.
      if (buyer?.customerId && (await findGuestCart(db.read, buyer.idHash)))
        await db.transaction((trx) => merge(trx, buyer, settings, locale));
      const cart = buyer && (await orders.findCart(db.read, buyer));
      return orders.view(db.read, cart, settings, locale);
    },

    /** Puts units of a SKU in the cart, and starts the cart with the first. */
    async add(session: SessionHandle, sku: string, item: CartItemInput, locale: Locale): Promise<Order> {
      const settings = await orders.settings();
      rejectQuantity(item);
      const attempt = () => tryToAdd(session, sku, item, settings, locale);
      let result = await attempt();
      const isSoldOut = 'rejected' in result && result.rejected.kind === 'soldOut';
      if (isSoldOut && (await orders.expireHolds()) > 0) result = await attempt();
      if ('rejected' in result) throw errorOf(result.rejected);
      return result.order;
    },

    /** Sets a line's quantity. 404 if there is no such line: a removed one stays away. */
    async update(session: SessionHandle, sku: string, item: CartItemInput, locale: Locale): Promise<Order> {
      const settings = await orders.settings();
      rejectQuantity(item);
      const buyer = await session.get();
      if (!buyer) throw notFound();
      return changeInTransaction(session, async (trx) => {
        const found = await orders.findCart(trx, buyer);
        if (!found) throw notFound();
        const cart = await lockCart(trx, found);
        const lines = await orders.lines(trx, cart);
        const line = lines.find((each) => each.sku === sku);
        if (!line) throw notFound();
        const field = mismatchOf(line, sku, item);
        if (field) throw errorOf({ kind: 'mismatch', field });
        await setUnits(trx, cart.id, sku, item.quantity);
        const changed = lines.map((each) => (each === line ? { ...line, quantity: item.quantity } : each));
        return orders.view(trx, cart, settings, locale, { lines: changed });
      });
    },

    /** Removes a line; no error if it is removed already. */
    async remove(session: SessionHandle, sku: string, locale: Locale): Promise<Order> {
      const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
      if (!buyer) return orders.view(db.read, null, settings, locale);
      return changeInTransaction(session, async (trx) => {
        const cart = await orders.findCart(trx, buyer);
        if (!cart) return orders.view(trx, null, settings, locale);
        const lines = await orders.lines(trx, cart);
        if (!lines.some((line) => line.sku === sku)) return orders.view(trx, cart, settings, locale, { lines });
        const locked = await lockCart(trx, cart);
        await deleteLine(trx, cart.id, sku);
        return orders.view(trx, locked, settings, locale);
      });
    },

    async comment(session: SessionHandle, text: string, locale: Locale): Promise<Order> {
      const settings = await orders.settings();
      return changeInTransaction(session, async (trx) => {
        const buyer = await session.ensure(trx);
        const cart = (await orders.findCart(trx, buyer)) ?? (await orders.startCart(trx, buyer, settings, locale));
        const locked = await lockCart(trx, cart, { customer_comment: text });
        return orders.view(trx, { ...locked, comment: text }, settings, locale);
      });
    },
  };
}

function rejectQuantity({ quantity }: CartItemInput): void {
  const errors = quantityErrors(quantity);
  if (!isClean(errors)) throw validationError(errors);
}

type MismatchField = 'sku' | 'product' | 'optionPairs';

/** The field of a request that contradicts the SKU it names, if any. */
function mismatchOf(line: OrderLine, sku: string, item: CartItemInput): MismatchField | null {
  if (item.sku !== undefined && item.sku !== sku) return 'sku';
  if (item.product !== undefined && item.product !== line.productId) return 'product';
  const pairs = item.optionPairs;
  return pairs !== undefined && canonicalOptionPairs(pairs) !== canonicalOptionPairs(line.optionPairs) ? 'optionPairs' : null;
}

function errorOf(rejected: AddRejection): AppError {
  switch (rejected.kind) {
    case 'notOffered':
      return notFound();
    case 'mismatch':
      return validationError({ [rejected.field]: 'rule.productMismatch' });
    case 'soldOut':
      return new AppError('CONFLICT', { errorKey: 'rule.outOfStock', errors: { quantity: 'rule.outOfStock' } });
  }
}
