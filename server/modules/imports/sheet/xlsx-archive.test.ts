import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { xlsxOf } from '#tests/workbook.ts';
import { readSheet } from './read-sheet.ts';
import { honestArchive } from './xlsx-archive.ts';

const [localHead, directoryHead] = ['PK\u0003\u0004', 'PK\u0001\u0002'].map((text) =>
  Buffer.from(text, 'latin1'),
);

/** The archive with another size said of each of its parts, in both places. */
function claiming(bytes: Buffer, size: number): Buffer {
  const lied = Buffer.from(bytes);
  for (const [mark, place] of [
    [localHead, 22],
    [directoryHead, 24],
  ] as const)
    for (let at = lied.indexOf(mark ?? ''); at >= 0; at = lied.indexOf(mark ?? '', at + 4)) {
      lied.writeUInt32LE(size, at + place);
      // What an archive that is written as a stream leaves out.
      if (mark === localHead) lied.writeUInt16LE(lied.readUInt16LE(at + 6) & ~8, at + 6);
    }
  return lied;
}

async function zipOf(name: string, data: Buffer, compress = true): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(data, name, { compress });
  zip.end();
  return buffer(zip.outputStream);
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xlsx-'));
});
afterAll(() => rm(folder, { recursive: true }));

const table = [
  ['Handle', 'Price'],
  ['mug', '19.5'],
];

it('a workbook is read the same, whatever it says of its sizes', async () => {
  const whole = await xlsxOf(table);
  for (const [index, bytes] of [whole, claiming(whole, 0xf0_00_00_00), claiming(whole, 1)].entries()) {
    const path = join(folder, `${index}.xlsx`);
    await writeFile(path, bytes);
    const { columns, rows } = await readSheet(path);
    expect([columns, rows.map(({ cells }) => cells)]).toEqual([table[0], [table[1]]]);
  }
});

it('unpacking stops at the limit, however little an archive claims to be', async () => {
  const bomb = claiming(await zipOf('xl/worksheets/sheet1.xml', Buffer.alloc(20_000_000)), 10);
  expect(bomb.length).toBeLessThan(100_000);
  expect(() => honestArchive(bomb, 1_000_000)).toThrow('too large');
  expect(honestArchive(bomb, 30_000_000).length).toBeGreaterThan(20_000_000);
  expect(() => honestArchive(bomb.subarray(0, -8), 30_000_000)).toThrow('broken');
  // What comes after the limit is not even looked at: it is no packed data.
  const packed = bomb.indexOf(directoryHead ?? '');
  bomb.fill(0xff, packed >> 1, packed);
  expect(() => honestArchive(bomb, 30_000_000)).toThrow('broken');
  expect(() => honestArchive(bomb, 1_000_000)).toThrow('too large');
});

it('the parts that an archive holds without packing them count as well', async () => {
  const plain = await zipOf('xl/worksheets/sheet1.xml', Buffer.alloc(2_000_000), false);
  expect(() => honestArchive(plain, 1_000_000)).toThrow('too large');
  expect(honestArchive(plain, 3_000_000).length).toBeGreaterThan(2_000_000);
});

it('one part that the directory names a thousand times is unpacked no thousand times', async () => {
  const one = await zipOf(
    'a.xml',
    Buffer.from(Array.from({ length: 5000 }, () => String(Math.random())).join('')),
  );
  const end = one.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  const entry = one.subarray(one.indexOf(directoryHead ?? ''), end);
  const tail = Buffer.from(one.subarray(end));
  tail.writeUInt16LE(1000, 10);
  const repeated = Buffer.concat([one.subarray(0, end), ...Array.from({ length: 999 }, () => entry), tail]);
  expect(() => honestArchive(repeated, 1e9)).toThrow('broken');
});

it('files are read one after the other', async () => {
  const path = join(folder, 'many.xlsx');
  await writeFile(path, await xlsxOf(table));
  const before = process.getActiveResourcesInfo().filter((each) => each === 'MessagePort').length;
  const reading = Array.from({ length: 5 }, () => readSheet(path));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(
    process.getActiveResourcesInfo().filter((each) => each === 'MessagePort').length - before,
  ).toBeLessThanOrEqual(1);
  await Promise.all(reading);
});
