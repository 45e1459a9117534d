/** Limits on unpaid orders: no caller can take the shop's stock off sale without buying, and no table run up a bill. */
import { createHash } from 'node:crypto';
import type { Database, Trx } from '#db/database.ts';
import type { StockLevels } from '#server/modules/inventory/index.ts';
import {
  type Buyer,
  type OrderHead,
  type OrderLine,
  type OrderSettings,
  unitsOf,
} from '#server/modules/orders/index.ts';
import { AppError, rateLimited } from '#server/platform/errors.ts';
import { type Attempt, networkOf, networksAround } from '#server/platform/rate-limits/rate-limits.service.ts';
import { mailboxKeyOf } from '#server/platform/text.ts';
import { hourMs } from '#server/platform/time-zone.ts';
import {
  type HeldUnits,
  unpaidAtTable,
  unpaidHolds,
  unpaidHoldsOf,
  unpaidUnits,
} from './hold-limits.repository.ts';

type UnpaidOrders = Awaited<ReturnType<typeof unpaidHolds>>;

/** Orders that one network may hold unpaid at a time: more than pay at once in a school or an office. */
export const mostOfNetwork = 40;
/** Orders that one guest or customer may hold unpaid at a time. */
export const mostOfBuyer = 10;
/** Units that unpaid orders of one network, and of one guest or customer, may hold together. */
export const mostUnits = { ofNetwork: 80, ofBuyer: 30 };
/** They hold at most half of a SKU at a location, but always this many units of it. */
const unitsOfAnySku = 4;
/** Staff settle the orders of tables on the same day; older ones must not close a table. */
const tableOrdersCountMs = 6 * hourMs;
/** Holds expire, so a retry makes sense soon, ms. */
const retryAfterMs = 60_000;

/** Hex digits of one network's hash. */
const hashLength = 32;

/**
 * Hashes of a network and those around it for `orders.held_from`, the widest first, so that all that a wide network holds begins alike:
 * enough to count, but not to identify.
 */
export function heldFrom(network: string): string {
  const names = networksAround(network).map(({ name }) => name);
  const hashes = names.map((name) =>
    createHash('sha256').update(`hold\n${name}`).digest('hex').slice(0, hashLength),
  );
  return hashes.reverse().join('');
}

/** What `held_from` begins with for a network and those around it, the narrowest first, and the share of the limits of each. */
function startsOf(network: string): { start: string; share: number }[] {
  const all = network.length / hashLength;
  return Array.from({ length: all }, (_, wider) => ({
    start: network.slice(0, (all - wider) * hashLength),
    share: 4 ** wider,
  }));
}

/**
 * Checks the limits for an order that has just begun to hold stock, itself included. Locks the network's holds until the
 * transaction ends, so that parallel orders cannot pass the limit together.
 * @throws {AppError} RATE_LIMITED if the network or the buyer holds too many orders unpaid; the caller's transaction is rolled
 * back
 */
export async function limitUnpaidHolds(
  trx: Trx,
  db: Database,
  buyer: Buyer,
  network: string,
): Promise<UnpaidOrders> {
  const around = startsOf(network).slice(1);
  // Sent together; the counts are taken once the lock is.
  const [, { ofNetwork, ofBuyer }, ...wider] = await Promise.all([
    db.queries.lock(trx, `unpaid holds ${network.slice(0, hashLength)}`),
    unpaidHolds(trx, network, buyer),
    ...around.map(({ start }) => unpaidHoldsOf(trx, start)),
  ]);
  const isCrowded = around.some(({ share }, index) => (wider[index] ?? 0) > share * mostOfNetwork);
  if (isCrowded || ofNetwork > mostOfNetwork || ofBuyer > mostOfBuyer) throw rateLimited(retryAfterMs);
  return { ofNetwork: Math.max(ofNetwork, ...wider), ofBuyer };
}

/**
 * Whether an order may hold the stock of its lines at `location` while it is unpaid: with its network's and its buyer's other unpaid
 * orders it stays below `mostUnits` and half of each SKU. Under the lock of `limitUnpaidHolds`, whose result is `orders`.
 */
export async function mayHoldUnpaid(
  trx: Trx,
  { buyer, network, orders }: { buyer: Buyer; network: string; orders: UnpaidOrders },
  lines: readonly OrderLine[],
  { stock, location }: { stock: StockLevels; location: string },
): Promise<boolean> {
  const isOnlyOne = orders.ofNetwork === 1 && orders.ofBuyer === 1;
  const networks = startsOf(network);
  const starts = networks.map(({ start }) => start);
  const [ofBuyer, ...ofNetworks] = isOnlyOne ? [none] : await unpaidUnits(trx, starts, buyer);
  const units = unitsOf(lines);
  const isWithin = (held: HeldUnits, most: number) =>
    sum([...held.values(), ...units.map(({ quantity }) => quantity)]) <= most &&
    units.every(({ sku, quantity }) => {
      const others = held.get(`${sku}@${location}`) ?? 0;
      const all = (stock.get(sku)?.get(location) ?? 0) + others;
      return quantity + others <= Math.max(unitsOfAnySku, all / 2);
    });
  return (
    networks.every(({ share }, index) => isWithin(ofNetworks[index] ?? none, share * mostUnits.ofNetwork)) &&
    isWithin(ofBuyer ?? none, mostUnits.ofBuyer)
  );
}

const none: HeldUnits = new Map();
const sum = (units: readonly number[]) => units.reduce((total, each) => total + each, 0);

/**
 * Limits the unpaid orders of a table, for one that is about to be reserved. Locks the table until the transaction ends.
 * @throws {AppError} CONFLICT rule.tableBusy
 */
export async function limitTable(
  trx: Trx,
  db: Database,
  order: OrderHead,
  { at, settings: { tables } }: { at: number; settings: OrderSettings },
): Promise<void> {
  const { method, storeId, tableNumber } = order;
  if (method !== 'instore' || storeId === null || tableNumber === null) return;
  await db.queries.lock(trx, `table ${storeId} ${tableNumber}`);
  if (
    (await unpaidAtTable(trx, { storeId, tableNumber, since: at - tableOrdersCountMs })) >=
    tables.unpaidOrders
  )
    throw new AppError('CONFLICT', {
      errorKey: 'rule.tableBusy',
      errors: { paymentMethod: 'rule.tableBusy' },
    });
}

/** The rate limits of an unpaid order. `email` receives its confirmation, if any; `address` is the client's. */
export function unpaidOrderRateLimits(email: string | null | undefined, address: string): Attempt[] {
  const counted: Attempt[] = [['reserveAddress', networkOf(address)]];
  if (email) counted.push(['reserveEmail', mailboxKeyOf(email)]);
  return counted;
}
