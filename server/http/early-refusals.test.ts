import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestApp } from '#tests/test-app.ts';

describe('requests rejected before any handler', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', env: { PUBLIC_URL: 'https://shop.example' } });
  await testApp.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = testApp.app.server.address() as AddressInfo;
  afterAll(() => testApp.close());

  const brands = '/api/istore/client/productManagement/brands';

  /**
   * Returns the server's output on one connection until it closes it. Each further part is sent after the first received data.
   */
  async function talk(...parts: string[]): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += chunk;
      const next = parts.shift();
      if (next !== undefined) socket.write(next);
    });
    socket.on('error', () => {});
    socket.write(parts.shift() ?? '');
    await once(socket, 'close');
    return received;
  }

  function answersIn(received: string): string[] {
    return received.split(/(?=HTTP\/1\.1 \d{3} )/);
  }

  test.each([
    ['a path that cannot be decoded', 'GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a line that is not HTTP', 'nonsense\r\n\r\n', 400],
    ['a request without a Host header', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['a header that is too long', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n', 417],
  ])('%s is rejected in the documented shape, and the connection ends', async (_name, sent, status) => {
    const answers = answersIn(await talk(sent));
    expect(answers).toHaveLength(1);
    const [head = '', body = ''] = answers[0]?.split('\r\n\r\n') ?? [];
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    for (const line of [
      'content-type: application/json; charset=utf-8',
      'cache-control: no-store',
      'connection: close',
      "content-security-policy: default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options: nosniff',
      'strict-transport-security: max-age=31536000',
    ])
      expect(head.toLowerCase()).toContain(line);
    const id = /x-request-id: (\S+)/i.exec(head)?.[1];
    expect(JSON.parse(body)).toEqual({
      errorType: 'REQUEST_VALIDATION_ERROR',
      errorKey: status === 431 ? 'error.tooLarge' : 'error.malformed',
      message: expect.any(String),
      requestId: id,
    });
  });

  test('a client that sends too slowly is cut off within fifteen seconds', async () => {
    const started = performance.now();
    const head = 'POST /api/istore/client/shoppingManagement4/reserve HTTP/1.1\r\nHost: a\r\n';
    const slow = [
      `${head}X-Sl`,
      `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"`,
      '',
    ];
    const answers = await Promise.all(slow.map((sent) => talk(sent)));
    expect(performance.now() - started).toBeLessThan(15_000);
    // The call without the client's header has its answer before its body.
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['408', '403', '408']);
  });

  test('a cached GET with a broken chunked body gets one answer, in one packet or in two', async () => {
    await testApp.app.inject(brands);
    const head = `GET ${brands} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`;
    for (const parts of [[`${head}zz\r\n`], [head, 'zz\r\n']]) {
      const answers = answersIn(await talk(...parts));
      expect(answers.map((answer) => answer.slice(0, 12))).toEqual(['HTTP/1.1 200']);
    }
  });

  test('a broken body of an unanswered call gets the rejection as its only answer', async () => {
    const head =
      'POST /api/istore/client/shoppingManagement4/reserve HTTP/1.1\r\nHost: a\r\nX-Shop-Client: web\r\n';
    const sent = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`;
    const answers = answersIn(await talk(sent));
    expect(answers.map((answer) => answer.slice(9, 10))).toEqual(['4']);
  });

  test('a malformed request is rejected after the answers to the requests before it', async () => {
    const answers = answersIn(
      await talk(`GET ${brands}?lang=zh HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n`),
    );
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '400']);
  });
});
