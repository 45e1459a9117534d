import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderSVG } from 'uqr';
import { beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/test-app.ts';
import { run } from './run.ts';

let testApp: TestApp;
let file: string;
beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true });
  file = join(mkdtempSync(join(tmpdir(), 'cards-')), 'cards.html');
});

async function cards(args: string[], env: Record<string, string> = { PUBLIC_URL: 'https://shop.example' }) {
  const lines: string[] = [];
  const code = await run(['table-cards', ...args], { DATA_DIR: testApp.env.dataDir, ...env }, (line) => lines.push(line));
  return { code, printed: lines.join('\n') };
}

it('the table-cards command writes a card with a code for each table of a store', async () => {
  const store = (await testApp.services.stores.all()).find(({ tables }) => tables > 0);
  const { code, printed } = await cards([store?.id ?? '', 'tea-bar', file, '--lang', 'zh']);
  expect({ code, printed }).toEqual({
    code: 0,
    printed: `Wrote ${store?.tables} cards to ${file}. Open it in a browser and print it.`,
  });
  const html = readFileSync(file, 'utf8');
  expect(html.match(/<section /g)).toHaveLength(store?.tables ?? 0);
  for (const words of ['枫土', '1 号桌', '扫码点单', 'Scan to order']) expect(html).toContain(words);
  for (const table of [1, store?.tables ?? 0]) {
    const token = (await testApp.services.checkout.tableCardTokens(store?.id ?? '', { tables: table }))[table - 1];
    const url = `https://shop.example/zh/table/tea-bar?store=${store?.id}&table=${table}&card=${token}`;
    expect(html).toContain(renderSVG(url, { ecc: 'M', border: 0 }));
  }
});

it('renewed cards have other codes, and the command says that the former ones no longer work', async () => {
  const store = (await testApp.services.stores.all()).find(({ tables }) => tables > 0);
  await cards([store?.id ?? '', 'tea-bar', file]);
  const former = readFileSync(file, 'utf8');
  await cards([store?.id ?? '', 'tea-bar', file]);
  expect(readFileSync(file, 'utf8')).toBe(former);
  const { code, printed } = await cards([store?.id ?? '', 'tea-bar', file, '--renew']);
  expect([code, printed]).toEqual([0, expect.stringContaining('Cards with codes from before no longer work.')]);
  expect(readFileSync(file, 'utf8')).not.toBe(former);
});

it('the table-cards command names an unknown store, category or language, and a missing address', async () => {
  expect((await cards(['atlantis', 'tea-bar', file])).printed).toContain('Unknown store: atlantis.');
  expect((await cards(['toronto-queen-west', 'soup', file])).printed).toContain('Unknown category: soup.');
  expect((await cards(['toronto-queen-west', 'tea-bar', file, '--lang', 'xx'])).printed).toContain('Allowed choices are en, zh.');
  expect((await cards(['toronto-queen-west', 'tea-bar', file], {})).printed).toContain('Set PUBLIC_URL');
  expect((await cards(['toronto-queen-west'])).code).not.toBe(0);
});
