/** `fill <file>`: writes settings, products, stock, stores, pages and the gallery from a file (docs/how-to/fill-a-shop.md). */
import { dirname } from 'node:path';
import type { Progress } from '#server/modules/imports/index.ts';
import { InputError } from '#server/platform/errors.ts';
import { CommandError, type CommandSetup, countOf, type Terminal } from '../command.ts';
import { problemLines, requireNone } from '../file-problems.ts';
import { planImport } from '../import-plan.ts';
import { readJsonFile } from '../json-file.ts';
import { withShop } from '../shop.ts';

export const fill: CommandSetup = (program, terminal) => {
  const command = program.command('fill <file>');
  command.description('Imports settings, products, stock, stores and pages from a JSON file, with the images beside it.');
  command.option('--check', 'Checks the file and lists what it would change. Imports nothing.');
  command.option('--anyway', 'Closes stores although orders are to be picked up then, and emails their customers.');
  command.action(async (path: string, { check = false, anyway = false }: { check?: boolean; anyway?: boolean }) => {
    const content = await readJsonFile(path);
    await withShop(terminal, async (services, run) => {
      const checked = await services.imports.shop.check(content, dirname(path), { anyway });
      requireNone(checked.problems, terminal);
      const plan = await planImport(services, checked.reading.file);
      for (const line of [...problemLines(checked.closing, terminal), ...plan.lines]) terminal.print(line);
      if (check) return terminal.print(`${path} is valid. Nothing was imported.`);
      await services.imports.shop.write(run, checked, { anyway }, progress(plan.counts, terminal)).catch((error: unknown) => {
        if (!(error instanceof InputError)) throw error;
        throw new CommandError([terminal.t('import.changed'), ...problemLines(error.problems, terminal)].join('\n  '));
      });
    });
  });
};

function progress(counts: ReadonlyMap<string, string>, { print }: Terminal): Progress {
  const plural = (kind: string) => (kind === 'category' ? 'categories' : undefined);
  return {
    replaced: (image) => print(`${image} replaced the existing image.`),
    wrote: (kind, count) => print(`Imported ${countOf(count, kind, plural(kind))}: ${counts.get(kind)}.`),
    told: ({ number, contact }) =>
      print(
        contact?.email
          ? `Emailed the customer of order ${number} to choose another pickup time.`
          : `Order ${number} has no email address. Tell its customer yourself: npm run shop -- orders show ${number}`,
      ),
  };
}
