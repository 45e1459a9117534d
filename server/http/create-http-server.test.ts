import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import type { Response } from '#contract/shop/endpoints.ts';
import { type Database, openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { AppError } from '#server/platform/errors.ts';
import { createRateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { createSessionsService } from '#server/platform/sessions/sessions.service.ts';
import { testEnv } from '#tests/test-app.ts';
import { createHttpServer } from './create-http-server.ts';
import { type Call, serve } from './endpoint.ts';
import { unknownEndpoint } from './errors.ts';
import { pathOf } from './request-log.ts';
import { securityHeaders } from './security-headers.ts';

const base = '/api/istore/client/';
const client = { [clientTokenHeader]: clientToken };
const comment = 'shoppingManagement4/updateCustomerComment';
const form = 'message/submitForm';
const order = { orderID: 'o1' } as Response<'reserve'>;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function foundation(
  source: Record<string, string> = {},
): Promise<{ app: FastifyInstance; db: Database; log: string[] }> {
  const db = await openDatabase({ dataDir: ':memory:', durable: false });
  await migrate(db);
  const log: string[] = [];
  const env = testEnv({ LOG_LEVEL: 'debug', ...source });
  const sessions = createSessionsService({
    db,
    now: () => 1_000,
    attempts: createRateLimitsService({ db, now: () => 1_000 }),
  });
  const app = createHttpServer({
    env,
    db,
    sessions,
    readLanguages: async () => {},
    logStream: { write: (line) => log.push(line) },
  });
  app.setNotFoundHandler(unknownEndpoint);
  closing.push(
    () => db.close(),
    () => app.close(),
  );
  return { app, db, log };
}

test('query texts become numbers and booleans, and an invalid one is named by its field in the requested language', async () => {
  const { app } = await foundation();
  let seen: Call<'products'>['query'] | undefined;
  serve(app, 'products', ({ query }) => {
    seen = query;
    return { products: [], correctedTo: null, partial: false };
  });
  const url = `${base}productManagement2/products`;
  expect((await app.inject(`${url}?startingPosition=24&onSale=true&sortby=price`)).statusCode).toBe(200);
  expect(seen).toEqual({ startingPosition: 24, onSale: true, sortby: 'price' });

  const bad = await app.inject(
    `${url}?startingPosition=1.5&numberToLoad=99&onSale=maybe&sortby=colour&evil=1&categoryName=%00&lang=zh`,
  );
  expect(bad.statusCode).toBe(400);
  expect(bad.json()).toEqual({
    errorType: 'REQUEST_VALIDATION_ERROR',
    errorKey: 'error.fields',
    message: '请检查标出的内容',
    errors: {
      startingPosition: '请填写数字',
      numberToLoad: '不能大于 48',
      onSale: '此项内容无效',
      sortby: '请从选项中选择',
      evil: '未知字段',
      categoryName: '只能使用字母、数字、点、连字符和下划线，并以字母或数字开头，例如“blue-mug”',
    },
    requestId: expect.any(String),
  });
});

test('a body is not coerced: text is no number, and unknown fields are rejected by their path', async () => {
  const { app } = await foundation();
  serve(app, 'postBilling', () => ({ ...order, action: null }));
  const payload = {
    paymentInstrucment: { creditCardNumber: 4242, more: 1 },
    billingAddress: { city: 'x'.repeat(101) },
  };
  const answer = await app.inject({
    method: 'POST',
    url: `${base}shoppingManagement4/billing/house`,
    headers: client,
    payload,
  });
  expect(answer.json().errors).toEqual({
    'paymentInstrucment.creditCardNumber': 'This value isn’t valid',
    'paymentInstrucment.more': 'Unknown field',
    'billingAddress.city': 'Must be at most 100 characters',
  });
});

test.each([
  ['malformed JSON', { 'content-type': 'application/json' }, '{"value":', 400, 'error.malformed'],
  [
    'a poisoned prototype',
    { 'content-type': 'application/json' },
    '{"__proto__":{"admin":true}}',
    400,
    'error.malformed',
  ],
  ['another kind of content', { 'content-type': 'text/plain' }, '{"value":"a"}', 415, 'error.contentType'],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'value=a', 415, 'error.contentType'],
])('a request with %s is rejected with its own error', async (_name, headers, payload, status, errorKey) => {
  const { app } = await foundation();
  serve(app, 'updateCustomerComment', () => order as never);
  const url = `${base}shoppingManagement4/updateCustomerComment`;
  const answer = await app.inject({ method: 'POST', url, headers: { ...client, ...headers }, payload });
  expect(answer.statusCode).toBe(status);
  expect(answer.json()).toMatchObject({ errorType: 'REQUEST_VALIDATION_ERROR', errorKey });
});

test('a body of one megabyte is rejected over a real connection, which stays usable', async () => {
  const { app } = await foundation();
  serve(app, 'updateCustomerComment', () => order as never);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const path = `${base}shoppingManagement4/updateCustomerComment`;
  const send = (body: string) =>
    new Promise<{ status: number | undefined; body: { errorType: string } }>((resolve, reject) => {
      const headers = {
        ...client,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      const request = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
      });
      request.on('error', reject);
      request.end(body);
    });
  const answer = await send(JSON.stringify({ value: 'x'.repeat(1024 * 1024) }));
  expect(answer).toMatchObject({ status: 413, body: { errorType: 'PAYLOAD_TOO_LARGE' } });
  expect(await send('{}')).toMatchObject({ status: 400 });
});

test('a change without the client header is rejected before anything is read', async () => {
  const { app } = await foundation();
  serve(app, 'reserve', () => order);
  const url = `${base}shoppingManagement4/reserve`;
  const answer = await app.inject({ method: 'POST', url, payload: 'nonsense' });
  expect(answer.statusCode).toBe(403);
  expect(answer.json()).toMatchObject({ errorType: 'FORBIDDEN', errorKey: 'error.forbidden' });
  expect((await app.inject({ method: 'POST', url, headers: client })).json()).toEqual({ orderID: 'o1' });
});

test('a public call in an unknown language is answered in the default one and not cached', async () => {
  const { app } = await foundation();
  serve(app, 'brands', () => []);
  const url = `${base}productManagement/brands`;
  for (const query of ['', '?lang=zh', '?lang=q1', '?lang=q2', '?lang='])
    expect((await app.inject(url + query)).statusCode).toBe(200);
  expect(app.contract.cache.size).toBe(2);
});

test('an AppError is answered in words, a crash only with its request id', async () => {
  const { app, log } = await foundation();
  serve(app, 'product', () => {
    throw new AppError('NOT_FOUND', { errorKey: 'error.notFound' });
  });
  serve(app, 'brands', () => {
    throw new Error('secret detail');
  });
  const missing = await app.inject(`${base}productManagement/product/none?lang=zh`);
  expect(missing.statusCode).toBe(404);
  expect(missing.json()).toMatchObject({
    errorType: 'NOT_FOUND',
    errorKey: 'error.notFound',
    message: '没有找到您要的内容',
  });

  const crash = await app.inject({
    url: `${base}productManagement/brands`,
    headers: { 'x-request-id': 'from-the-proxy-1' },
  });
  expect(crash.statusCode).toBe(500);
  expect(crash.headers['x-request-id']).toBe('from-the-proxy-1');
  expect(crash.json()).toEqual({
    errorType: 'SYSTEM_ERROR',
    errorKey: 'error.crash',
    message: 'Something went wrong on our side. Please try again later.',
    requestId: 'from-the-proxy-1',
  });
  const line = log.map((text) => JSON.parse(text)).find((entry) => entry.msg === 'crash');
  expect(line).toMatchObject({ level: 50, reqId: 'from-the-proxy-1', err: { message: 'secret detail' } });
});

test('unknown calls, wrong methods and malformed addresses are answered as JSON', async () => {
  const { app } = await foundation();
  serve(app, 'product', () => null as never);
  for (const [method, url, status] of [
    ['GET', `${base}nothing`, 404],
    ['PUT', `${base}productManagement/product/x`, 404],
    ['GET', `${base}productManagement/product/%E0%A4%A`, 400],
  ] as const) {
    const answer = await app.inject({ method, url });
    expect([answer.statusCode, answer.json().errorType]).toEqual([
      status,
      status === 404 ? 'NOT_FOUND' : 'REQUEST_VALIDATION_ERROR',
    ]);
  }
});

test('an answer holds only what its schema names, and one that does not fit is a crash', async () => {
  const { app } = await foundation();
  serve(
    app,
    'provinces',
    () => [{ id: 'on', provinceName: 'Ontario', nameContent: { en: 'Ontario' }, secret: 1 }] as never,
  );
  serve(app, 'pickupLocations', () => [{ localStoreName: 'x' }] as never);
  expect((await app.inject(`${base}common3/provinces/CA`)).json()).toEqual([
    { id: 'on', provinceName: 'Ontario', nameContent: { en: 'Ontario' } },
  ]);
  expect((await app.inject(`${base}common3/pickupLocations`)).statusCode).toBe(500);
});

test('a session begins with the first change that needs one, by a cookie that scripts and other sites cannot use', async () => {
  const { app, db } = await foundation();
  serve(app, 'reserve', async ({ session }) => {
    const { idHash } = await db.transaction((trx) => session.ensure(trx));
    return { orderID: idHash };
  });
  serve(app, 'order', async ({ session }) => ({ orderID: (await session.get())?.idHash ?? null }) as never);
  app.contract.checkAnswers = false;
  const url = `${base}shoppingManagement4/reserve`;
  const first = await app.inject({ method: 'POST', url, headers: client });
  const cookie = String(first.headers['set-cookie']);
  expect(cookie).toMatch(/^sid=[\w-]{43}; Path=\/; Max-Age=172800; HttpOnly; SameSite=Lax$/);
  const token = cookie.slice(4, 47);
  const rows = await db.read.selectFrom('sessions').selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token);

  const second = await app.inject({
    method: 'POST',
    url,
    headers: { ...client, cookie: `a=b; sid=${token}; c=d` },
  });
  expect(second.json()).toEqual(first.json());
  expect(second.headers['set-cookie']).toBe(`sid=${token}; Path=/; Max-Age=5184000; HttpOnly; SameSite=Lax`);
  const third = await app.inject({ method: 'POST', url, headers: { ...client, cookie: `sid=${token}` } });
  expect(third.headers['set-cookie']).toBeUndefined();
  const forged = await app.inject({
    method: 'POST',
    url,
    headers: { ...client, cookie: `sid=${'x'.repeat(43)}` },
  });
  expect(forged.json()).not.toEqual(first.json());
});

test('a change that fails makes no session and sends no cookie', async () => {
  const { app, db } = await foundation();
  serve(app, 'reserve', () =>
    db.transaction(async (trx) => {
      const { idHash } = await app.contract.sessions.open(null, '192.0.2.1').ensure(trx);
      throw new AppError('CONFLICT', { errorKey: 'error.busy', values: { idHash } });
    }),
  );
  const answer = await app.inject({
    method: 'POST',
    url: `${base}shoppingManagement4/reserve`,
    headers: client,
  });
  expect(answer.statusCode).toBe(409);
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(await db.read.selectFrom('sessions').selectAll().execute()).toEqual([]);
});

test('every answer carries the security headers of its kind', async () => {
  const { app } = await foundation();
  serve(app, 'brands', () => []);
  app.get('/page', (_request, reply) => reply.type('text/html; charset=utf-8').send('<!doctype html>'));
  for (const url of [
    `${base}productManagement/brands`,
    `${base}productManagement/brands`,
    `${base}nothing`,
  ]) {
    const { headers } = await app.inject(url);
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
  const { headers } = await app.inject('/page');
  expect(headers['content-security-policy']).toContain("default-src 'self'");
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
  });
});

test('a body has at most 64 KB, and 256 KB where the contract needs it', async () => {
  const { app } = await foundation();
  serve(app, 'updateCustomerComment', () => order as never);
  serve(app, 'submitForm', () => ({}) as never);
  const status = async (url: string, kilobytes: number) =>
    (
      await app.inject({
        method: 'POST',
        url: base + url,
        headers: client,
        payload: { x: 'x'.repeat(kilobytes * 1024) },
      })
    ).statusCode;
  expect([await status(comment, 63), await status(comment, 65)]).toEqual([400, 413]);
  expect([await status(form, 65), await status(form, 257)]).toEqual([400, 413]);
});

test('the log names calls without the input', async () => {
  const { app, log } = await foundation();
  serve(app, 'postBilling', () => ({ ...order, action: null }));
  const payload = {
    paymentInstrucment: { creditCardNumber: '4242424242424242', cardCode: 'secretcode' },
    billingAddress: {},
  };
  const url = `${base}shoppingManagement4/billing/house?lang=zh`;
  await app.inject({ method: 'POST', url, headers: { ...client, cookie: 'sid=topsecret' }, payload });
  const text = log.join('');
  expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({
    method: 'POST',
    url: url.split('?')[0],
    status: 200,
    msg: 'request',
  });
  for (const secret of ['4242424242424242', 'secretcode', 'topsecret', clientToken])
    expect(text).not.toContain(secret);
});

test('a shop behind TLS tells browsers to stay with TLS and limits the referrer', () => {
  const headers = securityHeaders(testEnv({ PUBLIC_URL: 'https://shop.example' }));
  for (const type of ['text/html; charset=utf-8', 'application/json; charset=utf-8'])
    expect(headers(type)['strict-transport-security']).toBe('max-age=31536000');
  expect(headers('text/html')['referrer-policy']).toBe('strict-origin-when-cross-origin');
  for (const env of [testEnv(), testEnv({ PUBLIC_URL: 'http://shop.example' })])
    expect(securityHeaders(env)('text/html')).not.toHaveProperty('strict-transport-security');
});

test('the strict transport security header covers subdomains when HSTS_SUBDOMAINS is on', () => {
  const headers = securityHeaders(testEnv({ PUBLIC_URL: 'https://shop.example', HSTS_SUBDOMAINS: '1' }));
  expect(headers('text/html')['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
});

test('a shop behind TLS sends secure cookies even if its proxy does not report TLS, and warns once', async () => {
  const { app, db, log } = await foundation({ PUBLIC_URL: 'https://shop.example' });
  serve(app, 'reserve', async ({ session }) => {
    const { idHash } = await db.transaction((trx) => session.ensure(trx));
    return { orderID: idHash };
  });
  const ask = (headers: object = {}) =>
    app.inject({
      method: 'POST',
      url: `${base}shoppingManagement4/reserve`,
      headers: { ...client, ...headers },
    });
  const first = await ask();
  expect(first.headers['set-cookie']).toMatch(/^__Host-sid=[\w-]{43}; Path=\/; .*; Secure$/);
  const again = await ask({ cookie: String(first.headers['set-cookie']).split(';')[0] });
  expect(again.json()).toEqual(first.json());
  expect(log.filter((line) => line.includes('X-Forwarded-For'))).toHaveLength(1);
});

test('a path, or a query of a page, over 4 KB is answered 414 before any route, and the log carries only its beginning', async () => {
  const { app, log } = await foundation();
  let called = false;
  serve(app, 'product', () => {
    called = true;
    throw new AppError('NOT_FOUND');
  });
  for (const url of [`/${'a'.repeat(15_000)}`, `${base}productManagement2/product/${'a'.repeat(4_097)}`]) {
    const answer = await app.inject({ url, headers: { 'x-request-id': 'long-path-request' } });
    expect(answer.statusCode).toBe(414);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.json()).toEqual({
      errorType: 'REQUEST_VALIDATION_ERROR',
      errorKey: 'error.pathTooLong',
      message: 'The address is too long',
      requestId: 'long-path-request',
    });
  }
  expect(called).toBe(false);
  expect((await app.inject(`/productlist?q=${'b'.repeat(8_000)}`)).statusCode).toBe(414);
  expect((await app.inject(`${base}unknown?q=${'b'.repeat(8_000)}`)).statusCode).toBe(404);
  expect((await app.inject(`/${'a'.repeat(4_000)}?${'b'.repeat(4_000)}`)).statusCode).toBe(404);
  expect(log.filter((line) => line.includes('aaaa'))).toHaveLength(3);
  for (const line of log) expect(line.length).toBeLessThan(600);
});

test('the log names the path without its query and without any segment that holds an email, however it is escaped', () => {
  expect(pathOf({ url: '/api/users/mei@example.com/orders?q=tea' })).toBe('/api/users/(email)/orders');
  for (const email of ['mei%40example.com', 'mei%2540example.com', 'MEI%252540EXAMPLE.COM'])
    expect(pathOf({ url: `/${email}` })).toBe('/(email)');
  expect(pathOf({ url: `/${'a'.repeat(290)}/mei@example.com/${'b'.repeat(290)}` })).not.toContain('mei');
});

test.each([
  ['a C1 control', '\u009b31m'],
  ['an escape', '\u001b[2J'],
  ['a right-to-left override', '\u202e'],
  ['a bidirectional isolate', '\u2067'],
])('a text with %s is rejected by its field', async (_kind, text) => {
  const { app } = await foundation();
  serve(app, 'products', () => ({ products: [], correctedTo: null, partial: false }));
  const answer = await app.inject(
    `${base}productManagement2/products?nameLike=tea${encodeURIComponent(text)}`,
  );
  expect(answer.statusCode).toBe(400);
  expect(Object.keys(answer.json().errors)).toEqual(['nameLike']);
});
