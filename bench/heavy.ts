/**
 * Heavy reads: what costs more in a larger catalogue, one at a time, and a cached page while two clients ask for them
 * (`npm run bench -- heavy [--data <folder>]`). The folder holds a generated catalogue, and is kept for the next run.
 */
import http from 'node:http';
import { apiBase } from '#contract/limits.ts';
import type { Latencies } from './report.ts';
import { latenciesOf } from './report.ts';
import type { Server } from './servers.ts';

const products = `${apiBase}productManagement2/products`;
const words = 'tea te cup mug celadon teapt 茶 杯子 青瓷 马克 stoneware a vase 盖碗 bowl glaze'.split(' ');
const pairs = words.flatMap((word) =>
  words.filter((other) => other !== word).map((other) => `${word} ${other}`),
);

/** One kind of read, its URLs, and the most that its 99th percentile may be, ms: at 100,000 products and at 1,000,000. */
export interface HeavyRead {
  what: string;
  urls: string[];
  bars: readonly [small: number, large: number];
}

const search = (text: string, query: Record<string, string>) =>
  `${products}/search/${encodeURIComponent(text)}?${new URLSearchParams(query)}`;

export const heavyReads: readonly HeavyRead[] = [
  {
    what: 'word, by price or name',
    urls: words.flatMap((word) =>
      ['price', 'name'].flatMap((sortby) =>
        ['0', '12', '600'].map((startingPosition) => search(word, { sortby, startingPosition })),
      ),
    ),
    bars: [15, 50],
  },
  {
    what: 'facets of words',
    urls: [...words, ...pairs.slice(0, 60)].map(
      (nameLike) => `${products}/facets?${new URLSearchParams({ nameLike })}`,
    ),
    bars: [15, 50],
  },
  {
    what: 'count of a search',
    urls: [...words, ...pairs.slice(0, 60)].map(
      (text) => `${products}/searchCount/${encodeURIComponent(text)}`,
    ),
    bars: [15, 20],
  },
  {
    what: 'suggestions',
    urls: [...words, 'c', 't', 'b', '1', 'st', 'gl', 'pot', 'tea c'].map(
      (text) => `${products}/suggest/${encodeURIComponent(text)}`,
    ),
    bars: [15, 20],
  },
  { what: 'two words', urls: pairs.map((text) => search(text, { startingPosition: '0' })), bars: [15, 20] },
  {
    what: 'Chinese',
    urls: ['茶', '杯子', '青瓷', '马克', '盖碗', '茶壶', '白瓷 茶杯'].flatMap((text) =>
      ['0', '12', '24'].map((startingPosition) => search(text, { lang: 'zh', startingPosition })),
    ),
    bars: [15, 20],
  },
  {
    what: 'deep pages',
    urls: [5000, 20_000, 45_000].flatMap((start) => [
      `${products}?${new URLSearchParams({ sortby: 'price', startingPosition: String(start) })}`,
      search('tea', { startingPosition: String(start / 5) }),
    ]),
    bars: [15, 20],
  },
];

/** Reads of every kind with words that are not measured: a process that has just started runs its code slowly. */
export const warmUp: readonly string[] = 'lamp 灯 linen lin jar 碗 candle can plate 托盘 matte oak'
  .split(' ')
  .flatMap((text) => [
    search(text, { sortby: 'price', startingPosition: '0' }),
    search(text, { lang: 'zh', startingPosition: '12' }),
    `${products}/facets?${new URLSearchParams({ nameLike: text })}`,
    `${products}/searchCount/${encodeURIComponent(text)}`,
    `${products}/suggest/${encodeURIComponent(text)}`,
  ]);

/** Requests URLs over kept connections. */
export function client(shop: Server): {
  get(url: string): Promise<{ ms: number; status: number }>;
  close(): void;
} {
  const agent = new http.Agent({ keepAlive: true });
  return {
    close: () => agent.destroy(),
    get: (url) =>
      new Promise((resolve, reject) => {
        const begun = performance.now();
        const request = http.get(
          new URL(url, shop.url),
          { agent, headers: { 'accept-encoding': 'br' } },
          (response) => {
            response.resume();
            response.once('end', () =>
              resolve({ ms: performance.now() - begun, status: response.statusCode ?? 0 }),
            );
          },
        );
        request.once('error', reject);
      }),
  };
}

/** Measures each URL once, one after another. */
export async function measureReads(shop: Server, urls: readonly string[]): Promise<Latencies> {
  const { get, close } = client(shop);
  const times: number[] = [];
  for (const url of urls) times.push((await get(url)).ms);
  close();
  return latenciesOf(times);
}

/** Measures a cached page, a request every 2 ms, while `beside` clients ask for facets of words without a pause. */
export async function measureBeside(
  shop: Server,
  page: string,
  beside: number,
  seconds: number,
): Promise<Latencies> {
  const { get, close } = client(shop);
  let [stopped, asked] = [false, 0];
  const ask = async () => {
    while (!stopped) {
      asked += 1;
      // Spaces at the ends change nothing but the address.
      const nameLike = words[asked % words.length] + ' '.repeat(asked % 97);
      await get(`${products}/facets?${new URLSearchParams({ nameLike })}`);
    }
  };
  const clients = Array.from({ length: beside }, ask);
  const times: number[] = [];
  for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
    times.push((await get(page)).ms);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  stopped = true;
  await Promise.all(clients);
  close();
  return latenciesOf(times);
}
