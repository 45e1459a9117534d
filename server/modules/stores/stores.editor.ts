/** Adds, changes and removes stores. Each change is one transaction, visible on the next request. */
import type { Problem } from '#contract/problems.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Trx } from '#db/database.ts';
import { type Change, changedFields } from '#server/modules/changes/index.ts';
import { InputError, validationError } from '#server/platform/errors.ts';
import { topics } from '#server/platform/topics.ts';
import { nextDaysOpening, timeAhead } from './open-hours.ts';
import { mainStoreProblems, type Store, storeProblems } from './store-input.ts';
import { toRow, toStore } from './stored-stores.ts';
import { allStores, lockStores, putStore, removeStore, type StoreRow, updateToday } from './stores.repository.ts';

export interface TodayChange {
  busyMinutes?: number;
  paused?: boolean;
  until?: string;
}

export function createStoresEditor({ db, now }: { db: Database; now: () => number }) {
  return {
    /** Until the transaction ends. */
    lock: (trx: Trx) => lockStores(db, trx),
    /**
     * Removes a store at `at` (epoch ms), and increments the catalogue version. Its row stays for the orders that were placed
     * there; `upsert` restores it.
     */
    async remove(trx: Trx, id: string, at: number): Promise<void> {
      await removeStore(trx, id, at);
      await recordCatalogueChange(trx, [topics.stores]);
    },
    /** What is wrong with these stores once they are in the shop beside the others; empty if they can be written. */
    async problemsOf(stores: readonly Store[]): Promise<Problem[]> {
      return upsertProblems(stores, await allStores(db.read));
    },
    /**
     * Adds or updates stores in the given order; others stay.
     * @param before runs first, in the same transaction
     * @throws {InputError} naming every problem, with none changed
     */
    async upsert({ trx, note }: Change, stores: readonly Store[], before?: () => Promise<void>): Promise<void> {
      await lockStores(db, trx);
      const known = await allStores(trx);
      const problems = upsertProblems(stores, known);
      if (problems.length > 0) throw new InputError(problems);
      await before?.();
      const next = Math.max(-1, ...known.map(({ position }) => position)) + 1;
      for (const [index, store] of stores.entries()) {
        const row = known.find(({ id }) => id === store.id);
        await putStore(trx, toRow(store, row?.position ?? next + index));
        note('store', store.id, row && changedFields(toStore(row), store));
      }
      await recordCatalogueChange(trx, [topics.stores]);
    },
    /**
     * Says how busy a store is, or that it takes no pickups for a while. What is not given stays. Either ends at `until`, HH:mm of
     * the store's clock, and without it when the store opens on its next day. No minutes, or `false`, end it at once.
     * @throws {AppError} for a time that is not ahead
     */
    async changeToday({ trx, note }: Change, store: Store, { busyMinutes, paused, until }: TodayChange): Promise<void> {
      const end = until === undefined ? nextDaysOpening(store, now()) : timeAhead(store, until, now());
      if (end === null) throw validationError({ until: 'office.opening.timeOver' });
      const busy = busyMinutes === undefined ? {} : { busy_minutes: busyMinutes, busy_until: busyMinutes > 0 ? end : 0 };
      const changed = { ...busy, ...(paused === undefined ? {} : { paused_until: paused ? end : 0 }) };
      const row = (await allStores(trx)).find(({ id }) => id === store.id);
      if (Object.keys(changed).length > 0) await updateToday(trx, store.id, changed);
      note('store', store.id, row ? changedFields(row, { ...row, ...changed }) : []);
      await recordCatalogueChange(trx, [topics.stores]);
    },
  };
}

function upsertProblems(stores: readonly Store[], known: readonly StoreRow[]): Problem[] {
  const ids = new Set(stores.map(({ id }) => id));
  const others = known.filter(({ id }) => !ids.has(id)).map(toStore);
  return [...storeProblems(stores), ...mainStoreProblems([...others, ...stores])];
}
