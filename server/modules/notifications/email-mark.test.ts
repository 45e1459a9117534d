import { expect, test } from 'vitest';
import { createTestApp } from '#tests/test-app.ts';

const shop = 'https://shop.example';

/** Of the email that tells a merchant of a refused refund. */
async function markIn(env: Record<string, string>, icon: string | null = null): Promise<string | null> {
  const testApp = await createTestApp({ engine: 'sqlite', demo: icon !== null, env });
  const { settings } = testApp.services;
  await settings.update({ contactEmail: 'owner@shop.example', ...(icon === null ? {} : { look: { icon } }) });
  const values = { provider: 'stripe', amount: '$5.00', refund: 'r1', reason: 'expired' };
  const context = { id: 'm1', recipient: '', locale: 'en' } as const;
  const email = await testApp.container.emails.templates.merchantAlert?.(
    { alert: 'refundRefused', values },
    context,
  );
  expect(email?.html).toContain('$5.00');
  return /<img src="([^"]+)" width="36"/.exec(email?.html ?? '')?.[1] ?? null;
}

test('an email has the mark of the brand folder before the name of the shop', async () => {
  expect(await markIn({ PUBLIC_URL: shop, BRAND: 'demo/brand' })).toBe(`${shop}/icon-192.png`);
});

test('an email has the icon of the owner’s look in place of that of the folder', async () => {
  const mark = await markIn({ PUBLIC_URL: shop, BRAND: 'demo/brand' }, 'moon-jar.jpg');
  expect(mark).toMatch(
    /^https:\/\/shop\.example\/media\/look\/app-192x192-[0-9a-f]{6}\/moon-jar-[0-9a-f]+\.jpg\.png$/,
  );
});

test.each([
  ['of its own', { PUBLIC_URL: shop, BRAND: '' }],
  ['that a mail program could load', { BRAND: 'demo/brand' }],
])('an email of a shop without a mark %s has none', async (_, env) => {
  expect(await markIn(env)).toBeNull();
});
