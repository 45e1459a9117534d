/** Changes and removes lines of the cart. */
import type { Locale } from '#contract/locales.ts';
import type { CartItemInput, Order } from '#contract/schemas/order.ts';
import { notFound } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { mismatchError, mismatchOf, validateQuantity } from './add-to-cart.ts';
import { deleteLine, setUnits } from './cart.repository.ts';
import { type CartDeps, changeCart, lockCart } from './open-cart.ts';

/**
 * Sets a line's quantity.
 * @throws {AppError} 404 if there is no such line: a removed line is not restored
 */
export async function updateLine(
  deps: CartDeps,
  session: SessionHandle,
  sku: string,
  item: CartItemInput,
  locale: Locale,
): Promise<Order> {
  const { orders } = deps;
  const settings = await orders.settings();
  validateQuantity(item);
  const buyer = await session.get();
  if (!buyer) throw notFound();
  return changeCart(deps, session, async (trx) => {
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
}

/** Removes a line; no error if it is removed already. */
export async function removeLine(deps: CartDeps, session: SessionHandle, sku: string, locale: Locale): Promise<Order> {
  const { db, orders } = deps;
  const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
  if (!buyer) return orders.view(db.read, null, settings, locale);
  return changeCart(deps, session, async (trx) => {
    const cart = await orders.findCart(trx, buyer);
    if (!cart) return orders.view(trx, null, settings, locale);
    const lines = await orders.lines(trx, cart);
    if (!lines.some((line) => line.sku === sku)) return orders.view(trx, cart, settings, locale, { lines });
    const locked = await lockCart(deps, trx, cart);
    await deleteLine(trx, cart.id, sku);
    return orders.view(trx, locked, settings, locale);
  });
}
