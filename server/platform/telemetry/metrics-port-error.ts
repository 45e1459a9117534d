/** The address of the metrics, and the error if it cannot be opened. */

export interface MetricsAddress {
  host: string;
  /** 0 lets the operating system choose. */
  port: number;
}

/** The port for metrics cannot be opened. */
export class MetricsPortError extends Error {
  override name = 'MetricsPortError';

  constructor({ host, port }: MetricsAddress, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    super(`Metrics cannot be served on ${host}, port ${port} (${code}). Set METRICS_PORT to a free port.`, { cause });
  }
}
