/**
 * `npm run bench -- feel [--rounds 6] [--beside <address>]` runs this program: how long a shopper's acts take on a phone whose processor runs at a
 * quarter of this machine's speed. `--beside` names another running shop with the demo's data, which does the same acts in the same
 * rounds, in turn, so that a busy machine slows both.
 *
 * INP is the longest event of an act, from the press to the next frame. Seen is when what was pressed shows its picture and its
 * name, ready when it can be used; both count from the press, or from the last key, and are watched inside the page.
 */

import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumPaths, chromiumSwitches } from './chromium.ts';

/** How much slower the page's processor is than this machine's. */
const slowdown = 4;
/** Until a page that was opened is at rest: its scripts and what it asks for have come, and the images on the screen. */
const restMs = 2500;
/** Between two keys. */
const keyMs = 130;
/** An act that has not come to its end by then has failed. */
const patienceMs = 20_000;

interface Result {
  inp: number;
  seen?: number | undefined;
  ready?: number | undefined;
  shift: number;
}

/** What an act leads to, asked of the page in each frame. They are written for the browser: no name from outside of them. */
interface Marks {
  seen?: (about: string) => boolean;
  ready?: (about: string) => boolean;
  about?: string;
  /** Counts from the last press instead of from the first. */
  fromLast?: boolean;
}

interface Watch {
  begin(seen: string, ready: string, about: string, fromLast: boolean): void;
  end(): { inp: number; seen: number | null; ready: number | null; done: boolean; shift: number };
}
declare global {
  interface Window {
    feel: Watch;
  }
}

/** Runs in every page before its own scripts. */
function watchPage(): void {
  let events: { duration: number; startTime: number }[] = [];
  let shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[])
      if (entry.interactionId) events.push({ duration: entry.duration, startTime: entry.startTime });
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value?: number;
      hadRecentInput?: boolean;
    })[])
      if (!entry.hadRecentInput) shift += entry.value ?? 0;
  }).observe({ type: 'layout-shift', buffered: true });

  let pressedAt: number | null = null;
  let fromLast = false;
  let run = 0;
  let seenAt: number | null = null;
  let readyAt: number | null = null;
  let isSeen: ((about: string) => boolean) | null = null;
  let isReady: ((about: string) => boolean) | null = null;
  const press = ({ timeStamp }: Event) => {
    if (pressedAt !== null && !fromLast) return;
    pressedAt = timeStamp;
    seenAt = readyAt = null;
  };
  for (const type of ['pointerdown', 'keydown', 'popstate']) addEventListener(type, press, true);
  const parse = (text: string) =>
    text ? (new Function(`return (${text})`)() as (about: string) => boolean) : null;

  window.feel = {
    begin(seen, ready, about, last) {
      const mine = ++run;
      events = [];
      shift = 0;
      pressedAt = seenAt = readyAt = null;
      fromLast = last;
      isSeen = parse(seen);
      isReady = parse(ready);
      const look = () => {
        if (mine !== run) return;
        if (pressedAt !== null) {
          // The frame that this callback belongs to shows it.
          if (isSeen && seenAt === null && isSeen(about)) seenAt = performance.now();
          if (isReady && readyAt === null && isReady(about)) readyAt = performance.now();
        }
        requestAnimationFrame(look);
      };
      look();
    },
    end() {
      const since = (at: number | null) => (at === null || pressedAt === null ? null : at - pressedAt);
      const done = pressedAt !== null && (!isSeen || seenAt !== null) && (!isReady || readyAt !== null);
      return {
        inp: events.reduce((longest, { duration }) => Math.max(longest, duration), 0),
        seen: since(seenAt),
        ready: since(readyAt),
        done,
        shift,
      };
    },
  };
}

/** Does `act`, and reads how long it took once its marks are reached. */
async function timed(
  page: Page,
  act: () => Promise<unknown>,
  { seen, ready, about = '', fromLast = false }: Marks,
): Promise<Result> {
  await page.evaluate(([isSeen, isReady, name, last]) => window.feel.begin(isSeen, isReady, name, last), [
    String(seen ?? ''),
    String(ready ?? ''),
    about,
    fromLast,
  ] as const);
  await act();
  await page
    .waitForFunction(() => window.feel.end().done, null, { timeout: patienceMs, polling: 100 })
    .catch((error: unknown) => {
      throw new Error(`${page.url()} did not show ${about}`, { cause: error });
    });
  // The events of the last press are reported with a later frame.
  await page.waitForTimeout(500);
  const result = await page.evaluate(() => window.feel.end());
  return {
    inp: result.inp,
    seen: result.seen ?? undefined,
    ready: result.ready ?? undefined,
    shift: result.shift,
  };
}

const onProduct = (about: string) => {
  // Its page, or what stands for it.
  const picture = [...document.querySelectorAll<HTMLImageElement>('.gallery img')].find(
    (image) => image.complete && image.naturalWidth > 0,
  );
  return (
    picture !== undefined &&
    [...document.querySelectorAll('h1')].some(({ textContent }) => textContent === about)
  );
};
const canBuy = (about: string) => {
  const button = document.querySelector<HTMLButtonElement>('.product-buy button[type=submit]');
  return document.querySelector('main h1')?.textContent === about && button?.disabled === false;
};
const onList = (about: string) => {
  // The list itself, or what stands for it, at its place.
  return [...document.querySelectorAll(`[data-item="${about}"]`)].some((card) => {
    const { top, bottom } = card.getBoundingClientRect();
    const picture = card.querySelector('img');
    return top < innerHeight && bottom > 0 && picture?.complete === true && picture.naturalWidth > 0;
  });
};
const dialogHas = (about: string) =>
  [...document.querySelectorAll('dialog, [role=dialog]')].some(
    (dialog) => dialog.getBoundingClientRect().height > 0 && dialog.querySelectorAll(about).length > 0,
  );
const has = (about: string) => document.querySelectorAll(about).length > 0;

type Acts = Map<string, Result[]>;

/** All acts once, by a shopper who has not been here before. */
async function round(
  browser: Browser,
  address: string,
  add: (act: string, result: Result) => void,
): Promise<void> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'en-CA',
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  await page.addInitScript(watchPage);
  const client = await context.newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const open = async (path: string) => {
    await page.goto(path);
    await page.waitForTimeout(restMs);
  };

  await open('/products/teaware');
  const card = page.locator('[data-item]').nth(4);
  const id = (await card.getAttribute('data-item')) ?? '';
  const link = card.locator('a').first();
  const name = (await link.textContent()) ?? '';
  await link.scrollIntoViewIfNeeded();
  await page.waitForTimeout(1000);
  add(
    'open a product from the list',
    await timed(page, () => link.tap(), { seen: onProduct, ready: canBuy, about: name }),
  );
  await page.waitForTimeout(1500);
  add(
    'back to the list',
    await timed(page, () => page.evaluate(() => history.back()), { ready: onList, about: id }),
  );

  await open('/product/speckled-mug');
  const chips = page.locator('.product-buy fieldset').first().locator('label, [role=radio]');
  add('change an option', await timed(page, () => chips.nth(1).tap(), {}));
  await page.waitForTimeout(1000);
  const buy = page.locator('.product-buy button[type=submit]');
  add(
    'add to the cart',
    await timed(page, () => buy.tap(), { ready: has, about: '.product-buy section a[href$="/cart"]' }),
  );

  await open('/');
  const menu = page.getByRole('button', { name: 'Open menu' });
  add(
    'open the menu',
    await timed(page, () => menu.tap(), { ready: dialogHas, about: 'a[href*="/products/"]' }),
  );

  await open('/product/speckled-mug');
  const cart = page.locator('header a[href$="/cart"]');
  add(
    'go to the cart',
    await timed(page, () => cart.tap(), { ready: has, about: 'main a[href$="/checkout"]' }),
  );
  await page.waitForTimeout(1500);
  const checkOut = page.locator('main a[href$="/checkout"]').first();
  add(
    'cart to checkout',
    await timed(page, () => checkOut.tap(), { ready: has, about: 'main input[name=email]' }),
  );
  const email = page.locator('main input[name=email]');
  const type = async (text: string) => {
    await email.tap();
    await page.keyboard.type(text, { delay: keyMs });
  };
  add('type the email at once', await timed(page, () => type('mei@example.com'), {}));
  await page.waitForTimeout(3000);
  add('type the email after a rest', await timed(page, () => type('x.y'), {}));
  const pickup = page
    .locator('main label')
    .filter({ hasText: /^Pickup|^Pick up/ })
    .first();
  add(
    'choose pickup',
    await timed(page, () => pickup.tap(), {
      ready: has,
      about: 'main [name=localStoreName], main [name=pickupDate], main select',
    }),
  );
  await page.waitForTimeout(500);
  const submit = page.locator('main form button[type=submit]').last();
  add(
    'send with errors',
    await timed(page, () => submit.tap(), { ready: has, about: 'main [aria-invalid=true]' }),
  );

  await open('/');
  await page.getByRole('link', { name: 'Open search' }).tap();
  const field = page.locator('header input[type=search]');
  await field.waitFor({ state: 'visible' });
  add(
    'type “teapot” in the search',
    await timed(page, () => field.pressSequentially('teapot', { delay: keyMs }), {
      ready: has,
      about: '[role=listbox] [role=option] img',
      fromLast: true,
    }),
  );

  await open('/table/tea-bar?store=toronto-queen-west&table=7');
  const plus = page.getByRole('button', { name: 'Add Oolong Milk Tea' });
  add('open a drink', await timed(page, () => plus.tap(), { ready: dialogHas, about: 'input[type=radio]' }));
  await page.waitForTimeout(1000);
  const oat = page.getByRole('dialog').locator('label').filter({ hasText: 'Oat milk' }).first();
  add('change its milk', await timed(page, () => oat.tap(), {}));
  await page.waitForTimeout(500);
  const addDrink = page.getByRole('dialog').getByRole('button', { name: /^Add/ }).last();
  add(
    'add the drink',
    await timed(page, () => addDrink.tap(), { ready: has, about: 'main a[href*="/checkout"]' }),
  );
  await context.close();
}

interface FeelOptions {
  shop: string;
  /** Another shop to do the same at; null for none. */
  beside: string | null;
  rounds: number;
}

/** Prints a table of the acts, beside the other shop's if there is one. */
async function measureFeel({ shop, beside, rounds }: FeelOptions): Promise<void> {
  const shops = beside === null ? [shop] : [shop, beside];
  const found: Acts[] = shops.map(() => new Map<string, Result[]>());
  const [executablePath] = chromiumPaths();
  const browser = await chromium.launch({ executablePath, args: chromiumSwitches() });
  try {
    for (let turn = 0; turn < rounds; turn += 1)
      for (const [index, address] of shops.entries()) {
        process.stdout.write(`round ${turn + 1} of ${rounds}, ${address}\n`);
        await round(browser, address, (act, result) => {
          const acts = found[index];
          acts?.set(act, [...(acts.get(act) ?? []), result]);
        });
      }
  } finally {
    await browser.close();
  }
  process.stdout.write(feelTable(found));
}

/** The value below which `share` of the values lie. */
function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

const columns = ['inp', 'seen', 'ready'] as const;

/** A row for each act: median, 75th percentile and most of its INP, median and 75th percentile of seen and ready, shift. */
function feelTable(shops: readonly Acts[]): string {
  const cell = (values: readonly number[], share: number) => {
    const value = quantile(values, share);
    return value === undefined ? '–' : String(Math.round(value));
  };
  const cells = (results: readonly Result[]) => {
    const [inp = [], seen = [], ready = []] = columns.map((column) =>
      results.flatMap((result) => result[column] ?? []),
    );
    const shift = Math.max(...results.map((result) => result.shift));
    return [
      ...[0.5, 0.75, 1].map((share) => cell(inp, share)),
      ...[seen, ready].flatMap((values) => [0.5, 0.75].map((share) => cell(values, share))),
      shift.toFixed(3),
    ];
  };
  const heads = ['INP p50', 'p75', 'max', 'seen p50', 'p75', 'ready p50', 'p75', 'shift'];
  const names = shops.length > 1 ? ['', ' (beside)'] : [''];
  const all = names.flatMap((name) => heads.map((head) => `${head}${name}`));
  const lines = [`| ms | ${all.join(' | ')} |`, `|---|${all.map(() => '---:').join('|')}|`];
  for (const act of shops[0]?.keys() ?? [])
    lines.push(`| ${act} | ${shops.flatMap((acts) => cells(acts.get(act) ?? [])).join(' | ')} |`);
  const whole = shops.flatMap((acts) => {
    const worst = [...acts.values()].flatMap(
      (results) =>
        quantile(
          results.map(({ inp }) => inp),
          0.75,
        ) ?? [],
    );
    return [Math.max(...worst)];
  });
  lines.push('', `INP p75 of the slowest act: ${whole.map((ms) => `${ms} ms`).join(', beside ')}`, '');
  return lines.join('\n');
}

const { values } = parseArgs({
  options: { shop: { type: 'string' }, beside: { type: 'string' }, rounds: { type: 'string' } },
});
if (!values.shop)
  throw new Error('Start it by `npm run bench -- feel`, or name a running shop: --shop <address>');
await measureFeel({ shop: values.shop, beside: values.beside ?? null, rounds: Number(values.rounds ?? 6) });
