/** `payouts …`: what payment providers took, kept and paid out, what of it does not agree, and the statement of the bank. */
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { formatMerchantMoney } from '#contract/formatters.ts';
import { wayText } from '#contract/staff/messages.ts';
import type { Finding, Payout } from '#contract/staff/settlements.ts';
import type { Services } from '#server/container.ts';
import { statementProblemText } from '#server/modules/settlements/index.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { isoTime } from '#server/platform/time-zone.ts';
import {
  CommandError,
  type CommandSetup,
  countOf,
  printable,
  type ShopCommand,
  type Terminal,
  withShop,
} from '../command.ts';

const reading = mintPermit('books.payouts', { kind: 'terminal' }, null);
const closing = mintPermit('books.close', { kind: 'terminal' }, null);

interface Range {
  from?: string;
  to?: string;
  provider?: string;
}

/** Days as YYYY-MM-DD in the time zone of the shop. */
function ranged(command: ShopCommand): ShopCommand {
  command.option(
    '--from <day>',
    'The first day, such as 2026-11-01; 90 days before the last if it is left out.',
  );
  command.option('--to <day>', 'The last day; today if it is left out.');
  command.option('--provider <name>', 'Only this provider.');
  return command;
}

export const payouts: CommandSetup = (program, terminal) => {
  const command = program
    .command('payouts')
    .description('Lists what payment providers pay out, and what does not match.');
  ranged(command.command('list', { isDefault: true }))
    .description('Lists payouts, and what was not paid out yet.')
    .reads((range: Range) => withShop(terminal, (services) => printPayouts(services, range, terminal)));
  ranged(command.command('unmatched'))
    .description('Lists what does not match between providers, orders and the bank.')
    .reads((range: Range) => withShop(terminal, (services) => printFindings(services, range, terminal)));
  command
    .command('read')
    .description('Reads what the providers have listed since they were read last.')
    .changes('same', () => withShop(terminal, (services) => readNow(services, terminal)));
  command
    .command('ask <difference>')
    .description('Asks the provider about a difference again, and records what it says.')
    .changes('same', (id: string) =>
      withShop(terminal, async ({ settlements }) => {
        const { solved } = await settlements.ask(reading, id);
        terminal.print(solved ? 'Solved.' : 'The provider still says the same.');
        if (!solved) terminal.exitCode = 1;
      }),
    );
  command
    .command('accept <difference>')
    .description('Accepts a difference: it is not listed any more.')
    .requiredOption('--note <text>', 'Why, for your records.')
    .changes('same', (id: string, { note }: { note: string }) =>
      withShop(terminal, async ({ settlements }, run) => {
        await run((change) => settlements.accept(change, closing, id, printable(note).slice(0, 500)));
        terminal.print('Accepted.');
      }),
    );
  command
    .command('link <provider> <payout> <line>')
    .description('Says which line of the bank a payout is, although their amounts differ.')
    .changes('same', (provider: string, payout: string, line: string) =>
      withShop(terminal, async ({ settlements }, run) => {
        await run((change) => settlements.link(change, closing, { provider, payout, line }));
        terminal.print('Linked.');
      }),
    );
  bank(command, terminal);
  file(command, terminal);
};

function bank(command: ShopCommand, terminal: Terminal): void {
  const add = command
    .command('bank <file>')
    .description('Finds payouts in a statement of the bank: CSV or XLSX with headings.');
  for (const name of ['day', 'amount', 'description'])
    add.option(
      `--${name} <heading>`,
      `The heading of the column with the ${name}; guessed if it is left out.`,
    );
  add.option('--dry-run', 'Says what it finds, and keeps nothing.');
  type Chosen = { day?: string; amount?: string; description?: string; dryRun?: boolean };
  add.changes('same', (path: string, { dryRun = false, ...columns }: Chosen) =>
    withShop(terminal, async ({ settlements }, run) => {
      const found = await settlements.readStatement(closing, createReadStream(path), columns);
      for (const each of found.problems)
        terminal.print(printable(`PROBLEM  ${statementProblemText(each, terminal.t)}`));
      const { lines, payouts: kept, known } = found;
      terminal.print(terminal.t('office.payouts.bank.found', { lines, kept: kept.length, known }));
      if (found.problems.length > 0) throw new CommandError('Nothing was saved.');
      if (dryRun) return;
      const matched = await run((change) => settlements.bank.keep(change, found));
      terminal.print(terminal.t('office.payouts.bank.done', { matched }));
    }),
  );
}

function file(command: ShopCommand, terminal: Terminal): void {
  const save = ranged(command.command('file <path>')).description(
    'Writes a row for each payment, refund, dispute, fee and payout into a .csv or .xlsx file.',
  );
  save.addOption(new Option('--overwrite', 'Replaces the file.'));
  save.reads((path: string, { overwrite = false, ...range }: Range & { overwrite?: boolean }) =>
    withShop(terminal, async ({ settlements, exports }) => {
      const [, format] = /\.(csv|xlsx)$/i.exec(path) ?? [];
      if (!format) throw new CommandError('Name a file that ends with .csv or .xlsx.');
      const { days } = await settlements.spanOf(range);
      const wanted = { ...days, ...(range.provider === undefined ? {} : { provider: range.provider }) };
      const from =
        format.toLowerCase() === 'csv'
          ? exports.payouts(wanted, terminal.locale)
          : await exports.payoutsSheet(wanted, terminal.locale);
      await writeFile(path, from, { flag: overwrite ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST'
          ? new CommandError(`${path} exists. Choose another name, or add --overwrite.`)
          : error;
      });
      terminal.print(printable(`Wrote ${path}.`));
    }),
  );
}

async function printPayouts({ settlements }: Services, range: Range, terminal: Terminal): Promise<void> {
  const { providers, unlisted, payouts: found, waiting, more } = await settlements.list(reading, range);
  for (const payout of found) terminal.print(printable(payoutLine(payout, terminal)));
  if (more) terminal.print(terminal.t('office.payouts.moreHint'));
  for (const { provider, currency, rows, net, gross } of waiting)
    terminal.print(
      `WAITS    ${wayText(terminal.t, provider)}: ${formatMerchantMoney(net ?? gross, currency)}, ${countOf(rows, 'entry', 'entries')} in no payout`,
    );
  for (const { provider, readUntil, problem } of providers) {
    const name = wayText(terminal.t, provider);
    const until =
      readUntil === null ? 'not read yet' : `complete until ${isoTime(readUntil, terminal.timeZone)}`;
    terminal.print(
      printable(problem === null ? `${name}: ${until}` : `FAIL     ${name}: ${until}; ${problem}`),
    );
    if (problem !== null) terminal.exitCode = 1;
  }
  for (const provider of unlisted)
    terminal.print(terminal.t('office.payouts.unlisted', { provider: wayText(terminal.t, provider) }));
  if (providers.length + unlisted.length === 0) terminal.print(terminal.t('office.payouts.noProvider'));
}

/** One line such as "2026-11-20T01:00-05:00  Cards po_1: $1,234.50 sent, 12 entries, fees $38.20, at the bank on 2026-11-21". */
function payoutLine(payout: Payout, { t, timeZone }: Terminal): string {
  const { provider, payout: id, at, amount, currency, state, rows, fee, bank: line } = payout;
  const money = (cents: number) => formatMerchantMoney(cents, currency);
  // `link` asks for the provider as the shop calls it.
  const words = wayText(t, provider);
  const name = words === provider ? words : `${words}, ${provider}`;
  const inside = rows === 0 ? '' : `, ${countOf(rows, 'entry', 'entries')}`;
  const fees = rows === 0 || fee === null ? '' : `, fees ${money(fee)}`;
  const arrived = line === null ? '' : `, ${money(line.amount)} at the bank on ${line.day}`;
  return `${isoTime(at, timeZone)}  ${name} ${id}: ${money(amount)} ${state}${inside}${fees}${arrived}`;
}

async function printFindings({ settlements }: Services, range: Range, terminal: Terminal): Promise<void> {
  const { findings, accepted, more } = await settlements.findings(reading, range);
  for (const finding of findings) terminal.print(printable(findingLine(finding, terminal)));
  if (more) terminal.print(terminal.t('office.payouts.moreFindings'));
  if (findings.length === 0) terminal.print(terminal.t('office.payouts.noFindings'));
  if (accepted > 0) terminal.print(terminal.t('office.payouts.accepted', { count: accepted }));
  if (findings.length > 0) terminal.exitCode = 1;
}

/** The difference, both amounts, what to do, and the id for `ask` and `accept`. */
function findingLine(
  { id, kind, provider: way, currency, there, here, order, line }: Finding,
  { t }: Terminal,
): string {
  const provider = wayText(t, way);
  const money = (cents: number) => formatMerchantMoney(cents, currency);
  const parts = [
    t(`office.payouts.finding.${kind}`, { provider }),
    ...(there === null ? [] : [t('office.payouts.there', { provider, amount: money(there) })]),
    ...(here === null
      ? []
      : [
          t(kind === 'otherAmount' ? 'office.payouts.atBank' : 'office.payouts.here', {
            amount: money(here),
          }),
        ]),
    ...(order === null ? [] : [`${t('office.payouts.order')} ${order}`]),
    ...(line === null ? [] : [line]),
    id,
  ];
  return `${parts.join(' · ')}\n  ${t(`office.payouts.finding.${kind}Do`, { provider })}`;
}

async function readNow({ settlements: { reader } }: Services, terminal: Terminal): Promise<void> {
  const problems = await reader.readAll();
  for (const { provider, problem } of problems)
    terminal.print(printable(`FAIL     ${wayText(terminal.t, provider)}: ${problem}`));
  const readings = await reader.readings();
  for (const { provider } of reader.books()) {
    const until = readings.get(provider)?.readUntil ?? null;
    if (until !== null)
      terminal.print(`${wayText(terminal.t, provider)}: complete until ${isoTime(until, terminal.timeZone)}`);
  }
  if (problems.length > 0) terminal.exitCode = 1;
}
