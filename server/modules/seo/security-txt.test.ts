import { describe, expect, test, vi } from 'vitest';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, testNow } from '#tests/test-app.ts';

const path = '/.well-known/security.txt';

test('the text for programs lists products, stores and policies, and how programs reach the shop', async () => {
  const testApp = await createTestApp({
    engine: 'sqlite',
    demo: true,
    env: { PUBLIC_URL: 'https://shop.example' },
  });
  const prices = vi.spyOn(testApp.services.catalogue, 'summaries');
  const text = async () => (await testApp.app.inject('/llms.txt')).body;
  const whole = await text();
  for (const part of [
    '## Products',
    '## Stores',
    '](https://shop.example/privacy)',
    '(https://shop.example/.well-known/ucp)',
  ])
    expect(whole).toContain(part);
  // Prices, opening hours, what delivery costs, what the tea bar has, and links that fill a cart.
  for (const said of [
    /Drinks\]\(.*: \d+, from \$6\.50 CAD/,
    /Open mon .*\d\d:\d\d–\d\d:\d\d/,
    /Standard.*: \$\d+\.\d\d CAD/,
    /\/buy\/SKU:2/,
  ])
    expect(whole).toMatch(said);
  // Nothing is asked again until something changes, whatever is added to the address.
  const asked = prices.mock.calls.length;
  for (const query of ['', '?a=1', '?a=2'])
    expect((await testApp.app.inject(`/llms.txt${query}`)).body).toBe(whole);
  expect([asked > 0, prices.mock.calls.length]).toEqual([true, asked]);
  const { headers } = await testApp.app.inject('/llms.txt');
  expect(headers).toMatchObject({
    'cache-control': 'public, no-cache',
    'content-type': 'text/plain; charset=utf-8',
  });
  await testApp.services.settings.update({ agents: 'off' });
  expect(await text()).not.toContain('/.well-known/ucp');
});

describe('security.txt', () => {
  test('a shop without a security contact has no security.txt', async () => {
    const { app } = await createTestApp({ engine: 'sqlite' });
    expect((await app.inject(path)).statusCode).toBe(404);
  });

  test.each([
    ['security@shop.example', 'mailto:security@shop.example'],
    ['https://shop.example/report', 'https://shop.example/report'],
  ])('the setting %s is the contact of a file that expires within a year', async (setting, contact) => {
    const testApp = await createTestApp({ engine: 'sqlite', env: { PUBLIC_URL: 'https://shop.example' } });
    expect((await shopCommand(testApp, ['settings', 'set', 'securityContact', setting])).code).toBe(0);
    const { statusCode, body, headers } = await testApp.app.inject(path);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const fields = new Map(
      body
        .trimEnd()
        .split('\n')
        .map((line) => line.split(': ') as [string, string]),
    );
    expect(Object.fromEntries(fields)).toEqual({
      Contact: contact,
      Expires: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T00:00:00\.000Z$/),
      'Preferred-Languages': 'en, zh',
      Canonical: `https://shop.example${path}`,
    });
    const expires = Date.parse(fields.get('Expires') ?? '');
    expect(expires).toBeGreaterThan(testNow);
    expect(expires).toBeLessThan(testNow + 365 * 24 * 3600 * 1000);
  });

  test('a security contact that is neither an email nor an https address is rejected', async () => {
    const testApp = await createTestApp({ engine: 'sqlite' });
    for (const wrong of ['nobody', 'http://shop.example/report', 'a@b\nContact: c@d'])
      expect((await shopCommand(testApp, ['settings', 'set', 'securityContact', wrong])).code).toBe(1);
    expect((await testApp.app.inject(path)).statusCode).toBe(404);
  });
});
