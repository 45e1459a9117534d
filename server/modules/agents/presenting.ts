/** Carts and checkouts as their agents see them. */
import { createHmac } from 'node:crypto';
import type { Order } from '#contract/schemas/order.ts';
import type { OrderSettings } from '#server/modules/orders/index.ts';
import type { PaymentProvider } from '#server/modules/payments/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { sessionMs } from '#server/platform/sessions/sessions.service.ts';
import { discountsBody, lineBody, linksBody, totalsOf } from './bodies.ts';
import { destinationOf, fulfilmentBody, methodOf, optionOf, placedFulfilment } from './fulfilment.ts';
import { stockMessages } from './lines.ts';
import {
  type Answer,
  type Body,
  correctable,
  envelope,
  forBuyer,
  type Message,
  messagesOf,
  refusalOf,
  roots,
  textOf,
  type UcpVersion,
} from './protocol.ts';
import { continuePath } from './routes.ts';
import { type Call, type Kind, problemsOf, publicId, type Sale, type SalesDeps } from './sales.ts';

export async function presentSale(call: Call, kind: Kind, sale: Sale, status = 200): Promise<Answer> {
  return { status, body: kind === 'cart' ? cartBody(call, sale) : await checkoutBody(call, sale) };
}

function cartBody(call: Call, sale: Sale): Body {
  const { cart, request } = sale;
  const codes = request.discounts?.codes;
  return {
    ucp: envelope(call.agent, roots.cart),
    id: publicId('cart', sale.row),
    ...contentBody(call, sale),
    totals: totalsOf(cart.bill, call.locale, false),
    discounts: codes && discountsBody(cart, codes, call.locale),
    messages: [...problemsOf(sale), ...stockMessages(cart)],
    ...openBody(call, sale),
  };
}

const contentBody = ({ origin }: Call, { cart, request, settings }: Sale): Body => ({
  line_items: cart.lineItems.map((line) => lineBody(line, origin())),
  buyer: request.buyer,
  context: request.context,
  currency: settings.currency,
});

const openBody = ({ origin, locale }: Call, { row }: Sale): Body => ({
  continue_url: `${origin()}${continuePath}/${row.id}?lang=${locale}`,
  expires_at: new Date(row.updated_at + sessionMs / 2).toISOString(),
});

async function checkoutBody(call: Call, sale: Sale): Promise<Body> {
  const { agent, locale } = call;
  const { request, placedId } = sale;
  const { version } = agent;
  const origin = call.origin();
  const provider = await payable(call, sale.settings);
  const { order, status, messages } = await stateOf(call, sale, provider !== null);
  const shown = { ...sale, cart: order };
  const isOver = status === 'completed' || status === 'canceled';
  const bill = isOver || order.bill.final ? order.bill : await estimate(call, shown);
  const { footer } = await call.settings.all();
  const label = order.orderNumber ?? '';
  return {
    ucp: envelope(agent, roots.checkout, { payment_handlers: provider ? handlerRegistry(provider, origin, version) : {} }),
    id: publicId('checkout', sale.row),
    status,
    ...contentBody(call, shown),
    totals: totalsOf(bill, locale, methodOf(shown)?.type === 'shipping'),
    discounts: discountsBody(order, request.discounts?.codes ?? [], locale),
    fulfillment: isOver ? placedFulfilment(shown, version) : await fulfilmentBody(call, shown),
    payment: { instruments: [] },
    messages,
    links: linksBody(footer.links, origin, locale),
    ...(isOver ? {} : openBody(call, sale)),
    order: placedId === null ? undefined : { id: placedId, label, permalink_url: await permalink(call, placedId) },
  };
}

/** A link to the order that names nobody. */
export async function permalink({ secret, orderLinks, origin }: SalesDeps, orderId: string): Promise<string> {
  const token = createHmac('sha256', secret).update(`order\n${orderId}`).digest('base64url');
  await orderLinks.ensure(orderId, token);
  return `${origin()}/order/${token}`;
}

/** The provider by which agents can pay without a person; null if there is none. */
export async function payable({ checkout, payments }: SalesDeps, { payment }: OrderSettings): Promise<PaymentProvider | null> {
  const { paymentOnline, defaultGateWayProviderName: name } = await checkout.paymentConfig();
  const provider = payment.paymentOnline && paymentOnline ? payments.providers.find(name) : null;
  return provider?.agents ? provider : null;
}

/** By names in the shop's own domain. */
export function handlerRegistry({ name, agents }: PaymentProvider, origin: string, version: UcpVersion): Body {
  if (!agents) return {};
  const host = new URL(origin).hostname.split('.').reverse();
  const domain = /^\d/.test(host[0] ?? '') ? ['localhost'] : host.map((part) => part.replace(/[^a-z0-9_]/g, '_'));
  const { instruments, config } = agents;
  return {
    [agents.handler ?? [...domain, name].join('.')]: [
      { id: name, version, available_instruments: instruments.map((type) => ({ type })), config },
    ],
  };
}

interface CheckoutState {
  order: Order;
  status: 'incomplete' | 'requires_escalation' | 'ready_for_complete' | 'complete_in_progress' | 'completed' | 'canceled';
  messages: Message[];
}

async function stateOf(call: Call, sale: Sale, canPay: boolean): Promise<CheckoutState> {
  const { placedId, row, session, cart } = sale;
  const { locale } = call;
  const state = (status: CheckoutState['status'], messages: Message[] = [], order = cart) => ({ order, status, messages });
  if (placedId !== null) return state('completed', [], (await call.orders.customers.forMail(placedId, locale))?.order);
  if (row.canceled) return state('canceled');
  if (cart.state === 'paying') return state('complete_in_progress');
  const problems = [...problemsOf(sale), ...stockMessages(cart)];
  if (problems.some(({ type }) => type === 'error') || cart.lineItems.length === 0) return state('incomplete', problems);
  try {
    // Also keeps which bill the agent was shown, which is the one that it agrees to by completing.
    const order = await call.paying.bill(session, '', true, locale);
    if (!order.bill.final) throw new AppError('CONFLICT', { errorKey: 'rule.taxUnknown' });
    if (canPay) return state('ready_for_complete', problems, order);
    const message = forBuyer('payment_required', 'A person pays this order at the address of continue_url.');
    return state('requires_escalation', [...problems, message], order);
  } catch (thrown) {
    const error = refusalOf(thrown);
    const { errors } = error.details;
    if (errors) return state('incomplete', [...problems, ...messagesOf(errors, locale)]);
    const isForBuyer = error.errorType === 'AUTHORIZATION_ERROR';
    const message = (isForBuyer ? forBuyer : correctable)('invalid', textOf(error, locale));
    return state(isForBuyer ? 'requires_escalation' : 'incomplete', [...problems, message]);
  }
}

/** The bill if the order went where the agent says, while something else still lacks. */
async function estimate({ checkout, locale }: Call, sale: Sale): Promise<Order['bill']> {
  const { session, request, cart } = sale;
  const chosen = methodOf(sale);
  if (!chosen || cart.lineItems.length === 0) return cart.bill;
  const { type, asked } = chosen;
  const { address_country: country, address_region: province } = { ...request.context, ...destinationOf(asked) };
  const place =
    type === 'pickup'
      ? { localStoreName: asked.selected_destination_id ?? undefined }
      : { country: /^[A-Za-z]{2}$/.test(country ?? '') ? country : undefined, province, shippingMethod: optionOf(asked) };
  return checkout.billEstimate(session, { methodName: type, ...place }, locale);
}
