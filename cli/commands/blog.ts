/** `blog <file>`: writes posts, and the blog they belong to, from a file (docs/how-to/write-a-post.md). */
import { isoTime } from '#server/platform/time-zone.ts';
import type { CommandSetup } from '../command.ts';
import { importFile } from '../import-file.ts';
import { readJsonFile } from '../json-file.ts';
import { inspectPostFile, picturesOfPosts, postFileProblems } from '../post-file.ts';
import { withShop } from '../shop.ts';

export const blog: CommandSetup = (program, terminal) => {
  const command = program.command('blog <file>');
  command.description('Imports posts from a JSON file, with the images beside it. Replaces posts with the same link.');
  command.option('--check', 'Only checks the file. Imports nothing.');
  command.action(async (path: string, { check = false }: { check?: boolean }) => {
    const content = await readJsonFile(path);
    await withShop(terminal, async (services, run) => {
      const reading = inspectPostFile(content, await services.stores.timeZone());
      const problems = await postFileProblems(services, reading);
      const pictures = picturesOfPosts(reading.posts);
      return importFile(services, run, terminal, { path, check, problems, pictures }, async () => {
        const { editor } = services.blog;
        if (reading.blog || reading.posts.length > 0)
          await run((change) => editor.upsertAll(change, reading.blog, reading.posts));
        for (const { link, publishedAt } of reading.posts) {
          terminal.print(
            publishedAt <= Date.now()
              ? `Published ${link}.`
              : `Scheduled ${link} for ${isoTime(publishedAt, terminal.timeZone)}.`,
          );
        }
      });
    });
  });
};
