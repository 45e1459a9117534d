/** The interface by which the parts of the server report metrics. `prometheus.ts` exposes them; without it, counting costs nothing. */

/** Values by label name. Every label has a small, fixed set of values: no ids, no URLs, nothing that a client writes. */
export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  labels?: Labels;
  value: number;
}

export interface HistogramSample {
  labels?: Labels;
  buckets: Buckets;
}

interface Described {
  /** A Prometheus name with its unit, such as `shopwright_mail_oldest_seconds`. */
  name: string;
  help: string;
  /** Label names; none by default. */
  labels?: readonly string[];
}

export interface NumberMetric extends Described {
  type: 'counter' | 'gauge';
  samples(): readonly Sample[];
}

export interface HistogramMetric extends Described {
  type: 'histogram';
  /** Upper bounds of the buckets, ascending. */
  bounds: readonly number[];
  samples(): readonly HistogramSample[];
}

export type Metric = NumberMetric | HistogramMetric;

export interface MetricSource {
  /** Names the source in `shopwright_metrics_source_up`. */
  name: string;
  metrics: readonly Metric[];
  /** Reads what the samples report, once before each scrape. If it fails or takes too long, this scrape leaves the source out. */
  refresh?(): Promise<void>;
  /** The values describe the whole shop, as those of the database do; otherwise this process, and workers are added up. */
  wholeShop?: boolean;
}

/** The counts of a histogram. */
export class Buckets {
  readonly bounds: readonly number[];
  /** Observations by bucket, not cumulative; the last one is above all bounds. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    this.sum += value;
  }
}

/** A counter of this process, by label values. */
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

  /** `values` are those of `labels`, in their order. */
  add(...values: readonly string[]): void {
    const key = values.join('\n');
    const known = this.#counts.get(key);
    if (known) known.value += 1;
    else this.#counts.set(key, { labels: Object.fromEntries(this.labels.map((name, i) => [name, values[i] ?? ''])), value: 1 });
  }

  samples(): readonly Sample[] {
    return [...this.#counts.values()];
  }
}

/** A gauge whose value is read at each scrape. */
export function gauge(name: string, help: string, read: () => number): NumberMetric {
  return { type: 'gauge', name, help, samples: () => [{ value: read() }] };
}
