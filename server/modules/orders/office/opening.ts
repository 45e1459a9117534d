/** What the desk changes about a store's day: what it has none of, and the days on which it is closed. */
import type { FastifyInstance } from 'fastify';
import type { Locale } from '#contract/locales.ts';
import { addDays, hoursText } from '#contract/rules/opening-hours.ts';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import { closedAhead, type SoldOutToday, type StoreDays, type StorePickup } from '#contract/staff/stores.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { CatalogueEditor, SearchService } from '#server/modules/catalogue/index.ts';
import type { Change, ChangesService } from '#server/modules/changes/index.ts';
import type { Store, StoresService, TodayChange } from '#server/modules/stores/index.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { isCalendarDay, wallClock } from '#server/platform/time-zone.ts';
import type { ClosedPickups } from '../fulfilment/closed-pickups.ts';
import type { OrderHead } from '../order/order.ts';

interface OpeningDeps {
  changes: ChangesService;
  now: () => number;
  stores: StoresService;
  editor: CatalogueEditor;
  search: SearchService;
  closedPickups: ClosedPickups;
}

function createSoldOutToday({ stores, editor, search }: OpeningDeps) {
  async function find(text: string, locale: Locale) {
    if (text.trim() === '') return [];
    const { products, partial } = await search.suggest(text, locale);
    // What has only some of the words is offered to shoppers; here it would be marked by mistake.
    const ids = partial ? [] : products.map(({ id }) => id);
    return editor.findItems(text, ids, locale);
  }

  return {
    /** The SKUs that a text names. */
    async skus(_permit: Permit<'orders.read'>, text: string, locale: Locale) {
      const found = await find(text, locale);
      return found.flatMap(({ item, ...named }) =>
        item.startsWith('sku:') ? { sku: item.slice('sku:'.length), ...named } : [],
      );
    },

    async soldOut(
      permit: Permit<'stock.soldOut'>,
      storeId: string,
      locale: Locale,
      text = '',
    ): Promise<SoldOutToday> {
      const { id, timeZone } = reach(permit, await stores.all(), storeId);
      const untils = new Map(
        (await editor.soldOut()).flatMap(({ store_id, item, until }) =>
          store_id === id ? [[item, until] as const] : [],
        ),
      );
      const items = await editor.describeItems([...untils.keys()], locale);
      const found = await find(text, locale);
      return {
        timeZone,
        items: items.map((each) => ({ ...each, until: untils.get(each.item) ?? 0 })),
        found,
      };
    },

    /** @throws {AppError} NOT_FOUND for an item that is not there */
    async markSoldOut(
      change: Change,
      permit: Permit<'stock.soldOut'>,
      storeId: string,
      { item, soldOut }: StaffBody<'markSoldOut'>,
    ): Promise<void> {
      const store = reach(permit, await stores.read(change.trx), storeId);
      if (!soldOut) return void (await editor.unmarkSoldOut(change, store.id, item));
      if ((await editor.describeItems([item], 'en', change.trx)).length === 0) throw notFound();
      await editor.markSoldOut(change, store, item);
    },
  };
}

function createPickup({ stores, closedPickups }: OpeningDeps) {
  return {
    async pickup(permit: Permit<'desk.pause'>, storeId: string): Promise<StorePickup> {
      const { id, timeZone, today } = reach(permit, await stores.all(), storeId);
      const { busy = null, pausedUntil = null } = today ?? {};
      const waiting = pausedUntil === null ? [] : await closedPickups.before(id, pausedUntil);
      return { timeZone, busy, pausedUntil, waiting: waiting.map(toWaiting) };
    },
    async changePickup(
      change: Change,
      permit: Permit<'desk.pause'>,
      storeId: string,
      wish: TodayChange,
    ): Promise<void> {
      await stores.changeToday(change, reach(permit, await stores.read(change.trx), storeId), wish);
    },
  };
}

const toWaiting = ({ number, pickupAt, contact }: OrderHead): StoreDays['waiting'][number] => ({
  number: number ?? '',
  pickupAt: pickupAt ?? 0,
  email: Boolean(contact?.email),
});

function createDays({ now, stores, closedPickups }: OpeningDeps) {
  /** @throws {AppError} for a day that does not exist, is over, or too far away */
  function checkDay(store: Store, date: string): void {
    const { date: today } = wallClock(now(), store.timeZone);
    if (!isCalendarDay(date)) throw validationError({ date: 'office.takings.noDay' });
    if (date < today) throw validationError({ date: 'office.opening.dayOver' });
    if (date > addDays(today, closedAhead)) throw validationError({ date: 'office.opening.dayFar' });
  }

  function daysOf({ timeZone, specialHours }: Store, waiting: readonly OrderHead[]): StoreDays {
    const { date: today } = wallClock(now(), timeZone);
    return {
      timeZone,
      today,
      days: specialHours
        .filter(({ date }) => date >= today)
        .map(({ date, hours }) => ({ date, hours: hours && hoursText(hours, ', ') })),
      waiting: waiting.map(toWaiting),
    };
  }

  return {
    /** With the orders that closing the store on `date` would concern. */
    async days(permit: Permit<'desk.pause'>, storeId: string, date?: string): Promise<StoreDays> {
      const store = reach(permit, await stores.all(), storeId);
      if (date === undefined) return daysOf(store, []);
      checkDay(store, date);
      return daysOf(store, await closedPickups.closedBy([withDay(store, date, true)]));
    },

    /** Emails the customers whose pickup time goes; they are in the answer. */
    async closeDay(
      change: Change,
      permit: Permit<'desk.pause'>,
      storeId: string,
      { date, closed }: StaffBody<'closeDay'>,
    ) {
      // Two people who close days at once both close them.
      await stores.lock(change.trx);
      const store = reach(permit, await stores.read(change.trx), storeId);
      checkDay(store, date);
      const changed = withDay(store, date, closed);
      let told: OrderHead[] = [];
      await stores.upsert(change, [changed], async () => {
        told = await closedPickups.tell(change.trx, [changed]);
      });
      return daysOf(changed, told);
    },
  };
}

/** @throws {AppError} NOT_FOUND for a store that is not there, or not the permit's */
function reach(permit: Permit, all: readonly Store[], id: string): Store {
  const store = all.find((each) => each.id === id);
  if (!store || !permit.reaches(id)) throw notFound();
  return store;
}

/** Closed on the day, or with the hours of every week. */
function withDay(store: Store, date: string, closed: boolean): Store {
  const others = store.specialHours.filter((each) => each.date !== date);
  const days = closed ? [...others, { date, hours: null }] : others;
  return { ...store, specialHours: days.toSorted((a, b) => (a.date < b.date ? -1 : 1)) };
}

export function registerOpening(app: FastifyInstance, deps: OpeningDeps): void {
  const { changes } = deps;
  const opening = { ...createSoldOutToday(deps), ...createPickup(deps), ...createDays(deps) };
  serveStaff(app, 'items', async ({ permit, query, lang }) => ({
    items: await opening.skus(permit, query.text ?? '', lang),
  }));
  serveStaff(app, 'soldOut', ({ permit, params, query, lang }) =>
    opening.soldOut(permit, params.store, lang, query.text),
  );
  serveStaff(app, 'markSoldOut', async ({ permit, params, body, lang }) => {
    await changes.run(permit.actor, 'sold-out', (change) =>
      opening.markSoldOut(change, permit, params.store, body),
    );
    return opening.soldOut(permit, params.store, lang);
  });
  serveStaff(app, 'storePickup', ({ permit, params }) => opening.pickup(permit, params.store));
  serveStaff(app, 'changePickup', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'pickup', (change) =>
      opening.changePickup(change, permit, params.store, body),
    );
    return opening.pickup(permit, params.store);
  });
  serveStaff(app, 'storeDays', ({ permit, params, query }) => opening.days(permit, params.store, query.date));
  serveStaff(app, 'closeDay', ({ permit, params, body }) =>
    changes.run(permit.actor, 'opening hours', (change) =>
      opening.closeDay(change, permit, params.store, body),
    ),
  );
}
