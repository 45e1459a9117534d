/** The room Look, over HTTP. */
import { beforeAll, expect, it } from 'vitest';
import { readyLooks } from '#contract/rules/look.ts';
import { askStaff, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';
import { lookColours, lookStyle } from './look.ts';

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
    askStaff(testApp, 'saveLook', { as, params, query: { lang }, body: { revision: (await load()).revision, edits } });
  const style = async () => lookStyle(await testApp.services.settings.all());
  const shown = async () => (await testApp.call('appInfoInit', {})).appContent.look;
  const { colours } = readyLooks.porcelain;

  it('a shop whose owner sets nothing has the delivered look, and no byte of style', async () => {
    expect((await load()).content).toEqual({
      id: 'shop',
      colours: null,
      night: true,
      nightColours: null,
      corners: null,
      density: null,
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
