import Type from 'typebox';
import { payingStatuses } from '#contract/endpoint.ts';
import { described, LangQuery, Strict } from '#contract/schemas/common.ts';
import { Paid, ProviderToken, payFields } from '#contract/schemas/payment.ts';
import type { ProviderContract } from '../provider-contract.ts';

const BraintreeBilling = Strict({
  payment_method_nonce: Type.Optional(
    described(
      "What Braintree's own form created from the entered data.",
      Type.String({ maxLength: 300, examples: ['tokencc_bh_7xq2rk_s4d9nc_2y8wvt_f6hm3p_kz4'] }),
    ),
  ),
  deviceData: Type.Optional(
    described(
      'What the form collected for fraud checks.',
      Type.String({ maxLength: 4000, examples: ['{"correlation_id":"8f4e2b7a9c1d4e6f8a0b2c4d6e8f0a1b"}'] }),
    ),
  ),
  ...payFields,
});

export const braintree = {
  name: 'Braintree',
  rank: 30,
  kind: 'gateway',
  gatewayName: 'Braintree',
  schemas: { BraintreeBilling },
  connection: {
    environment: { variable: 'BRAINTREE_ENVIRONMENT', choices: ['sandbox', 'production'] },
    merchantId: { variable: 'BRAINTREE_MERCHANT_ID' },
    publicKey: { variable: 'BRAINTREE_PUBLIC_KEY' },
    privateKey: { variable: 'BRAINTREE_PRIVATE_KEY', secret: true },
    merchantAccountId: { variable: 'BRAINTREE_MERCHANT_ACCOUNT_ID' },
    threeDSecure: { variable: 'BRAINTREE_THREE_D_SECURE', choices: ['optional', 'required'] },
  },
  endpoints: {
    braintreeToken: {
      route: 'GET shoppingManagement4/btToken',
      summary: "The token with which the browser opens Braintree's form. 404 where Braintree is not set up.",
      audience: 'session',
      query: Strict(LangQuery),
      response: ProviderToken,
      statuses: [404],
    },
    payByBraintree: {
      route: 'POST shoppingManagement4/btbilling/Braintree',
      repeat: 'seen',
      summary: "Pays by what Braintree's form collected, and places the order. Sending it twice pays once.",
      audience: 'session',
      changes: true,
      query: Strict(LangQuery),
      body: BraintreeBilling,
      response: Paid,
      statuses: payingStatuses,
    },
  },
} as const satisfies ProviderContract;
