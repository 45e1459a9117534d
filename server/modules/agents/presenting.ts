/** Carts and checkouts as their agents see them. */
import { createHmac } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { OrderSettings } from '#server/modules/orders/index.ts';
import type { PaymentProvider } from '#server/modules/payments/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { sessionMs } from '#server/platform/sessions/sessions.service.ts';
import type { AgentCartRow } from './agents.repository.ts';
import { discountsBody, lineBody, linksBody, totalsOf } from './bodies.ts';
import { fulfilmentBody, methodOf, type Said, shippingDestination, type Wish } from './fulfilment.ts';
import { stockMessages } from './lines.ts';
import { type Answer, type Body, envelope, type Message, messagesOf, textsOf, type UcpVersion } from './protocol.ts';
import { continuePath } from './routes.ts';
import { type Caller, type Kind, problemsOf, publicId, roots, type Sale, type SalesDeps } from './sales.ts';

export async function presentSale(deps: SalesDeps, kind: Kind, sale: Sale, caller: Caller, status = 200): Promise<Answer> {
  const body = kind === 'cart' ? cartBody(deps, sale, caller) : await checkoutBody(deps, sale, caller);
  return { status, body };
}

const continueUrl = ({ origin }: SalesDeps, { id }: AgentCartRow, locale: Locale) =>
  `${origin()}${continuePath}/${id}?lang=${locale}`;

const expiresAt = ({ updated_at: at }: AgentCartRow) => new Date(at + sessionMs / 2).toISOString();

function cartBody(deps: SalesDeps, sale: Sale, { agent, locale }: Caller): Body {
  const { row, cart: order, request, settings } = sale;
  const codes = request.discounts?.codes;
  return {
    ucp: envelope(agent, roots.cart),
    id: publicId('cart', row),
    line_items: order.lineItems.map((line) => lineBody(line, deps.origin())),
    ...(request.buyer ? { buyer: request.buyer } : {}),
    ...(request.context ? { context: request.context } : {}),
    currency: settings.currency,
    totals: totalsOf(order.bill, locale, false),
    ...(codes ? { discounts: discountsBody(order, codes, locale) } : {}),
    messages: [...problemsOf(sale), ...stockMessages(order)],
    continue_url: continueUrl(deps, row, locale),
    expires_at: expiresAt(row),
  };
}

async function checkoutBody(deps: SalesDeps, sale: Sale, { agent, locale, address }: Caller): Promise<Body> {
  const { row, request, settings, session } = sale;
  const origin = deps.origin();
  const provider = await payable(deps, settings);
  const { order, status, messages } = await stateOf(deps, sale, provider !== null, locale);
  const wish: Wish = { session, request, settings, locale, address };
  const isOver = status === 'completed' || status === 'canceled';
  const bill = isOver || order.bill.final ? order.bill : await estimate(deps, wish, order);
  const shipped = methodOf(request, order, settings)?.type === 'shipping';
  const { footer } = await deps.settings.all();
  return {
    ucp: envelope(agent, roots.checkout, { payment_handlers: provider ? handlerRegistry(provider, origin, agent.version) : {} }),
    id: publicId('checkout', row),
    status,
    line_items: order.lineItems.map((line) => lineBody(line, origin)),
    ...(request.buyer ? { buyer: request.buyer } : {}),
    ...(request.context ? { context: request.context } : {}),
    currency: settings.currency,
    totals: totalsOf(bill, locale, shipped),
    discounts: discountsBody(order, request.discounts?.codes ?? [], locale),
    fulfillment: isOver
      ? placedFulfilment(request, order, agent.version)
      : await fulfilmentBody(deps, wish, order, agent.version),
    payment: { instruments: [] },
    messages,
    links: linksBody(footer.links, origin, locale),
    ...(isOver ? {} : { continue_url: continueUrl(deps, row, locale), expires_at: expiresAt(row) }),
    ...(sale.placedId === null ? {} : { order: await confirmation(deps, sale.placedId, order) }),
  };
}

async function confirmation(deps: SalesDeps, id: string, { orderNumber }: Order): Promise<Body> {
  return { id, label: orderNumber ?? '', permalink_url: await permalink(deps, id) };
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

async function stateOf(deps: SalesDeps, sale: Sale, canPay: boolean, locale: Locale): Promise<CheckoutState> {
  const { placedId, row, session, cart } = sale;
  if (placedId !== null) {
    const found = await deps.orders.customers.forMail(placedId, locale);
    return { order: found?.order ?? cart, status: 'completed', messages: [] };
  }
  if (row.canceled) return { order: cart, status: 'canceled', messages: [] };
  if (cart.state === 'paying') return { order: cart, status: 'complete_in_progress', messages: [] };
  const problems = [...problemsOf(sale), ...stockMessages(cart)];
  const blocking = problems.some(({ type }) => type === 'error');
  if (blocking || cart.lineItems.length === 0) return { order: cart, status: 'incomplete', messages: problems };
  try {
    // Also keeps which bill the agent was shown, which is the one that it agrees to by completing.
    const order = await deps.paying.bill(session, '', true, locale);
    if (!order.bill.final) throw new AppError('CONFLICT', { errorKey: 'rule.taxUnknown' });
    if (canPay) return { order, status: 'ready_for_complete', messages: problems };
    const message: Message = {
      type: 'error',
      code: 'payment_required',
      severity: 'requires_buyer_input',
      content: 'A person pays this order at the address of continue_url.',
    };
    return { order, status: 'requires_escalation', messages: [...problems, message] };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.status === 429) throw error;
    const { errors } = error.details;
    if (errors) return { order: cart, status: 'incomplete', messages: [...problems, ...messagesOf(errors, locale)] };
    const severity = error.errorType === 'AUTHORIZATION_ERROR' ? 'requires_buyer_input' : 'recoverable';
    const message: Message = { type: 'error', code: 'invalid', severity, content: textsOf(error, locale).join(' ') };
    return {
      order: cart,
      status: severity === 'recoverable' ? 'incomplete' : 'requires_escalation',
      messages: [...problems, message],
    };
  }
}

/** The bill if the order went where the agent says, while something else still lacks. */
async function estimate(
  { checkout }: SalesDeps,
  { session, request, settings, locale }: Wish,
  order: Order,
): Promise<Order['bill']> {
  const chosen = methodOf(request, order, settings);
  if (!chosen || order.lineItems.length === 0) return order.bill;
  const { type, asked } = chosen;
  const destination = asked.destinations?.find(({ id }) => id === asked.selected_destination_id) ?? asked.destinations?.[0];
  const country = destination?.address_country ?? request.context?.address_country;
  const province = destination?.address_region ?? request.context?.address_region;
  const option = asked.groups?.[0]?.selected_option_id ?? undefined;
  const place =
    type === 'pickup'
      ? { localStoreName: asked.selected_destination_id ?? undefined }
      : { country: /^[A-Za-z]{2}$/.test(country ?? '') ? country : undefined, province, shippingMethod: option };
  return checkout.billEstimate(session, { methodName: type, ...place }, locale);
}

/** As the agent chose it; of an order that a person finished, no more than its method. */
function placedFulfilment({ fulfillment }: Said, { method, lineItems }: Order, version: UcpVersion): Body {
  const ids = lineItems.map(({ id }) => id);
  const [asked] = fulfillment?.methods ?? [];
  if (method === 'instore' || method === null) return { methods: [] };
  const { destinations = [], selected_destination_id: selected, groups } = asked ?? {};
  const known = destinations.map((each, index) => shippingDestination(each, index, version));
  const option = groups?.[0]?.selected_option_id;
  const group = { id: 'group_1', line_item_ids: ids, ...(option ? { selected_option_id: option } : {}) };
  return {
    methods: [
      {
        id: asked?.id ?? 'method_1',
        type: method,
        line_item_ids: ids,
        ...(method === 'shipping' ? { destinations: known } : {}),
        ...(selected ? { selected_destination_id: selected } : {}),
        groups: [group],
      },
    ],
  };
}
