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
import type { CartService, CouponEntry, OrderLinksService, OrderSettings, OrdersService } from '#server/modules/orders/index.ts';
import type { PaymentsService } from '#server/modules/payments/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import type { SessionHandle, SessionsService } from '#server/platform/sessions/sessions.service.ts';
import {
  type AgentCartRow,
  changeAgentCart,
  findAgentCart,
  insertAgentCart,
  linkOrder,
  ordersOfCart,
} from './agents.repository.ts';
import { applyCodes } from './codes.ts';
import { chooseFulfilment, type Said } from './fulfilment.ts';
import { replaceLines } from './lines.ts';
import { presentSale } from './presenting.ts';
import type { AgentCatalogue } from './products.ts';
import { type Answer, type Message, outcome, ProtocolError, type Root, shopping } from './protocol.ts';
import type { Agent } from './registry.ts';
import type { CheckoutInput } from './requests.ts';

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
  /** From which the tokens of sessions are derived. */
  secret: Buffer;
}

/** Who asks, and how they are answered. */
export interface Caller {
  agent: Agent;
  locale: Locale;
  address: string;
}

export type Kind = 'cart' | 'checkout';

export const roots = { cart: `${shopping}.cart`, checkout: `${shopping}.checkout` } as const satisfies Record<Kind, Root>;

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

/** For a reason that the agent cannot correct. */
export function refused({ origin }: SalesDeps, root: Root | null, code: string, content: string, caller: Caller): Answer {
  const message: Message = { type: 'error', code, severity: 'unrecoverable', content };
  return outcome(caller.agent, root, [message], `${origin()}/?lang=${caller.locale}`);
}

export const notFound = (deps: SalesDeps, kind: Kind, caller: Caller): Answer =>
  refused(deps, roots[kind], 'not_found', `There is no such ${kind}.`, caller);

const tokenOf = (secret: Buffer, id: string) => createHmac('sha256', secret).update(`session\n${id}`).digest('base64url');

export async function openSale(deps: SalesDeps, row: AgentCartRow, { locale, address }: Omit<Caller, 'agent'>): Promise<Sale> {
  const { db, orders, sessions, cart } = deps;
  const session = sessions.openDerived(tokenOf(deps.secret, row.id), address);
  const [settings, own, known] = await Promise.all([orders.settings(), cart.get(session, locale), ordersOfCart(db.read, row.id)]);
  const placedId = known.find(({ placedAt }) => placedAt !== null)?.id ?? null;
  return { row, session, request: JSON.parse(row.request) as Said, settings, cart: own, placedId };
}

/** Null if the agent has no such cart or checkout. */
export async function findSale(deps: SalesDeps, kind: Kind, id: string, caller: Caller): Promise<Sale | null> {
  const [, key] = new RegExp(`^${kind}_([0-9a-f]{40})$`).exec(id) ?? [];
  const row = key === undefined ? undefined : await findAgentCart(deps.db.read, key);
  const isOwn = row && row.agent_id === caller.agent.id && (kind === 'cart' || row.is_checkout === 1);
  return isOwn ? openSale(deps, row, caller) : null;
}

/** @throws {ProtocolError} once it was completed or cancelled */
export function requireOpen({ placedId, row }: Sale): void {
  if (placedId !== null) throw new ProtocolError(409, 'checkout_completed', 'The checkout is completed and cannot change.');
  if (row.canceled) throw new ProtocolError(409, 'checkout_canceled', 'The checkout was cancelled.');
}

/** Brings the shop's cart in line with the request, and keeps what the agent said. */
export async function applyRequest(
  deps: SalesDeps,
  sale: Sale,
  input: Said & Pick<CheckoutInput, 'line_items'>,
  kind: Kind,
  caller: Caller,
): Promise<Sale> {
  const { cart } = deps;
  const { session, settings } = sale;
  const { locale, address } = caller;
  const { buyer, context, discounts, fulfillment } = input;
  const request: Said =
    kind === 'cart' ? { ...sale.request, buyer, context, discounts } : { buyer, context, discounts, fulfillment };
  const problems = await replaceLines(deps, session, input.line_items, locale);
  const current = await cart.get(session, locale);
  if (current.lineItems.length > 0) {
    problems.push(...(await applyCodes(deps, session, current, discounts?.codes ?? [], caller)));
    if (kind === 'checkout') {
      const wish = { session, request, settings, locale, address };
      problems.push(...(await chooseFulfilment(deps, wish, await cart.get(session, locale))));
    }
  }
  return keepRequest(deps, sale, request, problems, kind, locale);
}

export async function keepRequest(
  { db, now, cart }: SalesDeps,
  sale: Sale,
  request: Said,
  problems: readonly Message[],
  kind: Kind,
  locale: Locale,
): Promise<Sale> {
  const current = await cart.get(sale.session, locale);
  const { row } = sale;
  const changed = await db.transaction(async (trx) => {
    const values = { request: JSON.stringify(request), problems: JSON.stringify(problems), updated_at: now() };
    const kept = await changeAgentCart(trx, row.id, { ...values, ...(kind === 'checkout' ? { is_checkout: 1 } : {}) });
    if (kept && current.orderID !== null) await linkOrder(trx, current.orderID, row);
    return kept;
  });
  return { ...sale, row: changed ?? row, request, cart: current };
}

/** A cart or a checkout with nothing in it. */
export async function beginSale(deps: SalesDeps, kind: Kind, caller: Caller): Promise<Sale> {
  const { db, now } = deps;
  const { agent } = caller;
  const row = await db.transaction(async (trx) => {
    if (kind === 'checkout' && agent.webhookUrl !== null) await deps.webhookEvents.addAgentEndpoint(trx, agent.webhookUrl);
    return insertAgentCart(trx, { id: randomBytes(20).toString('hex'), agent_id: agent.id, at: now() });
  });
  return openSale(deps, row, caller);
}

export async function createSale(deps: SalesDeps, kind: Kind, input: CheckoutInput, caller: Caller): Promise<Answer> {
  const sale = await applyRequest(deps, await beginSale(deps, kind, caller), input, kind, caller);
  if (sale.cart.lineItems.length > 0 || input.line_items.length === 0) return presentSale(deps, kind, sale, caller, 201);
  return endEmpty(deps, kind, sale, caller);
}

/** Nothing stays of a sale of which nothing can be had. */
export async function endEmpty({ db, origin }: SalesDeps, kind: Kind, sale: Sale, { agent, locale }: Caller): Promise<Answer> {
  await db.transaction((trx) => changeAgentCart(trx, sale.row.id, ended));
  const messages = problemsOf(sale).map((each): Message => ({ ...each, severity: 'unrecoverable' }));
  return outcome(agent, roots[kind], messages, `${origin()}/?lang=${locale}`);
}

const ended = { canceled: 1, request: '{}', problems: '[]' } as const;

export async function getSale(deps: SalesDeps, kind: Kind, id: string, caller: Caller): Promise<Answer> {
  const sale = await findSale(deps, kind, id, caller);
  if (!sale || (kind === 'cart' && (sale.row.canceled || sale.placedId !== null))) return notFound(deps, kind, caller);
  return presentSale(deps, kind, sale, caller);
}

export async function updateSale(deps: SalesDeps, kind: Kind, id: string, input: CheckoutInput, caller: Caller): Promise<Answer> {
  const sale = await findSale(deps, kind, id, caller);
  if (!sale || (kind === 'cart' && sale.row.canceled)) return notFound(deps, kind, caller);
  requireOpen(sale);
  return presentSale(deps, kind, await applyRequest(deps, sale, input, kind, caller), caller);
}

export async function cancelSale(deps: SalesDeps, kind: Kind, id: string, caller: Caller): Promise<Answer> {
  const { db, now, cart, paying } = deps;
  const found = await findSale(deps, kind, id, caller);
  if (!found || (kind === 'cart' && found.row.canceled)) return notFound(deps, kind, caller);
  requireOpen(found);
  // What was being paid is given up first; it may have succeeded meanwhile.
  await paying.cancel(found.session, caller.locale);
  const sale = await openSale(deps, found.row, caller);
  requireOpen(sale);
  const shown = await presentSale(deps, kind, sale, caller);
  await db.transaction((trx) => changeAgentCart(trx, sale.row.id, { ...ended, updated_at: now() }));
  for (const { id: line } of sale.cart.lineItems) await cart.remove(sale.session, { line }, caller.locale);
  if (kind === 'cart') return shown;
  const { continue_url: _url, expires_at: _at, ...body } = shown.body;
  return { status: 200, body: { ...body, status: 'canceled', messages: [] } };
}

/** What the cart has counts; what the request repeats of it is ignored. A checkout that it already is, is returned. */
export async function checkoutOfCart(deps: SalesDeps, cartId: string, input: CheckoutInput, caller: Caller): Promise<Answer> {
  const found = await findSale(deps, 'cart', cartId, caller);
  if (!found || found.row.canceled) return notFound(deps, 'cart', caller);
  if (found.row.is_checkout === 1) return presentSale(deps, 'checkout', found, caller);
  const lines = found.cart.lineItems.map(({ id, sku, quantity }) => ({ id, item: { id: sku }, quantity }));
  const { buyer = input.buyer, context = input.context, discounts = input.discounts } = found.request;
  const whole = { ...input, buyer, context, discounts, line_items: lines };
  return presentSale(deps, 'checkout', await applyRequest(deps, found, whole, 'checkout', caller), caller, 201);
}
