/** Puts units of a SKU in a cart, or a set of SKUs at once: all of them, or none. */

import type { FieldErrors } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { canonicalOptionPairs } from '#contract/option-pairs.ts';
import { isClean } from '#contract/rules/fields.ts';
import { quantityErrors } from '#contract/rules/quantity.ts';
import type { CartItemInput, CartSetInput, Order } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import type { StockLevels } from '#server/modules/inventory/index.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { availableQuantities } from '../order/available-quantity.ts';
import type { OrderHead, OrderLine } from '../order/order.ts';
import { liveLinesWith } from '../order/order-lines.repository.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { addUnits } from './cart.repository.ts';
import { type CartDeps, changeCart, openCart } from './open-cart.ts';

type MismatchField = 'sku' | 'product' | 'optionPairs';

/** All units of the SKU are sold or on hold. */
class SoldOut extends AppError {
  constructor() {
    super('CONFLICT', { errorKey: 'rule.outOfStock', errors: { quantity: 'rule.outOfStock' } });
  }
}

/** Starts the cart with the first units. If the SKU is sold out, expired holds are released and it is tried once more. */
export async function addToCart(
  deps: CartDeps,
  session: SessionHandle,
  sku: string,
  item: CartItemInput,
  locale: Locale,
): Promise<Order> {
  const settings = await deps.orders.settings();
  validateQuantity(item);
  const add = () => tryToAdd(deps, session, sku, item, settings, locale);
  try {
    return await add();
  } catch (error) {
    if (!(error instanceof SoldOut) || (await deps.orders.expireHolds()) === 0) throw error;
    return add();
  }
}

/** Everything is one transaction, so a rejected SKU leaves neither a cart nor a session. */
function tryToAdd(
  deps: CartDeps,
  session: SessionHandle,
  sku: string,
  item: CartItemInput,
  settings: OrderSettings,
  locale: Locale,
): Promise<Order> {
  const { orders } = deps;
  const add = async (trx: Trx): Promise<Order> => {
    const cart = await openCart(deps, trx, await session.ensure(trx), settings, locale);
    const { lines, stock } = await liveLinesWith(trx, cart.id, sku);
    const line = checkedLine(lines, stock, sku, item, settings);
    const quantity = await addUnits(trx, cart.id, sku, item.quantity);
    if (quantity === null) throw validationError(quantityErrors(item.quantity, line.quantity));
    const changed = lines.map((each) => (each === line ? { ...line, quantity } : each));
    return orders.view(trx, cart, settings, locale, { lines: changed, stock });
  };
  return changeCart(deps, session, add);
}

/**
 * The line of the SKU, which can be put in the cart. The delivery method may still change, so it is not considered.
 * @throws {AppError} NOT_FOUND if it is not offered, REQUEST_VALIDATION_ERROR if the request contradicts it, CONFLICT if it is sold out
 */
function checkedLine(
  lines: readonly OrderLine[],
  levels: StockLevels,
  sku: string,
  item: CartItemInput,
  settings: OrderSettings,
): OrderLine {
  const line = lines.find((each) => each.sku === sku);
  if (!line?.offered) throw notFound();
  const field = mismatchOf(line, sku, item);
  if (field) throw mismatchError(field);
  if (isFull(lines, line))
    throw new AppError('CONFLICT', { errorKey: cartFull.key, values: cartFull.values, errors: { quantity: cartFull } });
  if (availableQuantities(line, { method: null, storeId: null }, levels, settings) < 1) throw new SoldOut();
  return line;
}

/** Whether a cart has no room for a line that is not in it yet. `lines` may contain the new line, with quantity 0. */
export const isFull = (lines: readonly OrderLine[], line: OrderLine) =>
  line.quantity === 0 && lines.filter(({ quantity }) => quantity > 0).length >= limits.cartLinesMax;

export const cartFull = { key: 'rule.cartFull', values: { most: limits.cartLinesMax } } as const;

/** @throws {AppError} REQUEST_VALIDATION_ERROR for a quantity that cannot be ordered */
export function validateQuantity({ quantity }: CartItemInput): void {
  const errors = quantityErrors(quantity);
  if (!isClean(errors)) throw validationError(errors);
}

/** The field of a request that contradicts the SKU it names; null if there is none. */
export function mismatchOf(line: OrderLine, sku: string, item: CartItemInput): MismatchField | null {
  if (item.sku !== undefined && item.sku !== sku) return 'sku';
  if (item.product !== undefined && item.product !== line.productId) return 'product';
  const pairs = item.optionPairs;
  return pairs !== undefined && canonicalOptionPairs(pairs) !== canonicalOptionPairs(line.optionPairs) ? 'optionPairs' : null;
}

export const mismatchError = (field: MismatchField) => validationError({ [field]: 'rule.productMismatch' });

type SetItem = CartSetInput['items'][number];

/**
 * Puts one unit of each SKU that is not in the cart yet in it. A repeated request therefore changes nothing.
 * @throws {AppError} CONFLICT with a message for each item that cannot be added, `items.<index>`; the cart is unchanged then
 */
export async function addSetToCart(
  deps: CartDeps,
  session: SessionHandle,
  { items }: CartSetInput,
  locale: Locale,
): Promise<Order> {
  const settings = await deps.orders.settings();
  const tryToAdd = () =>
    changeCart(deps, session, async (trx) => {
      const cart = await openCart(deps, trx, await session.ensure(trx), settings, locale);
      const errors = await addMissing(trx, { cart, items, settings });
      if (Object.keys(errors).length > 0) throw new AppError('CONFLICT', { errorKey: 'set.unavailable', errors });
      return deps.orders.view(trx, cart, settings, locale);
    });
  try {
    return await tryToAdd();
  } catch (error) {
    // A hold that has run out may free what is missing.
    if (!(error instanceof AppError) || error.errorType !== 'CONFLICT' || (await deps.orders.expireHolds()) === 0) throw error;
    return tryToAdd();
  }
}

interface SetRequest {
  cart: OrderHead;
  items: readonly SetItem[];
  settings: OrderSettings;
}

/** Adds what can be added. The messages of the items that cannot; the caller rolls back if there are any. */
async function addMissing(trx: Trx, { cart, items, settings }: SetRequest): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  for (const [index, item] of items.entries()) {
    const { lines, stock } = await liveLinesWith(trx, cart.id, item.sku);
    const line = lines.find(({ sku }) => sku === item.sku);
    if (!line?.offered || canonicalOptionPairs(item.optionPairs) !== canonicalOptionPairs(line.optionPairs)) {
      errors[`items.${index}`] = 'rule.productMismatch';
      continue;
    }
    if (line.quantity > 0) continue;
    if (isFull(lines, line)) errors[`items.${index}`] = cartFull;
    else if (availableQuantities(line, { method: null, storeId: null }, stock, settings) < 1)
      errors[`items.${index}`] = 'rule.outOfStock';
    else await addUnits(trx, cart.id, item.sku, 1);
  }
  return errors;
}
