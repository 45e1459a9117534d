/** The interface of tracing. `otlp.ts` implements it; without an address to send traces to, nothing is recorded. */

/** No personal data, no query parameters and no SQL. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export type SpanKindName = 'internal' | 'client';

export interface Tracer {
  /**
   * Runs `work` as a span of the current trace, or of a new one. `note` adds attributes. An error marks the span with its type,
   * never with its message, and is rethrown.
   */
  span<T>(
    name: string,
    attributes: SpanAttributes,
    work: (note: (more: SpanAttributes) => void) => Promise<T>,
    kind?: SpanKindName,
  ): Promise<T>;
}

export const noTracer: Tracer = { span: (_name, _attributes, work) => work(() => {}) };

export interface RequestSpan {
  run(work: () => void): void;
  /** Ends the span. Its name is known only now: it contains the route. */
  end(name: string, attributes: SpanAttributes, failed: boolean): void;
}

export interface RequestTracer extends Tracer {
  /** Begins the span of a request. `traceparent` is the header of a trusted proxy (W3C Trace Context); undefined starts a trace. */
  begin(traceparent: string | undefined): RequestSpan;
  /** Sends what is left. Never rejects. */
  close(): Promise<void>;
}
