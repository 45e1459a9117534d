/** Creates the icons that browsers and phones need besides `favicon.svg`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** Edge lengths in px. Apple's icon has no transparent corners, because phones round it themselves. */
const pngs = [
  { name: 'icon-192.png', size: 192 },
  { name: 'icon-512.png', size: 512 },
  { name: 'apple-touch-icon.png', size: 180, whole: true },
];
const icoSize = 32;

/** Reads `favicon.svg` in `folder` and writes the other icons beside it. */
export async function makeIcons(folder) {
  const svg = await readFile(join(folder, 'favicon.svg'));
  // An SVG is rasterised at the density it is read with; 72 is its own size.
  const draw = (size, source = svg) =>
    sharp(source, { density: (72 * size) / 32 })
      .resize(size, size)
      .png({ compressionLevel: 9 });
  for (const { name, size, whole } of pngs) {
    const source = whole ? Buffer.from(String(svg).replace(/ rx="[^"]*"/, '')) : svg;
    await writeFile(join(folder, name), await draw(size, source).toBuffer());
  }
  await writeFile(join(folder, 'favicon.ico'), ico(await draw(icoSize).toBuffer(), icoSize));
}

/** One PNG in an .ico container: a header, one entry, the image. */
function ico(png, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
