/**
 * Links by which a buyer follows an order on any device, without an account. Each email carries a random token of its own, of which
 * only the hash is stored (docs/decisions/0062-each-order-email-has-its-own-link.md).
 */
import { randomBytes } from 'node:crypto';
import type { OrderByLink } from '#contract/schemas/order.ts';
import { endedStates } from '../order/states.ts';
import { hashOf, knownLink, type LinkCall, type OrderLinksDeps, present, readByLink } from './link-access.ts';
import { cancelReservation, changeByLink, movePickup } from './link-changes.ts';
import { linkLifeMs } from './link-end.ts';
import { deleteOldOrderLinks, insertOrderLink, revokeOrderLinks } from './order-links.repository.ts';

export type OrderLinksService = ReturnType<typeof createOrderLinks>;

/** The bytes of a token: 256 bits. */
const tokenBytes = 32;

export function createOrderLinks(deps: OrderLinksDeps) {
  const { db, now, orders } = deps;

  return {
    /** Creates a link to an order. Returns its token, which is stored nowhere. */
    async create(orderId: string): Promise<string> {
      const token = randomBytes(tokenBytes).toString('base64url');
      const row = { token_hash: hashOf(token), order_id: orderId, created_at: now(), revoked_at: null };
      await db.transaction((trx) => insertOrderLink(trx, row));
      return token;
    },

    /**
     * The order of a link.
     * @throws {AppError} NOT_FOUND for an unknown token (404), or for one that has ended or was revoked (410); RATE_LIMITED
     */
    async view(call: LinkCall): Promise<OrderByLink> {
      const { orderId, order } = await readByLink(deps, call);
      return present(deps, orderId, order);
    },

    /**
     * Cancels a reservation that has not been paid. Called again it changes nothing.
     * @throws {AppError} as `view`; CONFLICT if it can no longer be cancelled
     */
    cancel: (call: LinkCall): Promise<OrderByLink> =>
      changeByLink(deps, call, (trx, order) => cancelReservation(deps, trx, order)),

    /**
     * Moves the pickup to another time of its store. Called again with the same time it changes nothing.
     * @throws {AppError} as `view`; CONFLICT if the order no longer allows it; REQUEST_VALIDATION_ERROR if the time is unavailable
     */
    changePickup: (call: LinkCall, at: number): Promise<OrderByLink> =>
      changeByLink(deps, call, (trx, order, settings) => movePickup(deps, trx, order, at, settings)),

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
