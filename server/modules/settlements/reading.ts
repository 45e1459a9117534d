/** Reads the books of payment providers into `settlement_rows`. Reading again changes nothing but what a provider says otherwise. */
import { isDeepStrictEqual } from 'node:util';
import type { Database, Trx } from '#db/database.ts';
import type { PaymentProvider, SettlementEntry, Settlements } from '#server/modules/payments/index.ts';
import { dayMs, hourMs, minuteMs } from '#server/platform/time-zone.ts';
import { type KeptRow, keptRow } from './effects.ts';
import { claimReading, endReading, moveReading, type Reading, readingsOf } from './readings.repository.ts';
import {
  firstPaymentAt,
  insertRows,
  listedPayouts,
  type Match,
  matchesOf,
  rowsById,
  type SettlementRow,
  unmatched,
} from './rows.repository.ts';

/** What was read within this time is read again: payouts fail days later, and what waited is decided. */
const againMs = 14 * dayMs;
/** A provider without payments in the shop is read from so long ago. */
const firstMs = 30 * dayMs;
/** What providers list at once, at most. */
const windowMs = 31 * dayMs;
/** Longest time between two pieces of a reading. A process that died no longer holds it then. */
const claimMs = 5 * minuteMs;
const everyMs = dayMs;
/** After a reading that failed. */
const retryMs = hourMs;
const rowsAtOnce = 100;

/** A provider whose books can be read. */
export interface Book {
  provider: string;
  settlements: Settlements;
}

export interface ReadingDeps {
  db: Database;
  now: () => number;
  payments: { providers: { all(): PaymentProvider[] } };
  /** Called in the transaction in which rows are kept. */
  onKept: (trx: Trx, kept: readonly KeptRow[]) => Promise<void>;
}

export type SettlementReader = ReturnType<typeof createReader>;

export function createReader(deps: ReadingDeps) {
  const { db, now, payments } = deps;
  const books = (): Book[] =>
    payments.providers
      .all()
      .flatMap(({ name, settlements }) => (settlements ? [{ provider: name, settlements }] : []));

  /** Reads one provider, unless another process does. Returns its problem, null for none. */
  async function read(book: Book): Promise<string | null> {
    const { provider } = book;
    if (!(await db.transaction((trx) => claimReading(trx, provider, now(), now() + claimMs)))) return null;
    const problem = await readAll(deps, book).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    await db.transaction((trx) => endReading(trx, provider, now(), problem));
    return problem;
  }

  const isDue = (reading: Reading | undefined) => {
    if (!reading || reading.triedAt === null) return true;
    const pause = reading.problem === null ? everyMs : retryMs;
    return now() - reading.triedAt >= pause;
  };

  return {
    books,
    /** The providers that are set up, and whose books cannot be read. */
    without: () => payments.providers.all().flatMap(({ name, settlements }) => (settlements ? [] : [name])),
    readings: () => readingsOf(db.read),
    /** Reads all providers beside each other. Returns the problem of each that failed. */
    async readAll(): Promise<{ provider: string; problem: string }[]> {
      const done = await Promise.all(
        books().map(async (book) => ({ provider: book.provider, problem: await read(book) })),
      );
      return done.flatMap(({ provider, problem }) => (problem === null ? [] : [{ provider, problem }]));
    },
    /** Reads the providers that were not read for a day. @throws {Error} with the problems */
    async readDue(): Promise<void> {
      const readings = await readingsOf(db.read);
      const due = books().filter(({ provider }) => isDue(readings.get(provider)));
      const problems = (await Promise.all(due.map(read))).filter((problem) => problem !== null);
      if (problems.length > 0) throw new Error(problems.join('; '));
    },
    /** Finds again what rows belong to that belonged to nothing, or to no refund or dispute: the shop may know by now. */
    rematch: (provider: string, ids: readonly string[]): Promise<number> =>
      db.transaction(async (trx) => {
        const rows = [...(await rowsById(trx, provider, ids)).values()];
        return keep(deps, trx, provider, rows);
      }),
  };
}

async function readAll(deps: ReadingDeps, { provider, settlements }: Book): Promise<void> {
  const { db, now } = deps;
  const reading = (await readingsOf(db.read)).get(provider);
  const until = now();
  const from =
    reading?.readUntil !== null && reading?.readUntil !== undefined
      ? reading.readUntil - againMs
      : ((await firstPaymentAt(db.read, provider)) ?? until - firstMs) - dayMs;
  const problems: string[] = [];
  const listed = await listedPayouts(db.read, provider, from - windowMs);
  for (let start = from; start < until; start += windowMs) {
    const end = Math.min(until, start + windowMs);
    const pieces = settlements.read(start, end, (payout) => listed.has(payout));
    for (let next = await pieces.next(); ; next = await pieces.next()) {
      if (next.done) {
        const complete = Math.min(end, next.value);
        await db.transaction((trx) => moveReading(trx, provider, complete, now() + claimMs));
        // What comes after is not listed yet.
        if (complete < end) start = until;
        break;
      }
      if (next.value.problem !== undefined) problems.push(next.value.problem);
      await keepPiece(deps, provider, next.value.entries);
    }
  }
  // All that is listed is kept, and what does not agree is said.
  if (problems.length > 0) throw new Error(problems.join('; '));
}

async function keepPiece(
  deps: ReadingDeps,
  provider: string,
  entries: readonly SettlementEntry[],
): Promise<void> {
  for (let first = 0; first < entries.length; first += rowsAtOnce) {
    const some = entries.slice(first, first + rowsAtOnce);
    await deps.db.transaction((trx) => keep(deps, trx, provider, some));
  }
}

/** Keeps the entries that are new, or that say something else than before. Returns how many. */
async function keep(
  deps: ReadingDeps,
  trx: Trx,
  provider: string,
  entries: readonly SettlementEntry[],
): Promise<number> {
  const before = await rowsById(trx, provider, [...new Set(entries.map(({ id }) => id))]);
  const matches = await matchesOf(trx, provider, entries);
  const kept = new Map<string, KeptRow>();
  for (const entry of entries) {
    const known = kept.get(entry.id)?.row ?? before.get(entry.id) ?? null;
    const row = nextRow(provider, entry, matches.get(entry.id) ?? unmatched, known);
    if (row)
      kept.set(
        entry.id,
        keptRow(
          { ...row, revision: (before.get(entry.id)?.revision ?? -1) + 1 },
          before.get(entry.id) ?? null,
        ),
      );
  }
  const rows = [...kept.values()];
  await insertRows(
    trx,
    rows.map(({ row }) => row),
    deps.now(),
  );
  await deps.onKept(trx, rows);
  return rows.length;
}

/** Null if nothing is new. What was known stays known: an entry that is listed without its payout does not leave it. */
function nextRow(
  provider: string,
  {
    id,
    kind,
    type,
    state,
    at,
    availableAt,
    currency,
    gross,
    fee,
    charged,
    payout,
    complete,
    about,
  }: SettlementEntry,
  match: Match,
  known: SettlementRow | null,
): SettlementRow | null {
  // What was denied before the shop heard of it never was.
  if (known === null && state === 'denied') return null;
  const net = fee === null ? null : gross - fee;
  const said = {
    provider,
    id,
    kind,
    type,
    state,
    at,
    availableAt,
    currency,
    gross,
    fee,
    net,
    charged,
    about,
  };
  const row: SettlementRow = {
    ...said,
    payout: payout ?? known?.payout ?? null,
    complete: complete || known?.complete === true,
    paymentId: match.paymentId ?? known?.paymentId ?? null,
    refundId: match.refundId ?? known?.refundId ?? null,
    disputeId: match.disputeId ?? known?.disputeId ?? null,
    orderId: match.orderId ?? known?.orderId ?? null,
    revision: known?.revision ?? 0,
  };
  return known !== null && isSame(row, known) ? null : row;
}

/** As JSON keeps it: a field that is undefined is none. */
const isSame = (one: SettlementRow, other: SettlementRow) =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
