import { beforeEach, describe, expect, test } from 'vitest';
import { cert, secureHost } from '#tests/certificate.ts';
import { type FakeInternet, fakeInternet } from '#tests/fake-internet.ts';
import { createSafePost, type SafePostRequest } from './safe-fetch.ts';

describe('safe post', () => {
  let testApp: FakeInternet;
  beforeEach(async () => {
    testApp = await fakeInternet();
  });
  const request: Omit<SafePostRequest, 'url'> = {
    headers: { 'x-test': '1' },
    body: '{"a":"é"}',
    timeoutMs: 60_000,
    maxBytes: 10,
  };
  const post = (url: string, more: Partial<SafePostRequest> = {}, httpsOnly = true) =>
    createSafePost({ ...testApp.reach, ca: cert }, { httpsOnly })({ ...request, url, ...more });

  test('a body is posted with its headers and its length in bytes', async () => {
    const got: unknown[] = [];
    testApp.handlers.set(`${secureHost}/a`, (incoming, response) => {
      got.push(incoming.method, incoming.headers['content-length'], incoming.headers['x-test']);
      response.writeHead(201).end('not read');
    });
    expect(await post(`https://${secureHost}/a`)).toMatchObject({ status: 201, text: '' });
    expect(got).toEqual(['POST', '10', '1']);
  });

  test.each([
    ['http://news.example/', 'not https'],
    ['https://127.0.0.1/', 'a private address'],
    ['https://[::1]/', 'a private address'],
    ['https://169.254.169.254/', 'a private address'],
    [`https://${secureHost}:8443/`, 'another port'],
    [`https://user:word@${secureHost}/`, 'a password'],
    ['file:///etc/passwd', 'not http or https'],
  ])('the address %s gets no post', async (url, problem) => {
    await expect(post(url)).rejects.toThrow(problem);
    expect(testApp.asked).toEqual([]);
  });

  test('plain http is posted to where it is allowed', async () => {
    testApp.answer('news.example/', '', {}, 204);
    expect((await post('http://news.example/', {}, false)).status).toBe(204);
  });

  test('a redirect is returned, not followed', async () => {
    testApp.answer(`${secureHost}/a`, '', { location: `https://${secureHost}/b` }, 307);
    expect((await post(`https://${secureHost}/a`)).status).toBe(307);
    expect(testApp.asked).toEqual([`${secureHost}/a`]);
  });

  test('a host that never answers is given up, and one whose error never ends is read up to the limit', async () => {
    testApp.handlers.set(`${secureHost}/silent`, () => {});
    testApp.handlers.set(
      `${secureHost}/endless`,
      (_request, response) => void response.writeHead(500).write('0123456789abc'),
    );
    testApp.handlers.set(
      `${secureHost}/slow`,
      (_request, response) => void response.writeHead(500).write('0'),
    );
    await expect(post(`https://${secureHost}/silent`, { timeoutMs: 200 })).rejects.toThrow(
      'no answer in time',
    );
    expect(await post(`https://${secureHost}/endless`)).toMatchObject({ status: 500, text: '0123456789' });
    expect(await post(`https://${secureHost}/slow`, { timeoutMs: 3000 })).toMatchObject({
      status: 500,
      text: '',
    });
  });

  test('an exchange ends with the signal of its caller', async () => {
    testApp.handlers.set(`${secureHost}/silent`, () => {});
    const stop = new AbortController();
    const posted = post(`https://${secureHost}/silent`, { signal: stop.signal, timeoutMs: 60_000 });
    await expect.poll(() => testApp.asked).toHaveLength(1);
    stop.abort();
    await expect(posted).rejects.toThrow();
  });
});
