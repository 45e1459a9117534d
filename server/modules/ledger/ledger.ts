/** Writes the books: at the end of each transaction that changed the money of orders, what follows from it. */
import { warehouse } from '#contract/limits.ts';
import { type StockCost, type Touched, takeTouched } from '#db/before-commit.ts';
import { isMarked, setMark } from '#db/counters.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { dayMs, minuteMs } from '#server/platform/time-zone.ts';
import { billSource, costEntries, type Entry, eventsOf, type NewEvent, type OrderFacts } from './entries.ts';
import {
  bookedFor,
  closedUntil,
  type EventRow,
  factsOf,
  insertEvents,
  type OrderPlace,
  ordersAfter,
  recentOrders,
  unbookedOf,
} from './ledger.repository.ts';

/** Orders that are read, and those from before the books that are booked in one transaction. */
const atOnce = 50;

/** That orders from before the books are booked. */
export const pastIsBooked = 'books of the past';
/** So far back they are asked for nevertheless: an older version may still have sold while it was updated. */
const recentMs = 30 * dayMs;
/** In one query: databases limit its parameters. */
const idsAtOnce = 500;

/** What happens is booked with it: an event that is so much older was not. */
const oldMs = minuteMs;

export interface LedgerDeps {
  db: Database;
  now: () => number;
  /** Of the shop. */
  currency: (reader: Reader) => Promise<string>;
}

/** An event that is no order's, such as cash that is put into a drawer. */
export type OtherEvent = Pick<
  EventRow,
  'kind' | 'source' | 'order' | 'store' | 'currency' | 'actor' | 'entries' | 'note'
> & {
  /** Epoch ms. */
  at: number;
};

export type Ledger = ReturnType<typeof createLedger>;

export function createLedger({ db, now, currency: shopCurrency }: LedgerDeps) {
  /** Writes events, those of closed periods into the open one. @throws {Error} if the entries of one do not sum to zero */
  async function write(trx: Trx, events: readonly Omit<EventRow, 'bookedAt'>[]): Promise<void> {
    if (events.length === 0) return;
    const closed = await closedUntil(trx);
    await insertEvents(
      db,
      trx,
      events.map((event) => ({ ...event, bookedAt: Math.max(event.at, closed) })),
    );
  }

  /** Writes what the books lack of orders, which the caller has changed, and what the units cost that it moved. */
  async function book(
    trx: Trx,
    { orders: ids, costs, actor }: Touched,
    { isRebuilt }: { isRebuilt: boolean } = { isRebuilt: false },
  ): Promise<void> {
    for (const id of ids) await db.queries.lock(trx, `books of ${id}`);
    const orders = await compared(trx, ids);
    const late = orders.filter(({ events }) => events.length > 0);
    const at = now();
    // An order from before the books may change before its turn comes: what it was until then is made again, as by `rebuild`.
    const isOld = ({ at: happened }: NewEvent) => happened !== null && happened < at - oldMs;
    const isPastOpen =
      !isRebuilt &&
      late.some(({ isFirst, events }) => isFirst && events.some(isOld)) &&
      !(await isMarked(trx, pastIsBooked));
    const ofOrders = late.flatMap(({ order: { id: order, store, currency }, events, isFirst }) =>
      events.map((event) => {
        const own = { order, store, currency, actor: event.actor ?? actor };
        return {
          ...event,
          ...own,
          isRebuilt: isRebuilt || (isPastOpen && isFirst && isOld(event)),
          at: event.at ?? at,
        };
      }),
    );
    const currencies = new Map(orders.map(({ order: { id, currency } }) => [id, currency]));
    await write(trx, [...ofOrders, ...(await costEvents(trx, costs, currencies))]);
  }

  /** One event for each order, or place, in the currency that it was sold in. */
  async function costEvents(trx: Trx, costs: readonly StockCost[], currencies: ReadonlyMap<string, string>) {
    const events: Omit<EventRow, 'bookedAt'>[] = [];
    for (const own of Map.groupBy(costs, ({ at, order, place, actor }) =>
      JSON.stringify([at, order, place, actor]),
    ).values()) {
      const [first] = own;
      if (!first) continue;
      const { at, order, place, actor } = first;
      const currency = currencies.get(order ?? '') ?? (await shopCurrency(trx));
      const store = place === warehouse || place === '' ? null : place;
      const entries = costEntries(own);
      events.push({
        kind: 'cost',
        source: 'stock',
        at,
        order,
        store,
        currency,
        actor,
        isRebuilt: false,
        entries,
      });
    }
    return events;
  }

  db.beforeCommit(async (trx) => {
    const touched = takeTouched(trx);
    if (touched.orders.length + touched.costs.length > 0) await book(trx, touched);
  });

  return {
    /** Records an event that is no order's. @throws {Error} if its entries do not sum to zero */
    async record(trx: Trx, events: readonly OtherEvent[]): Promise<void> {
      await write(
        trx,
        events.map((event) => ({ ...event, isRebuilt: false })),
      );
    },

    /**
     * Books orders from before the shop had books, some at a time, from what they, their payments and refunds say. They are marked:
     * the bill of an order that was changed is the last one. Returns how many.
     */
    async rebuild(): Promise<number> {
      let count = 0;
      const isWhole = await isMarked(db.read, pastIsBooked);
      for await (const ids of unbookedIds(db.read)) {
        await db.transaction((trx) =>
          book(trx, { orders: ids, costs: [], actor: null }, { isRebuilt: true }),
        );
        count += ids.length;
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (!isWhole) await db.transaction((trx) => setMark(trx, pastIsBooked));
      return count;
    },

    /** Ids of orders whose entries do not sum to what the orders are. */
    wrong: () => wrongOrders(db),
  };
}

/** Ids of orders whose entries do not sum to what the orders are. */
export async function wrongOrders(db: Pick<Database, 'read'>): Promise<string[]> {
  const wrong: string[] = [];
  for await (const ids of idsOf(db.read, { isUnbooked: false })) {
    wrong.push(...(await wrongOf(db.read, ids)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return wrong;
}

/** Whether an order from before the books is still to be booked. */
export async function isAnyUnbooked(reader: Reader): Promise<boolean> {
  for await (const ids of unbookedIds(reader)) if ((await wrongOf(reader, ids)).length > 0) return true;
  return false;
}

/** Those of which nothing is booked. Once the past is, only what is new is asked for: every transaction books what it does. */
async function* unbookedIds(reader: Reader): AsyncGenerator<string[]> {
  if (!(await isMarked(reader, pastIsBooked))) return yield* idsOf(reader, { isUnbooked: true });
  const recent = await recentOrders(reader, recentMs);
  for (let from = 0; from < recent.length; from += idsAtOnce) {
    const ids = await unbookedOf(reader, recent.slice(from, from + idsAtOnce));
    if (ids.length > 0) yield ids;
  }
}

/** Ids of the orders that have something to book, in pieces, the oldest first. */
async function* idsOf(reader: Reader, asked: { isUnbooked: boolean }): AsyncGenerator<string[]> {
  for (let after: OrderPlace = { at: -1, id: '' }; ; ) {
    const found = await ordersAfter(reader, after, { most: atOnce, ...asked });
    const last = found.at(-1);
    if (!last) return;
    after = last;
    yield found.map(({ id }) => id);
  }
}

interface Compared {
  order: OrderFacts;
  /** What the books lack of it. */
  events: NewEvent[];
  /** Nothing is booked of it. */
  isFirst: boolean;
}

/** Orders as they are, with what the books lack of them. */
async function compared(reader: Reader, ids: readonly string[]): Promise<Compared[]> {
  const [orders, booked] = [await factsOf(reader, ids), await bookedFor(reader, ids)];
  return orders.map((order) => {
    const own = booked.get(order.id) ?? new Map<string, readonly Entry[]>();
    return {
      order,
      events: eventsOf(withBookedLines(order, own.get(billSource) ?? []), own),
      isFirst: own.size === 0,
    };
  });
}

/** Ids of those of which the books lack something. */
const wrongOf = async (reader: Reader, ids: readonly string[]) =>
  (await compared(reader, ids)).flatMap(({ order, events }) => (events.length > 0 ? [order.id] : []));

/** A line keeps the category that it was sold in. */
function withBookedLines(order: OrderFacts, booked: readonly Entry[]): OrderFacts {
  const known = new Map(
    booked.flatMap(({ line, category }) => (line === null ? [] : [[line, category] as const])),
  );
  return {
    ...order,
    lines: order.lines.map((line) => ({
      ...line,
      category: known.has(line.id) ? (known.get(line.id) ?? null) : line.category,
    })),
  };
}
