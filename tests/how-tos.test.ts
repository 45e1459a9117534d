/**
 * The how-to pages for engineers are followed to the letter in a copy of the project: their code blocks are applied and
 * checked. `npm run test:all` checks the types of the copy as well, builds it, and uses each thing that was added.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readBrandColours } from '#contract/brand-colours.ts';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import en from '#contract/messages/en.json' with { type: 'json' };
import { readMail } from './accounts.ts';
import { readPairs } from './contrast.ts';
import { applyDiff, applyStep, measure, readSteps } from './how-to.ts';
import { isLong } from './long.ts';
import { findProviderNames, providerFolders } from './provider-names.ts';
import { address, contact } from './shop-actions.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const copy = mkdtempSync(join(tmpdir(), 'shopwright-how-to-'));
/** The language comes last, because it needs every message that the other pages add. */
const pages = [
  'brand',
  'add-a-page',
  'add-an-endpoint',
  'add-a-page-block',
  'add-a-payment-provider',
  'add-an-office-room',
  'add-a-language',
];
const readPage = (page: string) => readFileSync(join(root, `docs/how-to/${page}.md`), 'utf8');
const stepsOf = (page: string) => readSteps(readPage(page));

/** Nothing of how the tests are run. One build has the look of the bookshop and what the other pages add. */
const cleanEnv = { PATH: process.env.PATH, BRAND: 'bookshop' };
const node = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: copy, env: cleanEnv });
/** Rejects with what the command prints, which says what is wrong. */
const checkIn = (env: Record<string, string>, ...args: string[]) =>
  promisify(execFile)(process.execPath, args, { cwd: copy, env: { ...cleanEnv, ...env } }).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => Promise.reject(new Error(stdout + stderr)),
  );
const check = (...args: string[]) => checkIn({}, ...args);
const bookshopEnv = { DEMO: '0', DATA_DIR: 'bookshop-data' };

/** Marks a message that the page for languages does not translate. */
const inFrench = (text: string) => `${text} ⟨fr⟩`;

/** The shops that were started, to be stopped at the end. */
const shops: ChildProcess[] = [];
/** The address of the demo shop. */
let origin = '';
/** The address of the bookshop. */
let bookshop = '';
const charges = new Map<string, { amount: number; status: string }>();
const northpay = createServer((request, response) => {
  const [, , reference = ''] = request.url?.split('/') ?? [];
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    if (request.method === 'POST' && !charges.has(reference)) {
      const { amount, code } = JSON.parse(body) as { amount: number; code: string };
      charges.set(reference, { amount, status: code === 'good' ? 'paid' : 'declined' });
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(charges.get(reference)));
  });
});

beforeAll(async () => {
  copyProject();
  for (const step of pages.flatMap(stepsOf)) applyStep(copy, step);
  translateTheRest();
  const changed = pages.flatMap(stepsOf).flatMap(({ file }) => (/\.tsx?$/.test(file) ? [file] : []));
  await check('node_modules/@biomejs/biome/bin/biome', 'check', '--vcs-enabled=false', ...new Set(changed));
  if (isLong) await buildAndStart();
}, 600_000);

async function buildAndStart(): Promise<void> {
  // The build writes the list of routes, which the types need.
  await check('scripts/prepare.mjs');
  // The shop without its tests, which take most of the time.
  await check('node_modules/typescript/bin/tsc', '-b', 'web', 'office', 'cli', '--checkers', '1');
  northpay.listen(0, '127.0.0.1');
  await once(northpay, 'listening');
  const { port } = northpay.address() as AddressInfo;
  origin = await startShop({
    // Keys of a provider mean a real shop, which starts without the demo's products.
    DEMO: '1',
    NORTHPAY_KEY: 'np_test_1',
    NORTHPAY_WEBHOOK_SECRET: 'secretsecretsecret',
    NORTHPAY_API_URL: `http://127.0.0.1:${port}`,
  });
  bookshop = await startShop(bookshopEnv);
  await check('bookshop/draw.mjs');
  await checkIn(bookshopEnv, 'cli/index.ts', 'fill', 'bookshop/shop.json');
}

afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.kill('SIGTERM') && once(shop, 'exit')));
  northpay.close();
  rmSync(copy, { recursive: true, force: true });
});

const tokens = () => readFileSync(join(copy, 'bookshop/tokens.css'), 'utf8');
const text = async (path: string) => (await fetch(origin + path)).text();

/** Runs the command of the shop that a page ends with. */
async function runShopCommand(page: string): Promise<void> {
  const [command = ''] = stepsOf(page).flatMap(({ code }) => /^npm run shop -- (.+)$/.exec(code)?.[1] ?? []);
  await check('cli/index.ts', ...command.split(' '));
}

/** Calls the API as one customer, whose cookie it keeps. */
function createCustomer(lang = 'en', host = origin) {
  let cookie = '';
  return async (path: string, body?: object) => {
    const answer = await fetch(`${host}${apiBase}${path}?lang=${lang}`, {
      headers: {
        'content-type': 'application/json',
        [clientTokenHeader]: clientToken,
        ...(cookie ? { cookie } : {}),
      },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return answer;
  };
}

describe('the how-to pages', () => {
  test.each(pages)('the page %s says how many files and lines it takes', (page) => {
    expect(readPage(page).replaceAll(/\s+/g, ' ')).toContain(measure(stepsOf(page)));
  });

  test('a page whose lines are not in the project is reported with the lines', () => {
    expect(() => applyDiff('a\nb\n', ' c\n+d\n', 'x.ts')).toThrow('x.ts has these lines 0 times:\nc');
    expect(applyDiff('a\nb\nc\n', ' a\n+d\n...\n-c\n+e\n', 'x.ts')).toBe('a\nd\nb\ne\n');
  });

  test('each name that the pages import is exported by the file that they name', () => {
    const missing = pages.flatMap(stepsOf).flatMap(({ file }) => {
      if (!/\.tsx?$/.test(file)) return [];
      const imports = readFileSync(join(copy, file), 'utf8').matchAll(
        /^import (?:type )?\{([^}]*)\} from '(#(?!brand)|\.)([^']+)'/gm,
      );
      return [...imports].flatMap(([, names = '', start, path = '']) => {
        const from = start === '#' ? join(copy, path) : join(copy, dirname(file), `.${path}`);
        const code = existsSync(from) ? readFileSync(from, 'utf8') : '';
        const wanted = names.split(',').map((name) => name.trim().replace(/^type | as .*$/g, ''));
        return wanted
          .filter((name) => name && !new RegExp(`\\b${name}\\b`).test(code))
          .map((name) => `${file}: ${name} of ${path}`);
      });
    });
    expect(missing).toEqual([]);
  });

  test('no code names the new payment provider outside its folder and the registries', () => {
    expect(providerFolders(copy)).toContain('northpay');
    expect(findProviderNames(copy)).toEqual([]);
  });

  test('every pair of colours of the bookshop’s brand has enough contrast in both schemes', () => {
    const pairs = readPairs(tokens());
    expect(pairs.length).toBeGreaterThan(40);
    expect(pairs.filter(({ ratio, least }) => !(ratio >= least))).toEqual([]);
  });
});

describe.runIf(isLong)('a copy of the project that follows the how-to pages', () => {
  test('the new page is rendered on the server in each language', async () => {
    const english = await text('/stores');
    expect(english).toContain('<title>Our stores');
    expect(english).toMatch(/<h1[^>]*>Our stores<\/h1>/);
    expect(english).toContain('Toronto');
    expect(await text('/zh/stores')).toMatch(/<h1[^>]*>我们的门店<\/h1>/);
  });

  test('the new endpoint answers and is documented', async () => {
    const answer = await createCustomer()('common3/pageNames');
    expect(await answer.json()).toEqual({ names: expect.arrayContaining(['home', 'privacy', 'terms']) });
    const { paths } = JSON.parse(await text('/api/openapi.json'));
    expect(paths[`${apiBase}common3/pageNames`].get.operationId).toBe('pageNames');
  });

  test('the new room of the office is listed, and built as a file that is loaded when it is opened', async () => {
    expect((await fetch(`${origin}/office/sites`)).status).toBe(200);
    const rooms = readdirSync(builtAssets(copy)).filter((file) =>
      readFileSync(join(builtAssets(copy), file), 'utf8').includes('"data-room":`sites`'),
    );
    expect(rooms).toEqual([expect.stringMatching(/^sites-.+\.js$/)]);
    const office = await text('/office/sites');
    expect(office).not.toContain(rooms[0]);
    const loaded = [...office.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, file = '']) => text(file));
    expect((await Promise.all(loaded)).join('\n')).toContain('/sites`,group:`shop`,name:`office.stores`');
  });

  test('a page with the new block is imported and rendered in each language', async () => {
    await runShopCommand('add-a-page-block');
    expect(await text('/quotes')).toMatch(/<blockquote[^>]*>My morning cup for ten years\.<\/blockquote>/);
    expect(await text('/zh/quotes')).toMatch(/<blockquote[^>]*>十年来，我每天早晨都用它。<\/blockquote>/);
  });

  test('the new payment provider declines one payment and takes the next', async () => {
    const customer = createCustomer();
    await customer('shoppingManagement4/myCart/MC-CM-01-OAT', { quantity: 1 });
    await customer('shoppingManagement4/orderDeliverInfo', { contact, address });
    await runShopCommand('add-a-payment-provider');
    expect(await (await customer('shoppingManagement4/paymentConfig')).json()).toMatchObject({
      defaultGateWayProviderName: 'Northpay',
    });
    const pay = (code: string) =>
      customer('shoppingManagement4/northpay/billing', { code, billingAddress: address });
    const declined = await pay('bad');
    expect([declined.status, await declined.json()]).toMatchObject([402, { errorKey: 'payment.declined' }]);
    const { orderID } = (await (await pay('good')).json()) as { orderID: string };
    const answer = await customer(`admin/orderManagement/order/${orderID}`);
    const order = (await answer.json()) as { bill: { total: number } };
    expect(order.bill.total).toBeGreaterThan(0);
    const paid = [...charges.values()].filter(({ status }) => status === 'paid');
    expect(paid.map(({ amount }) => amount)).toEqual([order.bill.total]);
  });

  test('the new language has its own addresses, links and sitemap', async () => {
    const home = await text('/');
    expect(home).toMatch(/<link rel="alternate" hrefLang="fr" href="[^"]+\/fr"/);
    expect(home).toMatch(/href="\/fr"[^>]+lang="fr-CA"[^>]*>Français</);
    expect(home).not.toContain('⟨fr⟩');
    const page = await text('/fr/product/speckled-mug');
    expect(page).toContain('<html lang="fr-CA"');
    expect(page).toContain('Ajouter au panier');
    // What the merchant has not translated is in the default language.
    expect(page).toContain('Speckled');
    expect(page).toMatch(/<link rel="canonical" href="[^"]+\/fr\/product\/speckled-mug"/);
    const [, sitemap = ''] = /<loc>([^<]+products[^<]*)</.exec(await text('/sitemap.xml')) ?? [];
    expect(await text(new URL(sitemap).pathname)).toContain('/fr/product/speckled-mug');
    expect(await text('/fr/stores')).toContain(inFrench('Our stores'));
  });

  test('the new language is in the errors and the mails of the server', async () => {
    const customer = createCustomer('fr');
    const person = {
      firstName: 'Chloé',
      lastName: 'Tremblay',
      email: 'chloe@example.com',
      password: 'une théière à quatre heures',
    };
    const refused = await customer('common3/clientRegistration', { ...person, email: '' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('⟨fr⟩');
    expect((await customer('common3/clientRegistration', person)).status).toBe(200);
    const toCustomer = () => readMails().filter((mail) => mail.html.includes('lang="fr-CA"'));
    await expect.poll(toCustomer).toHaveLength(1);
    expect(toCustomer()[0]?.text).toContain(inFrench(en['mail.welcome.text']));
  });

  test('doctor lists the texts that the new language lacks', async () => {
    const { stdout } = await node('cli/index.ts', 'doctor').catch((error: { stdout: string }) => error);
    expect(stdout).toMatch(/ texts have no fr:$/m);
  });

  test('no schema reaches the browser', () => {
    const scripts = readdirSync(builtAssets(copy)).filter((file) => file.endsWith('.js'));
    const code = scripts.map((file) => readFileSync(join(builtAssets(copy), file), 'utf8')).join('\n');
    expect(code).toContain('GET common3/pageNames');
    expect(code).not.toContain('The names of the content pages');
    expect(code).not.toContain('minLength');
  });
});

describe.runIf(isLong)('the bookshop of the page about brands', () => {
  const look = async (path: string) => (await fetch(bookshop + path)).text();

  test('the home page has the name, the icon and the colours of the brand', async () => {
    const [home, icon] = await Promise.all([look('/'), look('/favicon.svg')]);
    expect(home).toMatch(/<title>Lantern Books/);
    expect(home).toMatch(/class="wordmark"[^>]*>Lantern Books</);
    expect(await look('/zh')).toMatch(/class="wordmark"[^>]*>灯下书店</);
    expect(icon).toContain('<title>Book</title>');
    const { light, dark } = readBrandColours(tokens());
    expect(home).toContain(
      `name="theme-color" content="${light.get('paper')}" media="(prefers-color-scheme: light)"`,
    );
    expect(home).toContain(
      `name="theme-color" content="${dark.get('paper')}" media="(prefers-color-scheme: dark)"`,
    );
    const [, sheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(home) ?? [];
    const css = await look(sheet);
    for (const colour of ['action', 'band', 'clay'])
      expect(css).toContain(`--color-${colour}:${light.get(colour)}`);
    expect(css).not.toContain('Fraunces');
    expect(home).not.toMatch(/rel="preload"[^>]+fraunces/);
  });

  test('nothing that the bookshop serves names the first brand', async () => {
    const paths = [
      '',
      '/products/fiction',
      '/product/harbour-lights',
      '/search?q=train',
      '/cart',
      '/checkout',
      '/contact',
      '/blog',
    ];
    const pages = paths.flatMap((path) => [path || '/', `/zh${path}`]);
    const files = [
      '/site.webmanifest',
      '/robots.txt',
      '/sitemap.xml',
      '/feeds/products.en.xml',
      '/favicon.svg',
    ];
    const texts = await Promise.all(
      [...pages, ...files].map(async (path) => [path, await look(path)] as const),
    );
    expect(texts.find(([path]) => path === '/zh/product/harbour-lights')?.[1]).toContain('港湾灯火');
    const named = /maple|枫土|MC-2/i;
    expect(texts.filter(([, served]) => named.test(served)).map(([path]) => path)).toEqual([]);
    const assets = readdirSync(builtAssets(copy)).filter((file) => /\.(?:js|css)$/.test(file));
    // Nor does it get what only the demo's brand needs.
    const ofDemo = /brew|gaiwan|infusion/i;
    const code = (file: string) => readFileSync(join(builtAssets(copy), file), 'utf8');
    expect(assets.filter((file) => named.test(code(file)) || ofDemo.test(code(file)))).toEqual([]);
  });

  test('emails of the bookshop have its name and its colours', async () => {
    const customer = createCustomer('en', bookshop);
    const person = {
      firstName: 'Noor',
      lastName: 'Haddad',
      email: 'noor@example.com',
      password: 'a shelf of unread books',
    };
    expect((await customer('common3/clientRegistration', person)).status).toBe(200);
    const mails = () => readMails(join(copy, 'bookshop-data/outbox'));
    await expect.poll(mails).toHaveLength(1);
    const [mail] = mails();
    expect(mail?.html).toContain('Lantern Books');
    expect(mail?.html).toContain(`background:${readBrandColours(tokens()).light.get('paper')}`);
    expect(mail?.html).not.toMatch(/maple/i);
  });
});

function readMails(outbox = join(copy, 'data/outbox')) {
  const files = existsSync(outbox) ? readdirSync(outbox).filter((file) => file.endsWith('.eml')) : [];
  return files.map((file) => readMail(join(outbox, file)));
}

/** Everything but what was made from it. Packages are shared; the cache beside them is the copy's own. */
/** The browser's files of a project's latest build. */
function builtAssets(project: string): string {
  const builds = readdirSync(join(project, 'dist')).filter((name) => !name.startsWith('.'));
  const builtAt = (name: string) => statSync(join(project, 'dist', name, 'web/assets')).mtimeMs;
  const [latest = ''] = builds.sort((a, b) => builtAt(b) - builtAt(a));
  return join(project, 'dist', latest, 'web/assets');
}

function copyProject(): void {
  const left = ['node_modules', 'dist', 'data', 'test-results', '.git'];
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => dirname(path) !== root || !left.includes(basename(path)),
  });
  const modules = join(copy, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(modules, name));
}

/** Marks each message that is still English, so that a test sees where it is used. */
function translateTheRest(): void {
  const read = (language: string) => {
    const path = join(copy, `contract/messages/${language}.json`);
    return { path, messages: JSON.parse(readFileSync(path, 'utf8')) as Record<string, string> };
  };
  const { path, messages } = read('fr');
  const english = read('en').messages;
  const translated = Object.entries(messages).map(([key, words]) => [
    key,
    words === english[key] ? inFrench(words) : words,
  ]);
  writeFileSync(path, JSON.stringify(Object.fromEntries(translated)));
}

/** Starts a shop of the copy. Returns its address. */
async function startShop(env: Record<string, string>): Promise<string> {
  const shop = spawn(process.execPath, ['server/main.mjs'], {
    cwd: copy,
    env: { ...cleanEnv, PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  shops.push(shop);
  let printed = '';
  shop.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  await vi.waitFor(() => expect(printed).toMatch(/http:\/\/\S+/), { timeout: 60_000, interval: 100 });
  return /http:\/\/[^\s/]+/.exec(printed)?.[0] ?? '';
}
