/** In which currency a customer reads an amount. */
import { beforeAll, expect, it } from 'vitest';
import { mailsFor } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, card, contact, deliver } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, type TestApp } from '#tests/test-app.ts';

onOneEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, 'MUG-OAT');
  });

  async function confirmation(email: string, place: object, lang: 'en' | 'zh' = 'en'): Promise<string> {
    const session = testApp.shopper();
    await add(testApp, session, 'MUG-OAT');
    await deliver(testApp, session, { contact: { ...contact, email }, address: { ...address, ...place } });
    const body = { paymentInstrucment: card(), billingAddress: address };
    await testApp.call('postBilling', { session, lang, params: { gatewayName: '{host}' }, body });
    const [mail] = await mailsFor(testApp, email, 'orderConfirmation');
    return mail?.text ?? '';
  }

  it('an email to New York says that its dollars are Canadian, and one to Ontario does not', async () => {
    const newYork = { city: 'New York', province: 'New York', postCode: '10001', countryISOCode: 'US' };
    for (const lang of ['en', 'zh'] as const) {
      expect(await confirmation(`ny-${lang}@example.com`, newYork, lang)).toMatch(/\$\d+\.\d\d\u00a0CAD/);
      expect(await confirmation(`on-${lang}@example.com`, {}, lang)).not.toContain('CAD');
    }
  });
});
