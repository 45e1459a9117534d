/** Limits on unpaid holds, so that no caller can take the shop's stock off sale without buying. */
import { createHash } from 'node:crypto';
import type { Database, Trx } from '#db/database.ts';
import type { StockLevels } from '#server/modules/inventory/index.ts';
import { rateLimited } from '#server/platform/errors.ts';
import type { Buyer, OrderLine } from './order.ts';
import { type HeldUnits, unpaidHolds, unpaidUnits } from './unpaid-holds.repository.ts';

type UnpaidOrders = Awaited<ReturnType<typeof unpaidHolds>>;

/** Orders that one network may hold unpaid at a time: more than pay at once in a school or an office. */
export const mostOfNetwork = 40;
/** Orders that one guest or customer may hold unpaid at a time. */
export const mostOfBuyer = 10;
/** Units that unpaid orders of one network, and of one guest or customer, may hold together. */
export const mostUnits = { ofNetwork: 80, ofBuyer: 30 };
/** They hold at most half of a SKU at a location, but always this many units of it. */
const unitsOfAnySku = 4;
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
export async function limitUnpaidHolds(trx: Trx, db: Database, buyer: Buyer, network: string): Promise<UnpaidOrders> {
  // Sent together; the counts are taken once the lock is.
  const [, { ofNetwork, ofBuyer }] = await Promise.all([
    db.queries.lock(trx, `unpaid holds ${network}`),
    unpaidHolds(trx, network, buyer),
  ]);
  if (ofNetwork > mostOfNetwork || ofBuyer > mostOfBuyer) throw rateLimited(retryAfterMs);
  return { ofNetwork, ofBuyer };
}

/**
 * Whether an order may hold the stock of its lines at `location` while it is unpaid: with its network's and its buyer's other unpaid
 * orders it stays below `mostUnits` and half of each SKU. Under the lock of `limitUnpaidHolds`, whose result is `orders`.
 */
export async function mayHoldUnpaid(
  trx: Trx,
  { buyer, network, orders }: { buyer: Buyer; network: string; orders: UnpaidOrders },
  lines: readonly OrderLine[],
  stock: StockLevels,
  location: string,
): Promise<boolean> {
  const isOnlyOne = orders.ofNetwork === 1 && orders.ofBuyer === 1;
  const [ofNetwork, ofBuyer] = isOnlyOne ? [none, none] : await unpaidUnits(trx, network, buyer);
  const isWithin = (held: HeldUnits, most: number) =>
    sum([...held.values(), ...lines.map(({ quantity }) => quantity)]) <= most &&
    lines.every(({ sku, quantity }) => {
      const others = held.get(`${sku}@${location}`) ?? 0;
      const all = (stock.get(sku)?.get(location) ?? 0) + others;
      return quantity + others <= Math.max(unitsOfAnySku, all / 2);
    });
  return isWithin(ofNetwork, mostUnits.ofNetwork) && isWithin(ofBuyer, mostUnits.ofBuyer);
}

const none: HeldUnits = new Map();
const sum = (units: readonly number[]) => units.reduce((total, each) => total + each, 0);
