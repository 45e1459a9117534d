/** Files as merchants have them: from a spreadsheet, an old editor or a phone. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, type TestApp } from '#tests/test-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'shopwright-odd-'));
let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite' });
});
afterAll(() => rmSync(folder, { recursive: true }));

async function fill(content: Buffer | string, name = 'shop.json', ...options: string[]) {
  writeFileSync(join(folder, name), content);
  return shopCommand(testApp, ['fill', ...options, join(folder, name)]);
}

const tags = '{\n  "tags": [{ "id": "cafe", "name": { "en": "Café" } }]\n}\n';

test.each([[[]], [['--check']]])(
  'a file in Windows-1252 is rejected with the place of its first accent (%j)',
  async (options) => {
    const { code, printed } = await fill(Buffer.from(tags, 'latin1'), 'shop.json', ...options);
    expect(code).toBe(1);
    expect(printed).toContain(
      'shop.json: line 2, column 48 is not UTF-8. The file is probably in Windows-1252',
    );
    expect(printed).toContain('there this is "é", in "…": { "en": "Café" } }]');
    expect(printed).toContain('choose "Save as" and the encoding UTF-8');
    expect((await testApp.services.editor.ids()).tags).toEqual(new Set());
  },
);

test.each([
  ['a replacement character', tags.replace('é', '\uFFFD'), 'line 2, column 48 has the replacement character'],
  [
    'an escaped replacement character',
    tags.replace('é', '\\ufffd'),
    'line 2, column 48 has the escape \\ufffd',
  ],
])('a file with %s is rejected, because a letter was lost', async (_, content, problem) => {
  const { code, printed } = await fill(content, 'shop.json', '--check');
  expect([code, printed]).toEqual([1, expect.stringContaining(problem)]);
  expect(printed).toContain('a letter was lost when the file was converted');
});

test('a file in UTF-16 is named as such, and one in UTF-8 with a byte-order mark is read', async () => {
  const utf16 = Buffer.from(`\uFEFF${tags}`, 'utf16le');
  expect((await fill(utf16, 'shop.json', '--check')).printed).toContain('it is in UTF-16');
  expect((await fill(`\uFEFF${tags}`, 'shop.json', '--check')).code).toBe(0);
});

test.each([
  ['prices.xlsx', 'prices.xlsx is an Excel workbook, and this command reads JSON files.'],
  ['Prices.CSV', 'Prices.CSV is a table in CSV, and this command reads JSON files.'],
])('the table %s is rejected, and the message names a file to start from', async (name, problem) => {
  const { code, printed } = await fill('PK\u0003\u0004', name);
  expect([code, printed]).toEqual([1, expect.stringContaining(problem)]);
  expect(printed).toContain('examples/river-cups/shop.json');
  expect(readdirSync(folder)).toContain(name);
});

test('the photos of a phone are imported by their names in capitals, and HEIC photos are named as such', async () => {
  const jpeg = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#d9c7a3' } })
    .jpeg()
    .toBuffer();
  const heic = Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'latin1');
  writeFileSync(join(folder, 'IMG_2034.JPG'), jpeg);
  writeFileSync(join(folder, 'IMG_2035.HEIC'), heic);
  writeFileSync(join(folder, 'IMG_2036.jpg'), heic);
  const brands = (image: string) => JSON.stringify({ brands: [{ id: 'kiln', name: { en: 'Kiln' }, image }] });
  const rejected = async (image: string) => (await fill(brands(image), 'shop.json', '--check')).printed;
  expect(await rejected('IMG_2035.HEIC')).toContain(
    'IMG_2035.HEIC, a HEIC photo, which browsers do not show. Export it as JPEG',
  );
  expect(await rejected('IMG_2036.jpg')).toContain('IMG_2036.jpg, a HEIC photo');
  expect(await rejected('img_2034.jpg')).toContain(
    'The folder has IMG_2034.JPG: upper and lower case must be the same',
  );
  expect((await fill(brands('IMG_2034.JPG'))).code).toBe(0);
  const image = (await testApp.services.media.images(['IMG_2034.JPG'])).get('IMG_2034.JPG');
  const served = await testApp.app.inject({ url: image?.imageURL.replace('/original/', '/480/') ?? '' });
  expect([served.statusCode, served.headers['content-type']]).toEqual([
    200,
    expect.stringContaining('image/'),
  ]);
});
