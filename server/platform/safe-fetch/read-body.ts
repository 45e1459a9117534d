/** Reads a response body up to a size limit. */
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SafeFetchError } from './fetch-error.ts';

/** Counts both the received and the decompressed bytes: a small body may decompress to gigabytes. */
export async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw new SafeFetchError('too long');
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk);
  };
  await pipeline(response, limitedTo(maxBytes), unpacker(response), limitedTo(maxBytes), collect, { signal });
  return Buffer.concat(chunks);
}

function limitedTo(maxBytes: number) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new SafeFetchError('too long');
      yield chunk;
    }
  };
}

function unpacker(response: IncomingMessage): Transform {
  switch (String(response.headers['content-encoding'] ?? 'identity').toLowerCase()) {
    case 'identity':
      return new PassThrough();
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new SafeFetchError('another content encoding');
  }
}
