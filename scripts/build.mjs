/**
 * Builds the storefront into the folder that is its argument: the browser's code and the server's renderer. Then it compresses the files that are sent
 * often, once, at the highest setting. `setup.mjs` runs it on the pinned Node.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, createBuilder } from 'vite';
import { makeIcons } from './icons.mjs';
import { root } from './setup.mjs';

const compressible = new Set(['.js', '.css', '.json', '.svg', '.txt', '.webmanifest', '.wasm']);
/** Bytes below which a compressed file is no faster to send. */
const leastSize = 600;
/**
 * The sizes of Brotli's input blocks to try, as powers of two: the best one depends on the file, by up to 200 bytes in 110,000. A
 * file that fits into the smallest block is one block in any case.
 */
const blockBits = [16, 18, 24];

process.chdir(root);
// Overrides the value in the calling shell: development and production code of React cannot be mixed.
process.env.NODE_ENV = 'production';
const folder = process.argv[2];
process.env.BUILD_FOLDER = folder;
const builder = await createBuilder({ logLevel: 'warn' });
await builder.buildApp();
await build({ configFile: 'vite.office.config.ts', logLevel: 'warn' });
await makeIcons(join(folder, 'web'));
const names = await readdir(join(folder, 'web'), { recursive: true });
await Promise.all(
  names.filter((name) => compressible.has(extname(name))).map((name) => compress(join(folder, 'web', name))),
);

async function compress(path) {
  const content = await readFile(path);
  if (content.length < leastSize) return;
  const brotli = await smallestBrotli(content);
  const zipped = await promisify(gzip)(content, { level: 9 });
  if (brotli.length < content.length) await writeFile(`${path}.br`, brotli);
  if (zipped.length < content.length) await writeFile(`${path}.gz`, zipped);
}

async function smallestBrotli(content) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const sizes = content.length > 2 ** Math.min(...blockBits) ? blockBits : [Math.max(...blockBits)];
  const attempts = sizes.map((bits) =>
    promisify(brotliCompress)(content, { params: { ...params, [constants.BROTLI_PARAM_LGBLOCK]: bits } }),
  );
  return (await Promise.all(attempts)).reduce((best, next) => (next.length < best.length ? next : best));
}
