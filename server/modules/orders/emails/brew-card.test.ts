import { expect, test } from 'vitest';
import { mailsFor } from '#tests/accounts.ts';
import { placeLinkedOrder } from '#tests/order-links.ts';
import { createTestApp, testNow } from '#tests/test-app.ts';

const store = 'toronto-queen-west';

test('the confirmation of an order tells how to brew its teas, and that of a mug does not', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true, env: { PUBLIC_URL: 'https://shop.example' } });
  const textFor = async (sku: string) => {
    await testApp.services.editor.setStock(sku, store, 20);
    const order = await placeLinkedOrder(testApp, { how: 'reserve', sku, store, pickupAt: testNow + 4 * 3_600_000 });
    const [mail] = await mailsFor(testApp, order.email, 'orderConfirmation');
    return mail?.text ?? '';
  };
  const tea = await textFor('MC-OT-01-50');
  for (const part of ['Tieguanyin, Autumn 2026 · Gaiwan', '95 °C · 15 s · 20 s', '7 g / 110 ml', '4 °C · 8 h'])
    expect(tea).toContain(part);
  expect(await textFor('MC-CM-01-OAT')).not.toContain('°C');
});
