/** Limits on unpaid holds, so that no caller can take the shop's stock off sale without buying. */
import { createHash } from 'node:crypto';
import type { Database, Trx } from '#db/database.ts';
import { rateLimited } from '#server/platform/errors.ts';
import type { Buyer } from './order.ts';
import { unpaidHolds } from './unpaid-holds.repository.ts';

/** Orders that one network may hold unpaid at a time: more than pay at once in a school or an office. */
export const mostOfNetwork = 40;
/** Orders that one guest or customer may hold unpaid at a time. */
export const mostOfBuyer = 10;
/** Holds expire, so a retry makes sense soon, ms. */
const retryAfterMs = 60_000;

/** The hash of a network for `orders.held_from`: enough to count, but not to identify. */
export function heldFrom(network: string): string {
  return createHash('sha256').update(`hold\n${network}`).digest('base64url');
}

/**
 * Checks the limits for an order that has just begun to hold stock, itself included. Locks the network's holds until the
 * transaction ends, so that parallel orders cannot pass the limit together.
 * @throws {AppError} RATE_LIMITED if the network or the buyer holds too many orders unpaid; the caller's transaction is rolled
 * back
 */
export async function limitUnpaidHolds(trx: Trx, db: Database, buyer: Buyer, network: string): Promise<void> {
  // Sent together; the counts are taken once the lock is.
  const [, { ofNetwork, ofBuyer }] = await Promise.all([
    db.queries.lock(trx, `unpaid holds ${network}`),
    unpaidHolds(trx, network, buyer),
  ]);
  if (ofNetwork > mostOfNetwork || ofBuyer > mostOfBuyer) throw rateLimited(retryAfterMs);
}
