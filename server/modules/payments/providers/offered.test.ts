/** Direct calls that pay with a method the merchant does not offer. */
import { expect, it } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import { pay, shopperWithCart } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const keys = {
  STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789abcdef',
  STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
};

forEachEngine((engine) => {
  it('a payment by a gateway that paymentConfig does not offer is rejected', async () => {
    const testApp = await createTestApp({ engine, demo: true, env: keys });
    await sellProduct(testApp, mug);
    const { paymentConfig } = await testApp.services.settings.all();
    const offer = (change: object) =>
      testApp.services.settings.update({ paymentConfig: { ...paymentConfig, ...change } });
    const session = await shopperWithCart(testApp, mug);

    const attempts = () => testApp.db.read.selectFrom('payments').select('id').execute();
    const before = await attempts();
    await offer({ defaultGateWayProviderName: 'Stripe' });
    expect(await testApp.call('paymentConfig')).toMatchObject({ defaultGateWayProviderName: 'Stripe' });
    const refused = await pay(testApp, session);
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: { paymentMethod: 'Payment method has not been setup' } },
    });
    expect(await testApp.call('myCart', { session })).toMatchObject({ state: 'cart' });
    expect(await attempts()).toEqual(before);

    await offer({ defaultGateWayProviderName: '{host}', paymentOnline: false });
    expect((await pay(testApp, session)).status).toBe(400);
    await offer({ defaultGateWayProviderName: '{host}' });
    expect((await pay(testApp, session)).status).toBe(200);
    await testApp.close();
  });
});

it('the payment page may load the browser code of the providers that the shop offers, and of no other', async () => {
  const braintree = {
    BRAINTREE_MERCHANT_ID: 'merchant1',
    BRAINTREE_PUBLIC_KEY: 'publickey1',
    BRAINTREE_PRIVATE_KEY: 'privatekey1',
    BRAINTREE_ENVIRONMENT: 'sandbox',
  };
  const { services } = await createTestApp({ engine: 'sqlite', env: { ...keys, ...braintree } });
  const framesOf = (gateway: string | null) =>
    services.payments.providers.offered(gateway).flatMap(({ browser }) => browser.frames);
  expect(framesOf('Braintree')).toContain('https:');
  expect(framesOf('Stripe')).toContain('https://js.stripe.com');
  expect(framesOf('Stripe')).not.toContain('https:');
  expect(framesOf(null)).toEqual([]);
});
