/** Notices of new orders, as a push service and a browser see them. */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { minuteMs } from '#server/platform/time-zone.ts';
import { sellProduct } from '#tests/products.ts';
import { add, finish, setUnits, visit } from '#tests/shop-actions.ts';
import { askStaff as ask, joinStaff as join } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const store = 'toronto-queen-west';
const bytes = (text: string) => Buffer.from(text, 'base64url');

/** A browser's subscription, and how it reads a message by RFC 8291 and RFC 8188. */
function browser(endpoint: string) {
  const keys = createECDH('prime256v1');
  const own = keys.generateKeys();
  const auth = randomBytes(16);
  const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, length));
  return {
    device: { endpoint, p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    read(body: Buffer): unknown {
      const salt = body.subarray(0, 16);
      const end = 21 + (body[20] ?? 0);
      const server = body.subarray(21, end);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, server]);
      const secret = derive(keys.computeSecret(server), auth, info, 32);
      const decipher = createDecipheriv(
        'aes-128-gcm',
        derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
        derive(secret, salt, 'Content-Encoding: nonce\0', 12),
      );
      decipher.setAuthTag(body.subarray(-16));
      const plain = Buffer.concat([decipher.update(body.subarray(end, -16)), decipher.final()]);
      return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString());
    },
  };
}

/** Whether the token of VAPID is signed by its key, and for whom it is (RFC 8292). */
function vapid({ authorization = '' }: IncomingHttpHeaders) {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = bytes(key);
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    bytes(signature),
  );
  return { key, isSigned, claims: JSON.parse(bytes(claims).toString()) as object };
}

onBothEngines((engine) => {
  let testApp: TestApp;
  let server: Server;
  let origin: string;
  let arrived: { path: string; headers: IncomingHttpHeaders; body: Buffer }[];
  const answers = new Map<string, number>();
  beforeEach(async () => {
    arrived = [];
    answers.clear();
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      arrived.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(answers.get(request.url ?? '') ?? 201).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { WEB_PUSH_CONTACT: 'owner@shop.example', WEBHOOKS_ALLOW_PRIVATE: '1' };
    testApp = await createTestApp({ engine, connections: 10, demo: true, env });
    await sellProduct(testApp, 'MUG-PUSH');
    await setUnits(testApp, 'MUG-PUSH', 20, store);
  });
  afterEach(() => void server.close());

  async function order(): Promise<string> {
    const session = testApp.shopper();
    await add(testApp, session, 'MUG-PUSH');
    await visit(testApp, session);
    return (await finish(testApp, session, { how: 'pay', lang: 'en' })).number;
  }
  const deliver = () => testApp.services.deliveries.run();
  const subscribe = async (as: Shopper, path: string, lang = 'en') => {
    const { device, read } = browser(origin + path);
    expect((await ask(testApp, 'startPush', { as, body: device, query: { lang } })).status).toBe(200);
    return read;
  };

  it('a new order is told to the devices of its store, encrypted for each, and says its number and store only', async () => {
    const ann = await join(testApp, 'ann@shop.example', 'assistant', [store]);
    const owner = await join(testApp, 'olga@shop.example');
    const elsewhere = await join(testApp, 'eve@shop.example', 'assistant', ['waterloo-uptown']);
    const reads = new Map([
      ['/ann', await subscribe(ann, '/ann')],
      ['/olga', await subscribe(owner, '/olga', 'zh')],
      ['/eve', await subscribe(elsewhere, '/eve')],
    ]);
    const number = await order();
    await deliver();
    const short = number.split('-').at(-1);
    const told = arrived.map(({ path, body }) => [path, reads.get(path)?.(body)]).sort();
    expect(told).toEqual([
      ['/ann', { title: `New order #${short} · Toronto – Queen West`, tag: number }],
      ['/olga', { title: expect.stringContaining(`新订单 #${short} · `), tag: number }],
    ]);
    const { key } = (await ask(testApp, 'push', { as: ann })).body;
    expect(vapid(arrived[0]?.headers ?? {})).toMatchObject({
      key,
      isSigned: true,
      claims: { aud: origin, sub: 'mailto:owner@shop.example' },
    });
  });

  it('a device is told no more once it signs out, asks for it, or its push service knows it no longer', async () => {
    const people = await Promise.all(['a', 'b', 'c'].map((name) => join(testApp, `${name}@shop.example`)));
    for (const [index, as] of people.entries()) await subscribe(as, `/${index}`);
    await ask(testApp, 'signOut', { ...(people[0] ? { as: people[0] } : {}) });
    await ask(testApp, 'stopPush', { ...(people[1] ? { as: people[1] } : {}) });
    answers.set('/2', 410);
    await order();
    await deliver();
    await order();
    await deliver();
    expect(arrived.map(({ path }) => path)).toEqual(['/2']);
    expect(await testApp.db.read.selectFrom('staff_push').selectAll().execute()).toEqual([]);
  });

  it('keys that no browser makes are refused', async () => {
    const session = await join(testApp, 'keys@shop.example', 'manager', [store]);
    const { device } = browser(`${origin}/keys`);
    const point = bytes(device.p256dh);
    point.fill(1, 1);
    for (const wrong of [{ p256dh: 'AAAA' }, { auth: 'AAAA' }, { p256dh: point.toString('base64url') }])
      expect((await ask(testApp, 'startPush', { as: session, body: { ...device, ...wrong } })).status).toBe(
        400,
      );
    expect((await ask(testApp, 'startPush', { as: session, body: device })).status).toBe(200);
  });

  it('a push service that is away is asked again for ten minutes', async () => {
    await subscribe(await join(testApp, 'ann@shop.example', 'assistant', [store]), '/ann');
    answers.set('/ann', 503);
    await order();
    await deliver();
    testApp.clock.advance(minuteMs);
    await deliver();
    testApp.clock.advance(10 * minuteMs);
    await deliver();
    testApp.clock.advance(minuteMs);
    await deliver();
    expect(arrived).toHaveLength(3);
  });
});
