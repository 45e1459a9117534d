/** `prometheus.ts` exposes them; without it, counting costs nothing. */
import type { Trx } from '#db/database.ts';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  labels?: Labels;
  value: number;
}

interface Described {
  /** With its unit, such as `shopwright_mail_oldest_seconds`. */
  name: string;
  help: string;
  labels?: readonly string[];
}

export interface NumberMetric extends Described {
  type: 'counter' | 'gauge';
  samples(): readonly Sample[];
}

export interface Histogram extends Described {
  type: 'histogram';
  /** Upper bounds of the buckets, ascending. */
  bounds: readonly number[];
  observe: (value: number, labels?: Labels) => void;
}

export type Metric = NumberMetric | Histogram;

export interface MetricSource {
  name: string;
  metrics: readonly Metric[];
  /** Once before each scrape. If it fails or takes too long, this scrape leaves the source out. */
  refresh?(): Promise<void>;
  /** As the values of the database do; those of a process are added up over the workers. */
  wholeShop?: boolean;
}

export class Counter implements NumberMetric {
  readonly type = 'counter';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly #counts = new Map<string, { labels: Labels; value: number }>();

  constructor({ name, help, labels = [] }: Described) {
    this.name = name;
    this.help = help;
    this.labels = labels;
  }

  /** In the order of `labels`. */
  add(...values: readonly string[]): void {
    const key = values.join('\n');
    const known = this.#counts.get(key);
    if (known) known.value += 1;
    else
      this.#counts.set(key, {
        labels: Object.fromEntries(this.labels.map((name, i) => [name, values[i] ?? ''])),
        value: 1,
      });
  }

  samples(): readonly Sample[] {
    return [...this.#counts.values()];
  }
}

export function gauge(name: string, help: string, read: () => number): NumberMetric {
  return { type: 'gauge', name, help, samples: () => [{ value: read() }] };
}

export function durations(described: Described): Histogram {
  const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
  return { ...described, type: 'histogram', bounds, observe: () => {} };
}

const waiting = new WeakMap<Trx, (() => void)[]>();

/** Transactions can be rolled back, and PostgreSQL repeats some. Only for counting: it never runs while metrics are off. */
export function countAfterCommit(trx: Trx, count: () => void): void {
  const counts = waiting.get(trx);
  if (counts) counts.push(count);
  else waiting.set(trx, [count]);
}

export function runCounts(trx: Trx): void {
  for (const count of waiting.get(trx) ?? []) count();
}

export interface MetricsAddress {
  host: string;
  /** 0 lets the operating system choose. */
  port: number;
}

export class MetricsPortError extends Error {
  override name = 'MetricsPortError';

  constructor({ host, port }: MetricsAddress, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    super(`Metrics cannot be served on ${host}, port ${port} (${code}). Set METRICS_PORT to a free port.`, {
      cause,
    });
  }
}
