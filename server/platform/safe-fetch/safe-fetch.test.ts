import { type AddressInfo, createServer, type Socket } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { cert, secureHost } from '#tests/certificate.ts';
import { type FakeInternet, fakeInternet, publicAddress } from '#tests/fake-internet.ts';
import { isPublicAddress } from './pinned-request.ts';
import { createSafeFetch, loopbackOnly, publicInternet } from './safe-fetch.ts';

const megabyte = 1024 * 1024;
let testApp: FakeInternet;
beforeEach(async () => {
  testApp = await fakeInternet();
});

const text = (type: string) => type === 'text/plain';
const get = (url: string, more: { timeoutMs?: number; maxBytes?: number } = {}) =>
  createSafeFetch(testApp.reach)({ url, accepts: text, maxBytes: 2 * megabyte, timeoutMs: 60_000, ...more });

describe('public addresses', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.0',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
  ])('the address %s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.7',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'not an address',
    '',
  ])('the address %s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('safe fetch', () => {
  test('a public resource is fetched by the host’s own name', async () => {
    testApp.answer('news.example/a', 'hello', { 'content-type': 'Text/Plain; charset=utf-8', etag: '"1"' });
    expect(await get('http://news.example/a')).toMatchObject({
      status: 200,
      url: 'http://news.example/a',
      contentType: 'Text/Plain; charset=utf-8',
      body: Buffer.from('hello'),
    });
  });

  test.each([
    ['http://127.0.0.1/', 'a private address'],
    ['http://2130706433/', 'a private address'],
    ['http://0x7f.1/', 'a private address'],
    ['http://0177.0.0.1/', 'a private address'],
    ['http://[::1]/', 'a private address'],
    ['http://[::ffff:7f00:1]/', 'a private address'],
    ['http://[::ffff:169.254.169.254]/', 'a private address'],
    ['http://169.254.169.254/latest/meta-data/', 'a private address'],
    ['http://192.168.0.1/', 'a private address'],
    ['http://news.example:8080/', 'another port than 80 or 443'],
    ['http://news.example:22/', 'another port than 80 or 443'],
    ['http://user:word@news.example/', 'a password in the address'],
    ['ftp://news.example/', 'not http or https'],
    ['file:///etc/passwd', 'not http or https'],
    ['gopher://news.example/', 'not http or https'],
    ['data:text/plain,hello', 'not http or https'],
    ['news.example', 'not an address'],
    ['/blog/feed.xml', 'not an address'],
  ])('the address %s is rejected, and nothing is requested', async (url, problem) => {
    await expect(get(url)).rejects.toThrow(problem);
    expect(testApp.asked).toEqual([]);
  });

  test.each([
    ['localhost', ['127.0.0.1']],
    ['inside.example', ['10.1.2.3']],
    ['metadata.example', ['169.254.169.254']],
    ['six.example', ['fd00::1']],
    ['mapped.example', ['::ffff:10.0.0.1']],
    ['two.example', [publicAddress, '127.0.0.1']],
    ['nowhere.example', []],
  ])('the name %s, whose addresses are not all public, is rejected', async (host, addresses) => {
    testApp.names.set(host, [addresses]);
    await expect(get(`http://${host}/`)).rejects.toThrow(/private address|no such host/);
    expect(testApp.asked).toEqual([]);
  });

  test.each([
    [
      'switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'another protocol',
    ],
    ['hangs up', '', /./],
    ['answers nonsense', 'what?\r\n\r\n', /./],
  ])('a host that %s is given up at once', async (_what, answer, problem) => {
    testApp.handlers.set('odd.example/', ({ socket }) => void socket.end(answer));
    const asked = Date.now();
    await expect(get('http://odd.example/')).rejects.toThrow(problem);
    expect(Date.now() - asked).toBeLessThan(4000);
  });

  test('a name that resolves differently the next time is not resolved a next time', async () => {
    let asked = 0;
    const reached: string[] = [];
    const rebinding = createSafeFetch({
      ...testApp.reach,
      async resolve() {
        asked += 1;
        return [{ address: asked === 1 ? publicAddress : '127.0.0.1', family: 4 }];
      },
      dial(found, port) {
        reached.push(found.address);
        return testApp.reach.dial(found, port);
      },
    });
    testApp.answer('rebind.example/', 'hello', { 'content-type': 'text/plain' });
    await rebinding({ url: 'http://rebind.example/', accepts: text, maxBytes: 100 });
    expect([asked, reached]).toEqual([1, [publicAddress]]);
    // The next request resolves the name again, and the new address is validated.
    await expect(rebinding({ url: 'http://rebind.example/', accepts: text, maxBytes: 100 })).rejects.toThrow(
      'a private address',
    );
    expect(reached).toEqual([publicAddress]);
  });

  test('a connection goes to the address that was checked, whatever the machine makes of the name', async () => {
    // The machine itself resolves localhost; the validated address is dialled, and refuses the connection.
    const fetch = createSafeFetch({
      ...publicInternet,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      isPublic: () => true,
      anyPort: true,
    });
    testApp.answer('/', 'hello', { 'content-type': 'text/plain' });
    const { port } = new URL(testApp.localUrl);
    const { body } = await fetch({
      url: `http://no-such-name.invalid:${port}/`,
      accepts: text,
      maxBytes: 100,
    });
    expect(body.toString()).toBe('hello');
  });

  test('redirects are followed, each checked afresh', async () => {
    testApp.answer('a.example/', '', { location: '/b' }, 302);
    testApp.answer('a.example/b', '', { location: 'http://c.example/' }, 308);
    testApp.answer('c.example/', 'there', { 'content-type': 'text/plain' });
    expect(await get('http://a.example/')).toMatchObject({
      url: 'http://c.example/',
      body: Buffer.from('there'),
    });
  });

  test.each([
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://inside.example/',
    'http://a.example:6379/',
    'file:///etc/passwd',
    'http://user:word@a.example/',
    'http://a.example/',
  ])('a redirect to %s is not followed', async (location) => {
    testApp.names.set('inside.example', [['10.0.0.7']]);
    testApp.answer('a.example/', '', { location }, 302);
    await expect(get('http://a.example/')).rejects.toThrow();
    expect(new Set(testApp.asked)).toEqual(new Set(['a.example/']));
    expect(testApp.asked.length).toBeLessThanOrEqual(4);
  });

  test('a response that is too long is not read to its end', async () => {
    let sent = 0;
    testApp.handlers.set('big.example/', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = () => {
        while (sent < 50 * megabyte && !response.destroyed) {
          sent += 64 * 1024;
          if (!response.write(Buffer.alloc(64 * 1024, 97))) return response.once('drain', more);
        }
        return response.end();
      };
      more();
    });
    await expect(get('http://big.example/')).rejects.toThrow('too long');
    expect(sent).toBeLessThan(20 * megabyte);
    testApp.answer('said.example/', 'x'.repeat(10), {
      'content-type': 'text/plain',
      'content-length': String(50 * megabyte),
    });
    await expect(get('http://said.example/')).rejects.toThrow('too long');
  });

  test.each([
    ['gzip', gzipSync],
    [
      'br',
      (data: string | Buffer) =>
        brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ],
  ] as const)('a %s response that unpacks to too much is not unpacked to its end', async (encoding, pack) => {
    const headers = { 'content-type': 'text/plain', 'content-encoding': encoding };
    testApp.answer('small.example/', pack('hello'), headers);
    expect((await get('http://small.example/')).body.toString()).toBe('hello');
    const bomb = pack(Buffer.alloc(50 * megabyte));
    expect(bomb.length).toBeLessThan(100_000);
    testApp.answer('bomb.example/', bomb, headers);
    await expect(get('http://bomb.example/')).rejects.toThrow('too long');
  });

  test('a host that never answers, or never ends, is given up', async () => {
    testApp.handlers.set('silent.example/', () => {});
    testApp.handlers.set('endless.example/', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('a');
    });
    await expect(get('http://silent.example/', { timeoutMs: 50 })).rejects.toThrow('no answer in time');
    await expect(get('http://endless.example/', { timeoutMs: 50 })).rejects.toThrow('no answer in time');
    const slow = createSafeFetch({ ...testApp.reach, resolve: () => new Promise(() => {}) });
    await expect(
      slow({ url: 'http://dns.example/', accepts: text, maxBytes: 1, timeoutMs: 50 }),
    ).rejects.toThrow('no answer in time');
  });

  test.each([
    ['text/html', 200, 'another content type'],
    ['text/plain', 404, 'status 404'],
    ['text/plain', 500, 'status 500'],
    ['text/plain', 304, 'status 304'],
  ])('a response of type %s with status %i is rejected', async (type, status, problem) => {
    testApp.answer('odd.example/', 'hello', { 'content-type': type }, status);
    await expect(get('http://odd.example/')).rejects.toThrow(problem);
  });

  describe('safe fetch over TLS', () => {
    const secure = (url: string, ca?: string) =>
      createSafeFetch({ ...testApp.reach, ...(ca ? { ca } : {}) })({ url, accepts: text, maxBytes: 100 });

    test('a resource over TLS is fetched from a host with a valid certificate at the checked address', async () => {
      const dialled: unknown[] = [];
      testApp.reach = {
        ...testApp.reach,
        dial: ((dial) => (found, port) => {
          dialled.push([found.address, port]);
          return dial(found, port);
        })(testApp.reach.dial),
      };
      testApp.answer(`${secureHost}/a`, 'hello', { 'content-type': 'text/plain' });
      expect((await secure(`https://${secureHost}/a`, cert)).body.toString()).toBe('hello');
      expect(dialled).toEqual([[publicAddress, 443]]);
      expect(testApp.asked).toEqual([`${secureHost}/a`]);
    });

    test.each([
      [
        'nobody known has signed for',
        `https://${secureHost}/`,
        undefined,
        /SELF_SIGNED|UNABLE_TO_VERIFY/,
        'certificate',
      ],
      [
        'is another than it says',
        'https://other.example/',
        cert,
        /ERR_TLS_CERT_ALTNAME_INVALID/,
        'certificate',
      ],
      ['speaks no TLS', 'https://other.example:80/', cert, /SSL|EPROTO|ECONNRESET/, 'other'],
    ])('a host over TLS that %s gets no request', async (_what, url, ca, message, failure) => {
      const refused = { message: expect.stringMatching(message), failure };
      await expect(secure(url, ca)).rejects.toMatchObject(refused);
      expect(testApp.asked).toEqual([]);
    });

    test('names and redirect targets over TLS are checked as without it', async () => {
      testApp.names.set('inside.example', [['10.0.0.7']]);
      await expect(secure('https://inside.example/', cert)).rejects.toThrow('a private address');
      await expect(secure('https://[::1]/', cert)).rejects.toThrow('a private address');
      testApp.answer(`${secureHost}/`, '', { location: 'https://169.254.169.254/latest/meta-data/' }, 302);
      await expect(secure(`https://${secureHost}/`, cert)).rejects.toThrow('a private address');
      expect(testApp.asked).toEqual([`${secureHost}/`]);
    });

    test('a host that never finishes its TLS handshake is given up', async () => {
      const mute = createServer(() => {});
      await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
      const { port } = mute.address() as AddressInfo;
      const fetch = createSafeFetch({
        ...testApp.reach,
        dial: () => ({ address: '127.0.0.1', port, family: 4 }),
      });
      const sockets = new Set<Socket>();
      mute.on('connection', (socket) => sockets.add(socket));
      await expect(
        fetch({ url: `https://${secureHost}/`, accepts: text, maxBytes: 1, timeoutMs: 100 }),
      ).rejects.toThrow('no answer in time');
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => mute.close(resolve));
    });
  });

  test('a fake on this machine is reached through its own network policy only', async () => {
    testApp.answer('/', 'hello', { 'content-type': 'text/plain' });
    const here = createSafeFetch(loopbackOnly);
    expect((await here({ url: `${testApp.localUrl}/`, accepts: text, maxBytes: 10 })).body.toString()).toBe(
      'hello',
    );
    await expect(here({ url: 'http://8.8.8.8/', accepts: text, maxBytes: 10 })).rejects.toThrow(
      'a private address',
    );
  });
});
