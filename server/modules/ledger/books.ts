/** Reports of the books: sums of a span of days, the events behind a figure, and what orders owe. Nothing in them names a customer. */
import { inLocale, type Locale } from '#contract/locales.ts';
import { countedAs, movementOf, reportSign } from '#contract/staff/accounts-of-books.ts';
import { ages, type BookGroup, mostBookGroups, otherGroups } from '#contract/staff/book-figures.ts';
import {
  type BooksEvent,
  type BooksEvents,
  type BooksFilter,
  type BooksOwed,
  type BooksReport,
  type BooksRow,
  eventsPage,
  mostOwed,
  type OwedOrder,
} from '#contract/staff/books.ts';
import type { Database } from '#db/database.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { actorIn } from '#server/platform/actors.ts';
import { spanOf } from '#server/platform/day-span.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { placeName } from '#server/platform/provinces.ts';
import { isCalendarDay, wallClock } from '#server/platform/time-zone.ts';
import {
  countsIn,
  type EventSum,
  eventsOfFigure,
  namesOf,
  numbersOf,
  owedEntries,
  owedIn,
  quarterMs,
  type SummedRow,
  sumsIn,
} from './books.repository.ts';
import { fieldsOf } from './entry-columns.ts';

export interface BooksDeps {
  db: Database;
  now: () => number;
  stores: StoresService;
  /** The names of the staff, by their ids. */
  people: () => Promise<ReadonlyMap<string, string>>;
}

export interface BooksWanted {
  from: string;
  to: string;
  /** Null for all that the permit reaches. */
  store?: string | undefined;
}

type ReadPermit = Permit<'books.read' | 'books.export'>;
export type BooksService = ReturnType<typeof createBooks>;

export function createBooks(deps: BooksDeps) {
  const { db, stores } = deps;

  /** @throws {AppError} 404 for a store that the permit does not reach */
  async function spanFor(permit: ReadPermit, { from, to, store }: BooksWanted) {
    // What belongs to no store is within a permit for all of them.
    if (store !== undefined && permit.stores !== null && !permit.reaches(store)) throw notFound();
    return { ...spanOf(from, to, await stores.timeZone()), stores: permit.stores, store };
  }

  return {
    /** @throws {AppError} REQUEST_VALIDATION_ERROR for days that do not exist or are no range; 404 for a store that is not within reach */
    async report(
      permit: ReadPermit,
      wanted: BooksWanted & { by?: BookGroup | undefined },
      locale: Locale,
    ): Promise<BooksReport> {
      const span = await spanFor(permit, wanted);
      const { by = null } = wanted;
      const groupOf = groupNames(by, await stores.timeZone());
      const rows = new Map<string, BooksRow>();
      for await (const sums of sumsIn(db.read, span, by))
        for (const sum of sums) addRow(rows, sum, groupOf(sum.grouped));
      const counts = new Map<string, BooksReport['counts'][number]>();
      for await (const found of countsIn(db.read, span))
        for (const { store, currency, kind, count } of found) {
          const key = JSON.stringify([store, currency]);
          const sum = counts.get(key) ?? { store, currency, placed: 0, cancelled: 0 };
          sum[countedAs(kind)] += Number(count);
          counts.set(key, sum);
        }
      const listed = by === null ? [...rows.values()] : withMost([...rows.values()]);
      return {
        from: wanted.from,
        to: wanted.to,
        rows: listed.filter(({ amount, base, units }) => amount !== 0 || base !== 0 || units !== 0),
        counts: [...counts.values()],
        names: await namesIn(deps, listed, by, locale),
      };
    },

    /**
     * A page of the events that a figure sums.
     * @throws {AppError} as `report`
     */
    async events(
      permit: ReadPermit,
      { currency, filter, after = null, ...wanted }: BooksWanted & EventsAsked,
    ): Promise<BooksEvents> {
      const span = await spanFor(permit, wanted);
      const isWanted = inGroup(filter, await stores.timeZone());
      const found: EventSum[] = [];
      // One more than a page says whether there is another.
      for await (const some of eventsOfFigure(db.read, {
        ...span,
        currency,
        filter,
        after,
        most: eventsPage + 1,
      })) {
        found.push(...some.filter(({ at }) => isWanted(Number(at))));
        if (found.length > eventsPage) break;
      }
      const shown = found.slice(0, eventsPage);
      const numbers = await numbersOf(db.read, [...new Set(shown.flatMap(({ order_id }) => order_id ?? []))]);
      const last = shown.at(-1);
      return {
        events: shown.map((event) => toEvent(event, numbers)),
        after: last && found.length > eventsPage ? { bookedAt: Number(last.booked_at), id: last.id } : null,
      };
    },

    /**
     * What orders owed at the end of a day, and what was owed to their buyers. `most`: how many are listed.
     * @throws {AppError} REQUEST_VALIDATION_ERROR for a day that does not exist, or has not come; 404 for a store that is not within reach
     */
    async owed(
      permit: ReadPermit,
      { day, store }: { day: string; store?: string | undefined },
      most = mostOwed,
    ): Promise<BooksOwed> {
      if (!isCalendarDay(day)) throw validationError({ day: 'office.takings.noDay' });
      if (day > wallClock(deps.now(), await stores.timeZone()).date)
        throw validationError({ day: 'office.owed.future' });
      const span = await spanFor(permit, { from: day, to: day, store });
      const open = new Map<string, { store: string | null; currency: string; amount: number }>();
      for await (const rows of owedIn(db.read, span))
        for (const { order_id, store: of, currency, amount } of rows) {
          const known = open.get(order_id) ?? { store: of, currency, amount: 0 };
          known.amount += Number(amount);
          if (known.amount === 0) open.delete(order_id);
          else open.set(order_id, known);
        }
      const since = await sinceOf(deps, [...open.keys()], span.to);
      const timeZone = await stores.timeZone();
      const last = Temporal.PlainDate.from(day);
      const all = [...open].map(([id, owed]) => {
        const at = Temporal.Instant.fromEpochMilliseconds(since.get(id) ?? span.from);
        const first = at.toZonedDateTimeISO(timeZone).toPlainDate();
        return {
          id,
          ...owed,
          since: first.toString(),
          days: Math.max(0, first.until(last, { largestUnit: 'day' }).days),
        };
      });
      all.sort((a, b) => b.days - a.days || (a.id < b.id ? -1 : 1));
      const listed = all.slice(0, most);
      const numbers = await numbersIn(
        deps,
        listed.map(({ id }) => id),
      );
      return {
        day,
        sums: sumsByAge(all),
        orders: listed.map(({ id, ...owed }): OwedOrder => ({ order: numbers.get(id) ?? id, ...owed })),
        more: all.length - listed.length,
      };
    },
  };
}

interface EventsAsked {
  currency: string;
  filter: BooksFilter;
  after?: { bookedAt: number; id: string } | null | undefined;
}

/** What a row is grouped by, of what the database groups by. */
function groupNames(by: BookGroup | null, timeZone: string): (grouped: string | number) => string {
  if (by !== 'hour' && by !== 'weekday') return String;
  const known = new Map<number, string>();
  return (grouped) => {
    const quarter = Number(grouped);
    const name = known.get(quarter) ?? clockPart(by, quarter * quarterMs, timeZone);
    known.set(quarter, name);
    return name;
  };
}

function clockPart(by: 'hour' | 'weekday', at: number, timeZone: string): string {
  const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  return String(by === 'hour' ? time.hour : time.dayOfWeek);
}

function inGroup({ group }: BooksFilter, timeZone: string): (at: number) => boolean {
  if (group?.by !== 'hour' && group?.by !== 'weekday') return () => true;
  const { by, key } = group;
  return (at) => clockPart(by, at, timeZone) === key;
}

function addRow(rows: Map<string, BooksRow>, sum: SummedRow, group: string): void {
  const { store, currency, account } = sum;
  const row: BooksRow = {
    group,
    currency,
    store,
    movement: movementOf(sum.kind),
    account,
    ...fieldsOf(sum),
    person: sum.actor ?? '',
    amount: reportSign(account) * Number(sum.amount) + 0,
    base: Number(sum.base),
    units: Number(sum.units),
  };
  const { amount, base, units, ...key } = row;
  const text = JSON.stringify(key);
  const known = rows.get(text);
  if (known) {
    known.amount += amount;
    known.base += base;
    known.units += units;
  } else rows.set(text, row);
}

/** The groups with most, each by itself, and all others as one. */
function withMost(rows: readonly BooksRow[]): BooksRow[] {
  const size = new Map<string, number>();
  for (const { group, amount } of rows) size.set(group, (size.get(group) ?? 0) + Math.abs(amount));
  if (size.size <= mostBookGroups) return [...rows];
  const most = new Set(
    [...size]
      .sort(([, a], [, b]) => b - a)
      .slice(0, mostBookGroups)
      .map(([group]) => group),
  );
  const kept = new Map<string, BooksRow>();
  for (const { amount, base, units, ...key } of rows) {
    const own = { ...key, group: most.has(key.group) ? key.group : otherGroups };
    const text = JSON.stringify(own);
    const known = kept.get(text) ?? { ...own, amount: 0, base: 0, units: 0 };
    kept.set(text, {
      ...known,
      amount: known.amount + amount,
      base: known.base + base,
      units: known.units + units,
    });
  }
  return [...kept.values()];
}

async function namesIn(
  { db, people }: BooksDeps,
  rows: readonly BooksRow[],
  by: BookGroup | null,
  locale: Locale,
) {
  const unique = (of: (row: BooksRow) => string) =>
    [...new Set(rows.map(of))].filter((id) => id !== '' && id !== otherGroups);
  if (by === 'product' || by === 'category') {
    const names = await namesOf(
      db.read,
      by === 'product' ? 'products' : 'categories',
      unique(({ group }) => group),
    );
    return [...names].map(([id, name]) => ({ id, name: inLocale(name, locale) }));
  }
  const persons = unique(({ person }) => person);
  const staff = persons.length === 0 ? new Map<string, string>() : await people();
  return [
    ...unique(({ place }) => place).map((id) => ({ id, name: placeName(id, locale) })),
    ...persons.flatMap((id) => {
      const actor = actorIn(id);
      const name = actor.kind === 'staff' ? staff.get(actor.id) : undefined;
      return name === undefined ? [] : [{ id, name }];
    }),
  ];
}

function toEvent(event: EventSum, numbers: ReadonlyMap<string, string>): BooksEvent {
  return {
    id: event.id,
    at: Number(event.at),
    bookedAt: Number(event.booked_at),
    kind: event.kind,
    store: event.store,
    order: event.order_id === null ? null : (numbers.get(event.order_id) ?? null),
    amount: Number(event.amount),
    base: Number(event.base),
    isRebuilt: Number(event.rebuilt) === 1,
  };
}

/** In one statement: databases limit its parameters. */
const ordersAtOnce = 500;

/** From when on each order has owed what it owes now: since it last was settled, or owed to the other side. Epoch ms. */
async function sinceOf({ db }: BooksDeps, ids: readonly string[], to: number): Promise<Map<string, number>> {
  const since = new Map<string, number>();
  for (let from = 0; from < ids.length; from += ordersAtOnce) {
    const balances = new Map<string, number>();
    for (const { order_id, booked_at, amount_cents } of await owedEntries(
      db.read,
      ids.slice(from, from + ordersAtOnce),
      to,
    )) {
      if (order_id === null) continue;
      const before = balances.get(order_id) ?? 0;
      const after = before + Number(amount_cents);
      if (Math.sign(after) !== Math.sign(before)) since.set(order_id, Number(booked_at));
      balances.set(order_id, after);
    }
  }
  return since;
}

async function numbersIn({ db }: BooksDeps, ids: readonly string[]): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (let from = 0; from < ids.length; from += ordersAtOnce)
    for (const [id, number] of await numbersOf(db.read, ids.slice(from, from + ordersAtOnce)))
      all.set(id, number);
  return all;
}

function sumsByAge(all: readonly { currency: string; amount: number; days: number }[]): BooksOwed['sums'] {
  const sums = new Map<string, BooksOwed['sums'][number]>();
  for (const { currency, amount, days } of all) {
    const side = amount > 0 ? 'receivable' : 'deposit';
    const key = `${currency} ${side}`;
    const sum = sums.get(key) ?? { currency, side, ages: ages.map(() => 0), orders: 0 };
    const age = ages.findLastIndex((from) => days >= from);
    sum.ages[age] = (sum.ages[age] ?? 0) + amount;
    sum.orders += 1;
    sums.set(key, sum);
  }
  return [...sums.values()];
}
