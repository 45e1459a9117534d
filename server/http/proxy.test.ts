/** Clients that forge their address, behind no proxy, one and two. */
import { expect, it } from 'vitest';
import { rateLimits } from '#server/platform/rate-limits/rate-limits.service.ts';
import { signOn } from '#tests/accounts.ts';
import { createTestApp } from '#tests/test-app.ts';
import { forwardedChain, trustedProxies } from './proxy.ts';

const password = 'some password';

/** Tries to sign in once per header, never to an existing account; returns whether the last attempt was rate limited. */
async function isSlowedDown(env: Record<string, string>, header: (n: number) => string): Promise<boolean> {
  const testApp = await createTestApp({ engine: 'sqlite', env });
  for (let n = 0; n < rateLimits.signOnAddress.free; n++)
    await signOn(testApp, `x${n}@example.com`, password, undefined, header(n));
  const last = await signOn(
    testApp,
    'y@example.com',
    password,
    undefined,
    header(rateLimits.signOnAddress.free),
  );
  await testApp.close();
  return last.status === 429;
}

const behindOne = { PUBLIC_URL: 'https://shop.example' };
const behindTwo = { ...behindOne, PROXY_HOPS: '2' };

it.each([
  ['the shop has no proxy', {}, (n: number) => `198.51.100.${n}`],
  ['the client adds addresses in front of its own', behindOne, (n: number) => `198.51.100.${n}, 203.0.113.9`],
  ['the client has a private address', behindOne, (n: number) => `198.51.100.${n}, 10.1.2.3`],
  ['the header holds no IP address', behindOne, (n: number) => `made-up-${n}`],
  ['the header holds a number that is no address', behindOne, (n: number) => `${3_221_225_985 + n}`],
  [
    'the client adds addresses before two proxies',
    behindTwo,
    (n: number) => `198.51.100.${n}, 203.0.113.9, 192.0.2.1`,
  ],
  ['the entry before the last one is no IP address', behindTwo, (n: number) => `made-up-${n}, 192.0.2.1`],
])('a client cannot choose its address when %s', async (_case, env, header) => {
  expect(await isSlowedDown(env, header)).toBe(true);
});

it.each([
  ['one proxy', behindOne, (n: number) => `198.51.100.${n}`],
  ['one proxy that adds the port', behindOne, (n: number) => `198.51.100.${n}:44${n}`],
  ['two proxies', behindTwo, (n: number) => `198.51.100.${n}, 192.0.2.1`],
])('clients with addresses of their own are told apart behind %s', async (_case, env, header) => {
  expect(await isSlowedDown(env, header)).toBe(false);
});

it('a peer with a public address is not trusted as a proxy', () => {
  const trusts = trustedProxies(1);
  expect(
    ['127.0.0.1', '::1', '10.0.0.7', '::ffff:172.16.0.1', 'fd00::1'].map((address) => trusts(address, 0)),
  ).toEqual(Array(5).fill(true));
  expect(
    ['203.0.113.9', '2001:db8::1', '100.64.0.1', 'made-up'].map((address) => trusts(address, 0)),
  ).toEqual(Array(4).fill(false));
  expect(trusts('10.0.0.7', 1)).toBe(false);
});

it('the forwarded header keeps only what the shop’s own proxies have written', () => {
  expect(forwardedChain('1.1.1.1, 2.2.2.2, 3.3.3.3', 2)).toBe('2.2.2.2, 3.3.3.3');
  expect(forwardedChain('1.1.1.1, [2001:db8::1]:443', 1)).toBe('2001:db8::1');
  expect(forwardedChain('::ffff:1.2.3.4', 1)).toBe('1.2.3.4');
  expect(forwardedChain('1.1.1.1, x', 2)).toBe('');
  expect(forwardedChain('1.1.1.1,', 1)).toBe('');
  expect(forwardedChain(undefined, 1)).toBe('');
});
