import { crc32, deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { localeCodes } from '#contract/locales.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { loadSharp, measureBytes, mostPixels, pictureKind } from './originals.ts';

it('large pictures are decoded one after the other, and small ones beside them', async () => {
  const sharp = await loadSharp();
  const picture = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#a05030' } })
      .png()
      .toBuffer();
  const [large, small] = await Promise.all([picture(4000), picture(20)]);
  let most = 0;
  const ended: string[] = [];
  const watch = setInterval(() => {
    most = Math.max(most, sharp.counters().process);
  }, 2);
  await Promise.all([
    ...Array.from({ length: 6 }, () => measureBytes('large.png', large).then(() => ended.push('large'))),
    measureBytes('small.png', small).then(() => ended.push('small')),
  ]);
  clearInterval(watch);
  expect(most).toBeLessThanOrEqual(2);
  expect(ended.indexOf('small')).toBeLessThan(3);
});

/** A grey progressive JPEG that says of each coefficient, bit by bit and colour by colour, that it is zero. */
async function jpegOfScans(most: number): Promise<Buffer> {
  const sharp = await loadSharp();
  const grey = sharp({ create: { width: 64, height: 64, channels: 3, background: '#888888' } });
  const jpeg = await grey
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4', optimiseScans: false })
    .toBuffer();
  const startOfScan = Buffer.from([0xff, 0xda]);
  const second = jpeg.indexOf(Buffer.from([0xff, 0xc4]), jpeg.indexOf(startOfScan));
  // One code: a run of 64 blocks without anything.
  const codes = Buffer.from([0xff, 0xc4, 0, 20, 0x10, 1, ...Array<number>(15).fill(0), 0x60]);
  const scans: Buffer[] = [];
  for (let coefficient = 1; coefficient < 64; coefficient += 1)
    for (let colour = 1; colour <= 3; colour += 1)
      for (let bit = 13; bit >= 0; bit -= 1) {
        const bits = ((bit === 13 ? 0 : bit + 1) << 4) | bit;
        scans.push(
          Buffer.concat([
            startOfScan,
            Buffer.from([0, 8, 1, colour, 0, coefficient, coefficient, bits, 0b0000_0001]),
          ]),
        );
      }
  return Buffer.concat([jpeg.subarray(0, second), codes, ...scans.slice(0, most), Buffer.from([0xff, 0xd9])]);
}

it('a JPEG of thousands of scans, which takes a core for a minute, is refused unread, and one of a few is read', async () => {
  const few = await jpegOfScans(90);
  expect(await pictureKind(few)).toBe('jpg');
  expect(await measureBytes('few.jpg', few)).toMatchObject({ width: 64, height: 64, color: '#888888' });
  const many = await jpegOfScans(Number.POSITIVE_INFINITY);
  await expect(pictureKind(many)).rejects.toThrow('more than 100 scans');
  await expect(measureBytes('many.jpg', many)).rejects.toThrow('more than 100 scans');
  // Phones write a video behind the picture.
  const withVideo = Buffer.concat([
    few,
    ...Array.from({ length: 200 }, () => Buffer.from([0xff, 0xda, 0, 8])),
  ]);
  expect(await pictureKind(withVideo)).toBe('jpg');
});

it('a PNG whose texts unpack to hundreds of megabytes is refused before they are, and one with ordinary texts is read', async () => {
  const sharp = await loadSharp();
  const grey = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#888888' } })
    .png()
    .toBuffer();
  const withTexts = (name: string, head: string, text: Buffer, count: number) => {
    const chunk = Buffer.concat([Buffer.from(`${name}Comment\0${head}`, 'latin1'), text]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(chunk.length - 4);
    sum.writeUInt32BE(crc32(chunk));
    const chunks = Array<Buffer>(count).fill(Buffer.concat([length, chunk, sum]));
    // Behind the header, which is 25 bytes long.
    return Buffer.concat([grey.subarray(0, 33), ...chunks, grey.subarray(33)]);
  };
  const packed = deflateSync(Buffer.alloc(1_000_000, 'a'));
  for (const [name, head] of [
    ['zTXt', '\0'],
    ['iTXt', '\u0001\0en\0Word\0'],
  ] as const) {
    const few = withTexts(name, head, packed, 3);
    expect(await pictureKind(few)).toBe('png');
    expect(await measureBytes('few.png', few)).toMatchObject({ width: 20, height: 20, color: '#888888' });
    const many = withTexts(name, head, packed, 300);
    await expect(pictureKind(many)).rejects.toThrow('more than 4 MB of text');
    await expect(measureBytes('many.png', many)).rejects.toThrow('more than 4 MB of text');
  }
  const plain = withTexts('iTXt', '\0\0\0\0', Buffer.alloc(5_000_000, 'a'), 1);
  await expect(pictureKind(plain)).rejects.toThrow('more than 4 MB of text');
  const damaged = withTexts('zTXt', '\0', Buffer.from('no deflated text'), 2);
  expect(await pictureKind(damaged)).toBe('png');
});

it.each(['office.goods.notAPicture', 'problem.sheet.notAPicture'] as const)(
  '%s says how large a picture may be',
  (key) => {
    const said = { en: `${mostPixels / 1_000_000} megapixels`, zh: `${mostPixels / 10_000} 万像素` };
    for (const locale of localeCodes) expect(staffTranslate(locale)(key)).toContain(said[locale]);
  },
);
