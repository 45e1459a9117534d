/**
 * The benchmarks: `npm run bench -- [--seconds 5] [--connections 16] [--products 0,100000] [--no-mixes] [--no-sales]
 * [--postgres URL]`, and single scenarios:
 * `npm run bench -- heavy --products 1000000 --data <folder> [--plot <file.svg>]`, `npm run bench -- overload [--connections 2000]`,
 * `npm run bench -- feel [--rounds 6] [--beside <address of another shop>]`,
 * `npm run bench -- merchant [--products 50000] [--orders 100000] [--postgres URL]`.
 *
 * Every figure is measured beside a bare Fastify that sends the same bytes, in the same run and in alternating rounds, so that
 * a slow or busy machine slows both; quote the ratio. One process serves, another sends requests. `--products 0` is the demo
 * shop; another number is a generated catalogue of that size. `--postgres postgres://…/empty` adds rows for PostgreSQL in that
 * empty database.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import { serverEnv, serverFlags } from '../scripts/serving.mjs';
import { runMerchant } from './large-shop.ts';
import {
  addToCarts,
  type Figure,
  type LoadOptions,
  load,
  middle,
  type RawAnswer,
  rawAnswer,
} from './load.ts';
import { type Mix, measureMix, withChanges } from './mixes.ts';
import { measureSales, salesHeading } from './sales.ts';
import { runHeavy, runOverload, type ScenarioOptions } from './scenarios.ts';
import { runScript, type Server, startServer, temporaryFolder } from './servers.ts';

const { values, positionals } = parseArgs({
  allowNegative: true,
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '16' },
    products: { type: 'string' },
    orders: { type: 'string', default: '100000' },
    mixes: { type: 'boolean', default: true },
    sales: { type: 'boolean', default: true },
    postgres: { type: 'string' },
    rounds: { type: 'string' },
    data: { type: 'string' },
    plot: { type: 'string' },
    beside: { type: 'string' },
  },
});
const sizes = (values.products ?? (positionals[0] === 'merchant' ? '50000' : '0,100000'))
  .split(',')
  .filter((size) => size !== '')
  .map(Number);
const options: LoadOptions = { seconds: Number(values.seconds), connections: Number(values.connections) };
const rounds = Number(values.rounds ?? 3);
const root = path.resolve(import.meta.dirname, '..');

/** With the options of `npm start`. */
const startShop = (env: Record<string, string>): Promise<Server> =>
  startServer(path.join(root, 'server/main.mjs'), { ...serverEnv, ...env }, serverFlags);

const rows: string[] = [];
function report(what: string, shop: Figure, bare: Figure): void {
  const ratio = `${Math.round((shop.perSecond / bare.perSecond) * 100)} %`;
  const row = `| ${what} | ${Math.round(shop.perSecond)} | ${Math.round(bare.perSecond)} | ${ratio} | ${shop.p50.toFixed(1)} | ${shop.p99.toFixed(1)} | ${shop.failures} |`;
  rows.push(row);
  process.stdout.write(`${row}\n`);
}

/** Starts the bare Fastify, which answers `url` with the shop's answer. */
async function bareWith(
  answer: Response,
  url: string,
  method: 'GET' | 'POST',
  folder: string,
): Promise<Server> {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
  return await bareFrom(
    { headers: Object.fromEntries(answer.headers), body: Buffer.from(await answer.arrayBuffer()) },
    url,
    method,
    folder,
  );
}

/** Starts the bare Fastify with the headers and the encoded bytes of an answer. */
async function bareFrom(
  answer: RawAnswer,
  url: string,
  method: 'GET' | 'POST',
  folder: string,
): Promise<Server> {
  const file = path.join(folder, 'bare.json');
  writeFileSync(
    file,
    JSON.stringify({ [url]: { headers: answer.headers, body: answer.body.toString('base64'), method } }),
  );
  return startServer(path.join(root, 'bench/bare.ts'), { BARE_FILE: file });
}

/**
 * Measures the shop and the bare server in turn, `rounds` times, and returns the medians. `routes` are requested one after
 * another: if there are more of them than requests, the cache never helps. The bare server sends the bytes of the first one.
 */
async function compare(
  what: string,
  shop: Server,
  routes: readonly string[],
  folder: string,
  asking = options,
): Promise<void> {
  const first = routes[0] ?? '/';
  const bare = await bareFrom(
    await rawAnswer(new URL(first, shop.url)),
    new URL(first, shop.url).pathname,
    'GET',
    folder,
  );
  const bareRoute = new URL(first, bare.url).pathname;
  let asked = 0;
  const nextRoute = () => routes[asked++ % routes.length] ?? first;
  const warm = { ...asking, seconds: 1 };
  if (routes.length === 1) await load(shop.url, nextRoute, warm);
  await load(bare.url, () => bareRoute, warm);
  const mine: Figure[] = [];
  const theirs: Figure[] = [];
  for (let round = 0; round < rounds; round += 1) {
    mine.push(await load(shop.url, nextRoute, asking));
    theirs.push(await load(bare.url, () => bareRoute, asking));
  }
  await bare.stop();
  if (routes.length > 1 && asked > routes.length)
    process.stdout.write(`(${asked} requests for ${routes.length} addresses)\n`);
  report(what, middle(mine), middle(theirs));
}

/** The same for customers who add to their carts; the bare server reads and stores nothing. */
async function compareCarts(
  what: string,
  shop: Server,
  skus: readonly string[],
  folder: string,
): Promise<void> {
  const carts = api('shoppingManagement4/myCart/');
  const answer = await fetch(new URL(`${carts}${skus[0]}`, shop.url), {
    method: 'POST',
    headers: {
      [clientTokenHeader]: clientToken,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    },
    body: JSON.stringify({ quantity: 1 }),
  });
  const bare = await bareWith(answer, `${carts}:sku`, 'POST', folder);
  const warm = { ...options, seconds: 1 };
  await addToCarts(shop.url, skus, warm);
  await addToCarts(bare.url, skus, warm);
  const mine: Figure[] = [];
  const theirs: Figure[] = [];
  for (let round = 0; round < rounds; round += 1) {
    mine.push(await addToCarts(shop.url, skus, options));
    theirs.push(await addToCarts(bare.url, skus, options));
  }
  await bare.stop();
  report(what, middle(mine), middle(theirs));
}

function residentMegabytes(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/);
  return Math.round(Number(line?.[1] ?? 0) / 1024);
}

async function json<T>(shop: Server, route: string): Promise<T> {
  const answer = await fetch(new URL(route, shop.url));
  if (!answer.ok) throw new Error(`${route} answered ${answer.status}`);
  return (await answer.json()) as T;
}

interface Listed {
  products: { id: string }[];
}
interface Sold {
  skus: { sku: string; inStock: boolean }[];
}
interface Named {
  name: string;
}
interface Branch {
  categoryName: string;
  children: { categoryName: string }[];
}

/** Search texts: broad and narrow, unfinished, misspelt, Chinese. */
const words = 'tea te cup mug celadon teapt 茶 杯子 青瓷 马克 stoneware a vase 盖碗 bowl'.split(' ');

const api = (route: string) => `${apiBase}${route}`;

async function measure(products: number): Promise<void> {
  const data = temporaryFolder();
  const env = { DATA_DIR: data.folder, PORT: '0', LOG_LEVEL: 'warn', DEMO: '1', PROXY_HOPS: '1' };
  const name = products === 0 ? 'demo shop' : `${products.toLocaleString('en')} products`;
  try {
    if (products > 0)
      await runScript(path.join(root, 'bench/generate.ts'), ['--products', String(products)], env);
    await (await startShop(env)).stop();
    const shop = await startShop(env);
    process.stdout.write(`\n${name}: ready in ${Math.round(shop.startMs)} ms\n`);

    const list = api(
      'productManagement2/products?sortby=price&infiniteLoad=true&startingPosition=0&numberToLoad=12',
    );
    const { products: listed } = await json<Listed>(shop, list);
    const ids = listed.map((product) => product.id);
    const detail = api(`productManagement/product/${ids[0]}`);
    const brands = await json<Named[]>(shop, api('productManagement/brands'));
    const tree = await json<Branch[]>(shop, api('productManagement/categories/primary'));
    const categories = tree.flatMap((top) => [
      top.categoryName,
      ...top.children.map((child) => child.categoryName),
    ]);

    await compare(`${name}: list JSON, warm`, shop, [list], data.folder);
    await compare(`${name}: product JSON, warm`, shop, [detail], data.folder);
    await compare(
      `${name}: search JSON, warm`,
      shop,
      [api('productManagement2/products/search/tea')],
      data.folder,
    );
    await comparePages(name, shop, ids, data.folder);

    if (products > 0) await compareUncached(name, shop, { categories, brands }, data.folder);

    const skus: string[] = [];
    for (const id of ids) {
      const product = await json<Sold>(shop, api(`productManagement/product/${id}`));
      skus.push(...product.skus.filter((sku) => sku.inStock).map((sku) => sku.sku));
    }
    await compareCarts(`${name}: add to cart, durable`, shop, skus, data.folder);
    await shop.stop();
  } finally {
    data.remove();
  }
}

/** Pages from the cache. */
async function comparePages(
  name: string,
  shop: Server,
  ids: readonly string[],
  folder: string,
): Promise<void> {
  const product = `/product/${ids[0]}`;
  const pages = { product, home: '/', list: '/productlist', cart: '/cart', checkout: '/checkout' };
  for (const [page, route] of Object.entries(pages))
    await compare(`${name}: ${page} page HTML, warm`, shop, [route], folder);
  const cookie = 'lang=en; visits=3; consent=all';
  await compare(`${name}: product page HTML, warm, with cookies`, shop, [product], folder, {
    ...options,
    cookie,
  });
  await compare(`${name}: product page HTML, warm, 256 connections`, shop, [product], folder, {
    ...options,
    connections: 256,
  });
  process.stdout.write(`resident after that load: ${residentMegabytes(shop.pid)} MB\n`);
}

/** Every address differs, so that the cache never helps. */
async function compareUncached(name: string, shop: Server, known: Known, folder: string): Promise<void> {
  await compare(`${name}: list JSON, uncached`, shop, shuffled(await listPages(shop, known)), folder);
  // Measures the time of one request, without concurrent ones.
  const alone = { ...options, connections: 1 };
  await compare(`${name}: search JSON, uncached`, shop, shuffled(searchPages(['default'])), folder, alone);
  const sorted = shuffled(searchPages(['price', 'name']));
  await compare(`${name}: search JSON by price or name, uncached`, shop, sorted, folder, alone);
}

/** Twelve pages of each word, and of each pair of words, in both languages. */
function searchPages(sorts: string[]): string[] {
  const pages: string[] = [];
  for (const word of words) {
    for (const other of ['', ...words.filter((each) => each !== word)]) {
      const path = `productManagement2/products/search/${encodeURIComponent(`${word} ${other}`.trim())}`;
      for (const sortby of sorts)
        for (const lang of ['en', 'zh'])
          for (let start = 0; start < 144; start += 12)
            pages.push(
              api(`${path}?${new URLSearchParams({ sortby, startingPosition: String(start), lang })}`),
            );
    }
  }
  return pages;
}

interface Known {
  categories: string[];
  brands: Named[];
}

/** Every page, up to the 200th, of every list by category, brand and both, in three orders. */
async function listPages(shop: Server, { categories, brands }: Known): Promise<string[]> {
  const pages: string[] = [];
  for (const category of [...categories, '']) {
    for (const brand of [...brands.map(({ name }) => name), '']) {
      const filter = {
        ...(category ? { categoryName: category } : {}),
        ...(brand ? { brandName: brand } : {}),
      };
      const { count } = await json<{ count: number }>(
        shop,
        api(`productManagement2/products/listCount?${new URLSearchParams(filter)}`),
      );
      for (let start = 0; start < Math.min(count, 2400); start += 12)
        for (const sortby of ['default', 'price', 'name']) {
          const query = new URLSearchParams({
            sortby,
            startingPosition: String(start),
            numberToLoad: '12',
            ...filter,
          });
          pages.push(api(`productManagement2/products?${query}`));
        }
    }
  }
  return pages;
}

/** Shuffles in the same order in every run. */
function shuffled(urls: string[]): string[] {
  let seed = 7;
  return urls
    .map((url) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return { url, seed };
    })
    .sort((a, b) => a.seed - b.seed)
    .map(({ url }) => url);
}

/** How long the acts of a shopper take in the demo shop: a program of its own, as it drives a browser. */
async function measureFeel(): Promise<void> {
  const data = temporaryFolder();
  const shop = await startShop({ DATA_DIR: data.folder, PORT: '0', LOG_LEVEL: 'warn', DEMO: '1' });
  // What is left out, the program itself decides.
  const given = (['rounds', 'beside'] as const).flatMap((name) =>
    values[name] === undefined ? [] : [`--${name}`, values[name]],
  );
  try {
    await runScript(path.join(root, 'tests/browser/feel.ts'), ['--shop', shop.url, ...given], {}, 'inherit');
  } finally {
    await shop.stop();
    data.remove();
  }
}

/** A thousand addresses at random, alone and with changes of the catalogue. */
async function measureMixes(): Promise<void> {
  const data = temporaryFolder();
  const env = { DATA_DIR: data.folder, PORT: '0', LOG_LEVEL: 'warn', DEMO: '1', PROXY_HOPS: '1' };
  try {
    await runScript(path.join(root, 'bench/generate.ts'), ['--products', '1000'], env);
    const shop = await startShop(env);
    const ids: string[] = [];
    for (let start = 0; ; start += 48) {
      const query = `productManagement2/products?startingPosition=${start}&numberToLoad=48`;
      const { products } = await json<Listed>(shop, api(query));
      ids.push(...products.map(({ id }) => id));
      if (products.length < 48) break;
    }
    const pages = ids.map((id) => `/product/${id}`);
    const calls = ids.map((id) => api(`productManagement/product/${id}`));
    const mix = (what: string, routes: string[], besides: Parameters<typeof measureMix>[3]) =>
      measureMix(shop, routes, { ...options, rounds, what }, besides).then(reportMix);
    const besides = (read: () => Promise<Figure>) => withChanges(1, env, read);
    await mix('pages, a change a second', pages, besides);
    await mix('JSON, a change a second', calls, besides);
    process.stdout.write(`resident after the mixes: ${residentMegabytes(shop.pid)} MB\n`);
    await shop.stop();
  } finally {
    data.remove();
  }
}

function reportMix({ what, alone, mixed, bar }: Mix): void {
  const share = mixed.perSecond / alone.perSecond;
  const verdict = share >= bar ? 'met' : 'NOT MET';
  const row = `| ${what} | ${Math.round(alone.perSecond)} | ${Math.round(mixed.perSecond)} | ${Math.round(share * 100)} % | ${mixed.p50.toFixed(1)} | ${mixed.p99.toFixed(1)} | ${mixed.failures} | ≥ ${bar * 100} %: ${verdict} |`;
  mixes.push(row);
  process.stdout.write(`${row}\n`);
}

/** What a sale costs in the demo shop. */
async function measureSalesOn(engine: string, more: Record<string, string>): Promise<void> {
  const data = temporaryFolder();
  const env = { DATA_DIR: data.folder, PORT: '0', LOG_LEVEL: 'warn', DEMO: '1', PROXY_HOPS: '1', ...more };
  try {
    const shop = await startShop(env);
    const bareFor = (answer: RawAnswer, route: string) => bareFrom(answer, route, 'GET', data.folder);
    sales.push(...(await measureSales(engine, shop, { ...options, rounds, env, bareFrom: bareFor })));
    await shop.stop();
  } finally {
    data.remove();
  }
}

const sales: string[] = [];
const mixes: string[] = [];
const mixHeading =
  '| 1,000 addresses at random | alone /s | mixed /s | share | p50 ms | p99 ms | failures | bar |\n|---|---:|---:|---:|---:|---:|---:|---|';
const [scenario] = positionals;
if (scenario !== undefined) {
  const { data = null, plot = null } = values;
  const given = sizes.at(-1) ?? 0;
  const shared: Omit<ScenarioOptions, 'products'> = { seconds: options.seconds, data, plot, startShop };
  if (scenario === 'heavy') await runHeavy({ ...shared, products: given });
  else if (scenario === 'overload')
    await runOverload({ ...shared, products: 0 }, Math.max(options.connections, 2000));
  else if (scenario === 'feel') await measureFeel();
  else if (scenario === 'merchant') {
    const databaseUrl = values.postgres ?? null;
    const isMet = await runMerchant({
      products: given,
      orders: Number(values.orders),
      databaseUrl,
      startShop,
    });
    process.exit(isMet ? 0 : 1);
  } else
    throw new Error(`Unknown scenario: ${scenario}. There are "heavy", "overload", "feel" and "merchant".`);
  process.exit(0);
}
const heading =
  '| What | shop /s | bare /s | ratio | p50 ms | p99 ms | failures |\n|---|---:|---:|---:|---:|---:|---:|';
process.stdout.write(`${heading}\n`);
for (const products of sizes) await measure(products);
if (values.mixes) await measureMixes();
if (values.sales) await measureSalesOn('SQLite', {});
if (values.sales && values.postgres) await measureSalesOn('PostgreSQL', { DATABASE_URL: values.postgres });
process.stdout.write(`\n${heading}\n${rows.join('\n')}\n`);
if (sales.length > 0) process.stdout.write(`\n${salesHeading}\n${sales.join('\n')}\n`);
if (mixes.length > 0) process.stdout.write(`\n${mixHeading}\n${mixes.join('\n')}\n`);
