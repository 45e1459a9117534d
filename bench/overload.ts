/**
 * Overload: two thousand connections that ask for pages which are not cached (`npm run bench -- overload`), with a cached page and the
 * health check beside them.
 */
import http from 'node:http';
import { client } from './heavy.ts';
import { type Latencies, latenciesOf, residentAnonymousMb } from './report.ts';
import type { Server } from './servers.ts';

export interface OverloadResult {
  served: Latencies;
  refused: number;
  /** Answers of another status than 200 and 503, 503 without Retry-After, and broken connections. */
  failed: number;
  cachedPage: Latencies;
  health: Latencies;
  /** Anonymous memory before, right after, and a minute after, MB. */
  memoryMb: readonly [before: number, after: number, later: number];
}

export interface OverloadOptions {
  connections: number;
  seconds: number;
  /** Paths of pages; each request adds a parameter that keeps it out of the cache. */
  paths: readonly string[];
  /** How long after the load memory is read again, ms. */
  laterMs: number;
}

export async function measureOverload(shop: Server, options: OverloadOptions): Promise<OverloadResult> {
  const { connections, seconds, paths, laterMs } = options;
  const calm = client(shop);
  await calm.get('/');
  await calm.get('/');
  const before = residentAnonymousMb(shop.pid);
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const served: number[] = [];
  let [stopped, refused, failed, asked] = [false, 0, 0, 0];
  const visitor = async (index: number) => {
    await new Promise((resolve) => setTimeout(resolve, index % 500));
    while (!stopped) {
      const url = new URL(`${paths[asked % paths.length]}?visit=${asked++}`, shop.url);
      const begun = performance.now();
      const { status, retryAfter } = await statusOf(url, agent);
      if (status === 200) served.push(performance.now() - begun);
      else if (status === 503 && retryAfter) refused += 1;
      else failed += 1;
    }
  };
  const visitors = Array.from({ length: connections }, (_, index) => visitor(index));
  const [pages, checks]: [number[], number[]] = [[], []];
  for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
    pages.push((await calm.get('/')).ms);
    checks.push((await calm.get('/healthz')).ms);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  stopped = true;
  await Promise.all(visitors);
  agent.destroy();
  const after = residentAnonymousMb(shop.pid);
  await new Promise((resolve) => setTimeout(resolve, laterMs));
  calm.close();
  const memoryMb = [before, after, residentAnonymousMb(shop.pid)] as const;
  return {
    served: latenciesOf(served),
    refused,
    failed,
    cachedPage: latenciesOf(pages),
    health: latenciesOf(checks),
    memoryMb,
  };
}

function statusOf(url: URL, agent: http.Agent): Promise<{ status: number; retryAfter: boolean }> {
  return new Promise((resolve) => {
    const request = http.get(url, { agent, headers: { 'accept-encoding': 'br' } }, (response) => {
      response.resume();
      const answer = {
        status: response.statusCode ?? 0,
        retryAfter: response.headers['retry-after'] !== undefined,
      };
      response.once('end', () => resolve(answer));
    });
    request.once('error', () => resolve({ status: 0, retryAfter: false }));
  });
}
