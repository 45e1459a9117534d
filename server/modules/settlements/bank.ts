/** The bank's side of payouts: statements are read, and what may be a payout is kept and matched. Nothing else of a statement is kept. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Statement } from '#contract/staff/settlements.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { readSheet } from '#server/modules/imports/index.ts';
import { actorText } from '#server/platform/actors.ts';
import { dayMs, instantOf } from '#server/platform/time-zone.ts';
import {
  arrivalsOf,
  arrivedBy,
  type BankLine,
  freeLines,
  insertArrival,
  insertLines,
  insertStatement,
  knownLines,
} from './bank.repository.ts';
import { amountOf, bankDays, names } from './findings.ts';
import { payoutKey, payoutsIn, type Span } from './lists.repository.ts';
import { payoutRow, type SettlementRow } from './rows.repository.ts';
import { type Chosen, type ReadStatement, readStatement, type Table } from './statement.ts';

/** Payouts that a statement of any length is compared with. */
const mostPayouts = 5000;
const mostProblems = 20;
const mostExamples = 5;
/** Days between a payout and its line. */
const nearDays = 8;

interface BankDeps {
  db: Database;
  now: () => number;
  payments: { providers: { all(): { name: string }[] } };
  settings: { all(): Promise<{ currency: string }> };
  timeZone: () => Promise<string>;
}

/** A statement that was read, and what becomes of it. */
export interface StatementFound extends Omit<ReadStatement, 'lines'> {
  columns: readonly string[];
  currency: string;
  lines: number;
  /** Lines that may be payouts. */
  payouts: BankLine[];
  known: number;
  /** The first and last day; null for a statement without lines. */
  days: { first: string; last: string } | null;
}

export type Bank = ReturnType<typeof createBank>;

export function createBank(deps: BankDeps) {
  const { db, now, timeZone } = deps;

  /** Pairs payouts with free lines of the bank by amount and day. Those whose words name the provider come first, then the nearest. */
  async function match(
    trx: Trx,
    payouts: readonly SettlementRow[],
    lines: readonly BankLine[],
    actor: string,
  ): Promise<number> {
    const zone = await timeZone();
    const arrived = await arrivalsOf(trx, payouts.map(keyOf));
    const free = new Map(lines.map((line) => [line.id, line]));
    let matched = 0;
    for (const row of payouts) {
      if (row.state === 'failed' || arrived.has(payoutKey(row.provider, keyOf(row).payout))) continue;
      const line = nearest([...free.values()], row, zone);
      if (!line || !(await insertArrival(trx, { ...keyOf(row), line: line.id }, { actor, at: now() })))
        continue;
      free.delete(line.id);
      matched += 1;
    }
    return matched;
  }

  const spanOf = async ({ first, last }: { first: string; last: string }): Promise<Span> => {
    const zone = await timeZone();
    return {
      from: instantOf(first, zone) - nearDays * dayMs,
      to: instantOf(last, zone) + nearDays * dayMs,
      provider: null,
    };
  };

  return {
    payout: (reader: Reader, provider: string, payout: string) => payoutRow(reader, provider, payout),

    /** Payouts that were just kept, with lines that were there before. */
    async matchPayouts(trx: Trx, kept: readonly SettlementRow[]): Promise<void> {
      const payouts = kept.filter(({ kind }) => kind === 'payout');
      if (payouts.length === 0) return;
      const zone = await timeZone();
      const days = payouts.map((row) => bankDays(row, zone));
      const from = days.map((each) => each.from).sort()[0] ?? '';
      const to =
        days
          .map((each) => each.to)
          .sort()
          .at(-1) ?? '';
      await match(trx, payouts, await freeLines(trx, from, to), 'system');
    },

    /** Reads a statement and says what it finds. Nothing changes. @throws {InputError} for what is no table */
    async read(body: Readable, chosen: Chosen & { currency?: string | undefined }): Promise<StatementFound> {
      const table = await tableOf(body);
      const currency = chosen.currency ?? (await deps.settings.all()).currency;
      const { lines, problems, ...columns } = readStatement(table, chosen, currency);
      const days = lines.map(({ day }) => day).sort();
      const [first, last] = [days[0], days.at(-1)];
      const known =
        first === undefined || last === undefined
          ? []
          : await payoutsIn(db.read, await spanOf({ first, last }), mostPayouts);
      const providers = deps.payments.providers.all().map(({ name }) => name);
      const zone = await timeZone();
      const payouts = lines.filter(
        (line) =>
          providers.some((provider) => names(line.description, provider)) ||
          known.some((row) => isNear(line, row, zone)),
      );
      return {
        ...columns,
        columns: table.columns,
        currency,
        lines: table.rows.length,
        payouts,
        known: await knownLines(
          db.read,
          payouts.map(({ id }) => id),
        ),
        days: first === undefined || last === undefined ? null : { first, last },
        problems: problems.slice(0, mostProblems),
      };
    },

    /** Keeps what may be payouts, and the days that the statement covers. Returns how many payouts arrived by it, also by an earlier reading. */
    async keep({ trx, note, actor }: Change, { payouts, days, currency }: StatementFound): Promise<number> {
      if (!days) {
        note('settlement', 'bank', []);
        return 0;
      }
      const by = { actor: actorText(actor), at: now() };
      const added = await insertLines(trx, payouts, by);
      await insertStatement(trx, { firstDay: days.first, lastDay: days.last, currency }, by);
      const known = (await payoutsIn(trx, await spanOf(days), mostPayouts)).reverse();
      const matched = await match(trx, known, await freeLines(trx, days.first, days.last), by.actor);
      const changed = added > 0 || matched > 0;
      note(
        'settlement',
        'bank',
        changed
          ? [
              { field: 'bankLines', to: added },
              { field: 'arrived', to: matched },
            ]
          : [],
      );
      return arrivedBy(
        trx,
        payouts.map(({ id }) => id),
      );
    },
  };
}

/** What the office shows of a statement. */
export function statementAnswer(
  { columns, day, amount, description, lines, payouts, known }: StatementFound,
  problems: string[],
  applied: { matched: number } | null,
): Statement {
  return {
    columns: [...columns],
    day,
    amount,
    description,
    lines,
    kept: payouts.length,
    known,
    problems,
    matched: applied?.matched ?? 0,
    applied: applied !== null,
    examples: payouts
      .slice(0, mostExamples)
      .map((line) => ({ day: line.day, amount: line.amount, description: line.description })),
  };
}

const keyOf = ({ provider, payout, id }: SettlementRow) => ({ provider, payout: payout ?? id });

function isNear(line: BankLine, row: SettlementRow, zone: string): boolean {
  if (line.amount !== amountOf(row) || line.currency !== row.currency) return false;
  const { from, to } = bankDays(row, zone);
  return line.day >= from && line.day <= to;
}

function nearest(lines: readonly BankLine[], row: SettlementRow, zone: string): BankLine | undefined {
  const { expected } = bankDays(row, zone);
  const away = ({ day }: BankLine) =>
    Math.abs(Temporal.PlainDate.from(expected).until(Temporal.PlainDate.from(day)).days);
  const named = (line: BankLine) => Number(names(line.description, row.provider));
  return lines
    .filter((line) => isNear(line, row, zone))
    .sort(
      (one, other) => named(other) - named(one) || away(one) - away(other) || one.id.localeCompare(other.id),
    )[0];
}

async function tableOf(body: Readable): Promise<Table> {
  const folder = await mkdtemp(join(tmpdir(), 'statement-'));
  try {
    const path = join(folder, 'statement');
    await pipeline(body, createWriteStream(path));
    const { about, columns, rows } = await readSheet(path);
    return { columns, rows, delimiter: about.delimiter };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
