/** Puts units of a SKU in a cart: validates, loads the SKU, checks that it is available, writes, and prices the cart. */
import type { Locale } from '#contract/locales.ts';
import { canonicalOptionPairs } from '#contract/option-pairs.ts';
import { isClean } from '#contract/rules/fields.ts';
import { quantityErrors } from '#contract/rules/quantity.ts';
import type { CartItemInput, Order } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { availableQuantities } from '../available-quantity.ts';
import type { OrderLine } from '../order.ts';
import type { OrderSettings } from '../order-settings.ts';
import { findSkuLine } from '../orders.repository.ts';
import { withEditableCart } from '../payment-guard.ts';
import { addUnits } from './cart.repository.ts';
import { type CartDeps, openCart } from './open-cart.ts';

type MismatchField = 'sku' | 'product' | 'optionPairs';
/** Why units of a SKU cannot be put in a cart. */
type AddRejection = { kind: 'notOffered' } | { kind: 'mismatch'; field: MismatchField } | { kind: 'soldOut' };
type AddResult = { order: Order } | { rejected: AddRejection };

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
  let result = await add();
  const isSoldOut = 'rejected' in result && result.rejected.kind === 'soldOut';
  if (isSoldOut && (await deps.orders.expireHolds()) > 0) result = await add();
  if ('rejected' in result) throw errorOf(result.rejected);
  return result.order;
}

function tryToAdd(
  deps: CartDeps,
  session: SessionHandle,
  sku: string,
  item: CartItemInput,
  settings: OrderSettings,
  locale: Locale,
): Promise<AddResult> {
  const { db, orders, payments } = deps;
  const add = async (trx: Trx): Promise<AddResult> => {
    const rejected = await rejectionOf(deps, trx, sku, item, settings);
    if (rejected) return { rejected };
    const cart = await openCart(deps, trx, await session.ensure(trx), settings, locale);
    const added = await addUnits(trx, db.engine, cart.id, sku, item.quantity);
    const lines = await orders.lines(trx, cart);
    if (!added) throw validationError(quantityErrors(item.quantity, lines.find((line) => line.sku === sku)?.quantity));
    return { order: await orders.view(trx, cart, settings, locale, { lines }) };
  };
  return withEditableCart(payments, session, () => db.transaction(add));
}

/** Null if the SKU can be put in a cart. The delivery method may still change, so it is not considered. */
async function rejectionOf(
  { db, stock }: CartDeps,
  trx: Trx,
  sku: string,
  item: CartItemInput,
  settings: OrderSettings,
): Promise<AddRejection | null> {
  const product = await findSkuLine(trx, db.engine, sku);
  if (!product?.offered) return { kind: 'notOffered' };
  const field = mismatchOf(product, sku, item);
  if (field) return { kind: 'mismatch', field };
  const levels = await stock.levels(trx, [sku]);
  const available = availableQuantities(product, { method: null, storeId: null }, levels, settings);
  return available < 1 ? { kind: 'soldOut' } : null;
}

function errorOf(rejected: AddRejection): AppError {
  switch (rejected.kind) {
    case 'notOffered':
      return notFound();
    case 'mismatch':
      return mismatchError(rejected.field);
    case 'soldOut':
      return new AppError('CONFLICT', { errorKey: 'rule.outOfStock', errors: { quantity: 'rule.outOfStock' } });
  }
}

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
