/** The room Look, over HTTP. */
import { beforeAll, expect, it } from 'vitest';
import { lookFonts, readyLooks } from '#contract/rules/look.ts';
import { askStaff, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';
import { lookColours, lookStyle, pageStyle } from './look.ts';

onBothEngines((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
  });
  const params = { id: 'shop' };
  const load = async () => (await askStaff(testApp, 'look', { as, params })).body;
  const save = async (edits: object[], lang = 'en') =>
    askStaff(testApp, 'saveLook', {
      as,
      params,
      query: { lang },
      body: { revision: (await load()).revision, edits },
    });
  const style = async () => lookStyle(await testApp.services.settings.all());
  const shown = async () => (await testApp.call('appInfoInit', {})).appContent.look.paper;
  const { colours } = readyLooks.porcelain;

  it('a shop whose owner sets nothing has the delivered look, and no byte of style', async () => {
    expect((await load()).content).toEqual({
      id: 'shop',
      colours: null,
      night: true,
      nightColours: null,
      corners: null,
      density: null,
      cards: null,
      fonts: null,
      logo: null,
      nightLogo: null,
      logoText: null,
      icon: null,
    });
    expect(await style()).toBe('');
    expect(await shown()).toBeNull();
  });

  it('colours that are saved are in the style and in the head of the next page, by day and by night', async () => {
    expect((await save([{ path: ['colours'], to: colours }])).status).toBe(200);
    const css = await style();
    expect(css).toMatch(
      /^:root:root\{[^}]*--color-paper:#ffffff[^}]*\}@media \(prefers-color-scheme:dark\)\{:root:root\{[^}]*\}\}$/,
    );
    expect(css).toContain('--color-action:#1d4ed8');
    expect(css.length).toBeLessThan(1300);
    const look = await shown();
    expect(look?.light).toBe('#ffffff');
    expect(look?.dark).not.toBe('#ffffff');
    const [entry] = (await askStaff(testApp, 'journal', { as })).body.entries;
    expect(entry).toMatchObject({ action: 'look change', kind: 'look', id: 'shop' });
  });

  it('a look without a night has the colours of the day in both schemes', async () => {
    await save([{ path: ['night'], to: false }]);
    const css = await style();
    expect(css).not.toContain('prefers-color-scheme');
    expect(css).toContain('color-scheme:light');
    expect(css).toContain('--color-band:');
    const settings = await testApp.services.settings.all();
    expect(lookColours(settings).dark).toEqual(lookColours(settings).light);
    expect(await shown()).toEqual({ light: '#ffffff', dark: '#ffffff' });
    await save([{ path: ['night'], to: true }]);
  });

  it('a shop without a night and without own colours has the delivered day on dark devices', async () => {
    const css = lookStyle({ look: { night: false } });
    expect(css).toContain('--color-paper:#f8f4ed');
    expect(css).not.toContain('#1a1815');
    expect(css).toContain('color-scheme:light');
  });

  it('text that cannot be read is refused at its colour, in both languages, and changes nothing', async () => {
    const before = await load();
    const edits = [
      { path: ['colours', 'action'], to: '#ffd54a' },
      { path: ['nightColours'], to: { ...colours, paper: '#000000' } },
    ];
    for (const [lang, words] of [
      ['en', /contrast is 1\.\d : 1, and at least 4\.5 : 1/],
      ['zh', /对比度为 1\.\d : 1/],
    ] as const) {
      const { status, body } = await save(edits, lang);
      expect(status).toBe(400);
      expect(Object.keys(body.errors ?? {}).sort()).toEqual([
        'look.shop.colours.action',
        'look.shop.nightColours.action',
        'look.shop.nightColours.ink',
        'look.shop.nightColours.sale',
      ]);
      expect(body.errors?.['look.shop.colours.action']).toMatch(words);
    }
    expect(await load()).toEqual(before);
  });

  it('a value that is no colour, corner or look is refused, and a file cannot set it either', async () => {
    const bad = await save([{ path: ['colours', 'ink'], to: 'red;}body{display:none' }], 'zh');
    expect(bad.status).toBe(400);
    expect(bad.body.errors?.['look.shop.colours.ink']).toMatch(/\p{Script=Han}/u);
    expect((await save([{ path: ['corners'], to: 'wavy' }])).status).toBe(400);
    expect((await askStaff(testApp, 'look', { as, params: { id: 'other' } })).status).toBe(404);
    const unreadable = { colours: { ...colours, ink: '#eeeeee' } };
    await expect(testApp.services.settings.update({ look: unreadable })).rejects.toThrow();
    await expect(testApp.services.settings.update({ look: { corners: 'wavy' as never } })).rejects.toThrow();
    expect(await style()).not.toContain('wavy');
  });

  it('an earlier look comes back to the same bytes', async () => {
    const { revision, content } = await load();
    await save([
      { path: ['colours'], to: readyLooks.lemon.colours },
      { path: ['corners'], to: 'round' },
    ]);
    expect(await style()).toContain('--radius-md:14px');
    const body = { revision, seen: (await load()).revision };
    expect((await askStaff(testApp, 'restoreLook', { as, params, body })).status).toBe(200);
    expect(JSON.stringify((await load()).content)).toBe(JSON.stringify(content));
  });

  it('fonts of a look are on the device, those that it does not show are named, and Chinese ones come first in Chinese', () => {
    expect(pageStyle({ look: {} })).toEqual({ css: '', unusedFonts: [] });
    const brush = pageStyle({ look: { fonts: 'brush' } });
    expect(brush.unusedFonts).toEqual(['fraunces']);
    expect(brush.css).toMatch(/:root:root:lang\(zh\)\{--font-serif:"Kaiti SC"/);
    expect(pageStyle({ look: { fonts: 'system' } }).unusedFonts).toEqual(['fraunces', 'source-sans-3']);
    for (const fonts of lookFonts) expect(pageStyle({ look: { fonts } }).css).not.toMatch(/url\(|https?:/);
  });

  it('a logo that the shop does not have is refused, and one that it has is named with its size and the shop’s name', async () => {
    expect((await save([{ path: ['logo'], to: 'nowhere.png' }])).body.errors).toHaveProperty([
      'look.shop.logo',
    ]);
    const [picture] = (await askStaff(testApp, 'media', { as, query: { text: '', skip: '0' } })).body
      .pictures;
    const file = picture?.file ?? '';
    expect((await save([{ path: ['logo'], to: file }])).status).toBe(200);
    const { look, image, shopName } = (await testApp.call('appInfoInit', {})).appContent;
    expect(look.logo).toMatchObject({ night: null, text: shopName });
    expect(look.logo?.height).toBeLessThanOrEqual(40);
    expect(image?.imageURL).toMatch(/^\/media\/look\/card-/);
    const manifest = (await testApp.app.inject('/site.webmanifest')).json() as { icons: { src: string }[] };
    expect(manifest.icons.map(({ src }) => src.split('-')[0])).toEqual([
      '/media/look/app',
      '/media/look/app',
    ]);
    for (const [address, type] of [
      [look.logo?.day, 'image/webp'],
      [look.icons?.small, 'image/png'],
      [look.icons?.touch, 'image/png'],
      [image?.imageURL, 'image/jpeg'],
    ]) {
      const answer = await testApp.app.inject(address ?? '');
      expect([answer.statusCode, answer.headers['content-type']], address).toEqual([200, type]);
      expect(answer.rawPayload.length).toBeLessThan(80_000);
    }
    expect((await testApp.app.inject(look.icons?.small.replace('32x32', '3200x3200') ?? '')).statusCode).toBe(
      404,
    );
    const uses = (await askStaff(testApp, 'mediaUses', { as, params: { file } })).body.uses;
    expect(uses).toContainEqual({ kind: 'setting', id: 'look' });
    expect((await save([{ path: ['logo'], to: null }])).status).toBe(200);
    expect((await testApp.app.inject(look.icons?.small ?? '')).statusCode).toBe(404);
    // A preview shows it before it is saved.
    expect((await testApp.app.inject(look.logo?.day ?? '')).statusCode).toBe(200);
    expect((await testApp.app.inject(look.logo?.day.replace('x', 'x1') ?? '')).statusCode).toBe(404);
  });

  it('only who may set up the shop reads or changes the look', async () => {
    const { revision } = await load();
    const body = { revision, edits: [{ path: ['night'], to: false }] };
    for (const [role, stores] of [
      ['writer', null],
      ['packer', ['toronto-queen-west']],
    ] as const) {
      const other = await joinStaff(testApp, `${role}.look@${engine}.example`, role, stores && [...stores]);
      expect((await askStaff(testApp, 'saveLook', { as: other, params, body })).status).toBe(403);
      expect((await askStaff(testApp, 'look', { as: other, params })).status).toBe(403);
    }
    expect((await askStaff(testApp, 'saveLook', { params, body })).status).toBe(401);
    expect((await load()).revision).toBe(revision);
  });
});
