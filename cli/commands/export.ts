/** `export`: writes the shop as files that `fill` and `blog` read, as an archive, or one of its tables as CSV. */
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option } from 'commander';
import { type ExportForm, exportForms } from '#contract/staff/imports.ts';
import type { Services } from '#server/container.ts';
import {
  type ExportedFile,
  type ExportedShop,
  filesNamedIn,
  imageExtensions,
  type Table,
  tables,
} from '#server/modules/exports/index.ts';
import { OperationError } from '#server/platform/errors.ts';
import {
  CommandError,
  type CommandSetup,
  countOf,
  problemLines,
  type Terminal,
  unfinishedName,
  withShop,
} from '../command.ts';

/** The file that `fill` reads. It is written last: an export that has it is complete. */
const shopFileName = 'shop.json';
const batchSize = 500;

interface Chosen {
  overwrite?: boolean;
  form?: ExportForm;
}

// Named so because `export` is a keyword.
export const exportCommand: CommandSetup = (program, terminal) => {
  const command = program.command('export <target>');
  command.description(
    `Writes the shop into a folder as JSON files that \`fill\` and \`blog\` read, or into shop.zip with all of its tables; or one table into ${tables.map((table) => `${table}.csv`).join(', ')}.`,
  );
  command.option('--overwrite', 'Replaces the file, or the files in a folder that is not empty.');
  command.addOption(
    new Option(
      '--form <form>',
      'Of products: `own` has everything in all languages, `shopify` is what Shopify exports.',
    ).choices(exportForms),
  );
  command.reads(async (target: string, chosen: Chosen) => {
    const wanted = /\.(?:csv|zip)$/i.exec(target);
    await withShop(terminal, (services) =>
      wanted
        ? writeFileOf(services, target, chosen, terminal)
        : writeFolder(services, target, chosen, terminal),
    );
  });
};

/** A table by the beginning of its file's name, or the whole shop. */
async function writeFileOf(
  services: Services,
  path: string,
  { overwrite, form }: Chosen,
  terminal: Terminal,
): Promise<void> {
  const { exports } = services;
  const origin = terminal.env().publicUrl ?? '';
  const table = path.toLowerCase().endsWith('.zip') ? null : tableOf(path);
  if (form && table !== 'products') throw new OperationError('export.form');
  if (!overwrite && (await stat(path).catch(() => null)))
    throw new CommandError(`${path} exists. Choose another name, or add --overwrite.`);
  const from =
    table === null
      ? await exports.archive(origin)
      : Readable.from(exports.table({ table, origin, ...(form && { form }) }), { highWaterMark: 2 });
  const unfinished = unfinishedName(path);
  await pipeline(from, createWriteStream(unfinished, { mode: 0o600 })).catch((error: Error) => {
    throw new CommandError(`Could not write ${path}: ${error.message}.`);
  });
  await rename(unfinished, path);
  terminal.print(
    terminal.t('export.wrote', { file: path, size: ((await stat(path)).size / 1e6).toFixed(1) }),
  );
  if (origin === '' && (table === null || form === 'shopify')) terminal.print(terminal.t('export.noAddress'));
}

function tableOf(path: string): Table {
  const name = basename(path).toLowerCase();
  const table = tables.find((each) => name.startsWith(each));
  if (table) return table;
  throw new OperationError('export.table', {
    file: basename(path),
    files: tables.map((each) => `${each}.csv`).join(', '),
  });
}

async function writeFolder(
  services: Services,
  folder: string,
  { overwrite = false }: Chosen,
  terminal: Terminal,
): Promise<void> {
  await prepareFolder(folder, overwrite);
  const exported = await services.exports.shopFiles.whole();
  const files: ExportedFile[] = [...exported.blogs, { name: shopFileName, content: exported.shop }];
  const missing = await copyImages(services, files, folder);
  for (const file of files) await writeJson(join(folder, file.name), file.content);
  report(exported, folder, terminal);
  reportVideos(files, terminal);
  for (const name of missing) terminal.print(`${name} was not exported: its original file is missing.`);
  // Rows that an earlier version accepted may break a rule that was added since.
  const rejected = await services.imports.shop.problemsOf(JSON.parse(JSON.stringify(exported.shop)));
  if (rejected.length > 0)
    terminal.print(
      ['`fill` rejects this export until you fix:', ...problemLines(rejected, terminal)].join('\n  '),
    );
  if (missing.length + rejected.length > 0) terminal.exitCode = 1;
}

const videoExtensions = ['mp4', 'webm', 'vtt'];

/** Creates the folder. @throws {CommandError} if it cannot be written to, or has files and `overwrite` is false */
async function prepareFolder(folder: string, overwrite: boolean): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    if (!overwrite && (await readdir(folder)).length > 0)
      throw new CommandError(
        `${folder} is not empty. Choose another folder, or add --overwrite to replace the files in it.`,
      );
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `Could not write to ${folder}: ${error instanceof Error ? error.message : error}.`,
    );
  }
}

/** Copies the images that the files name. Returns the names of images whose originals are missing. */
async function copyImages(
  { media }: Services,
  files: readonly ExportedFile[],
  folder: string,
): Promise<string[]> {
  const names = namedFiles(files, imageExtensions).sort();
  const missing: string[] = [];
  for (let start = 0; start < names.length; start += batchSize) {
    const originals = await media.originals(names.slice(start, start + batchSize));
    for (const [name, read] of originals) {
      const bytes = await read();
      if (!bytes) missing.push(name);
      else
        await writeFile(join(folder, name), bytes).catch((error: unknown) => {
          throw new CommandError(
            `Could not copy ${name}: ${error instanceof Error ? error.message : error}.`,
          );
        });
    }
  }
  return missing;
}

async function writeJson(path: string, content: unknown): Promise<void> {
  const unfinished = unfinishedName(path);
  await writeFile(unfinished, `${JSON.stringify(content, null, 2)}\n`);
  await rename(unfinished, path);
}

function report({ shop, blogs }: ExportedShop, folder: string, terminal: Terminal): void {
  const parts = [
    countOf(Object.keys(shop.settings).length, 'setting'),
    countOf(shop.stores.length, 'store'),
    countOf(shop.brands.length, 'brand'),
    countOf(shop.categories.length, 'category', 'categories'),
    countOf(shop.tags.length, 'tag'),
    countOf(shop.products.length, 'product'),
    countOf(shop.pages.length, 'page'),
    countOf(shop.gallery.length, 'photo'),
  ];
  terminal.print(`Exported ${parts.join(', ')} to ${join(folder, shopFileName)}.`);
  for (const { name, content } of blogs)
    terminal.print(`Exported ${countOf(content.posts.length, 'post')} to ${join(folder, name)}.`);
  terminal.print('To import them into another shop, run there:');
  terminal.print(`  npm run shop -- fill ${join(folder, shopFileName)}`);
  for (const { name } of blogs) terminal.print(`  npm run shop -- blog ${join(folder, name)}`);
}

/** `fill` does not import videos, so they are not exported either. */
function reportVideos(files: readonly ExportedFile[], terminal: Terminal): void {
  const videos = namedFiles(files, videoExtensions).sort();
  if (videos.length > 0)
    terminal.print(
      `Videos are not exported. Copy these to media/films in the other data folder: ${videos.join(', ')}.`,
    );
}

const namedFiles = (value: unknown, extensions: readonly string[]): string[] => [
  ...filesNamedIn(JSON.stringify(value), extensions),
];
