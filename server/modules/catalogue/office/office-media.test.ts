/** The media library, over HTTP. */
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { clientTokenHeader, staffBase, staffToken } from '#contract/limits.ts';
import { changedSince } from '#server/modules/changes/index.ts';
import { askStaff, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';
import { usesOf } from './office-media.repository.ts';

onBothEngines((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
  });
  const plain = (background: string, width = 60) =>
    sharp({ create: { width, height: 40, channels: 3, background } });
  const send = async (path: string, payload: Buffer | undefined, { type = 'image/jpeg', who = as } = {}) => {
    const headers = { [clientTokenHeader]: staffToken, cookie: who.header, 'content-type': type };
    const answer = await testApp.app.inject({
      method: 'POST',
      url: `${staffBase}media${path}`,
      headers,
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const uses = async (file: string) => (await askStaff(testApp, 'mediaUses', { as, params: { file } })).body;
  const remove = (file: string, who = as) =>
    askStaff(testApp, 'removePicture', { as: who, params: { file } });
  const edit = async (...edits: { path: string[]; to: unknown }[]) => {
    const { revision } = (await askStaff(testApp, 'product', { as, params: { product: 'pictured' } })).body;
    const answer = await askStaff(testApp, 'saveProduct', {
      as,
      params: { product: 'pictured' },
      body: { revision, edits },
    });
    expect(answer.status).toBe(200);
  };
  const setImages = (images: string[]) =>
    edit(
      { path: ['images'], to: images },
      { path: ['priceCents'], to: 1200 },
      { path: ['status'], to: 'active' },
    );

  it('a picture gets its kind from its content, is found by its name, and the same one is kept once', async () => {
    testApp.clock.advance(1000);
    const png = await plain('#a00').png().toBuffer();
    const first = await send('?name=Holiday%20Photo.JPG', png);
    expect(first.body.file).toMatch(/^holiday-photo-[0-9a-f]{8}\.png$/);
    expect((await send('?name=Holiday%20Photo.JPG', png)).body).toEqual(first.body);
    const found = (await askStaff(testApp, 'media', { as, query: { text: 'photo holiday' } })).body;
    expect(found).toMatchObject({ count: 1, pictures: [{ file: first.body.file }] });
    const { body } = await askStaff(testApp, 'media', { as });
    expect(body.pictures[0]?.file).toBe(first.body.file);
    const gif = await plain('#a00').gif().toBuffer();
    for (const [bytes, type] of [
      [gif, 'image/png'],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
      [png.subarray(0, 60), 'image/png'],
      [undefined, 'image/png'],
    ] as const)
      expect((await send('?name=x', bytes, { type })).status, type).toBe(400);
  });

  it('a photograph that lacks its end is taken and shown, as browsers show it; one without its picture is refused in words', async () => {
    const whole = await plain('#0aa', 400).jpeg().toBuffer();
    const { status, body } = await send('?name=cut', whole.subarray(0, whole.length - 2));
    expect(status).toBe(200);
    const shown = await testApp.app.inject(body.image.imageURL);
    expect(shown.statusCode).toBe(200);
    const none = await send('?name=none', whole.subarray(0, 30));
    expect(none).toMatchObject({
      status: 400,
      body: { errors: { picture: expect.stringContaining('not a picture') } },
    });
  });

  it('a replaced picture appears where the old one was, also on the cards of lists', async () => {
    const { file, image } = (await send('?name=before', await plain('#0a0').jpeg().toBuffer())).body;
    await askStaff(testApp, 'addProduct', {
      as,
      body: { id: 'pictured', name: { en: 'Pictured' }, like: null },
    });
    await setImages([file]);
    expect(await uses(file)).toEqual({ count: 1, uses: [{ kind: 'product', id: 'pictured' }] });
    const card = async () =>
      (await testApp.services.catalogue.cards(['pictured'], 'en')).get('pictured')?.mediaInfo.imageInfos[0];
    expect(await card()).toEqual(image);
    const seen = `?seen=${encodeURIComponent(image.imageURL)}`;
    const replaced = await send(`/${file}${seen}`, await plain('#00a', 90).png().toBuffer(), {
      type: 'image/png',
    });
    expect(replaced.body.image).toMatchObject({ width: 90 });
    expect(await card()).toEqual(replaced.body.image);
    expect((await send(`/nothing.jpg${seen}`, await plain('#00a').png().toBuffer())).status).toBe(404);
  });

  it('two people who replace one picture at once leave one of the two whole, and the other one is told', async () => {
    const { file, image } = (await send('?name=both', await plain('#0a0').jpeg().toBuffer())).body;
    const seen = `?seen=${encodeURIComponent(image.imageURL)}`;
    const pictures = await Promise.all([71, 72, 73].map((width) => plain('#00a', width).jpeg().toBuffer()));
    const answers = await Promise.all(pictures.map((each) => send(`/${file}${seen}`, each)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.errorKey).toBe('office.media.changed');
    const { container } = testApp;
    const kept = (await container.media.images([file])).get(file);
    const bytes = await (await container.media.originals([file])).get(file)?.();
    expect((await sharp(bytes ?? undefined).metadata()).width).toBe(kept?.width);
    // The one whose answer was lost says what it said.
    const won = pictures[answers.findIndex(({ status }) => status === 200)];
    expect((await send(`/${file}${seen}`, won)).status).toBe(200);
  });

  it('a picture that is shown is not deleted; one that is not shown is, by whoever may', async () => {
    const { file } = (await send('?name=gone', await plain('#0aa').jpeg().toBuffer())).body;
    const shown = [
      { path: ['images'], to: [file], none: [] },
      { path: ['descriptionHtml'], to: { en: `<p>See</p><img src="${file}" alt="">` }, none: undefined },
      { path: ['skus', 'pictured', 'image'], to: file, none: undefined },
    ];
    const [last] = await testApp.services.changes.journal({ most: 1 });
    for (const { none, ...each } of shown) {
      await edit(each);
      expect((await remove(file)).body.errorKey, each.path.join('.')).toBe('office.media.used');
      const since = await changedSince(testApp.db.read, last?.no ?? 0);
      expect(await usesOf(testApp.db.read, file, since)).toEqual({
        count: 1,
        uses: [{ kind: 'product', id: 'pictured' }],
      });
      await edit({ ...each, to: none });
    }
    const writer = await joinStaff(testApp, 'writer@shop.example', 'writer');
    expect((await send('?name=written', await plain('#eee').jpeg().toBuffer(), { who: writer })).status).toBe(
      200,
    );
    expect((await remove(file, writer)).status).toBe(403);
    expect((await remove(file)).status).toBe(200);
    expect((await askStaff(testApp, 'media', { as, query: { text: file } })).body.count).toBe(0);
    expect((await askStaff(testApp, 'journal', { as })).body.entries[0]).toMatchObject({
      action: 'pictures remove',
      id: file,
    });
  });

  it('a part of a picture becomes a picture of its own', async () => {
    const { file } = (await send('?name=wide', await plain('#aa0', 80).jpeg().toBuffer())).body;
    const body = { left: 0.5, top: 0, width: 0.5, height: 1 };
    const part = (await askStaff(testApp, 'cropPicture', { as, params: { file }, body })).body;
    expect(part.file).toMatch(/^wide-[0-9a-f]{8}\.jpg$/);
    expect(part.image).toMatchObject({ width: 40, height: 40 });
    expect(part.file).not.toBe(file);
  });
});
