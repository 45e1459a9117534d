/** Over OTLP/HTTP. Loaded only if a collector is configured. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { RequestSpan, RequestTracer, SpanAttributes, Tracer } from './tracer.ts';

export interface OtlpOptions {
  /** Without `/v1/traces` and a trailing slash. */
  endpoint: string;
  /** 0 to 1; a trusted proxy's own decision takes precedence. */
  ratio: number;
  /** At most once a minute. */
  onProblem?: (error: Error) => void;
}

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const;
/** Of the same problem. */
const quietMs = 60_000;
/** When the process stops. */
const closeMs = 3000;

export function createOtlpTracer({ endpoint, ratio, onProblem = () => {} }: OtlpOptions): RequestTracer {
  const exporter = reporting(
    new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: closeMs }),
    onProblem,
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shopwright', 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('shopwright');
  // The interface's own context would need a manager that is global to the process.
  const current = new AsyncLocalStorage<Context>();

  const span: Tracer['span'] = async (name, attributes, work, kind = 'internal') => {
    const parent = current.getStore() ?? ROOT_CONTEXT;
    const made = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, parent);
    try {
      return await current.run(trace.setSpan(parent, made), () =>
        work((more) => made.setAttributes({ ...more })),
      );
    } catch (error) {
      fail(made, error);
      throw error;
    } finally {
      made.end();
    }
  };

  return {
    span,
    begin(traceparent) {
      const parent = contextOf(traceparent);
      const made = tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
      return requestSpan(made, (work) => current.run(trace.setSpan(parent, made), work));
    },
    close: () => provider.shutdown().catch(() => {}),
  };
}

function requestSpan(made: Span, run: RequestSpan['run']): RequestSpan {
  return {
    run,
    end(name: string, attributes: SpanAttributes, failed: boolean) {
      made.updateName(name);
      made.setAttributes({ ...attributes });
      if (failed) made.setStatus({ code: SpanStatusCode.ERROR });
      made.end();
    },
  };
}

/** Messages of errors can repeat what a customer typed, so only the type is recorded. */
function fail(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The root for anything that is no `traceparent` header. */
function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] =
    /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(spanContext) ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT;
}

function reporting(exporter: SpanExporter, onProblem: (error: Error) => void): SpanExporter {
  let quietUntil = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error && Date.now() >= quietUntil) {
          quietUntil = Date.now() + quietMs;
          onProblem(result.error);
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
