import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  agentOf,
  agentProfile,
  approveAgent,
  buyer,
  currentVersion,
  everyCapability,
  lines,
  olderVersion,
  pays,
  shipped,
} from '#tests/agents.ts';
import { createTestApp } from '#tests/test-app.ts';
import { contentDigest, verifyRequest } from './signatures.ts';

const sku = 'MC-HT-02';

describe('an agent’s profile', () => {
  test.each([
    ['', 400, 'invalid_profile_url'],
    ['none of an address', 400, 'invalid_profile_url'],
    ['http://agent.example/', 400, 'invalid_profile_url'],
    ['https://127.0.0.1/profile', 424, 'profile_unreachable'],
    ['https://[::1]/profile', 424, 'profile_unreachable'],
    ['https://169.254.169.254/latest', 424, 'profile_unreachable'],
  ])('%s is refused with %i', async (profile, status, code) => {
    const testApp = await createTestApp({ engine: 'sqlite' });
    const answer = await agentOf(testApp, profile).ask('POST', '/catalog/search', { query: 'mug' });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test.each([
    ['{', 'profile_malformed'],
    ['[]', 'profile_malformed'],
    [agentProfile({ ucp: { capabilities: [] } }), 'profile_malformed'],
    [agentProfile({ ucp: { version: '2020-01-01' } }), 'version_unsupported'],
  ])('the document %s is refused', async (document, code) => {
    const testApp = await createTestApp({ engine: 'sqlite' });
    await expect(approveAgent(testApp, 'https://agent.example/', document)).rejects.toMatchObject({ code });
  });
});

describe('versions of the protocol', () => {
  test('an agent is answered in the version that its profile names, and the current profile names the older one', async () => {
    const testApp = await createTestApp({ engine: 'sqlite', demo: true });
    const profile = async (name = '') => (await testApp.app.inject(`/.well-known/ucp${name}`)).json();
    const { ucp } = await profile();
    const [older] = Object.keys(ucp.supported_versions);
    expect([ucp.version, older]).toEqual([currentVersion, olderVersion]);
    const leaf = await profile(`/${older}`);
    expect(new URL(ucp.supported_versions[olderVersion]).pathname).toBe(`/.well-known/ucp/${older}`);
    expect([leaf.ucp.version, leaf.ucp.supported_versions, leaf.keys, leaf.signing_keys.length]).toEqual([
      older,
      undefined,
      undefined,
      1,
    ]);
    expect(JSON.stringify(leaf)).not.toContain(currentVersion);
    const typesIn = async (version: string) => {
      const agent = await approveAgent(testApp, `https://${version}.example/`, agentProfile({}, version));
      const { body } = await agent.ask('POST', '/checkout-sessions', { ...lines([sku, 1]), ...shipped });
      return [body.ucp.version, body.fulfillment.methods[0]?.destinations[0]?.type];
    };
    expect(await typesIn(currentVersion)).toEqual([currentVersion, 'shipping_address']);
    expect(await typesIn(olderVersion)).toEqual([olderVersion, undefined]);
  });
});

describe('signatures of requests', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = [
    { ...publicKey.export({ format: 'jwk' }), kid: 'k1' },
    { kty: 'EC', crv: 'P-256', x: 'AA', y: 7, kid: 'no-point' },
  ] as { kid: string }[];
  const body = Buffer.from('{"a":1}');
  const covered = ['@method', '@authority', '@path', 'ucp-agent', 'content-digest', 'content-type'];
  const signed = (names = covered, kid = 'k1') => {
    const headers: Record<string, string> = {
      'ucp-agent': 'profile="https://agent.example/"',
      'content-type': 'application/json',
      'content-digest': contentDigest(body),
    };
    const values: Record<string, string> = {
      ...headers,
      '@method': 'POST',
      '@authority': 'shop.example',
      '@path': '/api/ucp/carts',
    };
    const parameters = `(${names.map((name) => `"${name}"`).join(' ')});keyid="${kid}"`;
    const base = [
      ...names.map((name) => `"${name}": ${values[name]}`),
      `"@signature-params": ${parameters}`,
    ].join('\n');
    const signature = sign('sha256', Buffer.from(base), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    }).toString('base64');
    const all = { ...headers, 'signature-input': `sig1=${parameters}`, signature: `sig1=:${signature}:` };
    return { method: 'POST', authority: 'Shop.example', url: '/api/ucp/carts', headers: all, body };
  };
  const codeOf = (request: Parameters<typeof verifyRequest>[0]) => {
    try {
      return String(verifyRequest(request, keys));
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  test('a signature that covers the request holds, and an unsigned request is known as such', () => {
    expect(codeOf(signed())).toBe('true');
    expect(codeOf({ ...signed(), headers: {} })).toBe('false');
  });

  test('a request that differs from what was signed is refused', () => {
    const request = signed();
    const { signature: _, ...unsigned } = request.headers;
    expect(codeOf({ ...request, url: '/api/ucp/checkout-sessions' })).toBe('signature_invalid');
    expect(codeOf({ ...request, authority: 'other.example' })).toBe('signature_invalid');
    expect(codeOf({ ...request, body: Buffer.from('{"a":2}') })).toBe('digest_mismatch');
    expect(codeOf({ ...request, headers: unsigned })).toBe('signature_missing');
    expect(codeOf(signed(covered, 'k2'))).toBe('key_not_found');
    expect(codeOf(signed(covered, 'no-point'))).toBe('signature_invalid');
    expect(codeOf(signed(covered.filter((name) => name !== '@path')))).toBe('signature_invalid');
    const tampered = {
      ...request.headers,
      signature: request.headers.signature.replace(/:(.)/, (_all, c) => `:${c === 'A' ? 'B' : 'A'}`),
    };
    expect(codeOf({ ...request, headers: tampered })).toBe('signature_invalid');
  });
});

describe('webhooks to agents', () => {
  test('an agent is told of its order by a signed delivery of the whole order, again until it is taken', async () => {
    const received: { headers: IncomingHttpHeaders; body: string }[] = [];
    const statuses = [500, 204];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(statuses.shift() ?? 204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const testApp = await createTestApp({
      engine: 'sqlite',
      demo: true,
      env: { WEBHOOKS_ALLOW_PRIVATE: '1' },
    });
    const config = { webhook_url: `http://127.0.0.1:${port}/orders?channel=a` };
    const capabilities = {
      ...everyCapability(),
      'dev.ucp.shopping.order': [{ version: currentVersion, config }],
    };
    const agent = await approveAgent(
      testApp,
      'https://told.example/',
      agentProfile({ ucp: { capabilities } }),
    );
    const { body } = await agent.ask('POST', '/checkout-sessions', { ...lines([sku, 1]), ...shipped });
    const { body: done } = await agent.ask('POST', `/checkout-sessions/${body.id}/complete`, pays());
    await testApp.services.deliveries.run();
    testApp.clock.advance(60_000);
    await testApp.services.deliveries.run();
    server.close();
    const [first, second] = received;
    if (!first || !second) throw new Error('Nothing arrived');
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    const order = JSON.parse(second.body);
    expect(order).toMatchObject({
      id: done.order.id,
      checkout_id: body.id,
      line_items: [{ quantity: { original: 1 } }],
    });
    expect(second.body).not.toContain(buyer.email);
    const { keys } = (await testApp.app.inject('/.well-known/ucp')).json();
    const request = {
      method: 'POST',
      authority: `127.0.0.1:${port}`,
      url: '/orders?channel=a',
      body: Buffer.from(second.body),
    };
    expect(verifyRequest({ ...request, headers: second.headers }, keys)).toBe(true);
    expect(await testApp.services.webhooks.list()).toEqual([]);
    const [entry] = await testApp.container.changes.journal({ most: 1, kind: 'agent', id: agent.id });
    expect(entry?.fields).toMatchObject([{ field: 'order' }]);
  });
});
