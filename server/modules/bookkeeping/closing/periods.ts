/** Periods of the books: closed by a person with the figures as filed, proved, and opened again by an owner. */
import { randomUUID } from 'node:crypto';
import { Compile } from 'typebox/compile';
import {
  type Figures,
  Figures as FiguresSchema,
  type FiledSum,
  longestPeriod,
  type Period,
  type PeriodProof,
  type Periods,
} from '#contract/staff/closing.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { Change, RunChange } from '#server/modules/changes/index.ts';
import { isAnyUnbooked } from '#server/modules/ledger/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { actorIn, actorText } from '#server/platform/actors.ts';
import { spanOf as daySpan } from '#server/platform/day-span.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import { dayMs, momentAt, wallClock } from '#server/platform/time-zone.ts';
import { differencesOf, merged } from './figures.ts';
import {
  allPeriods,
  countIn,
  firstBooked,
  insertPeriod,
  lastClosed,
  lockClosing,
  periodOf,
  reopen,
  type Span,
  sumsIn,
} from './periods.repository.ts';

export interface BookkeepingDeps {
  db: Database;
  now: () => number;
  stores: StoresService;
  staff: { names(): Promise<ReadonlyMap<string, string>> };
}

/** The name of whoever an actor is; '' for the terminal, and for somebody who is gone. */
export function nameOf(actor: string, names: ReadonlyMap<string, string>): string {
  const known = actorIn(actor);
  return known.kind === 'staff' ? (names.get(known.id) ?? '') : '';
}

export interface PeriodDays {
  from: string;
  to: string;
}

const addDay = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 });
const lastOfMonth = (day: Temporal.PlainDate) => day.with({ day: day.daysInMonth });

/** So long a part of a span is summed at once: others are answered in between. */
const stepMs = 7 * dayMs;

const othersFirst = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The sums of a span in pieces, also those that are zero. `pause` comes after each; a transaction awaits none. */
export async function* sumsByStep(
  reader: Reader,
  { from, to }: Span,
  pause: (() => Promise<void>) | null = othersFirst,
): AsyncGenerator<{ step: Span; sums: FiledSum[] }> {
  const begin = Math.max(from, (await firstBooked(reader)) ?? to);
  for (let at = begin; at < to; at += stepMs) {
    const step = { from: at, to: Math.min(to, at + stepMs) };
    yield { step, sums: await sumsIn(reader, step) };
    await pause?.();
  }
}

/** What the entries of a span sum to, read as `sumsByStep`. */
export async function figuresIn(
  reader: Reader,
  span: Span,
  pause?: (() => Promise<void>) | null,
): Promise<Figures> {
  const all: FiledSum[] = [];
  let entries = 0;
  for await (const { step, sums } of sumsByStep(reader, span, pause)) {
    entries += await countIn(reader, step);
    all.push(...sums);
  }
  return { entries, sums: merged(all) };
}

export type PeriodsService = ReturnType<typeof createPeriods>;

export function createPeriods({ db, now, stores, staff }: BookkeepingDeps) {
  /** The open period begins where the last closed one ended. */
  async function openFrom(
    reader: Reader,
    timeZone: string,
  ): Promise<{ day: Temporal.PlainDate; at: number } | null> {
    const last = await lastClosed(reader);
    if (last) return { day: addDay(last.to_day), at: Number(last.to_at) };
    const first = await firstBooked(reader);
    if (first === null) return null;
    const day = Temporal.PlainDate.from(wallClock(first, timeZone).date).with({ day: 1 });
    return { day, at: Math.min(first, momentAt(day.toString(), 0, timeZone)) };
  }

  /** @throws {AppError} for days that do not exist, are not over, or do not follow the last closed ones */
  async function spanOf(reader: Reader, { from, to }: PeriodDays): Promise<Span> {
    const timeZone = await stores.timeZone();
    const span = daySpan(from, to, timeZone, longestPeriod);
    const open = await openFrom(reader, timeZone);
    if (!open) throw new AppError('CONFLICT', { errorKey: 'office.closing.empty' });
    const next = open.day.toString();
    if (from !== next)
      throw validationError({ from: { key: 'office.closing.follows', values: { day: next } } });
    if (span.to > now()) throw validationError({ to: 'office.closing.notOver' });
    return { from: open.at, to: span.to };
  }

  async function close(
    { trx, actor, note }: Change,
    days: PeriodDays,
    seen: number | null,
    known: Known | null,
  ): Promise<void> {
    await lockClosing(db, trx);
    const closed = (await allPeriods(trx)).find(
      (each) => each.reopened_at === null && each.from_day === days.from && each.to_day === days.to,
    );
    // Sent again, or by two people at once.
    if (closed) return note('period', closed.id, []);
    const span = await spanOf(trx, days);
    await requireWhole(trx);
    const count = await countIn(trx, span);
    if (seen !== null && count !== seen)
      throw new AppError('CONFLICT', { errorKey: 'office.closing.changed' });
    // Entries are only added: as many as before are the same.
    const isKnown =
      known && known.span.from === span.from && known.span.to === span.to && known.figures.entries === count;
    const figures = isKnown ? known.figures : await figuresIn(trx, span, null);
    const id = randomUUID();
    await insertPeriod(trx, {
      id,
      from_at: span.from,
      to_at: span.to,
      from_day: days.from,
      to_day: days.to,
      figures: JSON.stringify(figures),
      closed_at: now(),
      closed_by: actorText(actor),
      reopened_at: null,
      reopened_by: null,
      reopened_why: null,
    });
    note('period', id, [{ field: 'days', to: `${days.from} – ${days.to}` }]);
  }

  return {
    async all(): Promise<Periods> {
      const timeZone = await stores.timeZone();
      const [open, rows, names] = [
        await openFrom(db.read, timeZone),
        await allPeriods(db.read),
        await staff.names(),
      ];
      const last = await lastClosed(db.read);
      return {
        next: open && nextOf(open.day, timeZone, now()),
        periods: rows.map((row) => ({
          id: row.id,
          from: row.from_day,
          to: row.to_day,
          closedAt: Number(row.closed_at),
          by: nameOf(row.closed_by, names),
          reopened: reopenedOf(row, names),
          canReopen: row.id === last?.id,
        })),
      };
    },

    /** @throws {AppError} as closing does */
    async figures(days: PeriodDays): Promise<Figures> {
      return figuresIn(db.read, await spanOf(db.read, days));
    },

    /** @throws {AppError} 404 */
    async proof(id: string): Promise<Omit<PeriodProof, 'places'>> {
      const row = await periodOf(db.read, id);
      if (!row) throw notFound();
      return proofOf(db.read, row);
    },

    /**
     * Closes a period. The same days again change nothing. `seen` is how many entries the figures summed that were looked at; null for
     * whoever closes what is there.
     * @throws {AppError} CONFLICT if there are others meanwhile, or orders that are not booked yet; for days that are not over, or do
     * not follow the last closed ones
     */
    async close(run: RunChange, days: PeriodDays, seen: number | null): Promise<void> {
      // Before others wait for it: years take a while to sum.
      const span = await spanOf(db.read, days).catch(() => null);
      const known = span && { span, figures: await figuresIn(db.read, span) };
      await run((change) => close(change, days, seen, known));
    },

    /** Opens a period again. @throws {AppError} 404; CONFLICT for one that is not the last */
    async reopen({ trx, actor, note }: Change, id: string, why: string): Promise<void> {
      await lockClosing(db, trx);
      const row = await periodOf(trx, id);
      if (!row) throw notFound();
      if (row.reopened_at !== null) return note('period', id, []);
      const last = await lastClosed(trx);
      if (last?.id !== id) throw new AppError('CONFLICT', { errorKey: 'office.closing.notLast' });
      await reopen(trx, id, { at: now(), by: actorText(actor), why: why.trim() });
      note('period', id, [
        { field: 'days', from: `${row.from_day} – ${row.to_day}` },
        { field: 'why', to: why.trim() },
      ]);
    },
  };
}

interface Known {
  span: Span;
  figures: Figures;
}

/** @throws {AppError} CONFLICT while orders from before the books are still being booked */
async function requireWhole(trx: Trx): Promise<void> {
  if (await isAnyUnbooked(trx)) throw new AppError('CONFLICT', { errorKey: 'office.closing.unbooked' });
}

/** The month that the open period begins in. */
function nextOf(from: Temporal.PlainDate, timeZone: string, at: number): NonNullable<Periods['next']> {
  const to = lastOfMonth(from).toString();
  return { from: from.toString(), to, isOver: to < wallClock(at, timeZone).date };
}

type Row = Awaited<ReturnType<typeof allPeriods>>[number];

function reopenedOf(
  { reopened_at: at, reopened_by: by, reopened_why: why }: Row,
  names: ReadonlyMap<string, string>,
): Period['reopened'] {
  return at === null ? null : { at: Number(at), by: nameOf(by ?? '', names), why: why ?? '' };
}

const isFigures = Compile(FiguresSchema);

/** Null for a row that something other than the shop has written to. */
function filedIn({ figures }: Row): Figures | null {
  try {
    const filed: unknown = JSON.parse(figures);
    return isFigures.Check(filed) ? filed : null;
  } catch {
    return null;
  }
}

async function proofOf(reader: Reader, row: Row): Promise<Omit<PeriodProof, 'places'>> {
  const filed = filedIn(row);
  if (!filed) return { figures: null, differences: [] };
  const now = await figuresIn(reader, { from: Number(row.from_at), to: Number(row.to_at) });
  return { figures: filed, differences: differencesOf(filed.sums, now.sums) };
}

/** By their days, the closed periods whose entries no longer sum to what was filed, and those of which that cannot be read. Reopened ones are not asked. */
export async function wrongPeriods(reader: Reader): Promise<{ changed: string[]; unreadable: string[] }> {
  const wrong: { changed: string[]; unreadable: string[] } = { changed: [], unreadable: [] };
  for (const row of await allPeriods(reader)) {
    if (row.reopened_at !== null) continue;
    const { figures, differences } = await proofOf(reader, row);
    const days = `${row.from_day} – ${row.to_day}`;
    if (!figures) wrong.unreadable.push(days);
    else if (differences.length > 0) wrong.changed.push(days);
  }
  return wrong;
}
