/** `blog <file>`: writes posts, and the blog they belong to, from a file (docs/how-to/write-a-post.md). */
import { dirname } from 'node:path';
import { isoTime } from '#server/platform/time-zone.ts';
import type { CommandSetup } from '../command.ts';
import { requireNone } from '../file-problems.ts';
import { readJsonFile } from '../json-file.ts';
import { withShop } from '../shop.ts';

export const blog: CommandSetup = (program, terminal) => {
  const command = program.command('blog <file>');
  command.description('Imports posts from a JSON file, with the images beside it. Replaces posts with the same link.');
  command.option('--check', 'Only checks the file. Imports nothing.');
  command.action(async (path: string, { check = false }: { check?: boolean }) => {
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
  });
};
