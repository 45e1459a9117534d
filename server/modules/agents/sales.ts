/**
 * Carts and checkouts of agents. Each is the cart of a session of its own, and everything that happens to it is a call that the
 * storefront makes too: there is no second cart and no second price. A cart and the checkout that it becomes are one row.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Database } from '#db/database.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { CheckoutService, Paying } from '#server/modules/checkout/index.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type {
  CartService,
  CouponEntry,
  OrderLinksService,
  OrderSettings,
  OrdersService,
} from '#server/modules/orders/index.ts';
import type { PaymentProvider, PaymentsService } from '#server/modules/payments/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import { AppError } from '#server/platform/errors.ts';
import {
  type SessionHandle,
  type SessionsService,
  sessionMs,
} from '#server/platform/sessions/sessions.service.ts';
import type { Turns } from '#server/platform/turns.ts';
import {
  type AgentCartRow,
  changeAgentCart,
  findAgentCart,
  insertAgentCart,
  linkOrder,
  ordersOfCart,
} from './agents.repository.ts';
import { discountsBody, lineBody, linksBody, totalsOf } from './bodies.ts';
import {
  chooseFulfilment,
  fulfilmentBody,
  methodOf,
  optionOf,
  placedFulfilment,
  placeOf,
  type Said,
  shippingOptions,
  storeOf,
} from './fulfilment.ts';
import { applyCodes, linesIn, replaceLines, stockMessages } from './lines.ts';
import type { AgentCatalogue } from './products.ts';
import {
  type Answer,
  type Body,
  correctable,
  envelope,
  forBuyer,
  type Message,
  messagesOf,
  ProtocolError,
  type Root,
  refusalOf,
  roots,
  textOf,
  type UcpVersion,
} from './protocol.ts';
import { type Agent, isProven } from './registry.ts';
import type { CheckoutInput } from './requests.ts';
import { continuePath } from './routes.ts';

export interface SalesDeps {
  db: Database;
  now: () => number;
  sessions: SessionsService;
  settings: SettingsService;
  cart: CartService;
  couponEntry: CouponEntry;
  checkout: CheckoutService;
  paying: Paying;
  payments: PaymentsService;
  orders: OrdersService;
  orderLinks: OrderLinksService;
  webhookEvents: WebhookEvents;
  changes: ChangesService;
  products: AgentCatalogue;
  stock: Pick<StockService, 'levels'>;
  origin: () => string;
  /** For what takes the thread long. */
  turns: Turns;
  /** From which the tokens of sessions are derived. */
  secret: Buffer;
}

/** Whom the shop serves, by a link that an agent made or by a call of the agent itself. */
export interface Visit extends SalesDeps {
  locale: Locale;
  address: string;
}

export interface Call extends Visit {
  agent: Agent;
}

type Kind = 'cart' | 'checkout';

/** A row with what the shop has of it. */
export interface Sale {
  row: AgentCartRow;
  session: SessionHandle;
  request: Said;
  settings: OrderSettings;
  /** Its own cart, empty if it is none any more. */
  cart: Order;
  /** The order that it became, or that a person made of it. */
  placedId: string | null;
}

export const publicId = (kind: Kind, { id }: Pick<AgentCartRow, 'id'>) => `${kind}_${id}`;

/** The messages that the last change left. */
export const problemsOf = ({ row }: Sale) => JSON.parse(row.problems) as Message[];

/** Ends an operation: the request was understood, and nothing came of it. */
export class Outcome extends Error {
  override name = 'Outcome';
  readonly answer: Answer;

  constructor({ agent, origin, locale }: Call, root: Root | null, messages: readonly Message[]) {
    super(messages[0]?.code);
    const body = {
      ucp: envelope(agent, root, { status: 'error' }),
      messages,
      continue_url: `${origin()}/?lang=${locale}`,
    };
    this.answer = { status: 200, body };
  }
}

/** For a reason that the agent cannot correct. */
export const refused = (call: Call, root: Root | null, code: string, content: string) =>
  new Outcome(call, root, [{ type: 'error', code, severity: 'unrecoverable', content }]);

export async function openSale(visit: Visit, row: AgentCartRow): Promise<Sale> {
  const { db, orders, sessions, cart, secret, locale, address } = visit;
  const token = createHmac('sha256', secret).update(`session\n${row.id}`).digest('base64url');
  const session = sessions.openDerived(token, address);
  const [settings, own, known] = await Promise.all([
    orders.settings(),
    cart.get(session, locale),
    ordersOfCart(db.read, row.id),
  ]);
  const placedId = known.find(({ placedAt }) => placedAt !== null)?.id ?? null;
  return { row, session, request: JSON.parse(row.request) as Said, settings, cart: own, placedId };
}

/** @throws {Outcome} if the agent has no such cart or checkout */
export async function findSale(call: Call, kind: Kind, id: string, root: Root = roots[kind]): Promise<Sale> {
  const [, key] = new RegExp(`^${kind}_([0-9a-f]{40})$`).exec(id) ?? [];
  const row = key === undefined ? undefined : await findAgentCart(call.db.read, key);
  const isOwn = row?.agent_id === call.agent.id && (kind === 'cart' ? !row.canceled : row.is_checkout === 1);
  if (!row || !isOwn) throw refused(call, root, 'not_found', `There is no such ${kind}.`);
  return openSale(call, row);
}

/** @throws {ProtocolError} once it was completed or cancelled */
export function requireOpen({ placedId, row }: Sale): void {
  if (placedId !== null)
    throw new ProtocolError(409, 'checkout_completed', 'The checkout is completed and cannot change.');
  if (row.canceled) throw new ProtocolError(409, 'checkout_canceled', 'The checkout was cancelled.');
}

/** Brings the shop's cart in line with the request, and keeps what the agent said. */
async function applyRequest(
  call: Call,
  sale: Sale,
  input: Said & Pick<CheckoutInput, 'line_items'>,
  kind: Kind,
) {
  const { cart, locale } = call;
  const { session } = sale;
  const { buyer, context, discounts, fulfillment, note } = input;
  const said = { buyer, context, discounts, note };
  const request: Said = kind === 'cart' ? { ...sale.request, ...said } : { ...said, fulfillment };
  const problems = await replaceLines(call, session, input.line_items);
  const current = await cart.get(session, locale);
  if (current.lineItems.length > 0) {
    problems.push(...(await applyCodes(call, session, current, discounts?.codes ?? [])));
    if (note !== undefined) await cart.comment(session, note, locale);
    if (kind === 'checkout')
      problems.push(
        ...(await chooseFulfilment(call, { ...sale, request, cart: await cart.get(session, locale) })),
      );
  }
  return keepRequest(call, { ...sale, request }, problems, kind);
}

export async function keepRequest(
  call: Call,
  sale: Sale,
  problems: readonly Message[],
  kind: Kind,
): Promise<Sale> {
  const { row, request } = sale;
  const current = await call.cart.get(sale.session, call.locale);
  const changed = await call.db.transaction(async (trx) => {
    const values = {
      request: JSON.stringify(request),
      problems: JSON.stringify(problems),
      updated_at: call.now(),
    };
    const kept = await changeAgentCart(trx, row.id, {
      ...values,
      ...(kind === 'checkout' ? { is_checkout: 1 } : {}),
    });
    if (kept && current.orderID !== null) await linkOrder(trx, current.orderID, row);
    return kept;
  });
  return { ...sale, row: changed ?? row, cart: current };
}

/** A cart or a checkout with nothing in it. */
export async function beginSale(call: Call, kind: Kind): Promise<Sale> {
  const { agent, now } = call;
  const row = await call.db.transaction(async (trx) => {
    if (kind === 'checkout' && agent.webhookUrl !== null)
      await call.webhookEvents.addAgentEndpoint(trx, agent.webhookUrl);
    return insertAgentCart(
      trx,
      {
        id: randomBytes(20).toString('hex'),
        agent_id: agent.id,
        link: randomBytes(32).toString('base64url'),
      },
      now(),
    );
  });
  return openSale(call, row);
}

export async function createSale(call: Call, kind: Kind, input: CheckoutInput): Promise<Answer> {
  const sale = await applyRequest(call, await beginSale(call, kind), input, kind);
  if (input.line_items.length > 0) await requireContent(call, sale, roots[kind]);
  return presentSale(call, kind, sale, 201);
}

/** Nothing stays of a sale of which nothing can be had. @throws {Outcome} for it */
export async function requireContent(call: Call, sale: Sale, root: Root): Promise<void> {
  if (sale.cart.lineItems.length > 0) return;
  await call.db.transaction((trx) => changeAgentCart(trx, sale.row.id, ended));
  throw new Outcome(
    call,
    root,
    problemsOf(sale).map((each) => ({ ...each, severity: 'unrecoverable' })),
  );
}

const ended = { canceled: 1, request: '{}', problems: '[]' } as const;

export async function getSale(call: Call, kind: Kind, id: string): Promise<Answer> {
  const sale = await findSale(call, kind, id);
  if (kind === 'cart' && sale.placedId !== null)
    throw refused(call, roots.cart, 'not_found', 'There is no such cart.');
  return presentSale(call, kind, sale);
}

export async function updateSale(call: Call, kind: Kind, id: string, input: CheckoutInput): Promise<Answer> {
  const sale = await findSale(call, kind, id);
  requireOpen(sale);
  return presentSale(call, kind, await applyRequest(call, sale, input, kind));
}

export async function cancelSale(call: Call, kind: Kind, id: string): Promise<Answer> {
  const { db, now, cart, locale } = call;
  const found = await findSale(call, kind, id);
  requireOpen(found);
  // What was being paid is given up first; it may have succeeded meanwhile.
  await call.paying.cancel(found.session, locale);
  const sale = await openSale(call, found.row);
  requireOpen(sale);
  const shown = await presentSale(call, kind, sale);
  await db.transaction((trx) => changeAgentCart(trx, sale.row.id, { ...ended, updated_at: now() }));
  for (const { id: line } of sale.cart.lineItems) await cart.remove(sale.session, { line }, locale);
  if (kind === 'cart') return shown;
  const { continue_url: _url, expires_at: _at, ...body } = shown.body;
  return { status: 200, body: { ...body, status: 'canceled', messages: [] } };
}

/** What the cart has counts; what the request repeats of it is ignored. A checkout that it already is, is returned. */
export async function checkoutOfCart(call: Call, cartId: string, input: CheckoutInput): Promise<Answer> {
  const found = await findSale(call, 'cart', cartId);
  if (found.row.is_checkout === 1) return presentSale(call, 'checkout', found);
  const {
    buyer = input.buyer,
    context = input.context,
    discounts = input.discounts,
    note = input.note,
  } = found.request;
  const whole = { ...input, buyer, context, discounts, note, line_items: linesIn(found.cart) };
  return presentSale(call, 'checkout', await applyRequest(call, found, whole, 'checkout'), 201);
}

/** Carts and checkouts as their agents see them. */
export async function presentSale(call: Call, kind: Kind, sale: Sale, status = 200): Promise<Answer> {
  return { status, body: kind === 'cart' ? cartBody(call, sale) : await checkoutBody(call, sale) };
}

function cartBody(call: Call, sale: Sale): Body {
  const { cart, request } = sale;
  const codes = request.discounts?.codes;
  return {
    ucp: envelope(call.agent, roots.cart),
    id: publicId('cart', sale.row),
    ...contentBody(call, sale, cart.bill),
    totals: totalsOf(cart.bill, call.locale, false),
    discounts: codes && discountsBody(cart, codes, call.locale),
    messages: [...problemsOf(sale), ...stockMessages(cart)],
    ...openBody(call, sale),
  };
}

const contentBody = (
  { agent, origin }: Call,
  { cart, request, settings }: Sale,
  bill: Order['bill'],
): Body => ({
  line_items: cart.lineItems.map((line) => lineBody(line, bill, origin())),
  // What names a person goes only to an agent that has proven who it is.
  buyer: isProven(agent) ? request.buyer : undefined,
  context: isProven(agent) ? request.context : publicContext(request.context),
  currency: settings.currency,
});

const publicContext = (context: Said['context']) => {
  if (!context) return undefined;
  const { postal_code: _code, ...shown } = context;
  return shown;
};

const openBody = ({ origin, locale }: Call, { row }: Sale): Body => ({
  continue_url: `${origin()}${continuePath}/${row.link}?lang=${locale}`,
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
  const isBilled = isOver || order.bill.final;
  const estimated = isBilled ? null : await estimate(call, shown);
  const bill = estimated?.bill ?? order.bill;
  const fulfilment = isOver
    ? { body: placedFulfilment(shown, agent), hints: [] }
    : await fulfilmentBody(call, shown);
  const { footer } = await call.settings.all();
  const label = order.orderNumber ?? '';
  return {
    ucp: envelope(agent, roots.checkout, {
      payment_handlers: provider ? handlerRegistry(provider, origin, version) : {},
    }),
    id: publicId('checkout', sale.row),
    status,
    ...contentBody(call, shown, bill),
    totals: totalsOf(bill, locale, estimated?.isShipped ?? methodOf(shown)?.type === 'shipping'),
    discounts: discountsBody({ ...order, bill }, request.discounts?.codes ?? [], locale),
    fulfillment: fulfilment.body,
    payment: { instruments: [] },
    messages: [...messages, ...fulfilment.hints],
    links: linksBody(footer.links, origin, locale),
    ...(isOver ? {} : openBody(call, sale)),
    order:
      placedId === null ? undefined : { id: placedId, label, permalink_url: await permalink(call, placedId) },
  };
}

/** A link to the order that names nobody and changes nothing. */
export async function permalink({ secret, orderLinks, origin }: SalesDeps, orderId: string): Promise<string> {
  const token = createHmac('sha256', secret).update(`order\n${orderId}`).digest('base64url');
  await orderLinks.ensureReading(orderId, token);
  return `${origin()}/order/${token}`;
}

/** The provider by which agents can pay without a person; null if there is none. */
export async function payable(
  { checkout, payments }: SalesDeps,
  { payment }: OrderSettings,
): Promise<PaymentProvider | null> {
  const { paymentOnline, defaultGateWayProviderName: name } = await checkout.paymentConfig();
  const provider = payment.paymentOnline && paymentOnline ? payments.providers.find(name) : null;
  return provider?.agents ? provider : null;
}

/** By names in the shop's own domain. */
export function handlerRegistry(
  { name, agents }: PaymentProvider,
  origin: string,
  version: UcpVersion,
): Body {
  if (!agents) return {};
  const host = new URL(origin).hostname.split('.').reverse();
  const domain = /^\d/.test(host[0] ?? '')
    ? ['localhost']
    : host.map((part) => part.replace(/[^a-z0-9_]/g, '_'));
  const { instruments, config } = agents;
  return {
    [agents.handler ?? [...domain, name].join('.')]: [
      { id: name, version, available_instruments: instruments.map((type) => ({ type })), config },
    ],
  };
}

interface CheckoutState {
  order: Order;
  status:
    | 'incomplete'
    | 'requires_escalation'
    | 'ready_for_complete'
    | 'complete_in_progress'
    | 'completed'
    | 'canceled';
  messages: Message[];
}

async function stateOf(call: Call, sale: Sale, canPay: boolean): Promise<CheckoutState> {
  const { placedId, row, session, cart } = sale;
  const { locale } = call;
  const state = (status: CheckoutState['status'], messages: Message[] = [], order = cart) => ({
    order,
    status,
    messages,
  });
  if (placedId !== null)
    return state('completed', [], (await call.orders.customers.forMail(placedId, locale))?.order);
  if (row.canceled) return state('canceled');
  if (cart.state === 'paying') return state('complete_in_progress');
  const problems = [...problemsOf(sale), ...stockMessages(cart)];
  if (problems.some(({ type }) => type === 'error') || cart.lineItems.length === 0)
    return state('incomplete', problems);
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
async function estimate(call: Call, sale: Sale): Promise<{ bill: Order['bill']; isShipped: boolean }> {
  const { checkout, locale } = call;
  const { session, cart } = sale;
  const chosen = methodOf(sale);
  if (!chosen || cart.lineItems.length === 0) return { bill: cart.bill, isShipped: false };
  const { type, asked } = chosen;
  const bill = (place: object) => checkout.billEstimate(session, { methodName: type, ...place }, locale);
  if (type === 'pickup')
    return { bill: await bill({ localStoreName: storeOf(sale.settings, asked)?.id }), isShipped: false };
  const options = await shippingOptions(call, sale, asked);
  // Nothing is charged for a way that is not offered.
  if (options.length === 0) return { bill: cart.bill, isShipped: false };
  const wanted = options.find(({ id }) => id === optionOf(asked)) ?? options[0];
  return { bill: await bill({ ...placeOf(sale, asked), shippingMethod: wanted?.id }), isShipped: true };
}
