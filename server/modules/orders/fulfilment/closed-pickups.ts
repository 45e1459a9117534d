/** Pickups at a time at which their store is closed: finds them, and tells their customers to choose another time. */
import { spanAt } from '#contract/rules/opening-hours.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import type { Store, StoresService } from '#server/modules/stores/index.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import type { OrderHead } from '../order/order.ts';
import { awaitedPickups } from '../order/orders.repository.ts';

export interface ClosedPickupsDeps {
  db: Database;
  now: () => number;
  stores: StoresService;
  mail: OutboxService;
}

/** Orders to be picked up from `now` on that none of these stores is open for, the next pickup first. */
export async function closedPickups(
  reader: Reader,
  stores: readonly Store[],
  now: number,
): Promise<OrderHead[]> {
  const waiting = await awaitedPickups(reader, now);
  return waiting.filter(({ storeId, pickupAt }) => {
    const store = stores.find(({ id }) => id === storeId);
    return pickupAt !== null && !(store && isOpen(store, pickupAt));
  });
}

function isOpen(store: Store, at: number): boolean {
  const { date, minutes } = wallClock(at, store.timeZone);
  return spanAt(store, date, minutes) !== null;
}

export type ClosedPickups = ReturnType<typeof createClosedPickups>;

export function createClosedPickups({ db, now, stores, mail }: ClosedPickupsDeps) {
  /** Orders that the stores of the shop can serve, and could not after these changes. */
  async function closedBy(reader: Reader, changes: readonly Store[]): Promise<OrderHead[]> {
    if (changes.length === 0) return [];
    const before = await stores.read(reader);
    const changed = new Map(changes.map((store) => [store.id, store]));
    const already = new Set((await closedPickups(reader, before, now())).map(({ id }) => id));
    const after = before.map((store) => changed.get(store.id) ?? store);
    return (await closedPickups(reader, after, now())).filter(({ id }) => !already.has(id));
  }

  return {
    all: async (): Promise<OrderHead[]> => closedPickups(db.read, await stores.all(), now()),
    /** Orders to be picked up from a store before `at`, epoch ms. */
    before: async (storeId: string, at: number): Promise<OrderHead[]> =>
      (await awaitedPickups(db.read, now())).filter(
        (order) => order.storeId === storeId && (order.pickupAt ?? at) < at,
      ),
    closedBy: (changes: readonly Store[]): Promise<OrderHead[]> => closedBy(db.read, changes),
    /**
     * Emails the customers of the orders that these changes leave without a store, with their link. Call it in the transaction of
     * the changes, before them. Returns the orders; a customer without an address gets no email.
     */
    async tell(trx: Trx, changes: readonly Store[]): Promise<OrderHead[]> {
      const closed = await closedBy(trx, changes);
      for (const { id, contact, language, pickupAt } of closed) {
        if (!contact?.email || pickupAt === null) continue;
        await mail.enqueue(trx, {
          kind: 'pickupClosed',
          recipient: contact.email,
          locale: language,
          data: { orderId: id, pickupAt },
          reference: `pickupClosed:${id}:${pickupAt}`,
        });
      }
      return closed;
    },
  };
}
