/** `blog <file>`: writes posts, and the blog they belong to, from a file (docs/how-to/write-a-post.md). */
import { dirname } from 'node:path';
import { type BlogInput, BlogInputError, type PostInput } from '#server/modules/content/index.ts';
import { type Command, CommandError, usageError } from '../command.ts';
import { readJsonFile, unreadable } from '../json-file.ts';
import { importPictures } from '../pictures.ts';
import { withShop } from '../shop.ts';

/** `publishedAt` may be a date with its time zone: 2026-11-21T09:00-05:00. */
type FilePost = Omit<PostInput, 'publishedAt'> & { publishedAt: string | number };

interface BlogFile {
  blog?: BlogInput;
  posts?: FilePost[];
}

export const blog: Command = {
  usage: '<file>',
  summary: 'Imports posts from a JSON file, with the images beside it. Replaces posts with the same link.',
  async run([file, ...rest], terminal) {
    if (!file || rest.length > 0) throw usageError(file ? 'Expected one file.' : 'Missing file.', 'blog <file>');
    const { blog: about, posts = [] } = await read(file);
    return withShop(terminal, async (services) => {
      const { editor } = services.blog;
      const dated = posts.map((post) => ({ ...post, publishedAt: timeOf(post) }));
      try {
        await importPictures(services, posts, dirname(file), terminal);
        const reports = await editor.upsertAll(about ?? null, dated);
        for (const { link, rejected } of reports) {
          terminal.print(`${link}: skipped invalid part ${rejected.join(', ')}.`);
        }
        for (const { link, publishedAt } of dated) {
          terminal.print(
            publishedAt <= Date.now() ? `Published ${link}.` : `Scheduled ${link} for ${new Date(publishedAt).toISOString()}.`,
          );
        }
        return reports.length > 0 ? 1 : 0;
      } catch (error) {
        if (error instanceof BlogInputError) throw new CommandError(['Nothing was imported:', ...error.problems].join('\n  '));
        throw error;
      }
    });
  },
};

async function read(file: string): Promise<BlogFile> {
  const content = await readJsonFile(file);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw unreadable(file, 'expected a JSON object');
  if ('posts' in content && !Array.isArray(content.posts)) throw unreadable(file, 'posts must be a list');
  // The editor validates the contents.
  return content as BlogFile;
}

/** Epoch ms; NaN for anything that is not a time, which the editor rejects with the field's name. */
function timeOf({ publishedAt }: FilePost): number {
  return typeof publishedAt === 'string' ? Date.parse(publishedAt) : publishedAt;
}
