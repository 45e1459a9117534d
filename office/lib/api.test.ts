import { afterEach, expect, test, vi } from 'vitest';
import { callIn } from './api.ts';

afterEach(() => vi.unstubAllGlobals());

test('an answer that breaks off counts as none, and is not taken for what was asked', async () => {
  vi.stubGlobal('fetch', async () => new Response('{"orders":[', { status: 200 }));
  await expect(callIn('en')('deskOrders')).rejects.toMatchObject({ status: 0, body: { errorType: 'NETWORK_ERROR' } });
});

test('a rejection without a body in the error shape keeps its status', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await expect(callIn('en')('deskOrders')).rejects.toMatchObject({ status: 502, body: { errorType: 'UNKNOWN_ERROR' } });
});
