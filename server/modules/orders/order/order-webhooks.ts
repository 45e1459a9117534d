/** Records the webhook events of orders, in the transaction that changes the order. */
import { inLocale, mainLocale } from '#contract/locales.ts';
import type { Trx } from '#db/database.ts';
import { balanceOf } from '#server/modules/payments/index.ts';
import type {
  ModifierPayload,
  OrderEventType,
  OrderPayload,
  RefundPayload,
  WebhookEvents,
} from '#server/modules/webhooks/index.ts';
import type { OrderHead, OrderModifier } from './order.ts';
import { frozenLinesOf } from './order-lines.repository.ts';
import { paymentOf } from './order-money.ts';
import { findOrder } from './orders.repository.ts';
import { shipmentsOf, viewShipment } from './shipments.repository.ts';

type PlainEvent = Exclude<OrderEventType, 'order.refunded'>;

export type OrderEvents = ReturnType<typeof createOrderEvents>;

export function createOrderEvents(webhooks: WebhookEvents) {
  return {
    /** Records an event that happens to an order once. Call it after everything that changes the order's row. */
    record: (trx: Trx, type: PlainEvent, { id }: Pick<OrderHead, 'id'>): Promise<void> =>
      webhooks.record(trx, {
        type,
        cause: id,
        orderId: id,
        data: async () => ({ order: await payloadOf(trx, await findOrder(trx, id)) }),
      }),

    /** Records that a refund was sent. Money that arrived too late for an order that was never placed is no event. */
    async recordRefund(
      trx: Trx,
      { id, orderId, amount, tip }: RefundPayload & { orderId: string },
    ): Promise<void> {
      const order = await findOrder(trx, orderId);
      if (!order || order.placedAt === null) return;
      const data = async () => ({ order: await payloadOf(trx, order), refund: { id, amount, tip } });
      await webhooks.record(trx, { type: 'order.refunded', cause: id, orderId, data });
    },
  };
}

/** @throws {Error} for a cart, which has no bill */
async function payloadOf(trx: Trx, order: OrderHead | null): Promise<OrderPayload> {
  if (!order?.bill) throw new Error('A cart has no webhook events');
  const { bill, method, shippingAddress } = order;
  const lines = await frozenLinesOf(trx, order.id);
  const { subtotal, discount, shipping, serviceCharge, taxLines, tax, tip, total } = bill;
  return {
    id: order.id,
    number: order.number,
    state: order.state,
    method,
    storeId: order.storeId,
    pickupAt: method === 'pickup' ? order.pickupAt : null,
    shippingMethod: method === 'shipping' ? bill.shippingMethod : null,
    destination: method === 'shipping' && shippingAddress ? destinationOf(shippingAddress) : null,
    language: order.language,
    placedAt: order.placedAt,
    lines: lines.map(({ id, sku, productId, name, optionPairs, modifiers, quantity, unitPrice }) => ({
      id,
      sku,
      productId,
      name: inLocale(name, mainLocale()),
      options: optionPairs,
      modifiers: modifiers.map(modifierPayload),
      quantity,
      unitPrice,
      total: unitPrice * quantity,
    })),
    shipments: method === 'shipping' ? (await shipmentsOf(trx, order.id)).map(viewShipment) : [],
    currency: order.currency,
    amounts: {
      subtotal,
      discount,
      shipping,
      serviceCharge: serviceCharge?.amount ?? 0,
      taxLines: taxLines.map(({ label, amount }) => ({ label, amount })),
      tax,
      tip,
      total,
    },
    couponCode: bill.coupon?.code ?? null,
    payment: await paymentIn(trx, order),
  };
}

function modifierPayload({
  group,
  modifier,
  nameContent,
  quantity,
  amount,
  modifiers,
}: OrderModifier): ModifierPayload {
  const name = inLocale(nameContent, mainLocale());
  return { group, modifier, name, quantity, amount, modifiers: modifiers.map(modifierPayload) };
}

function destinationOf({
  countryISOCode,
  provinceCode,
}: NonNullable<OrderHead['shippingAddress']>): OrderPayload['destination'] {
  return { country: countryISOCode, province: provinceCode };
}

async function paymentIn(trx: Trx, order: OrderHead): Promise<OrderPayload['payment']> {
  const balance = await balanceOf(trx, order.id);
  const payment = paymentOf(order, balance) ?? { method: null, paid: true, refunded: 0 };
  return { ...payment, due: balance.due };
}
