/** `otlp.ts` implements it; without an address nothing is recorded. */

/** No personal data, no query parameters and no SQL. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export type SpanKindName = 'internal' | 'client';

export interface Tracer {
  /** `note` adds attributes. An error marks the span with its type, never with its message, and is rethrown. */
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
  /** The name is known only now: it contains the route. */
  end(name: string, attributes: SpanAttributes, failed: boolean): void;
}

export interface RequestTracer extends Tracer {
  begin(traceparent: string | undefined): RequestSpan;
  close(): Promise<void>;
}
