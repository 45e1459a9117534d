/** What may be in a cart, for one line and for several at once. */
import type { FieldErrors } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { isClean } from '#contract/rules/fields.ts';
import { takesOrders } from '#contract/rules/method.ts';
import { noteErrors } from '#contract/rules/modifiers.ts';
import { quantityErrors } from '#contract/rules/quantity.ts';
import type { CartItemInput } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import type { StockLevels } from '#server/modules/inventory/index.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import {
  availableQuantities,
  choiceErrors,
  chosenColumns,
  type LinePlace,
  lackedModifier,
} from '../order/line-units.ts';
import type { OrderLine } from '../order/order.ts';
import { addUnits } from './cart.repository.ts';
import type { CartTerms } from './open-cart.ts';

/** All units of the SKU, or of a modifier's, are sold or on hold. */
export class SoldOut extends AppError {
  constructor(problem: SoldOutProblem) {
    super('CONFLICT', { errorKey: problem.key, values: problem.values, errors: { quantity: problem } });
  }
}

const anyMethod = { method: null, storeId: null };
const cartFull = { key: 'rule.cartFull', values: { most: limits.cartLinesMax } } as const;

interface SoldOutProblem {
  key: 'rule.outOfStock' | 'rule.outOfStockLine' | 'rule.notForSaleYet';
  values: Record<string, string>;
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

/** Why units of a line cannot be put in the cart. The delivery method may still change, so it is not considered. */
export function roomProblem(
  lines: readonly OrderLine[],
  line: OrderLine,
  stock: StockLevels,
  { settings, locale }: CartTerms,
): SoldOutProblem | typeof cartFull | null {
  if (line.quantity === 0 && lines.length >= limits.cartLinesMax) return cartFull;
  if (availableQuantities(line, anyMethod, stock, settings) > 0) return null;
  if (!takesOrders(settings.stores, settings.checkout)) return { key: 'rule.notForSaleYet', values: {} };
  const modifier = lackedModifier(line, anyMethod, stock, settings);
  if (!modifier) return { key: 'rule.outOfStock', values: {} };
  return { key: 'rule.outOfStockLine', values: { product: inLocale(modifier.nameContent, locale) } };
}

/** @throws {AppError} REQUEST_VALIDATION_ERROR with `errors`, unless there are none */
export function rejectErrors(errors: FieldErrors): void {
  if (!isClean(errors)) throw validationError(errors);
}

interface FreshUnits {
  lines: readonly OrderLine[];
  /** That is the same among them, or one that is not there yet. */
  line: OrderLine;
  stock: StockLevels;
  quantity: number;
}

/** Adds units to a line, or starts it. Returns it as it is then. @throws {SoldOut}; {AppError} for a full cart or too many units */
export async function addFresh(
  trx: Trx,
  cartId: string,
  { lines, line, stock, quantity }: FreshUnits,
  terms: CartTerms,
): Promise<OrderLine> {
  const problem = roomProblem(lines, line, stock, terms);
  if (problem && problem.key !== 'rule.cartFull') throw new SoldOut(problem);
  if (problem)
    throw new AppError('CONFLICT', {
      errorKey: problem.key,
      values: problem.values,
      errors: { quantity: problem },
    });
  const added = await addUnits(trx, cartId, line.sku, quantity, chosenColumns(line));
  if (added === null) throw validationError(quantityErrors(quantity, line.quantity));
  return { ...line, ...added };
}
