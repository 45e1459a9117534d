import { expect, test } from 'vitest';
import { mailsFor } from '#tests/accounts.ts';
import { placeLinkedOrder } from '#tests/order-links.ts';
import { sellProduct } from '#tests/products.ts';
import { createTestApp, testNow } from '#tests/test-app.ts';

const store = 'toronto-queen-west';
const brew = {
  gaiwan: { grams: 7, waterMl: 110, celsius: 95, infusionSeconds: [15, 20] },
  cold: { grams: 8, waterMl: 1000, celsius: 4, infusionSeconds: [28_800] },
};

test('the confirmation of an order tells how to brew its teas, and that of a mug does not', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true, env: { PUBLIC_URL: 'https://shop.example' } });
  const textFor = async (sku: string) => {
    const order = await placeLinkedOrder(testApp, { how: 'reserve', sku, store, pickupAt: testNow + 4 * 3_600_000 });
    const [mail] = await mailsFor(testApp, order.email, 'orderConfirmation');
    return mail?.text ?? '';
  };
  await sellProduct(testApp, 'TEA', { name: { en: 'Spring tea' }, details: { brew } });
  await sellProduct(testApp, 'MUG');
  const tea = await textFor('TEA');
  for (const part of ['Spring tea · Gaiwan', '95 °C · 15 s · 20 s', '7 g / 110 ml', '4 °C · 8 h']) expect(tea).toContain(part);
  expect(await textFor('MUG')).not.toContain('°C');
});
