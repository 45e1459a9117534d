/**
 * What is missing until a shipping method is free, in cents; 0 if it is. `freeOver` is the value of items after discount from which it
 * is, in cents.
 */
export function missingForFreeShipping(
  bill: { subtotal: number; discount: number },
  freeOver: number,
): number {
  return Math.max(0, freeOver - (bill.subtotal - bill.discount));
}
