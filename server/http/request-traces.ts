/** Makes each request of a client a span, which the spans of its page, transactions and provider calls belong to. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestSpan, RequestTracer } from '#server/platform/telemetry/tracer.ts';
import { trustedProxies } from './proxy.ts';
import { isFromClient, methodName, routeLabel } from './route-label.ts';

/** `hops` is the number of trusted proxies in front of the shop: only they may continue a trace of their own. */
export function registerRequestTraces(app: FastifyInstance, tracer: RequestTracer, hops: number): void {
  const trusts = trustedProxies(hops);
  const spans = new WeakMap<FastifyRequest, RequestSpan>();

  app.addHook('onRequest', (request, reply, done) => {
    if (!isFromClient(request)) return done();
    const { socket, headers } = request.raw;
    const given = trusts(socket.remoteAddress ?? '', 0) ? headers.traceparent : undefined;
    const span = tracer.begin(typeof given === 'string' ? given : undefined);
    spans.set(request, span);
    // Unlike `finish`, it also comes if the client leaves.
    reply.raw.once('close', () => {
      const method = methodName(request.method);
      const route = routeLabel(request, reply);
      const { statusCode } = reply.raw;
      const attributes = { 'http.request.method': method, 'http.route': route, 'http.response.status_code': statusCode };
      span.end(`${method} ${route}`, attributes, statusCode >= 500);
    });
    span.run(done);
  });
}
