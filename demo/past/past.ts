/**
 * Gives the demo shop a past: 120 days of orders and of what else happens in a shop, made by its own services at the time of each, and
 * what waits at the desk now. Each slice is a transaction that also says how far it is, so that a process may end at any time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#db/database.ts';
import type { Env } from '#server/env.ts';
import { AppError } from '#server/platform/errors.ts';
import { type Chore, planChores } from './chores.ts';
import { allSkus, type Levels } from './goods.ts';
import { liveOrder } from './orders.ts';
import { makeBuyers } from './people.ts';
import { type PlannedOrder, planOrders } from './plan.ts';
import { makePresent } from './present.ts';
import { endPast, nextSlice, takeSlice } from './progress.ts';
import { openPastShop, type PastShop } from './shop.ts';

/** Few, so that whoever buys meanwhile waits for less than a tenth of a second. */
const ordersInSlice = 3;
/** After a slice others may write, ms. */
const restMs = 2;

export interface PastOptions {
  /** Asked before each slice. */
  isOver?: () => boolean;
  /** What could not be made is left out. */
  log?: (problem: string) => void;
}

type Planned = PlannedOrder | Chore;

/** Makes what is still to be made. If another process makes it too, this one stops. */
export async function makePast(
  db: Database,
  env: Env,
  { isOver = () => false, log = () => {} }: PastOptions = {},
): Promise<void> {
  const next = await nextSlice(db.read);
  if (!next) return;
  const shop = openPastShop(db, env, next.until);
  const buyers = makeBuyers();
  const all: Planned[] = [...planOrders(next.until, buyers), ...planChores(next.until)];
  const slices = slicesOf(all.sort((one, other) => one.at - other.at));
  for (let { slice } = next; slice <= slices.length && !isOver(); slice++) {
    const part = slices[slice];
    const isMade = await makeOnce(shop, slice, async () => {
      if (part) return makeSlice(shop, part, log);
      await makePresent(shop, buyers, log);
      await shop.db.transaction(endPast);
    });
    if (!isMade) return;
    await pause(restMs);
  }
}

function slicesOf(all: readonly Planned[]): Planned[][] {
  const slices: Planned[][] = [];
  for (const each of all) {
    const last = slices.at(-1);
    const isFull =
      !last || last.length >= ordersInSlice || each.what === 'chore' || last[0]?.what === 'chore';
    if (isFull) slices.push([each]);
    else last.push(each);
  }
  return slices;
}

/** A slice and how far the past is then, in one transaction. False if another process has made it. */
async function makeOnce(
  { together, services, db, until }: PastShop,
  slice: number,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await together(async () => {
      if (!(await db.transaction((trx) => takeSlice(trx, slice)))) throw new MadeElsewhere();
      await work();
      // Nobody is told of what never was: emails, tickets and notices count as sent.
      await db.transaction((trx) => services.deliveries.settle(trx, until));
    });
    return true;
  } catch (error) {
    if (error instanceof MadeElsewhere) return false;
    throw error;
  }
}

class MadeElsewhere extends Error {
  override name = 'MadeElsewhere';
}

async function makeSlice(
  shop: PastShop,
  part: readonly Planned[],
  log: (problem: string) => void,
): Promise<void> {
  const levels = await levelsOf(shop);
  for (const each of part) {
    shop.at = each.at;
    const make = () => (each.what === 'order' ? liveOrder(shop, each, levels) : each.run(shop, levels));
    // As a whole or not at all.
    await shop
      .apart(make)
      .catch((error: unknown) => log(`${new Date(each.at).toISOString()}: ${problemText(error)}`));
  }
}

const problemText = (error: unknown) =>
  `${String(error)} ${error instanceof AppError ? JSON.stringify(error.details) : ''}`.trim();

/** As they are now; what a slice itself takes is little. */
async function levelsOf({ services, db }: PastShop): Promise<Levels> {
  const stock = await services.stock.levels(db.read, allSkus);
  return (sku, place) => stock.get(sku)?.get(place) ?? 0;
}
