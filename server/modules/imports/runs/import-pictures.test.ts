/** Pictures that a file names by their addresses: they are fetched once the products are there. */
import { Readable } from 'node:stream';
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
    const services: TestAppOptions['services'] = (deps) => createContainer({ ...deps, reach: internet.reach });
    testApp = await createTestApp({ engine, demo: true, services });
  });

  it('pictures are fetched four at a time from public addresses, and each dead link is one line of the report', async () => {
    internet.names.set('inside.example', [['10.0.0.7']]);
    const addresses = Array.from({ length: 9 }, (_, at) => `http://pictures.example/${at}.png`);
    let [open, most] = [0, 0];
    for (const [at, address] of addresses.entries()) {
      const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: `#${at}${at}8040` } });
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

    const stored = await catalogueExport.productsOf(['harbour-teapot', 'spring-sencha'], new Set(['warehouse']));
    expect(stored.get('harbour-teapot')?.images).toHaveLength(addresses.length);
    expect(stored.get('spring-sencha')?.images).toEqual([stored.get('harbour-teapot')?.images[3]]);
    const texts = Object.values(stored.get('harbour-teapot')?.details.imageTexts ?? {});
    expect(texts.map(({ en }) => en)).toEqual(addresses.map((_, at) => `Side ${at}`));
    expect(most).toBe(4);
    // The private address is not asked, and the picture of both products only once.
    expect(internet.asked.toSorted()).toEqual([...addresses, dead].map((each) => each.slice('http://'.length)).toSorted());
    const { rows } = await importRuns.rows(id, {}, 'en');
    const told = rows.flatMap(({ problems }) => problems);
    expect(told.map(({ warning }) => warning)).toEqual([true, true]);
    expect(told.map(({ text }) => text).join('\n')).toContain(dead);
    expect(told.map(({ text }) => text).join('\n')).toContain(inside);
    expect((await importRuns.report(id, 'en')).split('\n').filter((line) => line.includes('gone.png'))).toHaveLength(1);

    // Only what was dead is asked for again.
    const { counts } = await importRuns.read(await send(), 'en');
    expect(counts).toMatchObject({ unchanged: 1, changed: 1 });
  });

  it('a picture is fetched once by two processes that import at once, and never again by those that look later', async () => {
    const addresses = Array.from({ length: 6 }, (_, at) => `pictures.example/shared-${at}.png`);
    for (const [at, address] of addresses.entries()) {
      const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: `#40${at}${at}80` } });
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
    const file = Readable.from([Buffer.from(shopifyCsv('2026', [{ ...sample, handle: 'shared-teapot', variants, pictures }]))]);
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
  async function importPictured(handle: string, ...addresses: string[]): Promise<{ id: string; apply: () => Promise<number> }> {
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
    expect((await askStaff(testApp, 'saveProduct', { as, params, body: { revision, edits } })).status).toBe(200);
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

  it('an import that waits for a slow picture says that it still does, so that no other process begins it', async () => {
    const address = 'pictures.example/slow.png';
    const bytes = await png('#665544');
    internet.handlers.set(address, (_request, response) => {
      testApp.clock.advance(10_000);
      const keepsIt = async () => {
        const changes = testApp.db.read.selectFrom('bulk_changes').select('owned_until').where('state', '=', 'pictures');
        expect(Number((await changes.executeTakeFirstOrThrow()).owned_until)).toBeGreaterThan(testApp.clock.now() + 10_000);
      };
      vi.waitFor(keepsIt, { timeout: 8000 }).then(
        () => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    expect(await (await importPictured('slow-teapot', `http://${address}`)).apply()).toBe(1);
  });
});
