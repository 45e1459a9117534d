import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';

export type Encoding = 'identity' | 'br' | 'gzip';

/** A product page of 38 KB takes 0.7 ms; 3 takes 0.4 ms, and is a tenth larger. */
const brotliQuality = 5;
const gzipLevel = 6;
/** Passing a smaller body to another thread costs more than compressing it here. */
const compressHereUpTo = 64_000;

const brotli = promisify(brotliCompress);
const unbrotli = promisify(brotliDecompress);
const gzipped = promisify(gzip);
const gunzipped = promisify(gunzip);

export function acceptedEncoding(header: string | string[] | undefined): Encoding {
  if (typeof header !== 'string') return 'identity';
  if (header.includes('br') && !/\bbr *; *q=0(?:\.0*)? *(?:,|$)/.test(header)) return 'br';
  if (header.includes('gzip') && !/\bgzip *; *q=0(?:\.0*)? *(?:,|$)/.test(header)) return 'gzip';
  return 'identity';
}

export function acceptsGzip(header: string | string[] | undefined): boolean {
  return /\bgzip\b(?! *; *q=0(?:\.0*)? *(?:,|$))/.test(String(header ?? ''));
}

export async function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return await gzipped(body, { level: gzipLevel });
  if (encoding === 'identity') return body;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    [constants.BROTLI_PARAM_LGWIN]: windowFor(body.length),
  };
  if (body.length <= compressHereUpTo) return brotliCompressSync(body, { params });
  return await brotli(body, { params });
}

export async function decompress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'br') return await unbrotli(body);
  return encoding === 'gzip' ? await gunzipped(body) : body;
}

/** A copy that owns its memory, unless `body` does: zlib and small buffers return slices of blocks of up to 64 KB. */
export function ownMemory(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.length) return body;
  const copy = Buffer.allocUnsafeSlow(body.length);
  body.copy(copy);
  return copy;
}

/** The logarithm of the smallest window that holds a body whole. The encoder's own memory grows with it, to 8 MB. */
function windowFor(bytes: number): number {
  return Math.min(Math.max(Math.ceil(Math.log2(bytes)), constants.BROTLI_MIN_WINDOW_BITS), constants.BROTLI_DEFAULT_WINDOW);
}
