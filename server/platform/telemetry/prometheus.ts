/** On a port of their own. Loaded only if that port is set. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Aggregator,
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  prometheusContentType,
  Registry,
} from 'prom-client';
import { type Metric, type MetricSource, type MetricsAddress, MetricsPortError } from './metric.ts';

/** Scrapes usually time out after 10 s. */
const refreshTimeoutMs = 2000;

export interface MetricsServer {
  url: string;
  close(): Promise<void>;
}

export function createRegistry(
  sources: readonly MetricSource[],
  { timeoutMs = refreshTimeoutMs }: { timeoutMs?: number } = {},
): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const readers = sources.map((source) => ({ source, read: createReader(source, timeoutMs) }));
  for (const { source, read } of readers)
    for (const metric of source.metrics) addMetric(registry, source, metric, read);
  new Gauge({
    name: 'shopwright_metrics_source_up',
    help: 'Whether the values of a source could be read for this scrape (1) or are left out (0).',
    labelNames: ['source'],
    aggregator: 'min',
    registers: [registry],
    async collect() {
      for (const { source, read } of readers) this.set({ source: source.name }, (await read()) ? 1 : 0);
    },
  });
  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries(registry);
    // Its constructor listens for the primary process.
    new AggregatorRegistry();
  }
  return registry;
}

export type ReportProblem = (error: unknown) => void;

/** @throws {MetricsPortError} if the port cannot be opened */
export function serveMetrics(
  address: MetricsAddress,
  sources: readonly MetricSource[],
  report: ReportProblem,
): Promise<MetricsServer> {
  const registry = createRegistry(sources);
  return listen(address, () => registry.metrics(), report);
}

/** From the primary process. @throws {MetricsPortError} if the port cannot be opened */
export function serveWorkersMetrics(address: MetricsAddress, report: ReportProblem): Promise<MetricsServer> {
  const workers = new AggregatorRegistry();
  return listen(address, () => workers.clusterMetrics(), report);
}

async function listen(
  address: MetricsAddress,
  text: () => Promise<string>,
  report: ReportProblem,
): Promise<MetricsServer> {
  const server = createServer((request, response) => void answer(request, response, text, report));
  try {
    server.listen(address);
    // Rejects if the server emits an error instead.
    await once(server, 'listening');
  } catch (error) {
    throw new MetricsPortError(address, error);
  }
  const { address: host, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${host}]` : host}:${port}/metrics`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  text: () => Promise<string>,
  report: ReportProblem,
): Promise<void> {
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  if (url !== '/metrics') return plain(response, 404, 'The metrics are at /metrics.');
  if (method !== 'GET') return plain(response, 405, 'Only GET is answered.');
  try {
    const body = await text();
    response.writeHead(200, { 'content-type': prometheusContentType }).end(body);
  } catch (error) {
    report(error);
    plain(response, 503, 'The metrics cannot be read.');
  }
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

/** Reads a source once a scrape, however many metrics it has. False if the values are not current; never rejects. */
function createReader(source: MetricSource, timeoutMs: number): () => Promise<boolean> {
  let reading: Promise<boolean> | null = null;
  let underWay: Promise<boolean> | null = null;
  async function read(): Promise<boolean> {
    if (!source.refresh) return true;
    // A read that outlived its time is not repeated while it runs.
    if (underWay) return false;
    const done = source.refresh().then(
      () => true,
      () => false,
    );
    underWay = done.finally(() => {
      underWay = null;
    });
    return Promise.race([underWay, pause(timeoutMs, false, { ref: false })]);
  }
  return () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
}

function addMetric(
  registry: Registry,
  source: MetricSource,
  metric: Metric,
  read: () => Promise<boolean>,
): void {
  const { name, help, labels = [] } = metric;
  // Every worker reads the same values from the database, so the workers agree on them; other values are added up.
  const aggregator: Aggregator = source.wholeShop ? 'max' : 'sum';
  const common = { name, help, labelNames: [...labels], registers: [registry], aggregator };
  const current = async () => ((await read()) && metric.type !== 'histogram' ? metric.samples() : []);
  if (metric.type === 'histogram') {
    const histogram = new Histogram({ ...common, buckets: [...metric.bounds] });
    metric.observe = (value, labels = {}) => histogram.observe(labels, value);
  } else if (metric.type === 'counter') {
    new Counter({
      ...common,
      async collect() {
        const samples = await current();
        this.reset();
        for (const { labels = {}, value } of samples) this.inc(labels, value);
      },
    });
  } else {
    new Gauge({
      ...common,
      async collect() {
        const samples = await current();
        this.reset();
        // Without labels, `reset` leaves a 0 behind, which would hide that the source could not be read.
        if (samples.length === 0 && labels.length === 0) this.remove();
        for (const { labels = {}, value } of samples) this.set(labels, value);
      },
    });
  }
}
