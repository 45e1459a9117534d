/**
 * `npm run test:evening`: 200 orders in two minutes at a desk with eight devices, four of which lose the network meanwhile, are
 * reloaded without it, and go on pressing. Prints how soon orders are seen, and fails if a device misses one, or if a step is
 * done twice or not at all. WORKERS=4 by default.
 */
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { openDatabase } from '#db/database.ts';
import { createContainer } from '#server/container.ts';
import { readEnv } from '#server/env.ts';
import { asMerchant } from '#tests/as-merchant.ts';
import { chromiumPaths, chromiumSwitches } from './chromium.ts';
import { type RunningShop, startShop } from './server.ts';

const orders = Number(process.env.EVENING_ORDERS ?? 200);
const devices = 8;
/** Between two orders, ms. */
const between = 600;
/** The network of a device is away so long, ms: longer than it takes to say so. */
const awayMs = 20_000;
/** What issues of the desk promise, ms. */
const most = { seen: 1000, silence: 10_000, caughtUp: 3000 };
/** The run ends with a failure after this time, ms. */
const mostMs = 480_000;

const t = staffTranslate('en');
const store = 'toronto-queen-west';
const sku = 'MC-GT-01-100';
const problems: string[] = [];
const say = (line: string) => console.log(line);

interface Placed {
  number: string;
  at: number;
}
interface Device {
  context: BrowserContext;
  page: Page;
  name: string;
  isAway: boolean;
}

const limit = setTimeout(() => {
  say(`FAIL  the run took more than ${mostMs / 60_000} minutes`);
  process.exit(1);
}, mostMs);
const shop = await startShop({ WORKERS: '4', LOG_LEVEL: 'error', ...pick('WORKERS', 'DATABASE_URL') });
const browser = await chromium.launch({ executablePath: chromiumPaths()[0], args: chromiumSwitches() });
try {
  await stockUp(shop);
  await evening(shop, browser);
} finally {
  await browser.close();
  await shop.stop();
  clearTimeout(limit);
}
for (const problem of problems) say(`FAIL  ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);

async function evening({ address, dataDir }: RunningShop, with_: Browser): Promise<void> {
  const all: Device[] = [];
  for (let index = 0; index < devices; index++)
    all.push(await openDesk(with_, address, `device ${index + 1}`));
  const placed: Placed[] = [];
  const silences: number[] = [];
  const caughtUp: number[] = [];
  let isOver = false;
  const pressing = all.map(async (device, index) => {
    while (!isOver) {
      await pressOne(device, placed, index);
      await pause(300);
    }
  });
  const losing = all.slice(devices / 2).map(async (device, index) => {
    await pause(5000 + index * 8000);
    silences.push(await loseNetwork(device));
    await pause(awayMs);
    caughtUp.push(await comeBack(device, placed));
  });
  for (let index = 0; index < orders; index++) {
    const next = pause(between);
    placed.push(await place(address, index));
    await next;
  }
  await Promise.all(losing);
  const numbers = placed.map(({ number }) => number);
  await until('every order is ready', 90_000, async () =>
    (await stepsOf(dataDir, numbers)).every((steps) => steps.length > 0),
  );
  isOver = true;
  await Promise.all(pressing);
  await pause(2000);
  for (const [index, steps] of (await stepsOf(dataDir, numbers)).entries())
    if (steps.length !== 1) problems.push(`${numbers[index]} was made ready ${steps.length} times`);
  const seen: number[] = [];
  for (const { page, name } of all) {
    const { at, shown } = await page.evaluate(() => ({ at: window.firstSeen, shown: window.shownNow() }));
    const missing = numbers.filter((number) => !shown.includes(number));
    if (missing.length > 0)
      problems.push(`${name} does not show ${missing.length} orders, such as ${missing[0]}`);
    if (all.findIndex((each) => each.page === page) < devices / 2)
      for (const { number, at: when } of placed) seen.push((at[number] ?? Number.POSITIVE_INFINITY) - when);
  }
  judge('an order is seen, p95', p95(seen), most.seen);
  judge('"not live" is said', Math.max(...silences), most.silence);
  judge('a device has caught up', Math.max(...caughtUp), most.caughtUp);
}

async function openDesk(with_: Browser, address: string, name: string): Promise<Device> {
  const context = await with_.newContext({
    baseURL: address,
    viewport: { width: 820, height: 1180 },
    locale: 'en-CA',
  });
  await context.addInitScript(() => {
    window.firstSeen = {};
    window.shownNow = () =>
      [...document.querySelectorAll('main h3 a')].map((link) => link.getAttribute('aria-label') ?? '');
    new MutationObserver(() => {
      for (const number of window.shownNow()) window.firstSeen[number] ??= Date.now();
    }).observe(document, { childList: true, subtree: true });
  });
  const page = await context.newPage();
  await page.goto('/office');
  await page.getByRole('button').filter({ hasText: 'Noah Okafor' }).click();
  await page.getByRole('navigation').waitFor();
  await page.goto('/office/desk');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { context, page, name, isAway: false };
}

/** Each device has its own eighth of the orders to make ready. */
async function pressOne({ page }: Device, placed: readonly Placed[], index: number): Promise<void> {
  const own = placed.filter((_, position) => position % devices === index).map(({ number }) => number);
  await page
    .evaluate(
      ({ numbers, label }) => {
        for (const number of numbers) {
          const card = document.querySelector(`main a[aria-label="${number}"]`)?.closest('li');
          const button = [...(card?.querySelectorAll('button') ?? [])].find(
            ({ textContent }) => textContent === label,
          );
          if (button) return button.click();
        }
      },
      { numbers: own, label: t('desk.to.ready') },
    )
    // The page is being reloaded.
    .catch(() => {});
}

/** Returns after how many ms the device says that it is not live. */
async function loseNetwork(device: Device): Promise<number> {
  device.isAway = true;
  await device.context.setOffline(true);
  const began = Date.now();
  await device.page.reload();
  const words = t('desk.notLive', { time: '' }).slice(-12);
  await device.page.getByRole('alert').filter({ hasText: words }).waitFor({ timeout: 30_000 });
  return Date.now() - began;
}

/** Returns after how many ms the device shows all that was placed before. */
async function comeBack({ context, page }: Device, placed: readonly Placed[]): Promise<number> {
  const numbers = placed.map(({ number }) => number);
  await context.setOffline(false);
  const began = Date.now();
  await page.waitForFunction(
    (wanted) => wanted.every((number) => window.shownNow().includes(number)),
    numbers,
    { polling: 50 },
  );
  return Date.now() - began;
}

/** The steps to "ready" in each order's history. */
async function stepsOf(dataDir: string, numbers: readonly string[]): Promise<number[][]> {
  const db = await openDatabase({ dataDir, databaseUrl: process.env.DATABASE_URL ?? null });
  try {
    const rows = await db.read
      .selectFrom('order_events')
      .innerJoin('orders', 'orders.id', 'order_events.order_id')
      .select(['order_number as number', 'order_events.at'])
      .where('to_state', '=', 'ready')
      .execute();
    const byNumber = Map.groupBy(rows, ({ number }) => number ?? '');
    return numbers.map((number) => (byNumber.get(number) ?? []).map(({ at }) => at));
  } finally {
    await db.close();
  }
}

/** Each customer calls from a loopback address of their own, since the shop limits how many carts one network creates. */
async function place(address: string, index: number): Promise<Placed> {
  let cookie = '';
  const call = async (route: string, body?: object): Promise<Record<string, string>> => {
    const request = http.request(new URL(`${apiBase}${route}`, address), {
      method: body ? 'POST' : 'GET',
      localAddress: `127.0.${1 + (index >> 8)}.${index & 255}`,
      headers: { [clientTokenHeader]: clientToken, 'content-type': 'application/json', cookie },
    });
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    request
      .once('response', resolve)
      .once('error', reject)
      .end(body && JSON.stringify(body));
    const answer = await promise;
    cookie ||= answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const text = (await answer.toArray()).join('');
    if (answer.statusCode !== 200) throw new Error(`${route} answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text);
  };
  await call(`shoppingManagement4/myCart/${sku}?lang=en`, { quantity: 1 });
  const contact = {
    firstName: `Guest ${index}`,
    lastName: 'Lin',
    phoneNumber: '+1 519-555-0104',
    email: `guest${index}@shop.example`,
  };
  await call(`shoppingManagement4/orderContactInfo?lang=en&methodName=pickup&localStoreName=${store}`, {
    contact,
  });
  const { orderID } = await call('shoppingManagement4/reserve?lang=en', {});
  const at = Date.now();
  const { orderNumber = '' } = await call(`admin/orderManagement/order/${orderID}?lang=en`);
  return { number: orderNumber, at };
}

async function stockUp({ dataDir }: RunningShop): Promise<void> {
  const db = await openDatabase({ dataDir, databaseUrl: process.env.DATABASE_URL ?? null });
  const services = createContainer({
    db,
    env: readEnv({ DATA_DIR: dataDir, NODE_ENV: 'test' }),
    now: Date.now,
  });
  await asMerchant(services).stock.count([{ sku, place: store, units: orders * 2 }]);
  await db.close();
}

async function until(what: string, ms: number, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + ms;
  while (!(await isSo())) {
    if (Date.now() > end) return void problems.push(`${what}: not within ${ms / 1000} s`);
    await pause(1000);
  }
}

function judge(what: string, ms: number, bar: number): void {
  say(`${what.padEnd(28)} ${Math.round(ms)} ms (${bar})`);
  if (!(ms <= bar)) problems.push(`${what}: ${Math.round(ms)} ms, and ${bar} were promised`);
}

function p95(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.POSITIVE_INFINITY;
}

function pick(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

declare global {
  interface Window {
    firstSeen: Record<string, number>;
    shownNow(): string[];
  }
}
