import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { MetricSource, Sample } from '#server/platform/telemetry/metric.ts';
import type { WebRenderer } from '#server/ssr/renderer.ts';
import { createTestApp } from '#tests/test-app.ts';
import { cacheMetrics, RequestMetrics } from './request-metrics.ts';

function samplesOf({ metrics }: MetricSource, name: string): readonly Sample[] {
  const metric = metrics.find((each) => each.name === name);
  if (!metric || metric.type === 'histogram') throw new Error(`no ${name}`);
  return metric.samples();
}

const renderer: WebRenderer = {
  render: async ({ url, transport }) => {
    await transport({ method: 'GET', url: '/healthz' });
    return url.startsWith('/old')
      ? { redirect: { status: 301, location: '/new' } }
      : {
          status: url.startsWith('/products/') ? 200 : 404,
          personal: false,
          unlisted: false,
          locale: 'en' as const,
          takesPayment: false,
          route: url.startsWith('/products/') ? '/products/$cat' : '/$',
          html: '<!doctype html>',
          styleHashes: [],
        };
  },
  asset: async (path) =>
    path === '/assets/a.js'
      ? { type: 'text/javascript', body: Buffer.from(''), brotli: null, gzip: null, immutable: true }
      : null,
  close: async () => {},
};

test('requests are counted by page, whether rendered or from the cache, and never by URL', async () => {
  const requestMetrics = new RequestMetrics();
  const { app } = await createTestApp({
    engine: 'sqlite',
    app: { requestMetrics, web: async () => renderer },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const paths = [
    '/products/tea',
    '/products/tea',
    '/products/cups',
    '/nothing/a',
    '/nothing/b',
    '/old',
    '/assets/a.js',
    '/assets/b.js',
  ];
  for (const path of paths)
    await (await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })).arrayBuffer();
  const counted = () =>
    Object.fromEntries(
      samplesOf(requestMetrics.source, 'shopwright_http_requests_total').map(({ labels, value }) => [
        `${labels?.method} ${labels?.route} ${labels?.status}`,
        value,
      ]),
    );
  await expect.poll(counted).toEqual({
    'GET /products/$cat 2xx': 3,
    'GET /$ 4xx': 2,
    'GET (redirect) 3xx': 1,
    'GET (asset) 2xx': 1,
    'GET (unknown) 4xx': 1,
  });
  const cache = cacheMetrics(app.contract.cache);
  expect(samplesOf(cache, 'shopwright_page_cache_requests_total').map(({ value }) => value)).toEqual([
    1, 0, 5,
  ]);
  expect(samplesOf(cache, 'shopwright_page_cache_entries')).toEqual([{ value: 2 }]);
});
