/**
 * Links by which a buyer follows an order on any device, without an account. Each email carries a random token of its own, of which
 * only the hash is stored (docs/decisions/0062-each-order-email-has-its-own-link.md).
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import { slotErrors } from '#contract/rules/slot.ts';
import type { Order, OrderByLink } from '#contract/schemas/order.ts';
import type { Database, Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { PickupService } from '#server/modules/stores/index.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import { type Attempt, networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { FulfilmentError } from '../fulfilment-error.ts';
import { type OrderHead, slotOf } from '../order.ts';
import type { OrderSettings } from '../order-settings.ts';
import { findOrder } from '../orders.repository.ts';
import type { OrdersService } from '../orders.service.ts';
import { reservedUntil } from '../reservation-deadline.ts';
import { endedStates } from '../states.ts';
import { canCancel, canChangePickup, isReservation, latestPickup } from './link-actions.ts';
import { hasLinkEnded, linkLifeMs } from './link-end.ts';
import { maskedOrder } from './masked-order.ts';
import {
  changePickupTime,
  deleteOldOrderLinks,
  findOrderLink,
  insertOrderLink,
  type OrderLinkRow,
  revokeOrderLinks,
} from './order-links.repository.ts';

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

export type OrderLinksService = ReturnType<typeof createOrderLinks>;

/** The bytes of a token: 256 bits. */
const tokenBytes = 32;

export function createOrderLinks(deps: OrderLinksDeps) {
  const { db, now, orders } = deps;

  /**
   * The order of a link that works.
   * @throws {AppError} as `view`
   */
  async function readByLink(call: LinkCall): Promise<{ orderId: string; order: Order }> {
    const { order_id: orderId, revoked_at } = await knownLink(deps, call);
    const found = await orders.customers.forMail(orderId, call.locale);
    if (revoked_at !== null || !found || hasLinkEnded(found.order, now())) throw ended();
    return { orderId, order: found.order };
  }

  async function present(orderId: string, order: Order): Promise<OrderByLink> {
    const [settings, head] = await Promise.all([orders.settings(), findOrder(db.read, orderId)]);
    if (!head) throw ended();
    return { ...maskedOrder(order), canCancel: canCancel(head), canChangePickup: canChangePickup(head, settings) };
  }

  /** Runs a change in a transaction in which the link works, and returns the order after it. */
  async function change(call: LinkCall, run: (trx: Trx, order: OrderHead, settings: OrderSettings) => Promise<void>) {
    const { orderId } = await readByLink(call);
    const settings = await orders.settings();
    await db.transaction(async (trx) => {
      const link = await findOrderLink(trx, hashOf(call.token));
      const order = await findOrder(trx, orderId);
      if (!link || link.revoked_at !== null || !order) throw ended();
      await run(trx, order, settings);
    });
    const changed = await orders.customers.forMail(orderId, call.locale);
    if (!changed) throw ended();
    return present(orderId, changed.order);
  }

  return {
    /** Creates a link to an order. Returns its token, which is stored nowhere. */
    async create(orderId: string): Promise<string> {
      const token = randomBytes(tokenBytes).toString('base64url');
      const row = { token_hash: hashOf(token), order_id: orderId, created_at: now(), revoked_at: null };
      await db.single((trx) => insertOrderLink(trx, row));
      return token;
    },

    /**
     * The order of a link.
     * @throws {AppError} NOT_FOUND for an unknown token (404), or for one that has ended or was revoked (410); RATE_LIMITED
     */
    async view(call: LinkCall): Promise<OrderByLink> {
      const { orderId, order } = await readByLink(call);
      return present(orderId, order);
    },

    /**
     * Cancels a reservation that has not been paid. Called again it changes nothing.
     * @throws {AppError} as `view`; CONFLICT if it can no longer be cancelled
     */
    cancel: (call: LinkCall): Promise<OrderByLink> =>
      change(call, async (trx, order) => {
        if (order.state === 'cancelled') return;
        if (!canCancel(order)) throw changedMeanwhile();
        await orders.fulfilment.cancelIn(trx, order.number ?? '', 'by the customer').catch((error: unknown) => {
          throw error instanceof FulfilmentError ? changedMeanwhile() : error;
        });
      }),

    /**
     * Moves the pickup to another time of its store. Called again with the same time it changes nothing.
     * @throws {AppError} as `view`; CONFLICT if the order no longer allows it; REQUEST_VALIDATION_ERROR if the time is unavailable
     */
    changePickup: (call: LinkCall, at: number): Promise<OrderByLink> =>
      change(call, (trx, order, settings) => movePickup(deps, trx, order, at, settings)),

    /**
     * Revokes all links to the order of a link, as its buyer. Called again it changes nothing.
     * @throws {AppError} NOT_FOUND for an unknown token; RATE_LIMITED
     */
    async revoke(call: LinkCall): Promise<void> {
      const { order_id, revoked_at } = await knownLink(deps, call);
      if (revoked_at === null) await db.transaction((trx) => revokeOrderLinks(trx, order_id, now()));
    },

    /**
     * Revokes all links to an order, as the merchant. Returns how many were not revoked before.
     * @throws {FulfilmentError} if there is no such order
     */
    async revokeOf(number: string): Promise<number> {
      const { id } = await orders.fulfilment.find(number);
      return db.transaction((trx) => revokeOrderLinks(trx, id, now()));
    },

    /** Deletes links that ended long ago. Until then they answer 410. */
    sweep: (): Promise<void> => db.transaction((trx) => deleteOldOrderLinks(trx, endedStates, now() - 2 * linkLifeMs)),
  };
}

/**
 * The row of a token. Every unknown token takes the same work, whatever its form, and counts against the caller's network.
 * @throws {AppError} NOT_FOUND for an unknown token; RATE_LIMITED
 */
async function knownLink({ db, attempts }: OrderLinksDeps, { token, address }: LinkCall): Promise<OrderLinkRow> {
  const network = networkOf(address);
  const guess: Attempt[] = [['orderLinkUnknown', network]];
  await attempts.count([['orderLinkAddress', network], ...guess]);
  const link = await findOrderLink(db.read, hashOf(token));
  if (!link) throw notFound('error.orderLinkUnknown');
  await db.transaction((trx) => attempts.undo(trx, guess));
  return link;
}

/** Reserves the new time, releases the old one, and holds a reservation for as long after it as promised. */
async function movePickup(
  { pickup, stock, now }: OrderLinksDeps,
  trx: Trx,
  order: OrderHead,
  at: number,
  settings: OrderSettings,
): Promise<void> {
  const slot = slotOf(order);
  const store = settings.stores.find(({ id }) => id === slot?.storeId);
  if (slot && slot.at === at) return;
  if (!slot || !store || !canChangePickup(order, settings)) throw changedMeanwhile();
  // First, so that nothing else of the order can change after this.
  const moved = await changePickupTime(trx, order, at, now());
  if (!moved) throw changedMeanwhile();
  const reason = at > latestPickup(order) ? 'tooFar' : await pickup.unavailableReason(trx, store, at);
  if (reason) throw validationError(slotErrors(reason));
  if (!(await pickup.reserve(trx, store, at))) throw validationError(slotErrors('full'));
  await pickup.release(trx, slot.storeId, slot.at);
  if (isReservation(moved) && moved.placedAt !== null) {
    const reservationHours = moved.reservationHours ?? settings.reservationHours;
    await stock.holdUntil(trx, moved.id, reservedUntil(moved, moved.placedAt, { ...settings, reservationHours }));
  }
}

function ended(): AppError {
  return new AppError('NOT_FOUND', { errorKey: 'error.orderLinkEnded', status: 410 });
}

function changedMeanwhile(): AppError {
  return new AppError('CONFLICT', { errorKey: 'error.orderChanged' });
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
