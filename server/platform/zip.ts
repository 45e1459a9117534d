/** Writes archives in pieces: one of any size takes no more memory than a piece of it. */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

export interface Entry {
  name: string;
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
  /** False for what is compressed already. */
  compress?: boolean;
}

/** Ends with an error if an entry fails: an archive is whole or has no end. */
export async function zipOf(entries: AsyncIterable<Entry>, at: number): Promise<Readable> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let current: Readable | undefined;
  // Whoever reads it may go.
  output.on('close', () => current?.destroy());
  zip.on('error', (error: Error) => output.destroy(error));
  const add = async () => {
    for await (const { name, pieces, compress = true } of entries) {
      current = Readable.from(pieces, { objectMode: true, highWaterMark: 4 });
      const buffers = current.map((piece: string | Uint8Array) => Buffer.from(piece as string), {
        highWaterMark: 1,
      });
      zip.addReadStream(buffers, name, { mtime: new Date(at), compress });
      await finished(buffers);
    }
    zip.end();
  };
  void add().catch((error: Error) => output.destroy(error));
  return output;
}
