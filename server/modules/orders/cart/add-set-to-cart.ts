/** Puts several SKUs in a cart at once: all of them, or none. */

import type { FieldErrors } from '#contract/errors.ts';
import type { Locale } from '#contract/locales.ts';
import { canonicalOptionPairs } from '#contract/option-pairs.ts';
import type { CartSetInput, Order } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { availableQuantities } from '../order/available-quantity.ts';
import type { OrderHead } from '../order/order.ts';
import { liveLinesWith } from '../order/order-lines.repository.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { cartFull, isFull } from './add-to-cart.ts';
import { addUnits } from './cart.repository.ts';
import { type CartDeps, changeCart, openCart } from './open-cart.ts';

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
