import { afterEach, describe, expect, test, vi } from 'vitest';
import { requestKeyForm } from '#contract/limits.ts';
import type { ApiRequest } from '#contract/transport.ts';
import { ApiError } from '#ui/errors.ts';
import { createApiClient, fetchTransport } from './api.ts';

function client(status: number, body: unknown) {
  const sent: ApiRequest[] = [];
  const api = createApiClient('zh', async (request) => {
    sent.push(request);
    return { status, body };
  });
  return { api, sent };
}

describe('an API call', () => {
  test('a call asks in the language of the page and returns the answer', async () => {
    const { api, sent } = client(200, { name: 'home' });
    expect(await api.call('pageContent', { query: { pageName: 'home' } })).toEqual({ name: 'home' });
    expect(sent[0]).toMatchObject({
      method: 'GET',
      url: '/api/istore/client/common3/pageContent?pageName=home&lang=zh',
    });
  });

  test('the calls for a content page, signing in and signing out wait 5000 ms (SPEC §7)', async () => {
    const { api, sent } = client(200, {});
    await api.call('pageContent', { query: { pageName: 'home' } });
    await api.call('signon', { body: { userID: 'mei@example.com', password: 'a pot of oolong at four' } });
    await api.call('logout');
    expect(sent.map(({ timeoutMs }) => timeoutMs)).toEqual([5000, 5000, 5000]);
  });

  test('a rejected call throws the status and the error body', async () => {
    const body = { errorType: 'NOT_FOUND', message: '没有' };
    const error = await client(404, body)
      .api.call('brands')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 404, body });
  });

  test('an answer of a proxy is never reported as one of the shop’s own errors', async () => {
    await expect(client(502, null).api.call('brands')).rejects.toMatchObject({
      status: 502,
      body: { errorType: 'UNKNOWN_ERROR' },
    });
  });
});

describe('a browser that refuses cookies', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('a call whose result a cookie would keep is not sent and says why, and all else is sent', async () => {
    vi.stubGlobal('navigator', { cookieEnabled: false, onLine: true });
    const { api, sent } = client(200, {});
    const add = api.call('addToCart', { params: { itemName: 'MUG' }, body: { quantity: 1 } });
    await expect(add).rejects.toMatchObject({ status: 0, body: { errorKey: 'error.cookies' } });
    expect(sent).toEqual([]);
    await api.call('logout');
    expect(sent).toHaveLength(1);
  });
});

describe('a change whose answer is lost', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  async function lost(
    name: 'couponVerification' | 'updateCustomerComment' | 'logout' | 'myCart',
    input: object,
  ) {
    vi.useFakeTimers();
    vi.stubGlobal('navigator', { onLine: true });
    const sent: ApiRequest[] = [];
    const api = createApiClient('en', async (request) => {
      sent.push(request);
      if (sent.length === 1) throw new ApiError(0, { errorType: 'NETWORK_ERROR' });
      return { status: 200, body: {} };
    });
    const done = api.call(name as 'logout', input).then(
      () => true,
      () => false,
    );
    await vi.runAllTimersAsync();
    return { sent, answered: await done };
  }

  test.each([
    ['couponVerification', { params: { code: 'TEA' } }],
    ['updateCustomerComment', { body: { value: 'Ring twice' } }],
    ['logout', {}],
  ] as const)('%s is sent again with the same key, whatever its method', async (name, input) => {
    const { sent, answered } = await lost(name, input);
    expect([answered, sent.length]).toEqual([true, 2]);
    expect(sent[0]?.key).toMatch(requestKeyForm);
    expect(sent[1]).toEqual(sent[0]);
  });

  test('a call that only reads is asked once, without a key', async () => {
    const { sent, answered } = await lost('myCart', {});
    expect([answered, sent.length, sent[0]?.key]).toEqual([false, 1, undefined]);
  });
});

describe('an API call from the browser', () => {
  afterEach(() => vi.unstubAllGlobals());
  const request = { method: 'POST', url: '/api/x', body: { a: 1 } } as const;

  test('a call takes the answer that was requested before hydration, once', async () => {
    const fetch = vi.fn(async () => Response.json({ late: true }));
    vi.stubGlobal('fetch', fetch);
    vi.stubGlobal('window', {
      pageStart: { answers: new Map([['/api/x', Promise.resolve(Response.json({ early: true }))]]) },
    });
    const read = { method: 'GET', url: '/api/x' } as const;
    expect(await fetchTransport(read)).toEqual({ status: 200, body: { early: true } });
    expect(await fetchTransport(read)).toEqual({ status: 200, body: { late: true } });
    expect(fetch).toHaveBeenCalledOnce();
  });

  test('a change outdates the answers that were requested before hydration', async () => {
    const early = Promise.resolve(Response.json({ early: true }));
    vi.stubGlobal('fetch', async () => Response.json({ late: true }));
    vi.stubGlobal('window', { pageStart: { answers: new Map([['/api/x', early]]) } });
    await fetchTransport({ method: 'POST', url: '/api/y' });
    expect(await fetchTransport({ method: 'GET', url: '/api/x' })).toEqual({
      status: 200,
      body: { late: true },
    });
  });

  test('a browser call sends credentials, the client header and JSON', async () => {
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json({ ok: true }));
    vi.stubGlobal('fetch', fetch);
    expect(await fetchTransport(request)).toEqual({ status: 200, body: { ok: true } });
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({
      credentials: 'same-origin',
      headers: { 'x-client-token': 'shopwright-storefront', 'content-type': 'application/json' },
      body: '{"a":1}',
    });
  });

  test('a call without an answer is reported as status 0', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    await expect(fetchTransport(request)).rejects.toMatchObject({
      status: 0,
      body: { errorType: 'NETWORK_ERROR' },
    });
  });

  test('a call whose answer takes too long is reported as status 0', async () => {
    vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    await expect(fetchTransport({ ...request, timeoutMs: 1 })).rejects.toMatchObject({
      status: 0,
      body: { errorType: 'TIMEOUT' },
    });
  });

  test('a cancelled call is passed on as a cancellation, not as a failure of the shop', async () => {
    vi.stubGlobal('fetch', async (_url: string, { signal }: { signal: AbortSignal }) =>
      signal.throwIfAborted(),
    );
    const reason = new Error('typed on');
    await expect(fetchTransport({ ...request, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
