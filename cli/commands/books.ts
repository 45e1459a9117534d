/** `books …`: prints reports, closes periods and opens the last one again, hands the books over to bookkeepers' programs, and writes their entries. */
import { createWriteStream } from 'node:fs';
import { rename, stat, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Argument, InvalidArgumentError } from 'commander';
import { formatMerchantMoney } from '#contract/formatters.ts';
import { accountSums } from '#contract/staff/book-lines.ts';
import type { FiledSum } from '#contract/staff/closing.ts';
import { type BookProgram, bookPrograms, type EntryForm } from '#contract/staff/handover.ts';
import type { Services } from '#server/container.ts';
import { placesOf } from '#server/modules/bookkeeping/index.ts';
import { isCalendarDay, isoTime } from '#server/platform/time-zone.ts';
import {
  CommandError,
  type CommandSetup,
  countOf,
  printTable,
  type Terminal,
  unfinishedName,
  withShop,
} from '../command.ts';
import { addReports } from './book-reports.ts';

export const books: CommandSetup = (program, terminal) => {
  const command = program
    .command('books')
    .description('Prints reports of the books, closes their periods, and hands them over.');
  const list = command
    .command('periods')
    .description('Lists the closed periods, and proves that each sums to what was filed.');
  list.reads(() => withShop(terminal, (shop) => printPeriods(shop, terminal)));
  const show = command
    .command('show <period>')
    .description('Prints what the entries of a period that is open sum to.');
  show.reads((typed: string) =>
    withShop(terminal, async ({ periods }) =>
      printSums((await periods.figures(spanOf(typed))).sums, terminal),
    ),
  );
  const close = command.command('close <period>');
  close.description(
    'Closes a period that is over: 2026-10, or 2026-10-01..2026-10-15. What happens in it later counts in the next.',
  );
  close.changes('same', (typed: string) =>
    withShop(terminal, async ({ periods }, run) => {
      const days = spanOf(typed);
      await periods.close(run, days, null);
      terminal.print(`Closed ${days.from} to ${days.to}.`);
      const closed = (await periods.all()).periods.find(
        ({ from, to, reopened }) => from === days.from && to === days.to && reopened === null,
      );
      const { figures } = closed ? await periods.proof(closed.id) : { figures: null };
      if (!figures)
        throw new CommandError('The figures as filed cannot be read: run "npm run shop -- doctor".');
      printSums(figures.sums, terminal);
    }),
  );
  const reopen = command.command('reopen').description('Opens the last closed period again.');
  reopen.requiredOption('--why <text>', 'The reason, for the journal.');
  reopen.changes('key', ({ why }: { why: string }) =>
    withShop(terminal, async ({ periods }, run) => {
      const last = (await periods.all()).periods.find(({ canReopen }) => canReopen);
      if (!last) throw new CommandError('No period is closed.');
      await run((change) => periods.reopen(change, last.id, why));
      terminal.print(`Opened ${last.from} to ${last.to} again.`);
    }),
  );
  addReports(command, terminal, spanOf);
  addHandOver(command.command('hand-over'), terminal);
  const files = command.command('files').description('Lists what was handed over.');
  files.reads(() => withShop(terminal, (shop) => printFiles(shop, terminal)));
  const again = command.command('file <id> <path>').description('Writes a file again as it was handed over.');
  again.reads((id: string, path: string) =>
    withShop(terminal, ({ handover }) => writeHanded(handover, id, path, terminal)),
  );
  addEntries(command.command('entries <from> <to> <path>'), terminal);
};

type Command = ReturnType<Parameters<CommandSetup>[0]['command']>;

function addHandOver(command: Command, terminal: Terminal): void {
  command.description(
    'Writes a journal of each day for a program of bookkeepers, once, and of what has changed since.',
  );
  command.addArgument(new Argument('<program>', 'The program.').choices(bookPrograms));
  command.argument('<path>', 'The file to write.');
  command.option('--from <day>', 'The first day; with --to left out, only corrections are made.', day);
  command.option('--to <day>', 'The last day.', day);
  command.changes('key', (program: BookProgram, path: string, { from, to }: { from?: string; to?: string }) =>
    withShop(terminal, async ({ handover }, run) => {
      if ((from === undefined) !== (to === undefined))
        throw new CommandError('Expected both --from and --to, or neither.');
      await requireFree(path);
      const days = from === undefined || to === undefined ? null : { from, to };
      const id = await run((change) => handover.handOver(change, program, days, terminal.locale));
      await writeHanded(handover, id, path, terminal);
    }),
  );
}

function addEntries(command: Command, terminal: Terminal): void {
  command.description(
    'Writes all entries of days into a .csv, .xlsx or .journal file; hledger reads the last one.',
  );
  command.reads((from: string, to: string, path: string) =>
    withShop(terminal, async ({ bookEntries }) => {
      const form = forms[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
      if (!form) throw new CommandError(`${path} does not end with .csv, .xlsx or .journal.`);
      await requireFree(path);
      await write(path, (await bookEntries.file({ from, to, form }, null)).body);
      terminal.print(`Wrote ${path}.`);
    }),
  );
}

const forms: Readonly<Record<string, EntryForm>> = { csv: 'csv', xlsx: 'xlsx', journal: 'hledger' };

function day(text: string): string {
  if (isCalendarDay(text)) return text;
  throw new InvalidArgumentError('Write a day as 2026-10-01.');
}

/** A month, or two days. @throws {CommandError} */
function spanOf(typed: string): { from: string; to: string } {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(typed)) {
    const [year, month] = typed.split('-').map(Number);
    return {
      from: `${typed}-01`,
      to: `${typed}-${new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate()}`,
    };
  }
  const [from = '', to = ''] = typed.split('..');
  if (!isCalendarDay(from) || !isCalendarDay(to))
    throw new CommandError('Write a period as 2026-10 or 2026-10-01..2026-10-15.');
  return { from, to };
}

async function printPeriods({ periods }: Services, terminal: Terminal): Promise<void> {
  const { next, periods: all } = await periods.all();
  if (next) terminal.print(`Open since ${next.from}.`);
  else terminal.print('The books have no entries yet.');
  for (const { id, from, to, closedAt, reopened } of all) {
    const closed = `${from} to ${to}: closed ${isoTime(closedAt, terminal.timeZone)}`;
    if (reopened) {
      terminal.print(`${closed}, opened again ${isoTime(reopened.at, terminal.timeZone)}: ${reopened.why}`);
      continue;
    }
    const { figures, differences } = await periods.proof(id);
    if (!figures || differences.length > 0) terminal.exitCode = 1;
    const proved = differences.length === 0 ? 'sums to what was filed' : 'no longer sums to what was filed';
    terminal.print(`${closed}, ${figures ? proved : 'what was filed cannot be read'}`);
  }
}

function printSums(sums: readonly FiledSum[], terminal: Terminal): void {
  const places = new Map(placesOf(sums, terminal.locale).map(({ id, name }) => [id, name]));
  const rows = accountSums(sums, terminal.t, places).filter(({ amount }) => amount !== 0);
  printTable(
    terminal,
    rows.map(({ name, amount, currency }) => [`  ${name}`, formatMerchantMoney(amount, currency)]),
  );
}

async function printFiles({ handover }: Services, terminal: Terminal): Promise<void> {
  const { files } = await handover.all();
  if (files.length === 0) terminal.print('Nothing was handed over yet.');
  printTable(
    terminal,
    files.map(({ id, program, from, to, at, journals }) => [
      id,
      program,
      from === null ? 'corrections' : `${from} to ${to}`,
      isoTime(at, terminal.timeZone),
      countOf(journals, 'journal'),
    ]),
  );
}

async function writeHanded(
  handover: Services['handover'],
  id: string,
  path: string,
  terminal: Terminal,
): Promise<void> {
  await requireFree(path);
  const { text } = await handover.file(id);
  const unfinished = unfinishedName(path);
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, path);
  terminal.print(`Wrote ${path}. Write it again with: npm run shop -- books file ${id} <path>`);
}

/** @throws {CommandError} for a file that is there */
async function requireFree(path: string): Promise<void> {
  if (await stat(path).catch(() => null)) throw new CommandError(`${path} exists. Choose another name.`);
}

async function write(path: string, from: Readable): Promise<void> {
  const unfinished = unfinishedName(path);
  await pipeline(from, createWriteStream(unfinished, { mode: 0o600 })).catch((error: Error) => {
    throw new CommandError(`Could not write ${path}: ${error.message}.`);
  });
  await rename(unfinished, path);
}
