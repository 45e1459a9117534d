/** A film of barcodes, one after another, for Chromium's fake camera: raw frames as YUV4MPEG2. */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { prepareZXingModule, type WriteInputBarcodeFormat, writeBarcode } from 'zxing-wasm/writer';

const [width, height] = [640, 480];
const framesASecond = 5;
const secondsEach = 2;

const luminanceOf = async (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg))
    .resize(420, 260, { fit: 'contain', background: 'white', kernel: 'nearest' })
    .extend({ top: 110, bottom: 110, left: 110, right: 110, background: 'white' })
    .flatten({ background: 'white' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();

export async function filmBarcodes(
  file: string,
  codes: readonly { format: WriteInputBarcodeFormat; text: string }[],
): Promise<void> {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm');
  const { buffer: wasmBinary } = new Uint8Array(await readFile(wasm));
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  const grey = Buffer.alloc((width * height) / 2, 128);
  const parts: Buffer[] = [
    Buffer.from(`YUV4MPEG2 W${width} H${height} F${framesASecond}:1 Ip A1:1 C420jpeg\n`),
  ];
  for (const { format, text } of codes) {
    const { svg, error } = await writeBarcode(text, { format, scale: 4 });
    if (error) throw new Error(`${format} ${text}: ${error}`);
    const frame = Buffer.concat([Buffer.from('FRAME\n'), await luminanceOf(svg), grey]);
    parts.push(...Array<Buffer>(framesASecond * secondsEach).fill(frame));
  }
  await writeFile(file, Buffer.concat(parts));
}
