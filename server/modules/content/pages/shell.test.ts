import { describe, expect, it } from 'vitest';
import { instantAt } from '#server/platform/time-zone.ts';
import { renderedPage, renderFromSources } from '#tests/rendered.ts';
import { createTestApp } from '#tests/test-app.ts';

const at = (date: string, hour: number) => instantAt(date, hour * 60, 'America/Toronto') ?? 0;

describe('the frame of a page', async () => {
  const testApp = await createTestApp({
    engine: 'sqlite',
    demo: true,
    now: at('2026-12-05', 20),
    app: { web: renderFromSources },
  });
  const { app, clock, services } = testApp;
  const html = async (path = '/products/tea') => (await renderedPage(app, path)).html;
  const appContent = async () => (await testApp.call('appInfoInit', {})).appContent;

  it('a cached page names the season and the open stores until midnight and closing, and then the next', async () => {
    const evening = await html();
    expect(evening).toContain('Minor Snow · Keemun, hot and plain');
    expect(evening).toContain('4 stores, 2 open now');
    expect(await html()).toBe(evening);
    clock.set(at('2026-12-05', 21));
    expect(await html()).toContain('4 stores</a>');
    clock.set(at('2026-12-06', 0) - 1);
    expect(await html()).toContain('Minor Snow');
    clock.set(at('2026-12-06', 0));
    const night = await html();
    expect(night).toContain('Major Snow');
    expect(night).not.toContain('Minor Snow');
    expect(await html('/zh/products/tea')).toContain('大雪');
  });

  it('free shipping is promised from the least amount within the shop’s country', async () => {
    const { shippingMethods } = await services.settings.all();
    expect((await appContent()).facts[0]).toEqual({
      kind: 'shipping',
      text: 'Free shipping from $95.00',
      link: null,
    });
    const freeFrom = (amounts: readonly (number | null)[]) =>
      services.settings.update({
        shippingMethods: shippingMethods.map((method, index) => ({
          ...method,
          freeOverCents: amounts[index] ?? null,
        })),
      });
    expect(shippingMethods.slice(0, 2).map(({ countries }) => countries)).toEqual([['CA'], ['CA']]);
    await freeFrom([12_000, 9000]);
    expect((await appContent()).facts[0]?.text).toBe('Free shipping from $90.00');
    await freeFrom([]);
    expect((await appContent()).facts.map(({ kind }) => kind)).not.toContain('shipping');
    await services.settings.update({ shippingMethods });
  });

  it('the line of the season stands on home and lists, and on no page where nothing to drink is chosen', async () => {
    clock.set(at('2026-12-06', 1));
    expect(await html('/')).toContain('>Major Snow');
    for (const path of [
      '/cart',
      '/account/login',
      '/terms',
      '/contact',
      '/search?key=tea',
      '/product/speckled-mug',
    ])
      expect(await html(path), path).not.toContain('>Major Snow');
  });
});
