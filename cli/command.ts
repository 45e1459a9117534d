/** What the commands of `npm run shop -- …` are made of. To add one, add a file in `commands/` and a line in its index. */
import { hash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { Repeat } from '#contract/endpoint.ts';
import type { Locale } from '#contract/locales.ts';
import { currencyDigits, parseAmount } from '#contract/money.ts';
import { type Problem, problemText } from '#contract/problems.ts';
import type { StaffTranslate } from '#contract/staff/messages.ts';
import { type Database, openDatabase } from '#db/database.ts';
import { pendingMigrations } from '#db/migrate.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { createContainer, type Services } from '#server/container.ts';
import type { Env } from '#server/env.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import { createRequestKeys } from '#server/platform/request-keys/request-keys.ts';
import { hourMs, isInstant, isoTime } from '#server/platform/time-zone.ts';

export type CommandSetup = (program: ShopCommand, terminal: Terminal) => void;

export interface Terminal {
  /** The configuration. @throws {ConfigurationError} if it is invalid */
  env(): Env;
  /** The shop's database. Rejects if it cannot be reached. */
  open(env: Env): Promise<Database>;
  print(line: string): void;
  /** Of the person at the terminal. */
  locale: Locale;
  t: StaffTranslate;
  /** 0 for success. A command sets 1 for a problem that it found. */
  exitCode: number;
  /** The words of the command that runs, such as `coupon end`. */
  command: string;
  /** What it was asked, if the same within hours is done once; null if it may be done each time. */
  asked: string | null;
  /** In which times are printed: the shop's, once its database is open. */
  timeZone: string;
}

/** An error whose message is printed as a sentence, without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

type Act = Parameters<Command['action']>[0];

/** A command with its actions. Missing and invalid arguments are CommandErrors that end with the usage line. */
export class ShopCommand extends Command {
  /** How it may be typed again; null for a command that only reads, undefined for a group of others. */
  repeat: Repeat | null | undefined;

  override createCommand(name?: string): ShopCommand {
    return new ShopCommand(name);
  }

  /** What the command does: it only reads. */
  reads(act: Act): this {
    this.repeat = null;
    return super.action(act);
  }

  /**
   * What the command does, and how it may be typed again, because the connection broke off, or by two people at once. With `key` its
   * words are the key, so that it is done once within hours, unless it is given `--again`.
   */
  changes(repeat: Repeat, act: Act): this {
    this.repeat = repeat;
    if (repeat === 'key')
      this.option('--again', 'Does it once more, although it was done within the last hours.');
    return super.action((...given) => {
      this.#refuseEmpty();
      return act.apply(this, given);
    });
  }

  /** Takes nothing: a command says whether it `reads` or `changes`. */
  override action(_: never): never {
    throw new Error(`${this.name()} says neither that it reads nor that it changes something`);
  }

  /** What it was asked, the same however it was typed; null if it may be done each time. */
  asked(): string | null {
    const { again, ...options } = this.opts<{ again?: boolean }>();
    if (this.repeat !== 'key' || again) return null;
    return JSON.stringify([this.args, Object.entries(options).sort()], (name, value: unknown) => {
      if (typeof value === 'function')
        throw new Error(`What ${name} was given cannot be told from another value`);
      return value;
    });
  }

  override error(message: string, { code }: { code?: string } = {}): never {
    // A default action also receives the name of an unknown one.
    const [action] = this.parent?.args ?? [];
    if (code === 'commander.excessArguments' && action !== this.name() && this.parent?.parent)
      this.parent.error(`unknown command '${action}'`, { code: 'commander.unknownCommand' });
    const [problem = '', ...suggestion] = message.replace(/^error: /, '').split('\n');
    const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/\.?$/, '.')}`;
    if (code !== 'commander.unknownCommand') throw new CommandError(`${sentence} ${this.#usageLine()}`);
    // 2, as shells answer an unknown command; an unknown action of a known command is an invalid argument.
    throw new CommandError(
      [sentence, ...suggestion, '', this.helpInformation()].join('\n').trimEnd(),
      this.parent ? 1 : 2,
    );
  }

  /** What a script fills from a variable that is not set. Optional arguments have their own meaning of an empty one. */
  #refuseEmpty(): void {
    for (const [index, argument] of this.registeredArguments.entries())
      if (argument.required && this.args[index] === '') this.error(`argument '${argument.name()}' is empty`);
    for (const option of this.options) {
      const name = option.attributeName();
      if (this.getOptionValueSource(name) === 'cli' && this.getOptionValue(name) === '')
        this.error(`option '${option.flags}' is empty`);
    }
  }

  #usageLine(): string {
    return `Usage: ${this.createHelp().commandUsage(this)}`;
  }
}

/** The values of a list as every command takes it: separated by commas, `none` for an empty one. */
export function listOf(text: string): string[] {
  const values = text.split(',').map((value) => value.trim());
  return text.trim() === 'none' ? [] : values.filter((value) => value !== '');
}

/** For a file until it is complete. The same command in another terminal has another name. */
export const unfinishedName = (path: string): string => `${path}.${randomUUID().slice(0, 8)}.unfinished`;

/** An amount that was typed, such as "12.34", once its currency is known. @throws {CommandError} for more decimals than that has */
export type TypedAmount = ((currency: string) => number) & { toJSON(): string };

export function typedAmount(text: string): TypedAmount {
  if (!/^\d{1,9}(?:\.\d{1,4})?$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('Write an amount as 12.34.');
  const amountIn = (currency: string) => {
    const amount = parseAmount(text, currency);
    if (amount === null)
      throw new CommandError(
        `${text} is not an amount: ${currency} has ${currencyDigits(currency)} decimals.`,
      );
    return amount;
  };
  return Object.assign(amountIn, { toJSON: () => text });
}

export function instant(text: string): string {
  if (isInstant(text)) return text;
  throw new InvalidArgumentError('Write a day as 2026-12-01, or a time as 2026-12-01T09:00.');
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Words to a customer: one paragraph of at most 500 characters. */
export function note(text: string): string {
  const words = printable(text.trim());
  if (words.length > 500) throw new InvalidArgumentError('Write at most 500 characters.');
  return words;
}

/** Formats a count with its noun: "1 order", "2 orders". `many` is for irregular plurals. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Text by other people, safe to print: one line, without control characters and the invisible ones that disguise text. */
export function printable(text: string): string {
  return text.replace(/\r\n?|[\n\p{Zl}\p{Zp}]/gu, ' / ').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '');
}

/** Prints rows with their columns, but for the last, padded to one width. */
export function printTable(terminal: Terminal, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    terminal.print(
      row
        .map((cell, column) => (column < row.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell))
        .join('  '),
    );
}

const mostProblems = 100;

export function problemLines(problems: readonly Problem[], { t }: Terminal): string[] {
  const all = [...new Set(problems.map((each) => printable(problemText(each, t))))];
  return all.length > mostProblems
    ? [...all.slice(0, mostProblems), t('import.more', { count: all.length - mostProblems })]
    : all;
}

/** @throws {CommandError} for a file that cannot be imported */
export function requireNone(problems: readonly Problem[], terminal: Terminal): void {
  if (problems.length === 0) return;
  throw new CommandError([terminal.t('import.nothing'), ...problemLines(problems, terminal)].join('\n  '));
}

/** With as many connections as an export has pieces to read at once: the shop needs the others that PostgreSQL allows. */
export const openShop = ({ dataDir, databaseUrl }: Env): Promise<Database> =>
  openDatabase({ dataDir, databaseUrl, connections: 3 });

/** While other processes use the database. `run` names the terminal in the journal. @throws {CommandError} without a database, or before `migrate`; {NewerDatabaseError} */
export async function withShop<T>(
  terminal: Terminal,
  work: (services: Services, run: RunChange) => Promise<T>,
): Promise<T> {
  const env = terminal.env();
  if (!env.databaseUrl && !existsSync(join(env.dataDir, sqliteFileName)))
    throw new CommandError(`There is no database in ${env.dataDir} yet. Run "npm start" to create it.`);
  const db = await terminal.open(env);
  try {
    const { pending, newer } = await pendingMigrations(db);
    if (newer) throw newer;
    if (pending.length > 0)
      throw new CommandError('The database has pending migrations. Run "npm run shop -- migrate" first.');
    const services = createContainer({ db, env, now: Date.now });
    terminal.timeZone = await services.stores.timeZone();
    await services.settings.all();
    await services.connections.current();
    const run = services.changes.by({ kind: 'terminal' }, terminal.command);
    return await onceAsked(db, terminal, () => work(services, run));
  } finally {
    await db.close();
  }
}

/** How long the same words count as the same command: a day's work, and less than the time between two runs of a nightly script. */
const sameMs = 12 * hourMs;

/** @throws {CommandError} for what was done before */
function onceAsked<T>(
  db: Database,
  { command, asked, t, timeZone }: Terminal,
  work: () => Promise<T>,
): Promise<T> {
  if (asked === null) return work();
  const request = {
    owner: 'terminal',
    key: hash('sha256', `${command}\n${asked}`),
    asked: null,
    lastsMs: sameMs,
  };
  return createRequestKeys({ db, now: Date.now }).done(request, work, (at) => {
    throw new CommandError(t('command.doneBefore', { time: isoTime(at, timeZone) }));
  });
}
