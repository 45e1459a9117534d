/** Opens an order by the token of a link: every attempt counts, and a link that has ended opens nothing. */
import { createHash } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import type { Order, OrderByLink } from '#contract/schemas/order.ts';
import type { Database } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { PickupService } from '#server/modules/stores/index.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { type Attempt, networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { findOrder } from '../order/orders.repository.ts';
import type { OrdersService } from '../order/orders.service.ts';
import { canCancel, canChangePickup } from './link-actions.ts';
import { hasLinkEnded } from './link-end.ts';
import { maskedOrder } from './masked-order.ts';
import { findOrderLink, type OrderLinkRow } from './order-links.repository.ts';

export interface OrderLinksDeps {
  db: Database;
  now: () => number;
  attempts: RateLimitsService;
  stock: StockService;
  pickup: PickupService;
  orders: Pick<OrdersService, 'settings' | 'fulfilment' | 'customers'>;
}

/** A call by link: the token, and the address and language of the caller. */
export interface LinkCall {
  token: string;
  address: string;
  locale: Locale;
}

/**
 * The row of a token. Every unknown token takes the same work, whatever its form, and counts against the caller's network.
 * @throws {AppError} NOT_FOUND for an unknown token; RATE_LIMITED
 */
export async function knownLink({ db, attempts }: OrderLinksDeps, { token, address }: LinkCall): Promise<OrderLinkRow> {
  const network = networkOf(address);
  const guess: Attempt[] = [['unknownLinkAddress', network]];
  await attempts.count([['orderLinkAddress', network], ...guess]);
  const link = await findOrderLink(db.read, hashOf(token));
  if (!link) throw notFound('error.orderLinkUnknown');
  await db.transaction((trx) => attempts.undo(trx, guess));
  return link;
}

/**
 * The order of a link that works.
 * @throws {AppError} NOT_FOUND for an unknown token (404), or for one that has ended or was revoked (410); RATE_LIMITED
 */
export async function readByLink(deps: OrderLinksDeps, call: LinkCall): Promise<{ orderId: string; order: Order }> {
  const { order_id: orderId, revoked_at } = await knownLink(deps, call);
  const found = await deps.orders.customers.forMail(orderId, call.locale);
  if (revoked_at !== null || !found || hasLinkEnded(found.order, deps.now())) throw ended();
  return { orderId, order: found.order };
}

/** The order as its link shows it, with what can be done about it. */
export async function present({ db, orders }: OrderLinksDeps, orderId: string, order: Order): Promise<OrderByLink> {
  const [settings, head] = await Promise.all([orders.settings(), findOrder(db.read, orderId)]);
  if (!head) throw ended();
  return { ...maskedOrder(order), canCancel: canCancel(head), canChangePickup: canChangePickup(head, settings) };
}

export function ended(): AppError {
  return new AppError('NOT_FOUND', { errorKey: 'error.orderLinkEnded', status: 410 });
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
