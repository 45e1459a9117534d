/** Exposes the server's metrics to Prometheus, on a port of their own. Loaded only if that port is set. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  prometheusContentType,
  Registry,
} from 'prom-client';
import type { HistogramMetric, HistogramSample, MetricSource, NumberMetric } from './metric.ts';
import { type MetricsAddress, MetricsPortError } from './metrics-port-error.ts';

/** How long a source may take to read its values, ms: scrapes usually time out after 10 s. */
const refreshTimeoutMs = 2000;

export interface MetricsServer {
  /** The URL of the metrics. */
  url: string;
  close(): Promise<void>;
}

/** A registry of the process's own metrics and those of `sources`. In a worker it also answers the primary process. */
export function createRegistry(
  sources: readonly MetricSource[],
  { timeoutMs = refreshTimeoutMs }: { timeoutMs?: number } = {},
): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const readers = sources.map((source) => new SourceReader(source, timeoutMs));
  for (const reader of readers) addSource(registry, reader);
  new Gauge({
    name: 'shopwright_metrics_source_up',
    help: 'Whether the values of a source could be read for this scrape (1) or are left out (0).',
    labelNames: ['source'],
    aggregator: 'min',
    registers: [registry],
    async collect() {
      for (const reader of readers) this.set({ source: reader.source.name }, (await reader.read()) ? 1 : 0);
    },
  });
  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries(registry);
    // Its constructor listens for the primary process.
    new AggregatorRegistry();
  }
  return registry;
}

/** Called when a scrape could not be answered. */
export type ReportProblem = (error: unknown) => void;

/** Serves the metrics of this process. @throws {MetricsPortError} if the port cannot be opened */
export function serveMetrics(
  address: MetricsAddress,
  sources: readonly MetricSource[],
  report: ReportProblem,
): Promise<MetricsServer> {
  const registry = createRegistry(sources);
  return listen(address, () => registry.metrics(), report);
}

/** Serves the metrics of all workers together, from the primary process. @throws {MetricsPortError} if the port cannot be opened */
export function serveWorkersMetrics(address: MetricsAddress, report: ReportProblem): Promise<MetricsServer> {
  const workers = new AggregatorRegistry();
  return listen(address, () => workers.clusterMetrics(), report);
}

async function listen(address: MetricsAddress, text: () => Promise<string>, report: ReportProblem): Promise<MetricsServer> {
  const server = createServer((request, response) => void answer(request, response, text, report));
  try {
    server.listen(address);
    // Rejects if the server emits an error instead.
    await once(server, 'listening');
  } catch (error) {
    throw new MetricsPortError(address, error);
  }
  // A TCP server has an object as its address.
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

/** Reads a source once a scrape, however many metrics it has. */
class SourceReader {
  readonly source: MetricSource;
  readonly #timeoutMs: number;
  #reading: Promise<boolean> | null = null;
  #underWay = false;

  constructor(source: MetricSource, timeoutMs: number) {
    this.source = source;
    this.#timeoutMs = timeoutMs;
  }

  /** Whether the values are current. Never rejects. */
  read(): Promise<boolean> {
    this.#reading ??= this.#refresh().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #refresh(): Promise<boolean> {
    const { source } = this;
    if (!source.refresh) return true;
    // A read that outlived its time is not repeated while it runs.
    if (this.#underWay) return false;
    this.#underWay = true;
    const done = source
      .refresh()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#underWay = false;
      });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, this.#timeoutMs, false);
    });
    return Promise.race([done, late]).finally(() => clearTimeout(timer));
  }
}

function addSource(registry: Registry, reader: SourceReader): void {
  // Every worker reads the same values from the database, so the workers agree on them; other values are added up.
  const aggregator = reader.source.wholeShop ? 'max' : 'sum';
  for (const metric of reader.source.metrics) {
    if (metric.type === 'histogram') registry.registerMetric(new CountedHistogram(metric, reader, aggregator));
    else addNumber(registry, metric, reader, aggregator);
  }
}

function addNumber(registry: Registry, metric: NumberMetric, reader: SourceReader, aggregator: 'max' | 'sum'): void {
  const { name, help, labels = [] } = metric;
  const common = { name, help, labelNames: [...labels], registers: [registry], aggregator };
  const current = async () => ((await reader.read()) ? metric.samples() : []);
  if (metric.type === 'counter') {
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

/** A histogram whose buckets are counted elsewhere: `observe` of the library costs too much for every request. */
class CountedHistogram extends Histogram {
  readonly #metric: HistogramMetric;
  readonly #reader: SourceReader;
  /** Everything but the values. The library's own `get` would call the override below again. */
  readonly #shape: Histogram;

  constructor(metric: HistogramMetric, reader: SourceReader, aggregator: 'max' | 'sum') {
    const { name, help, labels = [], bounds } = metric;
    const configuration = { name, help, labelNames: [...labels], buckets: [...bounds], registers: [], aggregator };
    super(configuration);
    this.#shape = new Histogram(configuration);
    this.#metric = metric;
    this.#reader = reader;
  }

  override async get() {
    const samples = (await this.#reader.read()) ? this.#metric.samples() : [];
    const values = samples.flatMap((sample) => histogramValues(this.#metric.name, sample));
    return { ...(await this.#shape.get()), values };
  }

  /** The registry prefers this method. */
  getForPromString() {
    return this.get();
  }
}

/** The lines of one histogram, in which each bucket includes the ones before it. */
function histogramValues(name: string, { labels = {}, buckets: { bounds, counts, sum } }: HistogramSample) {
  let count = 0;
  const values = [...counts].map((own, i) => {
    count += own;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[i] ?? '+Inf' }, value: count };
  });
  return [...values, { metricName: `${name}_sum`, labels, value: sum }, { metricName: `${name}_count`, labels, value: count }];
}
