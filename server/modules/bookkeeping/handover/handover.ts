/** Hands the books over: a journal of each day for a program of bookkeepers, once, and a journal of what a day has changed by since. */
import { randomUUID } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import { bookLineText } from '#contract/staff/book-lines.ts';
import type { FiledSum } from '#contract/staff/closing.ts';
import {
  type BookLine,
  type BookProgram,
  bookPrograms,
  type HandedFiles,
  mostDays,
  programNames,
} from '#contract/staff/handover.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { closedUntil } from '#server/modules/ledger/index.ts';
import type { SettingsService, ShopSettings } from '#server/modules/settings/index.ts';
import { actorText } from '#server/platform/actors.ts';
import { requireRange, spanOf } from '#server/platform/day-span.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { merged } from '../closing/figures.ts';
import { firstBooked, sumsIn } from '../closing/periods.repository.ts';
import { type BookkeepingDeps, nameOf, sumsByStep } from '../closing/periods.ts';
import { byAccount, difference, type Line, lineIn, lineOf, linesOf, named } from './chart.ts';
import {
  allFiles,
  fileOf,
  handedJournals,
  handedSpans,
  insertFile,
  insertJournals,
  journalsOf,
  lastNumber,
} from './handover.repository.ts';
import { type Journal, type JournalLine, journalNumber, programs } from './programs.ts';

export interface HandoverDeps extends BookkeepingDeps {
  settings: SettingsService;
}

interface Days {
  from: string;
  to: string;
}

/** As a journal keeps it: the same file again is the same, whatever the table of accounts says by then. */
interface KeptLine extends Line, Pick<JournalLine, 'code' | 'taxRate' | 'text'> {}

const dayOf = (day: string) => Temporal.PlainDate.from(day);
const nextDay = (day: string) => dayOf(day).add({ days: 1 }).toString();

const dayBefore = (day: string) => dayOf(day).subtract({ days: 1 }).toString();

/** The days of a span that can be handed over at once; null if it has none. */
function atMost(from: string, to: string): Days | null {
  const latest = dayOf(from)
    .add({ days: mostDays - 1 })
    .toString();
  return to < from ? null : { from, to: to < latest ? to : latest };
}

function daysIn({ from, to }: Days): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = nextDay(day)) days.push(day);
  return days;
}

export type HandoverService = ReturnType<typeof createHandover>;

export function createHandover({ db, now, stores, staff, settings }: HandoverDeps) {
  const today = async () => wallClock(now(), await stores.timeZone()).date;

  /** The days that are over and were not handed over: those after the last one that was, or else the first ones before it. */
  async function nextSpan(reader: Reader, program: BookProgram): Promise<Days | null> {
    const handed = await handedSpans(reader, program);
    const first = await firstBooked(reader);
    if (first === null) return null;
    const begin = wallClock(first, await stores.timeZone()).date;
    const yesterday = dayBefore(await today());
    const last = handed.reduce((latest, { to }) => (to > latest ? to : latest), dayBefore(begin));
    const later = atMost(nextDay(last), yesterday);
    if (later) return later;
    let day = begin;
    for (const { from, to } of handed) {
      const gap = atMost(day, dayBefore(from));
      if (gap) return gap;
      if (to >= day) day = nextDay(to);
    }
    return null;
  }

  /** @throws {AppError} for days that do not exist, are not over, too many, or were handed over */
  async function requireOpen(reader: Reader, program: BookProgram, { from, to }: Days): Promise<void> {
    requireRange({ from, to }, 'days.');
    if (dayOf(from).until(to).days >= mostDays)
      throw validationError({ 'days.to': { key: 'office.takings.tooLong', values: { days: mostDays } } });
    if (to >= (await today())) throw validationError({ 'days.to': 'office.files.notOver' });
    const again = (await handedSpans(reader, program)).find((each) => each.from <= to && each.to >= from);
    if (again)
      throw validationError({ 'days.from': { key: 'office.files.handedBefore', values: { ...again } } });
  }

  async function sumsOfDays(reader: Reader, { from, to }: Days): Promise<FiledSum[]> {
    const sums = await sumsIn(reader, spanOf(from, to, await stores.timeZone(), Number.POSITIVE_INFINITY));
    const { currency } = await settings.all();
    const other = sums.find((sum) => sum.currency !== currency && sum.amount !== 0);
    if (other)
      throw new AppError('CONFLICT', {
        errorKey: 'office.files.currency',
        values: { currency: other.currency },
      });
    return merged(sums);
  }

  interface Handed {
    days: readonly string[];
    /** By day: the number of its journal, 0 for none, and what was handed over of it. */
    of: ReadonlyMap<string, { no: number; lines: readonly Line[] }>;
  }

  /** Of days in closed periods nothing can have changed. */
  async function handedOpen(reader: Reader, program: BookProgram): Promise<Handed> {
    const closed = await closedUntil(reader);
    const since = closed === 0 ? '' : wallClock(closed, await stores.timeZone()).date;
    const days = (await handedSpans(reader, program)).flatMap(daysIn).filter((day) => day >= since);
    const of = new Map<string, { no: number; lines: Line[] }>();
    for (const row of await handedJournals(reader, program, since)) {
      const known = of.get(row.day) ?? { no: Number(row.no), lines: [] };
      known.lines.push(...keptLines(row));
      of.set(row.day, known);
    }
    return { days, of };
  }

  /** Halves spans that differ, so that what has not changed is summed once. */
  async function changedDays(
    reader: Reader,
    days: readonly string[],
    { of }: Handed,
  ): Promise<Map<string, Line[]>> {
    const [from, to] = [days[0], days.at(-1)];
    if (from === undefined || to === undefined) return new Map();
    const handed = days.flatMap((day) => [...(of.get(day)?.lines ?? [])]);
    const isWhole = daysIn({ from, to }).length === days.length;
    const lines = isWhole ? difference(linesOf(await sumsOfDays(reader, { from, to })), handed) : null;
    if (lines?.length === 0) return new Map();
    if (lines && days.length === 1) return new Map([[from, lines]]);
    const half = Math.ceil(days.length / 2);
    const first = await changedDays(reader, days.slice(0, half), { days, of });
    return new Map([...first, ...(await changedDays(reader, days.slice(half), { days, of }))]);
  }

  async function journalsFor(
    reader: Reader,
    program: BookProgram,
    days: Days | null,
  ): Promise<{ day: string; corrects: number; lines: Line[] }[]> {
    const handed = await handedOpen(reader, program);
    const changed = await changedDays(reader, handed.days, handed);
    const corrections = [...changed].map(([day, lines]) => ({
      day,
      corrects: handed.of.get(day)?.no ?? 0,
      lines,
    }));
    const own: typeof corrections = [];
    for (const day of days ? daysIn(days) : []) {
      const lines = linesOf(await sumsOfDays(reader, { from: day, to: day })).map(({ key, amount }) => ({
        key,
        amount,
      }));
      if (lines.length > 0) own.push({ day, corrects: 0, lines });
    }
    return [...corrections, ...own];
  }

  /** What occurs in the books, for the table of accounts; also what sums to zero by now, such as money that was all paid out. */
  async function knownLines(reader: Reader): Promise<BookLine[]> {
    const lines = new Map<string, BookLine>();
    for await (const { sums } of sumsByStep(
      reader,
      { from: 0, to: now() + 1 },
      reader === db.read ? undefined : null,
    ))
      for (const sum of sums) {
        const line = lineOf(sum);
        lines.set(line.key, line);
      }
    return [...lines.values()].sort(byAccount);
  }

  return {
    async all(): Promise<HandedFiles> {
      const [files, names] = [await allFiles(db.read), await staff.names()];
      const next: HandedFiles['next'] = [];
      for (const program of bookPrograms) next.push({ program, span: await nextSpan(db.read, program) });
      return {
        files: files.map((row) => ({
          // Written from `BookProgram`.
          id: row.id,
          program: row.program as BookProgram,
          from: row.from_day,
          to: row.to_day,
          at: Number(row.at),
          by: nameOf(row.actor, names),
          journals: Number(row.journals),
          corrections: Number(row.corrections),
          first: Number(row.first),
          last: Number(row.last),
        })),
        next,
      };
    },

    /** What occurs in the books, with the names of places in a language. */
    lines: async (locale: Locale) => (await knownLines(db.read)).map((line) => named(line, locale)),

    /**
     * Makes the journals of days, and of what has changed of days that were handed over before, with words in a language. Returns the
     * id of the file.
     * @throws {AppError} for days that are not over or were handed over; CONFLICT naming what the table of accounts lacks, or if there
     * is nothing to hand over
     */
    async handOver(
      { trx, actor, note }: Change,
      program: BookProgram,
      days: Days | null,
      locale: Locale,
    ): Promise<string> {
      await db.queries.lock(trx, 'handing the books over');
      if (days) await requireOpen(trx, program, days);
      const made = await journalsFor(trx, program, days);
      if (made.length === 0 && !days) throw new AppError('CONFLICT', { errorKey: 'office.files.nothing' });
      const { bookAccounts, currency } = await settings.read(trx);
      const kept = coded(made, program, bookAccounts, locale);
      requireLength(program, kept);
      const id = randomUUID();
      await insertFile(trx, {
        id,
        program,
        from_day: days?.from ?? null,
        to_day: days?.to ?? null,
        currency,
        at: now(),
        actor: actorText(actor),
      });
      await insertAll(trx, kept, { program, file: id });
      note('handover', id, [
        { field: 'program', to: programNames[program] },
        ...(days ? [{ field: 'days', to: `${days.from} – ${days.to}` }] : []),
        { field: 'journals', to: kept.length },
      ]);
      return id;
    },

    /** A file as it was handed over. @throws {AppError} 404 */
    async file(id: string): Promise<{ name: string; type: string; text: string }> {
      const row = await fileOf(db.read, id);
      if (!row) throw notFound();
      const program = row.program as BookProgram;
      const journals = (await journalsOf(db.read, id)).map(
        (each): Journal => ({
          no: Number(each.no),
          day: each.day,
          corrects: Number(each.corrects),
          lines: keptLines(each),
        }),
      );
      const { extension, type, write } = programs[program];
      const span = row.from_day === null ? 'corrections' : `${row.from_day}-${row.to_day}`;
      return { name: `${program}-${span}.${extension}`, type, text: write(journals, row.currency) };
    },
  };
}

/** @throws {AppError} CONFLICT for a journal that something other than the shop has written to: what it has handed over is not known */
function keptLines({ no, lines }: { no: number; lines: string }): KeptLine[] {
  try {
    // Written by `insertAll` alone.
    const kept: unknown = JSON.parse(lines);
    if (Array.isArray(kept)) return kept as KeptLine[];
  } catch {
    // Damaged, as below.
  }
  throw new AppError('CONFLICT', {
    errorKey: 'office.files.damaged',
    values: { number: journalNumber(Number(no)) },
  });
}

async function insertAll(
  trx: Trx,
  journals: readonly { day: string; corrects: number; lines: readonly KeptLine[] }[],
  { program, file }: { program: BookProgram; file: string },
): Promise<void> {
  const before = await lastNumber(trx);
  await insertJournals(
    trx,
    journals.map(({ day, corrects, lines }, index) => ({
      no: before + index + 1,
      file_id: file,
      program,
      day,
      corrects,
      lines: JSON.stringify(lines),
    })),
  );
}

/** Journals with the accounts of the other program. @throws {AppError} CONFLICT naming all that the table of accounts lacks */
function coded<J extends { lines: readonly Line[] }>(
  journals: readonly J[],
  program: BookProgram,
  table: ShopSettings['bookAccounts'],
  locale: Locale,
): (J & { lines: KeptLine[] })[] {
  const { isCode, needsTaxRate } = programs[program];
  const t = staffTranslate(locale);
  const rows = new Map(table.map((row) => [row.id, row]));
  const missing = new Set<string>();
  const codedLine = ({ key, amount }: Line): KeptLine => {
    const { code = '', taxRate = '' } = rows.get(`${program} ${key}`) ?? {};
    const text = bookLineText(t, named(lineIn(key), locale));
    if (code === '' || !isCode(code) || (needsTaxRate && taxRate === '')) missing.add(text);
    return { key, amount, code, taxRate, text };
  };
  const all = journals.map((journal) => ({ ...journal, lines: journal.lines.map(codedLine) }));
  if (missing.size === 0) return all;
  const values = { program: programNames[program], lines: [...missing].join(', ') };
  throw new AppError('CONFLICT', { errorKey: 'office.files.missing', values });
}

/** @throws {AppError} for more lines than the other program takes in a file */
function requireLength(
  program: BookProgram,
  journals: readonly { day: string; corrects: number; lines: readonly Line[] }[],
): void {
  const { most } = programs[program];
  if (most === null) return;
  let lines = 0;
  let last = '';
  for (const journal of journals) {
    lines += journal.lines.length;
    if (lines > most)
      throw validationError({
        'days.to': {
          key: 'office.files.tooLong',
          values: { program: programNames[program], most, day: last || journal.day },
        },
      });
    last = journal.day;
  }
}
