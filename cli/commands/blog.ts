/** `blog <file>`: writes posts, and the blog they belong to, from a file (docs/how-to/write-a-post.md). */
import type { Command } from '../command.ts';
import { importFile, importUsage, readImportArgs } from '../import-file.ts';
import { readJsonFile } from '../json-file.ts';
import { inspectPostFile, picturesOfPosts, postFileProblems } from '../post-file.ts';
import { withShop } from '../shop.ts';

export const blog: Command = {
  usage: importUsage,
  summary: 'Imports posts from a JSON file, with the images beside it. Replaces posts with the same link.',
  async run(args, terminal) {
    const { path, check } = readImportArgs('blog', args);
    const content = await readJsonFile(path);
    return withShop(terminal, async (services) => {
      const reading = inspectPostFile(content, await services.stores.timeZone());
      const problems = await postFileProblems(services, reading);
      const pictures = picturesOfPosts(reading.posts);
      return importFile(services, terminal, { path, check, problems, pictures }, async () => {
        await services.blog.editor.upsertAll(reading.blog, reading.posts);
        for (const { link, publishedAt } of reading.posts) {
          terminal.print(
            publishedAt <= Date.now() ? `Published ${link}.` : `Scheduled ${link} for ${new Date(publishedAt).toISOString()}.`,
          );
        }
      });
    });
  },
};
