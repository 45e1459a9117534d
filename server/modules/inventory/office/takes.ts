/**
 * Stock-takes. Counts of several devices add up, also those that arrive late: what was expected is what the movements say was there
 * when a SKU was last counted, and only the difference is booked. What is sold meanwhile stays sold.
 */
import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type DeviceCount, itemsKept, type StockTake, stockPage } from '#contract/staff/stock.ts';
import type { Database, Trx } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { Change, ChangesService } from '#server/modules/changes/index.ts';
import { type Actor, actorIn, actorText } from '#server/platform/actors.ts';
import { AppError, notFound, OperationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { namesOf } from '../stock/items.ts';
import { firstItems, type ItemRow, itemsByCode, itemsOf } from '../stock/levels.repository.ts';
import { deleteNotesBefore } from '../stock/movements.repository.ts';
import type { StockService } from '../stock/stock.service.ts';
import type { OfficeStockDeps, Reach } from './office-stock.ts';
import {
  countsOf,
  deleteTakesBefore,
  findTake,
  foundIn,
  insertCounts,
  insertTake,
  linesOf,
  moveTake,
  openTakeOf,
  sumsOf,
  type TakeRow,
  takesOf,
  unknownIn,
} from './takes.repository.ts';

/** Of a transaction of booking, so that shoppers go on buying, ms. */
const bookingMs = 20;
/** Of a call that books, before the device asks again, ms. */
const callMs = 4000;
const bookedAtOnce = 50;
const takesKeptMs = 90 * dayMs;
const notesKeptMs = 730 * dayMs;

interface TakesDeps {
  db: Database;
  now: () => number;
  changes: ChangesService;
  stock: Pick<StockService, 'countFound'>;
}

export type Takes = ReturnType<typeof createTakes>;

export function createTakes(deps: TakesDeps) {
  const { db, now, changes } = deps;
  return {
    /** Or the one of this place that is under way. */
    async start(permit: Permit<'stock.count'>, place: string, id: string): Promise<TakeRow> {
      return changes.run(permit.actor, 'stock-take start', async ({ trx, note }) => {
        const isNew = await insertTake(trx, { id, place, by: actorText(permit.actor), at: now() });
        note('stockTake', place, isNew ? undefined : []);
        const take = (await openTakeOf(trx, place)) ?? required(await findTake(trx, id));
        if (take.location_id !== place) throw new AppError('CONFLICT', { errorKey: 'error.sentBefore' });
        return take;
      });
    },

    /** Returns the SKUs by their codes. Each count is taken once. Notes nothing for the journal: nothing of the shop changes before it is booked. */
    async add(
      actor: Actor,
      take: TakeRow,
      sent: { now: number; counts: readonly DeviceCount[] },
    ): Promise<ReadonlyMap<string, ItemRow>> {
      const behind = now() - sent.now;
      const codes = [...new Set(sent.counts.map(({ code }) => code.trim()))];
      const items = await itemsByCode(db.read, codes);
      const rows = sent.counts.map(({ id, code, units, at }) => ({
        id,
        units,
        code: code.trim(),
        sku: items.get(code.trim())?.sku ?? null,
        actor: actorText(actor),
        at: Math.min(now(), Math.max(take.started_at, at + behind)),
      }));
      await db.transaction(async (trx) => {
        if (!(await moveTake(trx, take.id, ['open'], { state: 'open' }))) throw ended();
        await insertCounts(db, trx, take.id, rows);
      });
      return items;
    },

    /** A part of it, from where the last one ended. @throws {AppError} CONFLICT if there are more counts than were seen */
    book: (permit: Permit<'stock.count'>, id: string, seen: number): Promise<TakeRow> =>
      book(deps, permit.actor, id, seen),

    async end(permit: Permit<'stock.count'>, id: string): Promise<void> {
      await changes.run(permit.actor, 'stock-take end', async ({ trx, note }) => {
        const over = await moveTake(trx, id, ['open'], { state: 'ended', ended_at: now() });
        note('stockTake', over?.location_id ?? '', over ? undefined : []);
      });
    },

    async sweep(): Promise<void> {
      await db.transaction(async (trx) => {
        await deleteTakesBefore(trx, now() - takesKeptMs);
        await deleteNotesBefore(trx, now() - notesKeptMs);
      });
    },
  };
}

async function book(
  { db, now, changes, stock }: TakesDeps,
  actor: Actor,
  id: string,
  seen: number,
): Promise<TakeRow> {
  const begun = await db.transaction(async (trx) => {
    const take = await moveTake(trx, id, ['open', 'booking'], { state: 'booking' });
    if (take?.booked_to === '' && (await countsOf(trx, id)) !== seen)
      throw new AppError('CONFLICT', { errorKey: 'office.take.moreCounted' });
    return take;
  });
  let take = begun ?? required(await findTake(db.read, id));
  const until = performance.now() + callMs;
  while (take.state === 'booking' && performance.now() < until)
    take = await changes.run(actor, 'stock count', (change) => bookPart({ now, stock }, change, take));
  return take;
}

async function bookPart(
  { now, stock }: Pick<TakesDeps, 'now' | 'stock'>,
  change: Change,
  known: TakeRow,
): Promise<TakeRow> {
  const { trx, note } = change;
  // Again under the lock, since two devices may book at once.
  const take = await moveTake(trx, known.id, ['booking'], { state: 'booking' });
  if (!take) return notedNothing(trx, note, known.id);
  const refused = JSON.parse(take.refused) as string[];
  const lines = await linesOf(trx, take, take.booked_to, bookedAtOnce);
  const until = performance.now() + bookingMs;
  let bookedTo = take.booked_to;
  let left = lines.length;
  for (const { sku, found, expected } of lines) {
    if (performance.now() > until) break;
    const key = hash('sha256', `${take.id} ${sku}`).slice(0, 40);
    const counted = { sku, place: take.location_id, expected, found, key };
    if (found === expected) note('stock', sku, []);
    else if (!(await isBooked(() => stock.countFound(change, counted, 'take')))) refused.push(sku);
    bookedTo = sku;
    left -= 1;
  }
  note('stockTake', take.location_id, []);
  const isOver = left === 0 && lines.length < bookedAtOnce;
  const to = isOver ? { state: 'booked' as const, ended_at: now() } : { state: 'booking' as const };
  return required(
    await moveTake(trx, take.id, ['booking'], {
      ...to,
      booked_to: bookedTo,
      refused: JSON.stringify(refused),
    }),
  );
}

async function notedNothing(trx: Trx, note: Change['note'], id: string): Promise<TakeRow> {
  note('stockTake', id, []);
  return required(await findTake(trx, id));
}

/** It is refused before anything is written, so that the transaction goes on. */
async function isBooked(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof OperationError) return false;
    throw error;
  }
}

const ended = () => new AppError('CONFLICT', { errorKey: 'office.take.over' });

function required(take: TakeRow | undefined): TakeRow {
  if (!take) throw notFound();
  return take;
}

/** Stock-takes in the office. One at a place that the permit does not reach is not found. */
const shownTakes = 10;
const shownUnknown = 100;
const shown = ({ sku, ...row }: ItemRow) => ({ sku, ...namesOf(row) });

type TakeDeps = Pick<OfficeStockDeps, 'db' | 'staff'>;

export function registerOfficeTakes(app: FastifyInstance, deps: TakeDeps & { takes: Takes }, reach: Reach) {
  const { db, takes } = deps;
  async function reachTake(permit: Permit, id: string): Promise<TakeRow> {
    const take = await findTake(db.read, id);
    if (!take) throw notFound();
    await reach.requirePlace(permit, take.location_id);
    return take;
  }

  const present = (take: TakeRow) => presentTake(deps, take);

  serveStaff(app, 'stockTakes', async ({ permit, params: { place } }) => {
    await reach.requirePlace(permit, place);
    return { takes: await Promise.all((await takesOf(db.read, place, shownTakes)).map(present)) };
  });
  serveStaff(app, 'startTake', async ({ permit, params: { place }, body }) => {
    await reach.requirePlace(permit, place);
    return present(await takes.start(permit, place, body.key));
  });
  serveStaff(app, 'stockTake', async ({ permit, params }) => present(await reachTake(permit, params.take)));
  serveStaff(app, 'takeItems', async ({ permit, params }) => {
    await reachTake(permit, params.take);
    return {
      items: (await firstItems(db.read, itemsKept)).map((row) => ({ ...shown(row), gtin: row.gtin })),
    };
  });
  serveStaff(app, 'sendCounts', async ({ permit, params, body }) => {
    const take = await reachTake(permit, params.take);
    const items = await takes.add(permit.actor, take, body);
    const found = await foundIn(db.read, take.id, [...new Set([...items.values()].map(({ sku }) => sku))]);
    const codes = [...new Set(body.counts.map(({ code }) => code))];
    return {
      found: codes.flatMap((code) => {
        const item = items.get(code.trim());
        return item ? [{ ...shown(item), code, found: found.get(item.sku) ?? 0 }] : [];
      }),
      unknown: codes.filter((code) => !items.has(code.trim())),
    };
  });
  serveStaff(app, 'takeLines', async ({ permit, params, query: { after = '' } }) => {
    return linesAfter(db, await reachTake(permit, params.take), after);
  });
  serveStaff(app, 'bookTake', async ({ permit, params, body }) => {
    await reachTake(permit, params.take);
    return present(await takes.book(permit, params.take, body.counts));
  });
  serveStaff(app, 'endTake', async ({ permit, params }) => {
    await reachTake(permit, params.take);
    await takes.end(permit, params.take);
    return { done: true } as const;
  });
}

async function presentTake({ db, staff }: TakeDeps, take: TakeRow): Promise<StockTake> {
  const { id, location_id, state, started_at, started_by, refused } = take;
  const names = await staff.names();
  const nameOf = (text: string) => {
    const actor = actorIn(text);
    return actor.kind === 'staff' ? (names.get(actor.id) ?? null) : null;
  };
  const { actors, ...sums } = await sumsOf(db.read, id);
  return {
    id,
    place: location_id,
    state: state as StockTake['state'],
    startedAt: started_at,
    startedBy: nameOf(started_by),
    ...sums,
    people: actors.flatMap((each) => nameOf(each) ?? []),
    unknown: await unknownIn(db.read, id, shownUnknown),
    refused: JSON.parse(refused),
  };
}

/** A page of the lines behind the SKU `after`. */
async function linesAfter(db: TakeDeps['db'], take: TakeRow, after: string) {
  const rows = await linesOf(db.read, take, after, stockPage + 1);
  const page = rows.slice(0, stockPage);
  const skus = page.map(({ sku }) => sku);
  const items = new Map((await itemsOf(db.read, skus)).map((row) => [row.sku, row]));
  return {
    lines: page.flatMap((line) => {
      const item = items.get(line.sku);
      return item ? [{ ...line, ...shown(item) }] : [];
    }),
    after: rows.length > stockPage ? (page.at(-1)?.sku ?? null) : null,
  };
}
