import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#ui/errors.ts';
import { callIn, retriesOnce } from './api.ts';

afterEach(() => vi.unstubAllGlobals());

test('an answer that breaks off counts as none, and is not taken for what was asked', async () => {
  vi.stubGlobal('fetch', async () => new Response('{"orders":[', { status: 200 }));
  await expect(callIn('en')('deskOrders')).rejects.toMatchObject({
    status: 0,
    body: { errorType: 'NETWORK_ERROR' },
  });
});

test('a rejection without a body in the error shape keeps its status', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await expect(callIn('en')('deskOrders')).rejects.toMatchObject({
    status: 502,
    body: { errorType: 'UNKNOWN_ERROR' },
  });
});

test('a question that was rejected is not asked again, and one that was not answered is asked once more', () => {
  const rejected = [400, 403, 404, 409, 429].map((status) => new ApiError(status, { errorType: 'CONFLICT' }));
  const unsure = [0, 500, 503].map((status) => new ApiError(status, { errorType: 'NETWORK_ERROR' }));
  expect(rejected.map((error) => retriesOnce(0, error))).toEqual([false, false, false, false, false]);
  expect(
    [...unsure, new Error('broken')].map((error) => [retriesOnce(0, error), retriesOnce(1, error)]),
  ).toEqual(Array.from({ length: 4 }, () => [true, false]));
});
