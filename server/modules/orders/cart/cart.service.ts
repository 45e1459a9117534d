/** The cart: an order that is not placed yet. Every change returns the whole cart. */
import type { FieldErrors } from '#contract/errors.ts';
import type { Locale } from '#contract/locales.ts';
import { canonicalOptionPairs } from '#contract/option-pairs.ts';
import { isClean } from '#contract/rules/fields.ts';
import { tipErrors } from '#contract/rules/payment.ts';
import { quantityErrors } from '#contract/rules/quantity.ts';
import type { CartLineInput, LastChoice } from '#contract/schemas/modifiers.ts';
import type { CartItemInput, CartSetInput, Order } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { basisPointsOf } from '../order/billing.ts';
import { lastChoiceOf } from '../order/customer-orders.repository.ts';
import {
  availableQuantities,
  choiceErrors,
  chosenColumns,
  type LineWish,
  placeOf,
} from '../order/line-units.ts';
import type { OrderHead, OrderLine } from '../order/order.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { addUnits, changeLine, deleteLine, findGuestCart } from './cart.repository.ts';
import { addFresh, chosenErrors, rejectErrors, roomProblem, SoldOut } from './line-rules.ts';
import {
  type CartDeps,
  type CartTerms,
  changeCart,
  lockCart,
  mergeGuestCart,
  openCart,
  requireEditable,
} from './open-cart.ts';
import { replaceLines } from './replace-lines.ts';

const mismatchError = (field: MismatchField) => validationError({ [field]: 'rule.productMismatch' });

export type CartService = ReturnType<typeof createCartService>;

export function createCartService(deps: CartDeps) {
  const { db, orders } = deps;

  async function get(session: SessionHandle, locale: Locale): Promise<Order> {
    const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
    // The guest's cart remains if the customer's cart was being paid when they signed in.
    if (buyer?.customerId && (await findGuestCart(db.read, buyer.idHash)))
      await db.transaction((trx) => mergeGuestCart(deps, trx, buyer, { settings, locale }));
    const cart = buyer && (await orders.findCart(db.read, buyer));
    return orders.view(db.read, cart, settings, locale);
  }

  return {
    get,
    merge: mergeGuestCart.bind(null, deps),
    add: addToCart(deps),
    addSet: addSetToCart.bind(null, deps),
    replace: replaceLines.bind(null, deps),
    update: updateLine(deps),
    remove: removeLine.bind(null, deps),
    tip: chooseTip.bind(null, deps),

    /** What a customer chose when they last ordered a product; null if they never did, and for a guest. */
    async lastChoice(session: SessionHandle, productId: string): Promise<LastChoice | null> {
      const buyer = await session.get();
      return buyer?.customerId ? lastChoiceOf(db.read, buyer.customerId, productId) : null;
    },

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
        return orders.view(
          trx,
          await lockCart(deps, trx, cart, { customer_comment: text }),
          settings,
          locale,
        );
      });
    },
  };
}

/** A line by its id, or by its SKU (SPEC). */
export type LineName = { line: string } | { sku: string };

/** @throws {AppError} CONFLICT if several lines have the SKU */
function findLine(lines: readonly OrderLine[], name: LineName): OrderLine | undefined {
  const [line, other] = lines.filter(({ id, sku }) => ('line' in name ? id === name.line : sku === name.sku));
  if (other) throw new AppError('CONFLICT', { errorKey: 'rule.lineAmbiguous' });
  return line;
}

/**
 * Changes a line's quantity, options, modifiers or note. If it is then the same as another line, that one gets its units.
 * @throws {AppError} 404 if there is no such line: a removed line is not restored
 */
function updateLine(deps: CartDeps) {
  const { orders } = deps;
  return async (
    session: SessionHandle,
    name: LineName,
    input: CartLineInput & Partial<Omit<CartItemInput, 'quantity'>>,
    locale: Locale,
  ): Promise<Order> => {
    const settings = await orders.settings();
    if (input.quantity !== undefined) validateQuantity(input.quantity);
    const buyer = await session.get();
    if (!buyer) throw notFound();
    return changeCart(deps, session, async (trx) => {
      const found = await orders.findCart(trx, buyer);
      if (!found) throw notFound();
      const cart = await lockCart(deps, trx, found);
      const { lines, stock } = await orders.parts(trx, cart);
      const line = findLine(lines, name);
      if (!line) throw notFound();
      // Calls that name a SKU (SPEC) cannot change it.
      const sku = ('line' in name ? input.sku : undefined) ?? line.sku;
      const field = mismatchOf(line, sku, input);
      if (field) throw mismatchError(field);
      const quantity = input.quantity ?? line.quantity;
      if (sku !== line.sku || input.modifiers !== undefined || input.note !== undefined) {
        const wish = { ...input, sku, cartId: cart.id, place: placeOf(cart, settings) };
        await chooseAgain(deps, trx, { line: { ...line, quantity }, wish }, { settings, locale });
        return orders.view(trx, cart, settings, locale);
      }
      await changeLine(trx, line.id, { quantity });
      const changed = lines.map((each) => (each === line ? { ...line, quantity } : each));
      return orders.view(trx, cart, settings, locale, { lines: changed, stock });
    });
  };
}

/** @throws {AppError} REQUEST_VALIDATION_ERROR for an option, modifiers or a note that cannot be ordered, CONFLICT if it is sold out */
async function chooseAgain(
  { orders: { liveLines } }: CartDeps,
  trx: Trx,
  {
    line,
    wish: { cartId, ...wish },
  }: { line: OrderLine; wish: CartLineInput & LineWish & { sku: string; cartId: string } },
  { settings, locale }: CartTerms,
): Promise<void> {
  const { id, quantity } = line;
  const isOther = wish.sku !== line.sku;
  const kept = { modifiers: line.choice?.selections, note: line.note, ...wish };
  const { lines, stock, fresh } = isOther
    ? await liveLines.with(trx, cartId, wish.sku, kept)
    : { ...(await liveLines.of(trx, cartId, new Map([[id, wish]]))), fresh: null };
  const chosen = isOther ? fresh : lines.find((each) => each.id === id);
  if (!chosen) throw notFound();
  if (isOther && (!chosen.offered || chosen.productId !== line.productId)) throw mismatchError('sku');
  if (isOther && availableQuantities(chosen, { method: null, storeId: null }, stock, settings) < 1)
    throw new AppError('CONFLICT', { errorKey: 'rule.outOfStock' });
  rejectErrors(chosenErrors(chosen, kept, wish.place, locale));
  const same = lines.find((each) => each.id !== id && each.identity === chosen.identity);
  if (!same) return changeLine(trx, id, { sku: chosen.sku, ...chosenColumns(chosen), quantity });
  rejectErrors(quantityErrors(quantity, same.quantity));
  await deleteLine(trx, id);
  await changeLine(trx, same.id, { quantity: same.quantity + quantity });
}

/** Removes a line; no error if it is removed already. */
async function removeLine(
  deps: CartDeps,
  session: SessionHandle,
  name: LineName,
  locale: Locale,
): Promise<Order> {
  const { db, orders } = deps;
  const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
  if (!buyer) return orders.view(db.read, null, settings, locale);
  return changeCart(deps, session, async (trx) => {
    const cart = await orders.findCart(trx, buyer);
    if (!cart) return orders.view(trx, null, settings, locale);
    const lines = await orders.lines(trx, cart);
    const line = findLine(lines, name);
    if (!line) return orders.view(trx, cart, settings, locale, { lines });
    const locked = await lockCart(deps, trx, cart);
    await deleteLine(trx, line.id);
    return orders.view(trx, locked, settings, locale);
  });
}

export interface TipInput {
  addTips: boolean;
  /** One of the shop's percentages. */
  tip?: number;
  /** Cents, instead of a percentage. */
  tipAmount?: number;
}

/**
 * Stores the tip with the cart. It is part of the bill if tips are offered for the cart's delivery method.
 * @throws {AppError} REQUEST_VALIDATION_ERROR for a tip that is not offered, CONFLICT for an empty cart
 */
async function chooseTip(
  deps: CartDeps,
  session: SessionHandle,
  input: TipInput,
  locale: Locale,
): Promise<Order> {
  const { orders } = deps;
  const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
  const chosen = readTip(input, settings);
  const change = async (trx: Trx) => {
    const cart = buyer && (await orders.findCart(trx, buyer));
    const lines = cart ? await orders.lines(trx, cart) : [];
    if (!cart || lines.length === 0) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
    const changed = requireEditable(await orders.changeCart(trx, cart.id, chosen));
    return orders.view(trx, changed, settings, locale, { lines });
  };
  // If the cart is being paid, that payment is ended first.
  return changeCart(deps, session, change, { sameCart: true });
}

function readTip({ addTips, tip = 0, tipAmount }: TipInput, { tips, currency }: OrderSettings) {
  const none = { tip_basis_points: 0, tip_cents: null };
  if (!addTips || (tip === 0 && (tipAmount ?? 0) === 0)) return none;
  if (tips.methods.length === 0) throw validationError({ tip: 'rule.tipNotOffered' });
  if (tipAmount) {
    const errors = tipErrors(tipAmount, currency);
    if (!isClean(errors)) throw validationError(errors);
    return { tip_basis_points: 0, tip_cents: tipAmount };
  }
  if (!tips.percentages.includes(tip)) throw validationError({ tip: 'rule.tipUnknown' });
  return { tip_basis_points: basisPointsOf(tip), tip_cents: null };
}

type MismatchField = 'sku' | 'product' | 'optionPairs';

/**
 * Puts units of a SKU in a cart, or a set of SKUs at once: all of them, or none.
 * Starts the cart with the first units. If the SKU is sold out, expired holds are released and it is tried once more.
 */
function addToCart(deps: CartDeps) {
  return async (session: SessionHandle, sku: string, item: CartItemInput, locale: Locale): Promise<Order> => {
    const settings = await deps.orders.settings();
    validateQuantity(item.quantity);
    const add = () => tryToAdd(deps, session, { sku, item }, { settings, locale });
    try {
      return await add();
    } catch (error) {
      if (!(error instanceof SoldOut) || (await deps.holds.expireHolds()) === 0) throw error;
      return add();
    }
  };
}

/** Everything is one transaction, so a rejected SKU leaves neither a cart nor a session. */
function tryToAdd(
  deps: CartDeps,
  session: SessionHandle,
  { sku, item }: { sku: string; item: CartItemInput },
  { settings, locale }: CartTerms,
): Promise<Order> {
  const { orders } = deps;
  const add = async (trx: Trx): Promise<Order> => {
    const cart = await openCart(deps, trx, await session.ensure(trx), { settings, locale });
    const wish = { modifiers: item.modifiers, note: item.note, place: placeOf(cart, settings) };
    const { lines, stock, fresh } = await orders.liveLines.with(trx, cart.id, sku, wish);
    if (!fresh?.offered) throw notFound();
    const field = mismatchOf(fresh, sku, item);
    if (field) throw mismatchError(field);
    rejectErrors(chosenErrors(fresh, item, wish.place, locale));
    const line = lines.find(({ identity }) => identity === fresh.identity) ?? fresh;
    const changed = await addFresh(
      trx,
      cart.id,
      { lines, line, stock, quantity: item.quantity },
      { settings, locale },
    );
    const all = line === fresh ? [...lines, changed] : lines.map((each) => (each === line ? changed : each));
    return orders.view(trx, cart, settings, locale, { lines: all, stock });
  };
  return changeCart(deps, session, add);
}

/** @throws {AppError} REQUEST_VALIDATION_ERROR for a quantity that cannot be ordered */
function validateQuantity(quantity: number): void {
  rejectErrors(quantityErrors(quantity));
}

/** The field of a request that contradicts the SKU it names; null if there is none. */
function mismatchOf(line: OrderLine, sku: string, item: Partial<CartItemInput>): MismatchField | null {
  if (item.sku !== undefined && item.sku !== sku) return 'sku';
  if (item.product !== undefined && item.product !== line.productId) return 'product';
  const pairs = item.optionPairs;
  return pairs !== undefined && canonicalOptionPairs(pairs) !== canonicalOptionPairs(line.optionPairs)
    ? 'optionPairs'
    : null;
}

type SetItem = CartSetInput['items'][number];

/**
 * Puts one unit of each SKU that is not in the cart yet in it. A repeated request therefore changes nothing.
 * @throws {AppError} CONFLICT with a message for each item that cannot be added, `items.<index>`; the cart is unchanged then
 */
async function addSetToCart(
  deps: CartDeps,
  session: SessionHandle,
  { items }: CartSetInput,
  locale: Locale,
): Promise<Order> {
  const settings = await deps.orders.settings();
  const tryToAdd = () =>
    changeCart(deps, session, async (trx) => {
      const cart = await openCart(deps, trx, await session.ensure(trx), { settings, locale });
      const errors = await addMissing(deps, trx, { cart, items, settings, locale });
      if (Object.keys(errors).length > 0)
        throw new AppError('CONFLICT', { errorKey: 'set.unavailable', errors });
      return deps.orders.view(trx, cart, settings, locale);
    });
  try {
    return await tryToAdd();
  } catch (error) {
    // A hold that has run out may free what is missing.
    if (
      !(error instanceof AppError) ||
      error.errorType !== 'CONFLICT' ||
      (await deps.holds.expireHolds()) === 0
    )
      throw error;
    return tryToAdd();
  }
}

interface SetRequest {
  cart: OrderHead;
  items: readonly SetItem[];
  settings: OrderSettings;
  locale: Locale;
}

/** Adds what can be added. The messages of the items that cannot; the caller rolls back if there are any. */
async function addMissing(
  { orders }: CartDeps,
  trx: Trx,
  { cart, items, settings, locale }: SetRequest,
): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  for (const [index, item] of items.entries()) {
    const place = placeOf(cart, settings);
    const { lines, stock, fresh } = await orders.liveLines.with(trx, cart.id, item.sku, { place });
    if (
      !fresh?.offered ||
      canonicalOptionPairs(item.optionPairs) !== canonicalOptionPairs(fresh.optionPairs)
    ) {
      errors[`items.${index}`] = 'rule.productMismatch';
      continue;
    }
    if (lines.some(({ sku }) => sku === item.sku)) continue;
    const [unchosen] = Object.values(choiceErrors(fresh, place, locale));
    const problem = unchosen ?? roomProblem(lines, fresh, stock, { settings, locale });
    if (problem) errors[`items.${index}`] = problem;
    else await addUnits(trx, cart.id, item.sku, 1, chosenColumns(fresh));
  }
  return errors;
}
