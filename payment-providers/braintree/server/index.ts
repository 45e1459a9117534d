import { serve } from '#server/http/endpoint.ts';
import {
  gatewayNotSetUp,
  type ProviderDefinition,
  paymentFormUnavailable,
} from '#server/modules/payments/providers/provider-definition.ts';
import { type BraintreeProvider, createBraintreeProvider } from './braintree.ts';
import { type BraintreeConfig, readBraintreeConfig } from './config.ts';

export const braintree: ProviderDefinition<BraintreeProvider, BraintreeConfig> = {
  webhookPath: 'braintree',
  readConfig: readBraintreeConfig,
  create: (config, deps) => createBraintreeProvider({ ...deps, config }),
  keyMode: ({ environment }) => (environment === 'production' ? 'live' : 'test'),
  dashboardUrl({ environment, merchantId }, providerId) {
    const host = environment === 'sandbox' ? 'sandbox.braintreegateway.com' : 'www.braintreegateway.com';
    return `https://${host}/merchants/${merchantId}/transactions/${encodeURIComponent(providerId)}`;
  },

  registerRoutes(app, provider, { paying, currency }) {
    serve(app, 'braintreeToken', async ({ request }) => {
      if (!provider) throw gatewayNotSetUp();
      const token = await provider.clientToken(await currency()).catch((err: unknown) => {
        request.log.warn({ err, provider: provider.name }, 'payment form not available');
        throw paymentFormUnavailable();
      });
      return { token };
    });
    serve(app, 'payByBraintree', ({ session, body, lang, request }) => {
      const { payment_method_nonce = '', deviceData = '', billVersion, billingAddress } = body;
      const errors = payment_method_nonce === '' ? { payment_method_nonce: 'field.required' as const } : {};
      if (!provider) throw gatewayNotSetUp();
      const input = { payment_method_nonce, deviceData };
      return paying.pay(session, provider.name, { input, billVersion, billingAddress, errors, address: request.ip }, lang);
    });
  },
};
