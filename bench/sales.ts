/**
 * Rows for what a sale costs: carts and orders by card, on SQLite, and on PostgreSQL if an empty database is given, there with
 * cached answers beside a bare Fastify that sends the same bytes.
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { apiBase } from '#contract/limits.ts';
import { openDatabase } from '#db/database.ts';
import { createContainer } from '#server/container.ts';
import { readEnv } from '#server/env.ts';
import {
  addToCarts,
  type Figure,
  type LoadOptions,
  load,
  middle,
  type RawAnswer,
  rawAnswer,
} from './load.ts';
import type { Server } from './servers.ts';
import { call, newShopper, ordersToPay, placeOrders } from './shoppers.ts';

export interface SalesOptions extends LoadOptions {
  rounds: number;
  /** The environment of the shop. */
  env: Record<string, string>;
  /** Starts a bare server that answers `route` with `answer`. */
  bareFrom(answer: RawAnswer, route: string): Promise<Server>;
}

/** The least that a row must reach: requests a second, or a share of the bare server. */
interface Bar {
  perSecond?: number;
  ofBare?: number;
}

export const salesHeading =
  '| A sale | shop /s | bare /s | ratio | p50 ms | p99 ms | main thread, ms each | failures | bar |\n|---|---:|---:|---:|---:|---:|---:|---:|---|';

/** Processor time of a process's main thread so far, ms. Unlike requests a second it hardly depends on what else the machine does. */
function mainThreadMs({ pid }: Server): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

interface Measured extends Figure {
  mainThreadMs: number;
}

/** How often a shop is looked at, and for how long at most, ms. */
const [lookEvery, patience] = [500, 120_000];

/** Waits until the shop has sent the emails of earlier orders: whoever measures another call would measure them as well. */
async function untilIdle(shop: Server): Promise<void> {
  const deadline = performance.now() + patience;
  for (let used = Number.POSITIVE_INFINITY; used > lookEvery / 20 && performance.now() < deadline; ) {
    const before = mainThreadMs(shop);
    await pause(lookEvery);
    used = mainThreadMs(shop) - before;
  }
}

async function measured(shop: Server, run: () => Promise<Figure>): Promise<Measured> {
  await untilIdle(shop);
  const before = mainThreadMs(shop);
  const begun = performance.now();
  const figure = await run();
  const calls = (figure.perSecond * (performance.now() - begun)) / 1000;
  return { ...figure, mainThreadMs: (mainThreadMs(shop) - before) / Math.max(1, calls) };
}

function rowOf(what: string, figures: readonly Measured[], bare: Figure | null, bar: Bar): string {
  const shop = middle([...figures]);
  const [cost = 0] = figures
    .map((each) => each.mainThreadMs)
    .sort((a, b) => a - b)
    .slice(Math.floor(figures.length / 2));
  const share = bare ? shop.perSecond / bare.perSecond : null;
  const met =
    bar.perSecond === undefined ? (share ?? 0) >= (bar.ofBare ?? 0) : shop.perSecond >= bar.perSecond;
  const text = bar.perSecond === undefined ? `≥ ${(bar.ofBare ?? 0) * 100} %` : `≥ ${bar.perSecond}/s`;
  const cells = [
    what,
    Math.round(shop.perSecond),
    bare ? Math.round(bare.perSecond) : '',
    share === null ? '' : `${Math.round(share * 100)} %`,
    shop.p50.toFixed(1),
    shop.p99.toFixed(1),
    cost.toFixed(2),
    shop.failures,
    `${text}: ${met ? 'met' : 'NOT MET'}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** SKUs that are shipped, with more units than a benchmark sells. */
async function stockedSkus(shop: Server, variables: Record<string, string>): Promise<string[]> {
  const answer = await fetch(new URL(`${apiBase}productManagement2/products?numberToLoad=24`, shop.url));
  const { products } = (await answer.json()) as { products: { id: string }[] };
  const skus: string[] = [];
  for (const { id } of products) {
    const product = await fetch(new URL(`${apiBase}productManagement/product/${id}`, shop.url));
    const { skus: sold, inStoreOnly } = (await product.json()) as {
      skus: { sku: string }[];
      inStoreOnly?: boolean;
    };
    if (!inStoreOnly) skus.push(...sold.map(({ sku }) => sku));
  }
  const env = readEnv({ ...process.env, ...variables });
  const db = await openDatabase({ dataDir: env.dataDir, databaseUrl: env.databaseUrl });
  try {
    const { changes, stock } = createContainer({ db, env, now: Date.now });
    const levels = skus.map((sku) => ({ sku, place: 'warehouse', units: 1_000_000 }));
    await changes.run({ kind: 'system' }, 'bench', (change) => stock.count(change, levels));
  } finally {
    await db.close();
  }
  const agent = new http.Agent({ keepAlive: true });
  const shippable: string[] = [];
  for (const sku of skus) {
    const status = await call(newShopper(shop.url, agent), `shoppingManagement4/myCart/${sku}`, {
      quantity: 1,
    });
    if (status === 200) shippable.push(sku);
  }
  agent.destroy();
  return shippable;
}

/** Carts and orders. */
export async function measureSales(engine: string, shop: Server, options: SalesOptions): Promise<string[]> {
  const onPostgres = engine === 'PostgreSQL';
  const skus = await stockedSkus(shop, options.env);
  const rows: string[] = [];
  const several = async (
    what: string,
    bar: Bar,
    prepare: (seconds: number) => Promise<() => Promise<Figure>>,
  ) => {
    await (await prepare(1))();
    const figures: Measured[] = [];
    for (let round = 0; round < options.rounds; round += 1)
      figures.push(await measured(shop, await prepare(options.seconds)));
    rows.push(rowOf(`${engine}: ${what}`, figures, null, bar));
  };
  await several('adds to carts', { perSecond: 1500 }, async (seconds) => {
    return () => addToCarts(shop.url, skus, { ...options, seconds });
  });
  const orderBar = { perSecond: 100 };
  await several('orders by card, from the cart on', orderBar, async (seconds) => {
    return () => placeOrders(shop.url, skus, { ...options, seconds });
  });
  await several('the payments alone, of prepared carts', orderBar, (seconds) =>
    ordersToPay(shop.url, skus, seconds * orderBar.perSecond, options),
  );
  if (onPostgres) rows.push(...(await measureWarm(engine, shop, options)));
  return rows;
}

/** A list and a page from the cache, for which PostgreSQL says whether anything has changed. */
async function measureWarm(
  engine: string,
  shop: Server,
  { rounds, bareFrom, ...asking }: SalesOptions,
): Promise<string[]> {
  const list = `${apiBase}productManagement2/products?sortby=price&infiniteLoad=true&startingPosition=0&numberToLoad=12`;
  const { products } = (await (await fetch(new URL(list, shop.url))).json()) as {
    products: { id: string }[];
  };
  const rows: string[] = [];
  for (const [what, route, ofBare] of [
    ['list JSON, warm', list, 0.6],
    ['product page HTML, warm', `/product/${products[0]?.id}`, 0.6],
  ] as const) {
    const url = new URL(route, shop.url);
    const bare = await bareFrom(await rawAnswer(url), url.pathname);
    const [mine, theirs]: [Measured[], Figure[]] = [[], []];
    for (const server of [shop, bare]) await load(server.url, () => route, { ...asking, seconds: 1 });
    for (let round = 0; round < rounds; round += 1) {
      mine.push(await measured(shop, () => load(shop.url, () => route, asking)));
      theirs.push(await load(bare.url, () => url.pathname, asking));
    }
    await bare.stop();
    rows.push(rowOf(`${engine}: ${what}`, mine, middle(theirs), { ofBare }));
  }
  return rows;
}
