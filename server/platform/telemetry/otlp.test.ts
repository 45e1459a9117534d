import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import { createContainer } from '#server/container.ts';
import type { WebRenderer } from '#server/ssr/renderer.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { createTestApp, type TestApp } from '#tests/test-app.ts';
import { createOtlpTracer } from './otlp.ts';
import { openTelemetry, watchDatabase } from './telemetry.ts';
import type { RequestTracer } from './tracer.ts';

const cleaning: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code?: number; message?: string };
}

interface Collector {
  endpoint: string;
  requests: { path: string; headers: IncomingHttpHeaders; body: string }[];
  spans(): ReceivedSpan[];
}

/** An OpenTelemetry collector that keeps what it receives as OTLP/HTTP with JSON. */
async function startCollector(): Promise<Collector> {
  const requests: Collector['requests'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleaning.push(() => {
    server.closeAllConnections();
    server.close();
  });
  type Exported = { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] };
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () =>
      requests.flatMap(({ body }) =>
        (JSON.parse(body) as Exported).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
  };
}

function attributesOf({ attributes }: ReceivedSpan): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}

const renderer: WebRenderer = {
  render: async () => ({
    status: 200,
    personal: false,
    unlisted: false,
    locale: 'en' as const,
    takesPayment: false,
    route: '/products/$cat',
    html: '<!doctype html>',
    styleHashes: [],
  }),
  asset: async () => null,
  close: async () => {},
};

interface TracedShop {
  testApp: TestApp;
  tracer: RequestTracer;
  url: string;
  stripe: FakeProvider;
}

async function openTracedShop(endpoint: string, env: Record<string, string> = {}): Promise<TracedShop> {
  const tracer = createOtlpTracer({ endpoint, ratio: 1 });
  const stripe = new FakeProvider('Stripe');
  const testApp = await createTestApp({
    engine: 'sqlite',
    demo: true,
    env,
    services: (deps) =>
      createContainer({ ...deps, db: watchDatabase(deps.db, tracer).db, tracer, providers: { stripe } }),
    app: { tracer, web: async () => renderer },
  });
  await testApp.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    testApp,
    tracer,
    stripe,
    url: `http://127.0.0.1:${(testApp.app.server.address() as AddressInfo).port}`,
  };
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${spanId}-01`;
const secret = 'secret.shopper@example.com';

test('requests, pages, transactions, emails and provider calls are sent as spans without personal data', async () => {
  const collector = await startCollector();
  const { testApp, tracer, url, stripe } = await openTracedShop(collector.endpoint);
  await (await fetch(`${url}/products/tea?email=${secret}`)).text();
  await testApp.services.sessions.sweep();
  const { mail, deliveries } = testApp.services;
  await testApp.db.transaction((trx) =>
    mail.enqueue(trx, { kind: 'welcome', recipient: secret, locale: 'en', data: {} }),
  );
  await deliveries.run();
  const failing = testApp.services.payments.providers.find('Stripe');
  stripe.around = () => Promise.reject(new TypeError(`no ${secret}`));
  await expect(failing?.cancel({ reference: 'r', providerId: null } as never)).rejects.toThrow();
  // The end of the connections ends the spans of their requests.
  await testApp.app.close();
  await tracer.close();

  const spans = collector.spans();
  const named = (name: string) => spans.find((span) => span.name === name);
  const request = named('GET /products/$cat');
  expect(request && attributesOf(request)).toEqual({
    'http.request.method': 'GET',
    'http.route': '/products/$cat',
    'http.response.status_code': 200,
  });
  expect(named('page render')?.parentSpanId).toBe(request?.spanId);
  expect(attributesOf(named('database transaction') as ReceivedSpan)).toEqual({ 'db.system.name': 'sqlite' });
  expect(attributesOf(named('email') as ReceivedSpan)).toMatchObject({ 'shopwright.email.kind': 'welcome' });
  expect(named('email delivery')?.parentSpanId).toBe(named('email')?.spanId);
  const call = named('payment provider') as ReceivedSpan;
  expect(attributesOf(call)).toEqual({
    'shopwright.payment.provider': 'Stripe',
    'shopwright.payment.call': 'cancel',
    'error.type': 'TypeError',
  });
  expect(call.status).toEqual({ code: 2 });
  expect(collector.requests[0]?.path).toBe('/v1/traces');
  expect(collector.requests.map(({ body }) => body).join()).not.toMatch(
    /secret|example\.com|select |insert |tea\?/i,
  );
});

test('a transaction of a call with a body belongs to the span of its request', async () => {
  const collector = await startCollector();
  const { testApp, tracer, url } = await openTracedShop(collector.endpoint);
  const answer = await fetch(`${url}/api/istore/client/shoppingManagement4/updateCustomerComment`, {
    method: 'POST',
    headers: { [clientTokenHeader]: clientToken, 'content-type': 'application/json' },
    // The end of the body arrives after the server has begun to read it, in the context of the connection.
    body: (async function* () {
      yield Buffer.from('{"value":');
      await new Promise((later) => setTimeout(later, 50));
      yield Buffer.from('"Please ring twice"}');
    })(),
    duplex: 'half',
  } as RequestInit);
  await answer.text();
  expect(answer.status).toBe(200);
  await testApp.app.close();
  await tracer.close();
  const spans = collector.spans();
  const request = spans.find(({ name }) => name.startsWith('POST /api/'));
  const within = spans.filter(
    ({ name, parentSpanId }) => name === 'database transaction' && parentSpanId === request?.spanId,
  );
  expect(request).toBeDefined();
  expect(within.length).toBeGreaterThan(0);
});

test('a traceparent is taken from a trusted proxy only, and a malformed one starts a new trace', async () => {
  const collector = await startCollector();
  const seen = async (env: Record<string, string>, header: string) => {
    const before = collector.spans().length;
    const { testApp, tracer, url } = await openTracedShop(collector.endpoint, env);
    await (
      await fetch(`${url}/healthz`, { headers: { traceparent: header, 'x-forwarded-for': '203.0.113.9' } })
    ).text();
    await testApp.app.close();
    await tracer.close();
    const made = collector.spans().slice(before);
    const request = made.find(({ name }) => name === 'GET /healthz');
    return request && { traceId: request.traceId, parent: request.parentSpanId };
  };
  expect(await seen({ PROXY_HOPS: '1' }, traceparent)).toEqual({ traceId, parent: spanId });
  const untrusted = await seen({ PROXY_HOPS: '0' }, traceparent);
  expect(untrusted?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(untrusted?.traceId).not.toBe(traceId);
  expect((await seen({ PROXY_HOPS: '1' }, `00-${'0'.repeat(32)}-${spanId}-01`))?.traceId).not.toBe(
    '0'.repeat(32),
  );
  expect((await seen({ PROXY_HOPS: '1' }, `ff-${traceId}-${spanId}-01`))?.traceId).not.toBe(traceId);
  // Its own decision not to record is respected.
  expect(await seen({ PROXY_HOPS: '1' }, `00-${traceId}-${spanId}-00`)).toBeUndefined();
});

test('a collector that does not answer is reported once and delays nothing', async () => {
  const problems: Error[] = [];
  const tracer = createOtlpTracer({
    endpoint: 'http://127.0.0.1:9',
    ratio: 1,
    onProblem: (error) => problems.push(error),
  });
  expect(await tracer.span('work', {}, async () => 7)).toBe(7);
  await tracer.close();
  expect(problems).toHaveLength(1);
});

test('the server without an address for traces watches no database and records nothing', async () => {
  const { db } = await createTestApp({ engine: 'sqlite' });
  const telemetry = await openTelemetry({ metrics: null, traces: null }, () => {});
  expect(telemetry.requests).toBeNull();
  expect(telemetry.watch(db)).toBe(db);
  expect(await telemetry.serve([], () => {})).toBeNull();
});
