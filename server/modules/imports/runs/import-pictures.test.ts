/** Pictures that a file names by their addresses: they are fetched once the products are there. */
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { beforeAll, expect, it, vi } from 'vitest';
import { createContainer } from '#server/container.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { NoAnswerError } from '#server/platform/safe-fetch/safe-fetch.ts';
import { hourMs, minuteMs } from '#server/platform/time-zone.ts';
import { type FakeInternet, fakeInternet } from '#tests/fake-internet.ts';
import { samples, shopifyCsv } from '#tests/sheets.ts';
import { askStaff, joinDemo } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type TestApp, type TestAppOptions } from '#tests/test-app.ts';

const permit = mintPermit('goods.import', { kind: 'terminal' }, null);
const dead = 'http://pictures.example/gone.png';
const inside = 'http://inside.example/secret.png';

forEachEngine((engine) => {
  let internet: FakeInternet;
  let testApp: TestApp;
  beforeAll(async () => {
    internet = await fakeInternet();
    const services: TestAppOptions['services'] = (deps) =>
      createContainer({ ...deps, reach: internet.reach });
    testApp = await createTestApp({ engine, demo: true, services });
  });

  it('pictures are fetched four at a time from public addresses, and each dead link is one line of the report', async () => {
    internet.names.set('inside.example', [['10.0.0.7']]);
    const addresses = Array.from({ length: 9 }, (_, at) => `http://pictures.example/${at}.png`);
    let [open, most] = [0, 0];
    for (const [at, address] of addresses.entries()) {
      const picture = sharp({
        create: { width: 40, height: 30, channels: 3, background: `#${at}${at}8040` },
      });
      const bytes = await picture.png().toBuffer();
      internet.handlers.set(address.slice('http://'.length), (_request, response) => {
        most = Math.max(most, ++open);
        setTimeout(() => {
          open -= 1;
          response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
        }, 30);
      });
    }
    const { importRuns, catalogueExport } = testApp.container;
    const [teapot, sencha] = samples;
    if (!teapot || !sencha) throw new Error('No samples');
    const pictured = { ...teapot, pictures: addresses.map((src, at) => ({ src, alt: `Side ${at}` })) };
    const broken = { ...sencha, pictures: [{ src: dead }, { src: addresses[3] ?? '' }, { src: inside }] };
    const send = async () => {
      const file = Readable.from([Buffer.from(shopifyCsv('2026', [pictured, broken]))]);
      const { id } = await importRuns.upload(permit, 'goods.csv', file, 'en');
      await importRuns.work();
      return id;
    };
    const id = await send();
    expect(internet.asked).toEqual([]);
    await importRuns.apply(permit, id, 'en');
    await importRuns.work();

    const stored = await catalogueExport.productsOf(
      ['harbour-teapot', 'spring-sencha'],
      new Set(['warehouse']),
    );
    expect(stored.get('harbour-teapot')?.images).toHaveLength(addresses.length);
    expect(stored.get('spring-sencha')?.images).toEqual([stored.get('harbour-teapot')?.images[3]]);
    const texts = Object.values(stored.get('harbour-teapot')?.details.imageTexts ?? {});
    expect(texts.map(({ en }) => en)).toEqual(addresses.map((_, at) => `Side ${at}`));
    expect(most).toBe(4);
    // The private address is not asked, and the picture of both products only once.
    expect(internet.asked.toSorted()).toEqual(
      [...addresses, dead].map((each) => each.slice('http://'.length)).toSorted(),
    );
    const { rows } = await importRuns.rows(id, {}, 'en');
    const told = rows.flatMap(({ problems }) => problems);
    expect(told.map(({ warning }) => warning)).toEqual([true, true]);
    expect(told.map(({ text }) => text).join('\n')).toContain(dead);
    expect(told.map(({ text }) => text).join('\n')).toContain(inside);
    expect(
      (await importRuns.report(id, 'en')).split('\n').filter((line) => line.includes('gone.png')),
    ).toHaveLength(1);

    // Only what was dead is asked for again.
    const { counts } = await importRuns.read(await send(), 'en');
    expect(counts).toMatchObject({ unchanged: 1, changed: 1 });
  });

  it('a picture is fetched once by two processes that import at once, and never again by those that look later', async () => {
    const addresses = Array.from({ length: 6 }, (_, at) => `pictures.example/shared-${at}.png`);
    for (const [at, address] of addresses.entries()) {
      const picture = sharp({
        create: { width: 40, height: 30, channels: 3, background: `#40${at}${at}80` },
      });
      const bytes = await picture.png().toBuffer();
      internet.handlers.set(address, (_request, response) => {
        setTimeout(() => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes), 20);
      });
    }
    const { importRuns } = testApp.container;
    const other = createContainer({ ...testApp, now: testApp.clock.now, reach: internet.reach }).importRuns;
    const [sample] = samples;
    if (!sample) throw new Error('No samples');
    const variants = sample.variants.map((variant) => ({ ...variant, sku: `SHARED-${variant.sku}` }));
    const pictures = addresses.map((address) => ({ src: `http://${address}`, alt: '' }));
    const file = Readable.from([
      Buffer.from(shopifyCsv('2026', [{ ...sample, handle: 'shared-teapot', variants, pictures }])),
    ]);
    const { id } = await importRuns.upload(permit, 'shared.csv', file, 'en');
    await importRuns.work();
    await importRuns.apply(permit, id, 'en');
    const before = internet.asked.length;
    await Promise.all([importRuns.work(), other.work()]);
    for (const pause of [minuteMs, hourMs, 13 * hourMs]) {
      testApp.clock.advance(pause);
      await Promise.all([importRuns.work(), other.work()]);
    }
    expect((await importRuns.read(id, 'en')).state).toBe('done');
    expect(internet.asked.slice(before).toSorted()).toEqual(addresses);
  });

  /** A product of its own with these pictures, to be imported. */
  async function importPictured(
    handle: string,
    ...addresses: string[]
  ): Promise<{ id: string; apply: () => Promise<number> }> {
    const { importRuns, catalogueExport } = testApp.container;
    const [sample] = samples;
    if (!sample) throw new Error('No samples');
    const variants = sample.variants.map((variant) => ({ ...variant, sku: `${handle}-${variant.sku}` }));
    const pictures = addresses.map((src) => ({ src, alt: '' }));
    const file = shopifyCsv('2026', [{ ...sample, handle, variants, pictures }]);
    const { id } = await importRuns.upload(permit, `${handle}.csv`, Readable.from([Buffer.from(file)]), 'en');
    await importRuns.work();
    return {
      id,
      async apply() {
        await importRuns.apply(permit, id, 'en');
        await importRuns.work();
        const stored = await catalogueExport.productsOf([handle], new Set(['warehouse']));
        return stored.get(handle)?.images.length ?? 0;
      },
    };
  }
  const png = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer();

  it('a picture that could not be had is fetched by the next import, also by one that was read before it failed', async () => {
    const address = 'pictures.example/late.png';
    const [first, next] = [
      await importPictured('late-teapot', `http://${address}`),
      await importPictured('late-teapot', `http://${address}`),
    ];
    expect(await first.apply()).toBe(0);
    const again = await importPictured('late-teapot', `http://${address}`);
    expect(await again.apply()).toBe(0);
    const { importRuns } = testApp.container;
    expect((await importRuns.read(again.id, 'en')).counts).toMatchObject({ changed: 0, unchanged: 1 });
    expect(await importRuns.report(again.id, 'en')).toContain(address);
    internet.answer(address, await png('#112233'), { 'content-type': 'image/png' });
    expect(await next.apply()).toBe(1);
  });

  it('a picture that was deleted from the library is fetched anew when its product is imported again', async () => {
    const address = 'pictures.example/deleted.png';
    internet.answer(address, await png('#332211'), { 'content-type': 'image/png' });
    expect(await (await importPictured('bare-teapot', `http://${address}`)).apply()).toBe(1);
    const as = await joinDemo(testApp, 'demo-mei');
    const params = { product: 'bare-teapot' };
    const { revision, content } = (await askStaff(testApp, 'product', { as, params })).body;
    const [file = ''] = content.images;
    const edits = [{ path: ['images'], to: [] }];
    expect((await askStaff(testApp, 'saveProduct', { as, params, body: { revision, edits } })).status).toBe(
      200,
    );
    expect((await askStaff(testApp, 'removePicture', { as, params: { file } })).status).toBe(200);
    expect(await (await importPictured('bare-teapot', `http://${address}`)).apply()).toBe(1);
  });

  it('a site that answers nothing is asked a few times only, and the pictures of others still come', async () => {
    const resolve = internet.reach.resolve;
    let asked = 0;
    internet.reach.resolve = async (host) => {
      if (host !== 'silent.example') return resolve(host);
      asked += 1;
      throw new NoAnswerError();
    };
    const address = 'pictures.example/beside.png';
    internet.answer(address, await png('#445566'), { 'content-type': 'image/png' });
    const silent = Array.from({ length: 40 }, (_, at) => `http://silent.example/${at}.png`);
    const { apply } = await importPictured('patient-teapot', ...silent, `http://${address}`);
    expect(await apply()).toBe(1);
    // Three, and those that were under way beside the last of them.
    expect(asked).toBeLessThanOrEqual(6);
    internet.reach.resolve = resolve;
  });

  it('a file that names a silent site in each row has a few of them asked, and the pictures of a site that answers still come', async () => {
    const resolve = internet.reach.resolve;
    let asked = 0;
    internet.reach.resolve = async (host) => {
      if (!host.startsWith('silent-')) return resolve(host);
      asked += 1;
      throw new NoAnswerError();
    };
    const answering = ['pictures.example/first.png', 'pictures.example/last.png'];
    for (const [at, address] of answering.entries())
      internet.answer(address, await png(`#5566${at}7`), { 'content-type': 'image/png' });
    const silent = Array.from({ length: 60 }, (_, at) => `http://silent-${at}.example/a.png`);
    const [first, last] = answering.map((address) => `http://${address}`) as [string, string];
    const { apply } = await importPictured('wary-teapot', first, ...silent, last);
    expect(await apply()).toBe(2);
    // Twelve, and those that were under way beside the last of them.
    expect(asked).toBeLessThanOrEqual(16);
    internet.reach.resolve = resolve;
  });

  it('a picture is known by its content, whatever a site calls it', async () => {
    const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: '#a1b2c3' } });
    const [jpeg, webp] = await Promise.all([
      picture.clone().jpeg().toBuffer(),
      picture.clone().webp().toBuffer(),
    ]);
    internet.answer('pictures.example/a.png', jpeg, { 'content-type': 'image/png' });
    internet.answer('pictures.example/b', webp, { 'content-type': 'application/octet-stream' });
    internet.answer('pictures.example/c.jpg', await png('#c3b2a1'), {
      'content-type': 'image/jpg; charset=binary',
    });
    const named = ['a.png', 'b', 'c.jpg'].map((path) => `http://pictures.example/${path}`);
    expect(await (await importPictured('misnamed-teapot', ...named)).apply()).toBe(3);
    const stored = await testApp.container.catalogueExport.productsOf(
      ['misnamed-teapot'],
      new Set(['warehouse']),
    );
    expect(stored.get('misnamed-teapot')?.images.map((file) => file.split('.').at(-1))).toEqual([
      'jpg',
      'webp',
      'png',
    ]);
  });

  it('a picture is fetched through three redirects to public addresses, and no further', async () => {
    const bytes = await png('#778899');
    const hops = (name: string, count: number) => {
      for (let hop = 0; hop < count; hop += 1)
        internet.answer(
          `${name}-${hop}.example/a`,
          '',
          { location: `http://${name}-${hop + 1}.example/a` },
          302,
        );
      internet.answer(`${name}-${count}.example/a`, bytes, { 'content-type': 'image/png' });
      return `http://${name}-0.example/a`;
    };
    expect(await (await importPictured('moved-teapot', hops('near', 3), hops('far', 4))).apply()).toBe(1);
    expect(internet.asked).toContain('near-3.example/a');
    expect(internet.asked).not.toContain('far-4.example/a');
  });

  const header = (width: number, height: number) => {
    const bytes = Buffer.from(
      '89504e470d0a1a0a0000000d49484452000000000000000008020000000000000000000000',
      'hex',
    );
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
    return bytes;
  };
  const image = 'HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n';
  type Answers = Readonly<Record<string, () => string | Buffer>>;
  /** What a site answers to each picture, as it stands on the wire. */
  const brokenAnswers: Answers = {
    'redirects to the own machine': () => 'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/a.png\r\n\r\n',
    'redirects to the metadata of a cloud': () =>
      'HTTP/1.1 307 Temporary Redirect\r\nlocation: http://169.254.169.254/latest/meta-data/\r\n\r\n',
    'redirects to a name within the network': () =>
      'HTTP/1.1 301 Moved\r\nlocation: //inside.example/secret.png\r\n\r\n',
    'redirects to itself': () => 'HTTP/1.1 308 Permanent Redirect\r\nlocation: /odd.png\r\n\r\n',
    'redirects to a file': () => 'HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\n\r\n',
    'redirects to data': () => 'HTTP/1.1 302 Found\r\nlocation: data:image/png;base64,AAAA\r\n\r\n',
    'redirects to another port': () =>
      'HTTP/1.1 302 Found\r\nlocation: http://pictures.example:6379/\r\n\r\n',
    'redirects to nonsense': () => 'HTTP/1.1 302 Found\r\nlocation: http://[\r\n\r\n',
    'ends in its headers': () => `${image}content-length: 1000\r\n`,
    'ends before the length that it announced': () =>
      Buffer.concat([Buffer.from(`${image}content-length: 9000\r\n\r\n`), header(40, 30)]),
    'ends within a chunk': () => `${image}transfer-encoding: chunked\r\n\r\nfff\r\nabc`,
    'announces two lengths': () => `${image}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`,
    'announces gigabytes': () => `${image}content-length: 4000000000\r\n\r\nabc`,
    'says that it is compressed, and is not': () =>
      `${image}content-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc`,
    'says that it is gone': () => 'HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n',
    'switches protocols': () =>
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  };
  const noPictures: Answers = {
    'sends a page': () => 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 3\r\n\r\n<p>',
    'sends more than the length that it announced': () => `${image}content-length: 3\r\n\r\nabcdef`,
    'sends nothing': () => `${image}content-length: 0\r\n\r\n`,
    'sends a page as a picture': () => `${image}content-length: 15\r\n\r\n<html></html>\r\n`,
    'sends a drawing that names files': () => {
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>';
      return `HTTP/1.1 200 OK\r\ncontent-type: image/svg+xml\r\ncontent-length: ${svg.length}\r\n\r\n${svg}`;
    },
    'sends a header of 2,500 megapixels': () =>
      Buffer.concat([Buffer.from(`${image}content-length: 37\r\n\r\n`), header(50_000, 50_000)]),
  };

  /** What the report says of each: all others failed by something of the connection. */
  const words: Readonly<Record<string, RegExp>> = {
    'redirects to the own machine': /^leads into a private network/,
    'redirects to the metadata of a cloud': /^leads into a private network/,
    'redirects to a name within the network': /^leads into a private network/,
    'redirects to itself': /^could not be downloaded: the site leads from one address to the next/,
    'redirects to a file': /^is not an address to download from/,
    'redirects to data': /^is not an address to download from/,
    'redirects to another port': /^is not an address to download from/,
    'redirects to nonsense': /^is not an address to download from/,
    'announces gigabytes': /^is larger than 25 MB/,
    'says that it is gone': /^could not be downloaded: the site answered with 410/,
  };
  const saidOf = (name: string) =>
    words[name] ??
    (name in noPictures
      ? /^cannot be shown as a/
      : /^could not be downloaded: the connection to the site failed/);

  it('a site that answers oddly gets one line in the report, nothing of it is kept, and nothing private is asked', async () => {
    internet.names.set('inside.example', [['10.0.0.7']]);
    const odd = Object.entries({ ...brokenAnswers, ...noPictures });
    const names = odd.map(([name]) => name);
    const addressOf = (at: number) => `odd-${at}.example/odd.png`;
    for (const [at, [, answer]] of odd.entries())
      internet.handlers.set(addressOf(at), ({ socket }) => void socket.end(answer()));
    const before = internet.asked.length;
    const { id, apply } = await importPictured(
      'odd-teapot',
      ...names.map((_, at) => `http://${addressOf(at)}`),
    );
    expect(await apply()).toBe(0);
    const { importRuns } = testApp.container;
    expect((await importRuns.read(id, 'en')).state).toBe('done');
    const report = await importRuns.report(id, 'en');
    const told = odd.map(([name], at) => [name, report.split(`${addressOf(at)}: `).slice(1)]);
    expect(told).toEqual(names.map((name) => [name, [expect.stringMatching(saidOf(name))]]));
    // No code or word of another language in it.
    const chinese = await importRuns.report(id, 'zh');
    for (const [at] of names.entries()) {
      const [, said = ''] = new RegExp(`${addressOf(at)}[：:]\\s*([^";\\n]*)`).exec(chinese) ?? [];
      expect(said).toMatch(/\p{Script=Han}/u);
      expect(said.replaceAll(/https?:\/\/|MB|JPEG|PNG|WebP|AVIF/g, '')).not.toMatch(/[a-z]/i);
    }
    const asked = internet.asked.slice(before);
    expect(asked.filter((address) => !names.some((_, at) => address === addressOf(at)))).toEqual([]);
    // Each once, and three times more the one that redirects to itself.
    expect(asked).toHaveLength(names.length + 3);
  });

  it('a picture without an end is not read to 26 MB', async () => {
    const megabyte = Buffer.alloc(1024 * 1024);
    let sent = 0;
    internet.handlers.set('pictures.example/endless.png', (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      const more = () => {
        while (sent < 200 && !response.destroyed) {
          sent += 1;
          if (!response.write(megabyte)) return response.once('drain', more);
        }
        return response.end();
      };
      more();
    });
    expect(
      await (await importPictured('endless-teapot', 'http://pictures.example/endless.png')).apply(),
    ).toBe(0);
    // What lies in buffers of the connection was sent and never read.
    expect(sent).toBeLessThan(100);
  });

  it('an import that waits for a slow picture says that it still does, so that no other process begins it', async () => {
    const address = 'pictures.example/slow.png';
    const bytes = await png('#665544');
    internet.handlers.set(address, (_request, response) => {
      testApp.clock.advance(10_000);
      const keepsIt = async () => {
        const changes = testApp.db.read
          .selectFrom('bulk_changes')
          .select('owned_until')
          .where('state', '=', 'pictures');
        expect(Number((await changes.executeTakeFirstOrThrow()).owned_until)).toBeGreaterThan(
          testApp.clock.now() + 10_000,
        );
      };
      vi.waitFor(keepsIt, { timeout: 8000 }).then(
        () => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    expect(await (await importPictured('slow-teapot', `http://${address}`)).apply()).toBe(1);
  });
});
