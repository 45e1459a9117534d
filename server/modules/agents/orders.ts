/** A placed order as its agent sees it: what was bought and what became of it, and nothing of the person. */
import type { Locale } from '#contract/locales.ts';
import type { LineItem, Order } from '#contract/schemas/order.ts';
import { agentOfOrder } from './agents.repository.ts';
import { itemBody, lineTotals, totalsOf } from './bodies.ts';
import { storeAddress } from './fulfilment.ts';
import { type Agreed, type Answer, type Body, envelope, roots } from './protocol.ts';
import { type Call, permalink, publicId, refused, type SalesDeps } from './sales.ts';

export async function getOrder(call: Call, _input: object, id: string): Promise<Answer> {
  const owner = await agentOfOrder(call.db.read, id);
  const body =
    owner?.id === call.agent.id
      ? await orderBody(call, { id, cartId: owner.cart_id }, call.agent, call.locale)
      : null;
  if (!body) throw refused(call, roots.order, 'not_found', 'Order not found.');
  return { status: 200, body };
}

/** Null for an order that is not placed. */
export async function orderBody(
  deps: SalesDeps,
  { id, cartId }: { id: string; cartId: string },
  agreed: Agreed,
  locale: Locale,
) {
  const found = await deps.orders.customers.forMail(id, locale);
  if (!found) return null;
  const { order } = found;
  return {
    ucp: envelope(agreed, roots.order),
    id,
    label: order.orderNumber ?? '',
    checkout_id: publicId('checkout', { id: cartId }),
    permalink_url: await permalink(deps, id),
    line_items: order.lineItems.map((line) => orderLine(line, order, deps.origin())),
    fulfillment: { expectations: await expectationsOf(deps, order), events: eventsOf(order) },
    adjustments: adjustmentsOf(order),
    currency: order.bill.currency,
    totals: totalsOf(order.bill, locale, order.method === 'shipping'),
  };
}

const endedWithoutItems = new Set<Order['state']>(['cancelled', 'lapsed']);
const handedOver = new Set<Order['state']>(['shipped', 'completed']);

function orderLine(line: LineItem, { state, bill }: Order, origin: string): Body {
  const { id, quantity } = line;
  const total = endedWithoutItems.has(state) ? 0 : quantity;
  const fulfilled = handedOver.has(state) ? quantity : 0;
  return {
    id,
    item: itemBody(line, origin),
    quantity: { original: quantity, total, fulfilled },
    totals: lineTotals(line, bill),
    status: total === 0 ? 'removed' : fulfilled === total ? 'fulfilled' : 'processing',
  };
}

const linesOf = ({ lineItems }: Order) => lineItems.map(({ id, quantity }) => ({ id, quantity }));

/** The destination of a parcel is named as far as the tax depends on it. */
async function expectationsOf({ orders }: SalesDeps, order: Order): Promise<Body[]> {
  if (endedWithoutItems.has(order.state) || order.method === null) return [];
  const { stores } = await orders.settings();
  const store = stores.find(({ id }) => id === order.localStoreName);
  const shipped = order.method === 'shipping';
  const { province = '', countryISOCode = '' } = order.shippingAddress ?? {};
  return [
    {
      id: 'expectation_1',
      line_items: linesOf(order),
      method_type: shipped ? 'shipping' : 'pickup',
      destination: shipped
        ? { address_region: province, address_country: countryISOCode }
        : store
          ? storeAddress(store)
          : {},
      description: order.arrival ? `${order.arrival.earliest} – ${order.arrival.latest}` : undefined,
      fulfillable_on: order.pickupDate === null ? undefined : new Date(order.pickupDate).toISOString(),
    },
  ];
}

const eventOf: Partial<Record<Order['state'], string>> = {
  placed: 'processing',
  reserved: 'processing',
  ready: 'ready_for_pickup',
  shipped: 'shipped',
  completed: 'delivered',
  cancelled: 'canceled',
  lapsed: 'canceled',
};

function eventsOf(order: Order): Body[] {
  return (order.timeline ?? []).flatMap(({ state, at }, index) => {
    const type = eventOf[state];
    return type
      ? [
          {
            id: `event_${index + 1}`,
            type,
            occurred_at: new Date(at).toISOString(),
            line_items: linesOf(order),
          },
        ]
      : [];
  });
}

function adjustmentsOf({ refunds = [] }: Order): Body[] {
  return refunds.map(({ amount, done, at }, index) => ({
    id: `refund_${index + 1}`,
    type: 'refund',
    occurred_at: new Date(at).toISOString(),
    status: done ? 'completed' : 'pending',
    totals: [{ type: 'total', amount: -amount }],
  }));
}
