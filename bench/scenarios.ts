/** The scenarios that `npm run bench -- heavy` and `npm run bench -- overload` run instead of the comparison with a bare server. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { apiBase } from '#contract/limits.ts';
import { heavyReads, measureBeside, measureReads, warmUp } from './heavy.ts';
import { measureOverload } from './overload.ts';
import { type LatencyRow, latencyPlot, latencyTable } from './report.ts';
import { runScript, type Server, temporaryFolder } from './servers.ts';

const root = path.resolve(import.meta.dirname, '..');
/** A larger catalogue is measured by the bars for a million products. */
const smallCatalogue = 200_000;
/** The index of a large catalogue is built after the start: how long it may take, seconds. */
const indexSeconds = 90;

export interface ScenarioOptions {
  products: number;
  seconds: number;
  /** A folder that keeps the generated catalogue for the next run; null for a temporary one. */
  data: string | null;
  /** The file of the plot; null for none. */
  plot: string | null;
  startShop: (env: Record<string, string>) => Promise<Server>;
}

/** Runs `work` with a shop that has `products` products, generated unless `data` has them. */
async function withShop(
  { products, data, startShop }: ScenarioOptions,
  work: (shop: Server) => Promise<void>,
): Promise<void> {
  const temporary = data === null ? temporaryFolder() : null;
  const folder = data ?? temporary?.folder ?? '';
  mkdirSync(folder, { recursive: true });
  const env = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn', DEMO: '1', PROXY_HOPS: '1' };
  try {
    if (products > 0 && !existsSync(path.join(folder, 'shop.db')))
      await runScript(path.join(root, 'bench/generate.ts'), ['--products', String(products)], env);
    const shop = await startShop(env);
    try {
      await work(shop);
    } finally {
      await shop.stop();
    }
  } finally {
    temporary?.remove();
  }
}

function print(title: string, rows: readonly LatencyRow[], plot: string | null): void {
  process.stdout.write(`\n${title}\n\n${latencyTable(rows)}\n`);
  if (plot !== null) writeFileSync(plot, latencyPlot(title, rows));
}

async function firstProducts(shop: Server, count: number): Promise<string[]> {
  const answer = await fetch(
    new URL(`${apiBase}productManagement2/products?numberToLoad=${count}`, shop.url),
  );
  const { products } = (await answer.json()) as { products: { id: string }[] };
  return products.map(({ id }) => `/product/${id}`);
}

/** Each heavy read alone, and a cached page beside two clients that ask for them. */
export async function runHeavy(options: ScenarioOptions): Promise<void> {
  const column = options.products <= smallCatalogue ? 0 : 1;
  await withShop(options, async (shop) => {
    await new Promise((resolve) => setTimeout(resolve, indexSeconds * 1000));
    await measureReads(shop, warmUp);
    const rows: LatencyRow[] = [];
    for (const { what, urls, bars } of heavyReads)
      rows.push({ what, latencies: await measureReads(shop, urls), barMs: bars[column] });
    const [page = '/'] = await firstProducts(shop, 1);
    await measureReads(shop, [page, page]);
    for (const beside of [0, 2]) {
      const latencies = await measureBeside(shop, page, beside, options.seconds);
      rows.push({ what: `cached page, ${beside} heavy clients`, latencies, barMs: 20 });
    }
    print(`Heavy reads at ${options.products.toLocaleString('en')} products`, rows, options.plot);
  });
}

/** Two thousand connections on pages that are not cached. */
export async function runOverload(options: ScenarioOptions, connections: number): Promise<void> {
  await withShop(options, async (shop) => {
    const paths = await firstProducts(shop, 48);
    const result = await measureOverload(shop, {
      connections,
      seconds: options.seconds,
      paths,
      laterMs: 60_000,
    });
    const rows: LatencyRow[] = [
      { what: 'pages served', latencies: result.served, barMs: 2000 },
      { what: 'cached page meanwhile', latencies: result.cachedPage, barMs: 50 },
      { what: 'health check meanwhile', latencies: result.health, barMs: 50 },
    ];
    print(`Overload: ${connections} connections on pages that are not cached`, rows, options.plot);
    const { served, refused, failed, memoryMb } = result;
    process.stdout.write(
      `${served.count} served, ${refused} refused, ${failed} failed; anonymous memory ${memoryMb.join(', ')} MB (before, after, a minute later)\n`,
    );
  });
}
