import Type from 'typebox';
import { payingStatuses } from '#contract/endpoint.ts';
import { described, LangQuery, Strict } from '#contract/schemas/common.ts';
import { Paid, payFields } from '#contract/schemas/payment.ts';
import type { ProviderContract } from '../provider-contract.ts';

const StripeBilling = Strict({
  confirmationToken: Type.Optional(
    described(
      "What Stripe's own form created from the entered data.",
      Type.String({ maxLength: 200, examples: ['ctoken_1NnQUf2eZvKYlo2CIObdtnib'] }),
    ),
  ),
  ...payFields,
});

export const stripe = {
  name: 'Stripe',
  rank: 10,
  kind: 'gateway',
  gatewayName: 'Stripe',
  schemas: { StripeBilling },
  connection: {
    publishableKey: { variable: 'STRIPE_PUBLISHABLE_KEY' },
    secretKey: { variable: 'STRIPE_SECRET_KEY', secret: true, tail: true },
    webhookSecret: { variable: 'STRIPE_WEBHOOK_SECRET', secret: true },
  },
  endpoints: {
    stripePublicKey: {
      route: 'GET shoppingManagement4/stpubkey',
      summary: "The key with which the browser loads Stripe's form. 404 where Stripe is not set up.",
      audience: 'session',
      query: Strict(LangQuery),
      response: Type.Object({ publishableKey: Type.String() }),
      statuses: [404],
    },
    payByStripe: {
      route: 'POST shoppingManagement4/stbilling/Stripe',
      repeat: 'seen',
      summary: "Pays by what Stripe's form collected, and places the order. Sending it twice pays once.",
      audience: 'session',
      changes: true,
      query: Strict(LangQuery),
      body: StripeBilling,
      response: Paid,
      statuses: payingStatuses,
    },
  },
} as const satisfies ProviderContract;
