import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import { type ShopProcess, spawnShop, startShop } from '#tests/processes.ts';
import { Counter, durations, gauge, type MetricSource } from './metric.ts';
import { createRegistry } from './prometheus.ts';

const cleaning: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'shopwright-metrics-'));
  cleaning.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function freePort(): Promise<string> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

async function startWithMetrics(
  env: Record<string, string> = {},
): Promise<{ shop: ShopProcess; metrics: string }> {
  const port = await freePort();
  const shop = await startShop({ DATA_DIR: folder(), METRICS_PORT: port, ...env });
  cleaning.push(() => shop.end('SIGKILL'));
  return { shop, metrics: `http://127.0.0.1:${port}/metrics` };
}

async function scrape(url: string): Promise<string> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return answer.text();
}

/** The value of one series; null if it is not reported. */
function seriesValue(text: string, series: string): number | null {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}

const requests = (route: string, method = 'GET', status = '2xx') =>
  `shopwright_http_requests_total{route="${route}",method="${method}",status="${status}"}`;

describe('metrics of one process', () => {
  let shop: ShopProcess;
  let metrics: string;
  let stop: (() => unknown)[];
  beforeAll(async () => {
    ({ shop, metrics } = await startWithMetrics());
    // It outlives the first test.
    stop = cleaning.splice(0);
  });
  afterAll(async () => {
    for (const each of stop.reverse()) await each();
  });

  test('Prometheus reads requests, database, outbox, payments, images and the process from a port of their own', async () => {
    await fetch(`${shop.url}/healthz`);
    await expect.poll(async () => seriesValue(await scrape(metrics), requests('/healthz'))).toBe(1);
    const text = await scrape(metrics);
    expect(seriesValue(text, 'shopwright_http_request_duration_seconds_count{route="/healthz"}')).toBe(1);
    expect(seriesValue(text, 'shopwright_mail_outbox{state="waiting"}')).toBe(0);
    expect(seriesValue(text, 'shopwright_mail_oldest_seconds')).toBe(0);
    expect(seriesValue(text, 'shopwright_images_waiting')).toBe(0);
    expect(seriesValue(text, 'shopwright_webhook_deliveries{state="waiting"}')).toBe(0);
    expect(seriesValue(text, 'shopwright_page_cache_entries')).toBe(0);
    expect(seriesValue(text, 'shopwright_database_transactions_total{outcome="committed"}')).toBeGreaterThan(
      0,
    );
    for (const source of ['http', 'page cache', 'database', 'deliveries', 'orders', 'payments', 'images'])
      expect(seriesValue(text, `shopwright_metrics_source_up{source="${source}"}`)).toBe(1);
    for (const name of [
      'nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ])
      expect(seriesValue(text, name)).not.toBeNull();
    // Shoppers' port does not have them.
    expect(await (await fetch(`${shop.url}/metrics`)).text()).not.toContain('shopwright_');
    expect((await fetch(metrics.replace('/metrics', '/other'))).status).toBe(404);
    expect((await fetch(metrics, { method: 'POST' })).status).toBe(405);
  });

  test('hostile and unknown addresses add no series, and metrics repeat nothing that a client wrote', async () => {
    const headers = { [clientTokenHeader]: clientToken };
    const search = '/api/istore/client/productManagement2/products/search/';
    const attack = async (round: number) => {
      for (let i = 0; i < 20; i++) {
        const mark = `hostile-${round}-${i}`;
        await fetch(`${shop.url}/${mark}/%22}%0a?email=${mark}@example.com`, {
          headers: { 'user-agent': mark },
        });
        await fetch(`${shop.url}${search}${mark}?lang=${mark}`, { headers });
        await fetch(`${shop.url}/api/${mark}`, { method: i % 2 === 0 ? 'PROPFIND' : 'DELETE', headers });
      }
    };
    const series = async () =>
      (await scrape(metrics)).split('\n').filter((line) => line.startsWith('shopwright_')).length;
    const unknown = requests('(unknown)', 'other', '4xx');
    await attack(1);
    await expect.poll(async () => seriesValue(await scrape(metrics), unknown)).toBe(10);
    const before = await series();
    await attack(2);
    await expect.poll(async () => seriesValue(await scrape(metrics), unknown)).toBe(20);
    expect(await series()).toBe(before);
    expect(await scrape(metrics)).not.toMatch(/hostile|example\.com/);
  });
});

test('the metrics of several workers are added up on one port', async () => {
  const { shop, metrics } = await startWithMetrics({ WORKERS: '2' });
  await Promise.all(
    Array.from({ length: 12 }, () => fetch(`${shop.url}/healthz`, { headers: { connection: 'close' } })),
  );
  await expect.poll(async () => seriesValue(await scrape(metrics), requests('/healthz'))).toBe(12);
  const text = await scrape(metrics);
  expect(
    seriesValue(text, 'shopwright_http_request_duration_seconds_bucket{le="+Inf",route="/healthz"}'),
  ).toBe(12);
  // Both workers read the same outbox.
  expect(seriesValue(text, 'shopwright_metrics_source_up{source="deliveries"}')).toBe(1);
});

test('a server without METRICS_PORT serves no metrics, and a port in use stops it with the reason', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  cleaning.push(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const shop = spawnShop({ DATA_DIR: folder(), METRICS_PORT: String(port) });
  expect(await shop.end()).toBe(1);
  expect(shop.stderr()).toBe(
    `Metrics cannot be served on 127.0.0.1, port ${port} (EADDRINUSE). Set METRICS_PORT to a free port.\n`,
  );
  const plain = await startShop({ DATA_DIR: folder(), LOG_LEVEL: 'info' });
  cleaning.push(() => plain.end('SIGKILL'));
  expect(plain.stderr()).not.toContain('metrics are served');
});

test('a source that fails or takes too long is left out of the scrape, and is not asked twice at once', async () => {
  let asked = 0;
  const never: MetricSource = {
    name: 'slow',
    metrics: [gauge('slow_value', 'A value.', () => 5)],
    refresh: () => {
      asked += 1;
      return new Promise(() => {});
    },
  };
  const failing: MetricSource = {
    name: 'failing',
    metrics: [gauge('failing_value', 'A value.', () => 6)],
    refresh: () => Promise.reject(new Error('the database is away')),
  };
  const good: MetricSource = { name: 'good', metrics: [gauge('good_value', 'A value.', () => 7)] };
  const registry = createRegistry([never, failing, good], { timeoutMs: 20 });
  for (let scrapes = 0; scrapes < 2; scrapes++) {
    const text = await registry.metrics();
    expect([
      seriesValue(text, 'slow_value'),
      seriesValue(text, 'failing_value'),
      seriesValue(text, 'good_value'),
    ]).toEqual([null, null, 7]);
    expect(seriesValue(text, 'shopwright_metrics_source_up{source="slow"}')).toBe(0);
    expect(seriesValue(text, 'shopwright_metrics_source_up{source="failing"}')).toBe(0);
    expect(seriesValue(text, 'shopwright_metrics_source_up{source="good"}')).toBe(1);
  }
  expect(asked).toBe(1);
});

test('counters and histograms appear in the form of Prometheus', async () => {
  const counter = new Counter({ name: 'things_total', help: 'Things.', labels: ['kind', 'end'] });
  counter.add('a', 'good');
  counter.add('a', 'good');
  const time = { ...durations({ name: 'time', help: 'T.' }), bounds: [0.1, 1] };
  const registry = createRegistry([{ name: 'own', metrics: [counter, time] }]);
  for (const value of [0.05, 0.1, 0.5, 3]) time.observe(value);
  const text = await registry.metrics();
  expect(text).toContain('# TYPE things_total counter\nthings_total{kind="a",end="good"} 2\n');
  expect(text).toContain(
    '# TYPE time histogram\ntime_bucket{le="0.1"} 2\ntime_bucket{le="1"} 3\ntime_bucket{le="+Inf"} 4\ntime_sum 3.65\ntime_count 4\n',
  );
});
