import { serve } from '#server/http/endpoint.ts';
import { type PaymentProvider, providerTimeoutMs } from '#server/modules/payments/providers/provider.ts';
import {
  gatewayNotSetUp,
  type ProviderDefinition,
} from '#server/modules/payments/providers/provider-definition.ts';
import { once } from '#server/platform/once.ts';
import { stripe as contract } from '../contract.ts';
import { isLiveKey, readStripeConfig, type StripeConfig } from './config.ts';
import type { createIntents } from './intents.ts';

export const stripe: ProviderDefinition<StripeProvider, StripeConfig> = {
  webhookPath: 'stripe',
  readConfig: readStripeConfig,
  create: createStripeProvider,
  keyMode: ({ secretKey }) => (isLiveKey(secretKey) ? 'live' : 'test'),
  dashboardUrl: ({ secretKey }, providerId) =>
    `https://dashboard.stripe.com/${isLiveKey(secretKey) ? '' : 'test/'}payments/${encodeURIComponent(providerId)}`,

  disputeUrl: ({ secretKey }, disputeId) =>
    `https://dashboard.stripe.com/${isLiveKey(secretKey) ? '' : 'test/'}disputes/${encodeURIComponent(disputeId)}`,

  registerRoutes(app, providerNow, { paying }) {
    serve(app, 'stripePublicKey', async () => {
      const provider = await providerNow();
      if (!provider) throw gatewayNotSetUp();
      return { publishableKey: provider.publishableKey };
    });
    serve(app, 'payByStripe', async ({ session, body, lang, request }) => {
      const { confirmationToken = '', billVersion, billingAddress } = body;
      const errors = confirmationToken === '' ? { confirmationToken: 'field.required' as const } : {};
      const provider = await providerNow();
      if (!provider) throw gatewayNotSetUp();
      const input = { confirmationToken };
      return paying.pay(
        session,
        provider.name,
        { input, billVersion, billingAddress, errors, address: request.ip },
        lang,
      );
    });
  },
};

export interface StripeProvider extends PaymentProvider<{ confirmationToken: string }> {
  readonly publishableKey: string;
}

export function createStripeProvider(
  config: StripeConfig,
  { timeoutMs = providerTimeoutMs, now = Date.now }: { timeoutMs?: number; now?: () => number } = {},
): StripeProvider {
  // The SDK is large: it is loaded when the first payment needs it.
  const intents = once(() =>
    import('./intents.ts').then((module: { createIntents: typeof createIntents }) =>
      module.createIntents(config, timeoutMs, now),
    ),
  );

  return {
    name: contract.name,
    publishableKey: config.publishableKey,

    // https://docs.stripe.com/security/guide#content-security-policy
    browser: {
      scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
      frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
      connects: ['https://api.stripe.com'],
      images: ['https://*.stripe.com'],
    },

    start: async (charge, input, keep) => (await intents()).start(charge, input, keep),
    complete: async (attempt) => (await intents()).complete(attempt),
    cancel: async (attempt) => (await intents()).cancel(attempt),
    refund: async (attempt, amount, key) => (await intents()).refund(attempt, amount, key),
    activity: async (attempt) => (await intents()).activity(attempt),
    takenSince: async (since) => (await intents()).takenSince(since),
    settlements: {
      says: { rowsOfPayouts: true, fees: true },
      async *read(...span) {
        return yield* (await intents()).settlements.read(...span);
      },
    },
    parseWebhook: async (webhook) => (await intents()).parseWebhook(webhook),
    rights: async () => (await intents()).rights(),
  };
}
