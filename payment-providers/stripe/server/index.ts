import { serve } from '#server/http/endpoint.ts';
import { gatewayNotSetUp, type ProviderDefinition } from '#server/modules/payments/providers/provider-definition.ts';
import { isLiveKey, readStripeConfig, type StripeConfig } from './config.ts';
import { createStripeProvider, type StripeProvider } from './stripe.ts';

export const stripe: ProviderDefinition<StripeProvider, StripeConfig> = {
  webhookPath: 'stripe',
  readConfig: readStripeConfig,
  create: createStripeProvider,
  keyMode: ({ secretKey }) => (isLiveKey(secretKey) ? 'live' : 'test'),
  dashboardUrl: ({ secretKey }, providerId) =>
    `https://dashboard.stripe.com/${isLiveKey(secretKey) ? '' : 'test/'}payments/${encodeURIComponent(providerId)}`,

  registerRoutes(app, provider, { paying }) {
    serve(app, 'stripePublicKey', () => {
      if (!provider) throw gatewayNotSetUp();
      return { publishableKey: provider.publishableKey };
    });
    serve(app, 'payByStripe', ({ session, body, lang, request }) => {
      const { confirmationToken = '', billVersion, billingAddress } = body;
      const errors = confirmationToken === '' ? { confirmationToken: 'field.required' as const } : {};
      if (!provider) throw gatewayNotSetUp();
      const input = { confirmationToken };
      return paying.pay(session, provider.name, { input, billVersion, billingAddress, errors, address: request.ip }, lang);
    });
  },
};
