import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderSVG } from 'uqr';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { wallClock } from '#server/platform/time-zone.ts';
import { mailsFor } from '#tests/accounts.ts';
import { emailedTokens, type OrderOptions, placeLinkedOrder } from '#tests/order-links.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import { run } from './run.ts';

const mug = 'MUG-OAT';
const queenWest = 'toronto-queen-west';
const day = 24 * 60 * 60_000;
const folder = mkdtempSync(join(tmpdir(), 'shopwright-closed-'));
afterAll(() => rmSync(folder, { recursive: true }));

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({
      engine,
      demo: true,
      now: Date.now(),
      env: { PUBLIC_URL: 'https://shop.example' },
    });
    await sellProduct(testApp, mug);
    await setUnits(testApp, mug, 40, queenWest);
  });

  const shop = (...words: string[]) => shopCommand(testApp, words);
  const place = (pickupAt: number, how: OrderOptions['how'] = 'payPickup') =>
    placeLinkedOrder(testApp, { how, sku: mug, store: queenWest, pickupAt });

  /** The first time at which the store is open, so many days from now. */
  async function openAt(daysAhead: number): Promise<number> {
    const { date } = wallClock(Date.now() + daysAhead * day, 'America/Toronto');
    const slot = (
      await testApp.call('pickupSlots', { query: { localStoreName: queenWest, date } })
    ).slots.find(({ available }) => available);
    if (!slot) throw new Error(`The store is closed on ${date}`);
    return slot.at;
  }

  /** Writes a file in which the store is closed on the day of a time. */
  async function closingFile(at: number): Promise<string> {
    const { stores } = (await testApp.container.exports.shopFiles.whole()).shop;
    const closed = { date: wallClock(at, 'America/Toronto').date, hours: null };
    const changed = stores.map((store) =>
      store.id === queenWest ? { ...store, specialHours: [closed] } : store,
    );
    const file = join(folder, 'shop.json');
    writeFileSync(file, JSON.stringify({ stores: changed }));
    return file;
  }

  test('a day with pickups is closed only with --anyway, which emails the customers their link', async () => {
    const at = await openAt(3);
    const order = await place(at);
    const other = await place(await openAt(4), 'reserve');
    const file = await closingFile(at);
    for (const options of [[], ['--check']]) {
      const { code, printed } = await shop('fill', ...options, file);
      expect([code, printed]).toEqual([1, expect.stringContaining('store toronto-queen-west is closed at ')]);
      expect(printed).toContain(`the pickup time of order ${order.number}. Add --anyway to close it`);
      expect(printed).not.toContain(other.number);
    }
    const open = (await testApp.services.stores.all()).find(({ id }) => id === queenWest);
    expect(open?.specialHours).toEqual([]);

    const { code, printed } = await shop('fill', '--anyway', file);
    expect([code, printed]).toEqual([
      0,
      expect.stringContaining(`Emailed the customer of order ${order.number} to choose`),
    ]);
    for (const command of [['orders'], ['doctor']]) {
      const text = (await shop(...command)).printed;
      expect(text).toMatch(
        new RegExp(`^(STORE CLOSED|FAIL  Pickups:)  ?order ${order.number}: pickup `, 'm'),
      );
      expect(text).not.toMatch(new RegExp(`(STORE CLOSED|Pickups:)  ?order ${other.number}`));
    }
    // Importing it again closes nothing more, and emails nobody again.
    expect((await shop('fill', file)).printed).not.toContain('Emailed');

    testApp.clock.set(Date.now());
    const mails = await mailsFor(testApp, order.email, 'pickupClosed');
    expect(mails.map(({ text }) => text.split(/\r?\n/)[0])).toEqual([
      `Please choose another pickup time for order ${order.number} – Maple & Clay`,
    ]);
    expect(await mailsFor(testApp, other.email, 'pickupClosed')).toEqual([]);
    const [token = ''] = await emailedTokens(testApp, order.email, 'pickupClosed');
    const later = await openAt(5);
    const moved = await testApp.ask('orderLinkPickup', { params: { token }, body: { pickupDate: later } });
    expect([moved.status, moved.body.pickupDate]).toEqual([200, later]);
    expect((await shop('orders')).printed).not.toContain('STORE CLOSED');
  });

  test('a customer who has moved the pickup before the email is sent gets none', async () => {
    const at = await openAt(6);
    const order = await place(at);
    testApp.clock.set(Date.now());
    const [token = ''] = await emailedTokens(testApp, order.email);
    expect((await shop('fill', '--anyway', await closingFile(at))).code).toBe(0);
    const body = { pickupDate: await openAt(7) };
    expect((await testApp.ask('orderLinkPickup', { params: { token }, body })).status).toBe(200);
    testApp.clock.set(Date.now());
    expect(await mailsFor(testApp, order.email, 'pickupClosed')).toEqual([]);
  });
});

let testApp: TestApp;
let file: string;
beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true });
  file = join(mkdtempSync(join(tmpdir(), 'cards-')), 'cards.html');
});

async function cards(args: string[], env: Record<string, string> = { PUBLIC_URL: 'https://shop.example' }) {
  const lines: string[] = [];
  const code = await run(['table-cards', ...args], { DATA_DIR: testApp.env.dataDir, ...env }, (line) =>
    lines.push(line),
  );
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
  expect(html.match(/<section class="table-card"/g)).toHaveLength(store?.tables ?? 0);
  for (const words of ['枫土', '1 号桌', '扫码点单', 'Scan to order']) expect(html).toContain(words);
  for (const table of [1, store?.tables ?? 0]) {
    const token = (await testApp.services.checkout.tableCardTokens(store?.id ?? '', { tables: table }))[
      table - 1
    ];
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
  expect([code, printed]).toEqual([
    0,
    expect.stringContaining('Cards with codes from before no longer work.'),
  ]);
  expect(readFileSync(file, 'utf8')).not.toBe(former);
});

it('the table-cards command names an unknown store, category or language, and a missing address', async () => {
  expect((await cards(['atlantis', 'tea-bar', file])).printed).toContain('Unknown store: atlantis.');
  expect((await cards(['toronto-queen-west', 'soup', file])).printed).toContain('Unknown category: soup.');
  expect((await cards(['toronto-queen-west', 'tea-bar', file, '--lang', 'xx'])).printed).toContain(
    'Allowed choices are en, zh.',
  );
  expect((await cards(['toronto-queen-west', 'tea-bar', file], {})).printed).toContain('Set PUBLIC_URL');
  expect((await cards(['toronto-queen-west'])).code).not.toBe(0);
});

it('cards that cannot be written end no former ones', async () => {
  const tokens = () => testApp.services.checkout.tableCardTokens('toronto-queen-west', { tables: 2 });
  const before = await tokens();
  const lost = join(testApp.dataDir, 'no-folder', 'cards.html');
  const { code, printed } = await cards(['toronto-queen-west', 'tea-bar', lost, '--renew']);
  expect([code, printed]).toEqual([1, expect.stringContaining(`${lost} cannot be written: ENOENT`)]);
  expect(await tokens()).toEqual(before);
});
