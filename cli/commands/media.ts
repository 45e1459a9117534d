/** `media upload`: copies the images and videos of the data folder to the object store that MEDIA_URL names. */
import { MediaStoreError, type UploadResult, uploadMedia } from '#server/modules/media/index.ts';
import { CommandError, type CommandSetup, countOf, printable, type Terminal } from '../command.ts';

export const media: CommandSetup = (program, terminal) => {
  const command = program.command('media').description('Moves images and videos to an object store.');
  const upload = command.command('upload');
  upload.description(
    'Copies the images and videos of the data folder to the bucket of MEDIA_URL. Skips those that are there already.',
  );
  upload.option('--replace', 'Overwrites files of the bucket that have other content.');
  upload.changes('same', async ({ replace = false }: { replace?: boolean }) => {
    const { dataDir, mediaStore } = terminal.env();
    if (!mediaStore)
      throw new CommandError(
        'MEDIA_URL is not set. Set it to the bucket that the files should be copied to.',
      );
    const result = await foreseen(() => uploadMedia({ dataDir, mediaStore, replace }));
    printUpload(result, { bucket: mediaStore.bucket, replace }, terminal);
  });
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

/** Sets exit code 1 if files are left to upload. */
function printUpload(
  result: UploadResult,
  { bucket, replace }: { bucket: string; replace: boolean },
  terminal: Terminal,
): void {
  const { print } = terminal;
  const { uploaded, bytes, present, different, ignored, error } = result;
  if (ignored.length > 0)
    print(
      `Ignored ${countOf(ignored.length, 'file')} without the name of an image or a video:\n${listed(ignored)}`,
    );
  if (different.length > 0 && !replace) {
    print(
      `Nothing was uploaded: ${countOf(different.length, 'file')} in the bucket ${bucket} ${different.length === 1 ? 'has' : 'have'} other content:\n${listed(different)}`,
    );
    print(
      `To overwrite ${different.length === 1 ? 'it' : 'them'}, run "npm run shop -- media upload --replace".`,
    );
    terminal.exitCode = 1;
    return;
  }
  print(
    `Uploaded ${countOf(uploaded.length, 'file')} (${(bytes / 1024 / 1024).toFixed(1)} MB) to the bucket ${bucket}. Already there: ${present.length}.`,
  );
  if (error === null) return;
  if (!(error instanceof MediaStoreError)) throw error;
  print(`${error.message}. Run the command again to upload the rest.`);
  terminal.exitCode = 1;
}

const listed = (names: readonly string[]) => names.map((name) => `  ${printable(name)}`).join('\n');
