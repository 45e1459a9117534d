/** Chooses the delivery methods to offer, and one of them for the customer, who can change it. */
import type { CheckoutMethod } from '#contract/limits.ts';
import type { LineItem } from '#contract/schemas/order.ts';

/**
 * The methods to offer: dine-in is for what is sold in the store only. The link of a table, or a cart that nothing else can serve,
 * offers it for anything.
 */
export function offeredMethods(
  enabled: readonly CheckoutMethod[],
  unable: Partial<Record<CheckoutMethod, unknown>>,
  lines: readonly Pick<LineItem, 'inStoreOnly'>[],
  atTable: boolean,
): CheckoutMethod[] {
  const served = atTable || lines.some(({ inStoreOnly }) => inStoreOnly);
  const others = enabled.filter((method) => method !== 'instore');
  return served || !others.some((method) => unable[method] === undefined) ? [...enabled] : others;
}

/**
 * The only method that can serve the cart; of several, dine-in for a cart with something that is sold in store only, else
 * shipping, else the first. Null if none can.
 */
export function preferredMethod(
  methods: readonly CheckoutMethod[],
  unable: Partial<Record<CheckoutMethod, unknown>>,
  lines: readonly Pick<LineItem, 'inStoreOnly'>[],
): CheckoutMethod | null {
  const possible = methods.filter((method) => unable[method] === undefined);
  const wanted = lines.some(({ inStoreOnly }) => inStoreOnly) ? 'instore' : 'shipping';
  return possible.find((method) => method === wanted) ?? possible[0] ?? null;
}
