/** `media upload`: copies the images and videos of the data folder to the object store that MEDIA_URL names. */
import { MediaStoreError, type UploadResult, uploadMedia } from '#server/modules/media/index.ts';
import { type Command, CommandError, usageError } from '../command.ts';
import { countOf } from '../count.ts';
import { printable } from '../printable.ts';
import { readArgs } from '../shop.ts';

const usage = 'media upload [--replace]';

export const media: Command = {
  usage: 'upload [--replace]',
  summary:
    'Copies the images and videos of the data folder to the bucket of MEDIA_URL; those that are there already are skipped.',
  async run(args, terminal) {
    const options = { replace: { type: 'boolean', default: false } } as const;
    const { positionals, values } = readArgs({ args: [...args], allowPositionals: true, options }, usage);
    if (positionals.length !== 1 || positionals[0] !== 'upload') throw usageError('Expected "upload".', usage);
    const { dataDir, mediaStore } = terminal.env();
    if (!mediaStore) throw new CommandError('MEDIA_URL is not set. Set it to the bucket that the files should be copied to.');
    const result = await foreseen(() => uploadMedia({ dataDir, mediaStore, ...values }));
    return printUpload(result, { bucket: mediaStore.bucket, replace: values.replace, print: terminal.print });
  },
};

/** @throws {CommandError} if the store cannot be used */
async function foreseen<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MediaStoreError) throw new CommandError(`${error.message}. Nothing was uploaded.`);
    throw error;
  }
}

interface PrintOptions {
  bucket: string;
  replace: boolean;
  print: (line: string) => void;
}

/** Returns exit code 1 if files are left to upload. */
function printUpload(result: UploadResult, { bucket, replace, print }: PrintOptions): number {
  const { uploaded, bytes, present, different, ignored, error } = result;
  if (ignored.length > 0)
    print(`Ignored ${countOf(ignored.length, 'file')} without the name of an image or a video:\n${listed(ignored)}`);
  if (different.length > 0 && !replace) {
    print(
      `Nothing was uploaded: ${countOf(different.length, 'file')} in the bucket ${bucket} ${different.length === 1 ? 'has' : 'have'} other content:\n${listed(different)}`,
    );
    print(`To overwrite ${different.length === 1 ? 'it' : 'them'}, run "npm run shop -- media upload --replace".`);
    return 1;
  }
  print(
    `Uploaded ${countOf(uploaded.length, 'file')} (${(bytes / 1024 / 1024).toFixed(1)} MB) to the bucket ${bucket}. Already there: ${present.length}.`,
  );
  if (error === null) return 0;
  if (!(error instanceof MediaStoreError)) throw error;
  print(`${error.message}. Run the command again to upload the rest.`);
  return 1;
}

const listed = (names: readonly string[]) => names.map((name) => `  ${printable(name)}`).join('\n');
