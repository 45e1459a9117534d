/** SPEC §5, §9. */
import type { FieldErrors } from '../errors.ts';
import { limits } from '../limits.ts';

/** From this many units on, a page says how many are left. */
export const scarceUnits = 3;

/** `alreadyInCart` is 0 if the quantity replaces it. Under 1 is 'Quantity is invalid'; the sum may be 98 at most. */
export function quantityErrors(quantity: number, alreadyInCart = 0): FieldErrors {
  if (!Number.isInteger(quantity) || quantity < limits.quantityMin)
    return { quantity: 'rule.quantityInvalid' };
  if (alreadyInCart > 0 && quantity + alreadyInCart > limits.quantityMax) {
    return {
      quantity: {
        key: 'rule.quantityTooManyInCart',
        values: { count: alreadyInCart, limit: limits.quantityMax },
      },
    };
  }
  if (quantity > limits.quantityMax)
    return {
      quantity: {
        key: 'rule.quantityTooMany',
        values: { limit: limits.quantityMax },
      },
    };
  return {};
}
