/** Puts units of a SKU in a cart, or a set of SKUs at once: all of them, or none. */

import type { FieldErrors } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { canonicalOptionPairs } from '#contract/option-pairs.ts';
import { isClean } from '#contract/rules/fields.ts';
import { noteErrors } from '#contract/rules/modifiers.ts';
import { quantityErrors } from '#contract/rules/quantity.ts';
import type { CartItemInput, CartSetInput, Order } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import type { StockLevels } from '#server/modules/inventory/index.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { availableQuantities, lackedModifier } from '../order/available-quantity.ts';
import { choiceErrors, chosenColumns, type LinePlace, placeOf } from '../order/line-modifiers.ts';
import type { OrderHead, OrderLine } from '../order/order.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { addUnits } from './cart.repository.ts';
import { type CartDeps, changeCart, openCart } from './open-cart.ts';

type MismatchField = 'sku' | 'product' | 'optionPairs';

interface SoldOutProblem {
  key: 'rule.outOfStock' | 'rule.outOfStockLine';
  values: Record<string, string>;
}

/** All units of the SKU, or of a modifier's, are sold or on hold. */
class SoldOut extends AppError {
  constructor(problem: SoldOutProblem) {
    super('CONFLICT', { errorKey: problem.key, values: problem.values, errors: { quantity: problem } });
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
  validateQuantity(item.quantity);
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
    const wish = { modifiers: item.modifiers, note: item.note, place: placeOf(cart, settings) };
    const { lines, stock, fresh } = await orders.liveLines.with(trx, cart.id, sku, wish);
    if (!fresh?.offered) throw notFound();
    const field = mismatchOf(fresh, sku, item);
    if (field) throw mismatchError(field);
    rejectErrors(chosenErrors(fresh, item, wish.place, locale));
    const line = lines.find(({ identity }) => identity === fresh.identity) ?? fresh;
    const problem = roomProblem(lines, line, stock, settings, locale);
    if (problem && problem.key !== 'rule.cartFull') throw new SoldOut(problem);
    if (problem) throw new AppError('CONFLICT', { errorKey: problem.key, values: problem.values, errors: { quantity: problem } });
    const added = await addUnits(trx, cart.id, sku, item.quantity, chosenColumns(line));
    if (added === null) throw validationError(quantityErrors(item.quantity, line.quantity));
    const changed = { ...line, ...added };
    const all = line === fresh ? [...lines, changed] : lines.map((each) => (each === line ? changed : each));
    return orders.view(trx, cart, settings, locale, { lines: all, stock });
  };
  return changeCart(deps, session, add);
}

/** Why what was chosen for a line cannot be ordered so, or costs something else than the customer was shown; empty if it can. */
export function chosenErrors(
  line: OrderLine,
  { note = '', unitPrice }: Pick<CartItemInput, 'note' | 'unitPrice'>,
  place: LinePlace,
  locale: Locale,
): FieldErrors {
  const errors = { ...choiceErrors(line, place, locale), ...noteErrors(note) };
  const isChanged = isClean(errors) && unitPrice !== undefined && unitPrice !== line.unitPrice;
  return isChanged ? { unitPrice: 'rule.modifierPriceChanged' } : errors;
}

const anyMethod = { method: null, storeId: null };
const cartFull = { key: 'rule.cartFull', values: { most: limits.cartLinesMax } } as const;

/** Why units of a line cannot be put in the cart. The delivery method may still change, so it is not considered. */
function roomProblem(
  lines: readonly OrderLine[],
  line: OrderLine,
  stock: StockLevels,
  settings: OrderSettings,
  locale: Locale,
): SoldOutProblem | typeof cartFull | null {
  if (line.quantity === 0 && lines.length >= limits.cartLinesMax) return cartFull;
  if (availableQuantities(line, anyMethod, stock, settings) > 0) return null;
  const modifier = lackedModifier(line, anyMethod, stock, settings);
  if (!modifier) return { key: 'rule.outOfStock', values: {} };
  return { key: 'rule.outOfStockLine', values: { product: inLocale(modifier.nameContent, locale) } };
}

/** @throws {AppError} REQUEST_VALIDATION_ERROR with `errors`, unless there are none */
export function rejectErrors(errors: FieldErrors): void {
  if (!isClean(errors)) throw validationError(errors);
}

/** @throws {AppError} REQUEST_VALIDATION_ERROR for a quantity that cannot be ordered */
export function validateQuantity(quantity: number): void {
  rejectErrors(quantityErrors(quantity));
}

/** The field of a request that contradicts the SKU it names; null if there is none. */
export function mismatchOf(line: OrderLine, sku: string, item: Partial<CartItemInput>): MismatchField | null {
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
      const errors = await addMissing(deps, trx, { cart, items, settings, locale });
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
  locale: Locale;
}

/** Adds what can be added. The messages of the items that cannot; the caller rolls back if there are any. */
async function addMissing({ orders }: CartDeps, trx: Trx, { cart, items, settings, locale }: SetRequest): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  for (const [index, item] of items.entries()) {
    const place = placeOf(cart, settings);
    const { lines, stock, fresh } = await orders.liveLines.with(trx, cart.id, item.sku, { place });
    if (!fresh?.offered || canonicalOptionPairs(item.optionPairs) !== canonicalOptionPairs(fresh.optionPairs)) {
      errors[`items.${index}`] = 'rule.productMismatch';
      continue;
    }
    if (lines.some(({ sku }) => sku === item.sku)) continue;
    const [unchosen] = Object.values(choiceErrors(fresh, place, locale));
    const problem = unchosen ?? roomProblem(lines, fresh, stock, settings, locale);
    if (problem) errors[`items.${index}`] = problem;
    else await addUnits(trx, cart.id, item.sku, 1, chosenColumns(fresh));
  }
  return errors;
}
