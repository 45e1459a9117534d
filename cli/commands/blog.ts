/** `blog <file>`: writes posts, and the blog they belong to, from a file (docs/how-to/write-a-post.md). */
import { dirname } from 'node:path';
import { type Command, usageError } from '../command.ts';
import { nothingImported } from '../file-problems.ts';
import { readJsonFile } from '../json-file.ts';
import { findPictures, importPictures } from '../pictures.ts';
import { inspectPostFile, picturesOfPosts, postFileProblems } from '../post-file.ts';
import { readArgs, withShop } from '../shop.ts';

const usage = '[--check] <file>';

export const blog: Command = {
  usage,
  summary: 'Imports posts from a JSON file, with the images beside it. Replaces posts with the same link.',
  async run(args, terminal) {
    const options = { check: { type: 'boolean' } } as const;
    const { values, positionals } = readArgs({ args: [...args], options, allowPositionals: true }, `blog ${usage}`);
    const [path, ...rest] = positionals;
    if (!path || rest.length > 0) throw usageError(path ? 'Expected one file.' : 'Missing file.', `blog ${usage}`);
    const content = await readJsonFile(path);
    const folder = dirname(path);
    return withShop(terminal, async (services) => {
      const reading = inspectPostFile(content, await services.stores.timeZone());
      const pictures = await findPictures(services, picturesOfPosts(reading.posts), folder);
      const problems = [...(await postFileProblems(services, reading)), ...pictures.problems];
      if (problems.length > 0) throw nothingImported(problems);
      if (values.check) {
        terminal.print(`${path} is valid. Nothing was imported.`);
        return 0;
      }
      await importPictures(services, pictures.files, folder, terminal);
      await services.blog.editor.upsertAll(reading.blog, reading.posts);
      for (const { link, publishedAt } of reading.posts) {
        terminal.print(
          publishedAt <= Date.now() ? `Published ${link}.` : `Scheduled ${link} for ${new Date(publishedAt).toISOString()}.`,
        );
      }
      return 0;
    });
  },
};
