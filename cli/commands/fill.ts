/** `fill`, `blog`: import files of merchants (docs/how-to/fill-a-shop.md, docs/how-to/write-a-post.md). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipShop } from '#server/modules/exports/index.ts';
import type { Progress } from '#server/modules/imports/index.ts';
import { InputError } from '#server/platform/errors.ts';
import { isoTime } from '#server/platform/time-zone.ts';
import { CommandError, type CommandSetup, countOf, problemLines, requireNone, type Terminal } from '../command.ts';
import { planImport } from '../import-plan.ts';
import { readJsonFile } from '../json-file.ts';
import { withShop } from '../shop.ts';

export const fill: CommandSetup = (program, terminal) => {
  const command = program.command('fill <file>');
  command.description(
    'Imports settings, products, stock, stores and pages from a JSON file with the images beside it, or a whole shop from shop.zip.',
  );
  command.option('--check', 'Checks the file and lists what it would change. Imports nothing.');
  command.option('--anyway', 'Closes stores although orders are to be picked up then, and emails their customers.');
  command.action(async (path: string, chosen: { check?: boolean; anyway?: boolean }) => {
    if (!path.toLowerCase().endsWith('.zip')) return fillFrom(path, chosen, terminal);
    const folder = await mkdtemp(join(tmpdir(), 'shopwright-fill-'));
    try {
      const { files } = await unzipShop(path, folder);
      for (const file of files.filter((name) => name.endsWith('.json')))
        await (file === 'shop.json' ? fillFrom : writePosts)(join(folder, file), chosen, terminal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
};

interface Chosen {
  check?: boolean;
  anyway?: boolean;
}

async function fillFrom(path: string, { check = false, anyway = false }: Chosen, terminal: Terminal): Promise<void> {
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
}

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

export const blog: CommandSetup = (program, terminal) => {
  const command = program.command('blog <file>');
  command.description('Imports posts from a JSON file, with the images beside it. Replaces posts with the same link.');
  command.option('--check', 'Only checks the file. Imports nothing.');
  command.action((path: string, chosen: { check?: boolean }) => writePosts(path, chosen, terminal));
};

async function writePosts(path: string, { check = false }: Chosen, terminal: Terminal): Promise<void> {
  const content = await readJsonFile(path);
  await withShop(terminal, async ({ imports }, run) => {
    const checked = await imports.posts.check(content, dirname(path));
    requireNone(checked.problems, terminal);
    if (check) return terminal.print(`${path} is valid. Nothing was imported.`);
    await imports.posts.write(run, checked, { replaced: (image) => terminal.print(`${image} replaced the existing image.`) });
    for (const { link, publishedAt } of checked.reading.posts) {
      terminal.print(
        publishedAt <= Date.now() ? `Published ${link}.` : `Scheduled ${link} for ${isoTime(publishedAt, terminal.timeZone)}.`,
      );
    }
  });
}
