/** `export <folder>`: writes the shop as files that `fill` and `blog` read, with the images beside them. */
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '#server/container.ts';
import { CommandError, type CommandSetup, countOf, problemLines, type Terminal } from '../command.ts';
import { withShop } from '../shop.ts';
import { type ExportedFile, type ExportedShop, exportShop } from '../shop-export.ts';

/** The file that `fill` reads. It is written last: an export that has it is complete. */
const shopFileName = 'shop.json';
const batchSize = 500;

// Named so because `export` is a keyword.
export const exportCommand: CommandSetup = (program, terminal) => {
  const command = program.command('export <folder>');
  command.description('Writes the shop as JSON files that `fill` and `blog` read, with the images beside them.');
  command.option('--overwrite', 'Replaces the files in a folder that is not empty.');
  command.action(async (folder: string, { overwrite = false }: { overwrite?: boolean }) => {
    await withShop(terminal, async (services) => {
      await prepareFolder(folder, overwrite);
      const exported = await exportShop(services);
      const files: ExportedFile[] = [...exported.blogs, { name: shopFileName, content: exported.shop }];
      const missing = await copyImages(services, files, folder);
      for (const file of files) await writeJson(join(folder, file.name), file.content);
      report(exported, folder, terminal);
      reportVideos(files, terminal);
      for (const name of missing) terminal.print(`${name} was not exported: its original file is missing.`);
      // Rows that an earlier version accepted may break a rule that was added since.
      const rejected = await services.imports.shop.problemsOf(JSON.parse(JSON.stringify(exported.shop)));
      if (rejected.length > 0)
        terminal.print(['`fill` rejects this export until you fix:', ...problemLines(rejected, terminal)].join('\n  '));
      if (missing.length + rejected.length > 0) terminal.exitCode = 1;
    });
  });
};

const imageExtensions = ['jpg', 'jpeg', 'png', 'webp', 'avif'];
const videoExtensions = ['mp4', 'webm', 'vtt'];

/** Creates the folder. @throws {CommandError} if it cannot be written to, or has files and `overwrite` is false */
async function prepareFolder(folder: string, overwrite: boolean): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    if (!overwrite && (await readdir(folder)).length > 0)
      throw new CommandError(`${folder} is not empty. Choose another folder, or add --overwrite to replace the files in it.`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`Could not write to ${folder}: ${error instanceof Error ? error.message : error}.`);
  }
}

/** Copies the images that the files name. Returns the names of images whose originals are missing. */
async function copyImages({ media }: Services, files: readonly ExportedFile[], folder: string): Promise<string[]> {
  const names = namedFiles(files, imageExtensions).sort();
  const missing: string[] = [];
  for (let start = 0; start < names.length; start += batchSize) {
    const originals = await media.originals(names.slice(start, start + batchSize));
    for (const [name, read] of originals) {
      const bytes = await read();
      if (!bytes) missing.push(name);
      else
        await writeFile(join(folder, name), bytes).catch((error: unknown) => {
          throw new CommandError(`Could not copy ${name}: ${error instanceof Error ? error.message : error}.`);
        });
    }
  }
  return missing;
}

async function writeJson(path: string, content: unknown): Promise<void> {
  const unfinished = `${path}.unfinished`;
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
    terminal.print(`Videos are not exported. Copy these to media/films in the other data folder: ${videos.join(', ')}.`);
}

/** The file names with one of these extensions that a value names, each once, in the order of their first mention. */
function namedFiles(value: unknown, extensions: readonly string[]): string[] {
  // In a part of rich text the quotes around a name are themselves escaped.
  const name = new RegExp(`(?<=")[A-Za-z0-9][A-Za-z0-9._-]*\\.(?:${extensions.join('|')})(?=\\\\?")`, 'gi');
  return [...new Set(JSON.stringify(value).match(name) ?? [])];
}
