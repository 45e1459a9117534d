/** `import`: products from the exports of other shops and from spreadsheets (docs/how-to/move-from-shopify.md). */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Option } from 'commander';
import { type Locale, localeCodes } from '#contract/locales.ts';
import {
  type ImportAnswer,
  type ImportKindId,
  type ImportState,
  importKinds,
  importOutcomes,
  type SheetEncoding,
  sheetEncodings,
} from '#contract/staff/imports.ts';
import type { ImportRuns } from '#server/modules/imports/index.ts';
import { InputError } from '#server/platform/errors.ts';
import { mintPermit } from '#server/platform/permits.ts';
import {
  CommandError,
  type CommandSetup,
  printable,
  problemLines,
  type Terminal,
  withShop,
} from '../command.ts';

interface Chosen {
  apply?: boolean;
  dryRun?: boolean;
  as?: ImportKindId;
  language?: Locale;
  place?: string;
  dropVariants?: boolean;
  invite?: boolean;
  drafts?: boolean;
  decimal?: '.' | ',';
  encoding?: SheetEncoding;
}

const mostLines = 100;
const permit = mintPermit('goods.import', { kind: 'terminal' }, null);

export const importCommand: CommandSetup = (program, terminal) => {
  const command = program.command('import <file>');
  command.description(
    'Imports a CSV or XLSX file of Shopify, WooCommerce, this shop or any spreadsheet, or an export of WordPress.',
  );
  command.option('--dry-run', 'Only says what would change. This is what happens without --apply.');
  command.addOption(new Option('--apply', 'Imports what has no problem.').conflicts('dryRun'));
  command.addOption(new Option('--as <format>', 'How the file is read.').choices(importKinds));
  command.addOption(new Option('--language <language>', 'The language of its texts.').choices(localeCodes));
  command.option('--place <id>', 'Where its stock is: warehouse, a store, or none to leave stock out.');
  command.addOption(new Option('--encoding <name>', 'The characters of the file.').choices(sheetEncodings));
  command.addOption(new Option('--decimal <sign>', 'What divides cents in it.').choices(['.', ',']));
  command.option('--drafts', 'Imports new products without a price as drafts.');
  command.option('--invite', 'Emails new customers an invitation to choose a password.');
  command.option('--drop-variants', 'Removes variants that the file does not have.');
  command.changes('same', (path: string, chosen: Chosen) =>
    withShop(terminal, async ({ importRuns }) => {
      const found = await stat(path).catch(() => undefined);
      if (!found?.isFile()) throw new CommandError(`There is no file ${path}.`);
      const sent = await importRuns
        .upload(permit, basename(path), createReadStream(path), terminal.locale)
        .catch(refused(terminal));
      const { id } = sent;
      await choose(importRuns, sent, chosen, terminal);
      await importRuns.work();
      const judged = await importRuns.read(id, terminal.locale);
      await printJudged(importRuns, judged, terminal);
      if (!chosen.apply) return;
      if (judged.counts.new + judged.counts.changed > 0)
        await run(importRuns, terminal, () =>
          importRuns.apply(permit, id, terminal.locale, { seen: judged.version }),
        );
      const { counts } = await importRuns.read(id, terminal.locale);
      if (counts.problem > 0) terminal.exitCode = 1;
      terminal.print(`Undo it within 30 days: npm run shop -- import-undo ${id}`);
    }),
  );
  const undo = program.command('import-undo <id>');
  undo.description('Restores what an import has set and nobody has changed since.');
  undo.changes('used', (id: string) =>
    withShop(terminal, ({ importRuns }) =>
      run(importRuns, terminal, () => importRuns.takeBack(permit, id, terminal.locale)),
    ),
  );
};

function refused(terminal: Terminal) {
  return (error: unknown): never => {
    if (error instanceof InputError)
      throw new CommandError(problemLines(error.problems, terminal).join('\n'));
    throw error;
  };
}

async function choose(
  runs: ImportRuns,
  sent: ImportAnswer,
  chosen: Chosen,
  { locale }: Terminal,
): Promise<void> {
  const {
    as = sent.kind,
    language = sent.options.language,
    place = sent.options.place,
    dropVariants = false,
    invite = false,
    drafts = false,
    decimal = sent.options.decimal,
    encoding = null,
  } = chosen;
  const fields = sent.columns.map(({ field }) => field);
  const options = {
    kind: as,
    fields,
    language,
    place: place === 'none' ? null : place,
    dropVariants,
    invite,
    drafts,
    decimal,
  };
  await runs.change(permit, sent.id, { ...options, encoding }, locale);
}

/** Prints how far it is, and what became of it. */
async function run(runs: ImportRuns, terminal: Terminal, begin: () => Promise<ImportState>): Promise<void> {
  const { id } = await begin();
  let last = '';
  const timer = setInterval(() => {
    void runs.read(id, terminal.locale).then(({ state, done, total }) => {
      const line = `${terminal.t(`office.imports.state.${state}`)}: ${done}/${total}`;
      if (line !== last) terminal.print(line);
      last = line;
    });
  }, 2000);
  await runs.work().finally(() => clearInterval(timer));
  const { state } = await runs.read(id, terminal.locale);
  terminal.print(`${terminal.t(`office.imports.state.${state}`)}.`);
}

async function printJudged(
  runs: ImportRuns,
  judged: ImportAnswer,
  { t, print, locale }: Terminal,
): Promise<void> {
  const { kind, rows, counts, columns, problem, made, lost, asks } = judged;
  if (problem !== null) throw new CommandError(problem);
  print(`${t(`office.imports.kind.${kind}`)}, ${rows}`);
  const unplaced = columns
    .filter(({ field, example }) => field === null && example !== '')
    .map(({ name }) => name);
  if (unplaced.length > 0) print(printable(t('office.imports.unplaced', { columns: unplaced.join(', ') })));
  for (const outcome of importOutcomes)
    print(`${t(`office.imports.outcome.${outcome}`)}: ${counts[outcome]}`);
  if (made.brands + made.categories + made.tags > 0) print(t('office.imports.makes', made));
  for (const line of [...asks.map((each) => t(`office.imports.ask.${each}`)), ...lost])
    print(printable(line));
  let left = mostLines;
  for (let after: number | null = 0; after !== null && left > 0; ) {
    const page: Awaited<ReturnType<ImportRuns['rows']>> = await runs.rows(
      judged.id,
      after === 0 ? {} : { after },
      locale,
    );
    for (const { subject, fields, problems, shows, post } of page.rows) {
      if (shows && left-- > 0)
        print(printable(`${subject}: ${t('office.imports.shows', { ...shows, count: shows.variants })}`));
      if (post && left-- > 0)
        print(printable(`${subject}: ${t('office.imports.showsPost', { ...post, count: post.pictures })}`));
      for (const { text } of problems) if (left-- > 0) print(printable(`${subject}: ${text}`));
      for (const { field, from, to } of fields)
        if (left-- > 0) print(printable(`${subject}: ${field}: ${from} → ${to}`));
    }
    after = page.next;
  }
}
