/** An order's bill, worked out from its lines and choices. */
import { createHash } from 'node:crypto';
import type { Bill } from '#contract/schemas/order.ts';
import { type PricedOrder, priceOrder } from '../pricing/price-order.ts';
import { methodsTo, type ShippingMethodSetting } from '../pricing/shipping.ts';
import type { Destination } from '../pricing/tax.ts';
import type { OrderHead, OrderLine } from './order.ts';
import type { ShopFacts } from './shop-facts.ts';

export interface BilledOrder {
  bill: Bill;
  /** The method goods are shipped by: the one chosen where it still goes there, else the cheapest. */
  shippingMethod: ShippingMethodSetting | null;
}

/** Where an order's goods are handed over, which decides its tax. Null while unknown. */
export function destinationOf(order: OrderHead, facts: ShopFacts): Destination | null {
  if (order.method === 'shipping') return order.shippingAddress;
  const store = order.method && facts.stores.find(({ id }) => id === order.storeId);
  return store ? store.address : null;
}

export function billOf(order: OrderHead, lines: readonly OrderLine[], facts: ShopFacts): BilledOrder {
  const destination = destinationOf(order, facts);
  const input = { lines, discount: null, destination, tipBasisPoints: order.tipBasisPoints };
  const goods = priceOrder({ ...input, shipping: null }, facts.taxes);
  const offered =
    order.method === 'shipping' && destination
      ? methodsTo(facts.shippingMethods, destination, goods.subtotal - goods.discount)
      : [];
  const shippingMethod = offered.find(({ id }) => id === order.shippingMethod) ?? offered[0] ?? null;
  const priced = shippingMethod ? priceOrder({ ...input, shipping: shippingMethod }, facts.taxes) : goods;
  const { lines: _lines, ...sums } = priced;
  // An address that no method goes to is not final: there is nothing to pay for yet.
  const final = priced.final && (order.method !== 'shipping' || shippingMethod !== null);
  return {
    bill: {
      ...sums,
      final,
      couponCode: order.couponCode,
      currency: facts.currency,
      billVersion: fingerprint(order, lines, priced, shippingMethod, facts.currency),
    },
    shippingMethod,
  };
}

/** Changes with anything that is billed, and with nothing else. No two orders share one. */
function fingerprint(
  order: OrderHead,
  lines: readonly OrderLine[],
  priced: PricedOrder,
  shippingMethod: ShippingMethodSetting | null,
  currency: string,
): string {
  const { method, storeId, shippingAddress, couponCode, tipBasisPoints } = order;
  const billed = lines.map(({ sku, quantity, unitPrice }) => [sku, quantity, unitPrice]);
  const text = JSON.stringify([
    order.id,
    method,
    storeId,
    shippingAddress,
    shippingMethod?.id,
    couponCode,
    tipBasisPoints,
    billed,
    priced.shipping,
    priced.taxLines,
    priced.total,
    currency,
  ]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
