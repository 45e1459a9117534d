import Type from 'typebox';
import { payingStatuses } from '#contract/endpoint.ts';
import { described, Empty, LangQuery, Strict } from '#contract/schemas/common.ts';
import { AddressInput, PaymentInstrument } from '#contract/schemas/order.ts';
import { BillVersion, GatewayParams, Paid } from '#contract/schemas/payment.ts';
import type { ProviderContract } from '../provider-contract.ts';
import { gatewayName, houseChallengeCode } from './values.ts';

const ChallengeAnswer = Strict({
  token: described(
    'That of the action.',
    Type.String({ maxLength: 100, examples: ['kQ3v9XwT2bL7mR5dN8sYcA'] }),
  ),
  code: described('What the bank asked for.', Type.String({ maxLength: 20, examples: [houseChallengeCode] })),
});

export const house = {
  name: 'house',
  // A simulator: last, after every provider that takes money.
  rank: 90,
  kind: 'gateway',
  gatewayName,
  usedInExamples: true,
  schemas: { ChallengeAnswer },
  endpoints: {
    postBilling: {
      route: 'POST shoppingManagement4/billing/:gatewayName',
      repeat: 'seen',
      summary: 'Pays by the plain card form and places the order. Sending it twice pays once.',
      audience: 'session',
      changes: true,
      params: GatewayParams,
      query: Strict(LangQuery),
      body: Strict({
        paymentInstrucment: PaymentInstrument,
        billingAddress: AddressInput,
        billVersion: Type.Optional(BillVersion),
      }),
      response: Paid,
      statuses: payingStatuses,
    },
    houseChallenge: {
      route: 'POST shoppingManagement4/houseChallenge',
      repeat: 'used',
      summary:
        "The shopper's answer to the house gateway's bank. 400 for a wrong code; after three the payment has failed.",
      audience: 'session',
      changes: true,
      query: Strict(LangQuery),
      body: ChallengeAnswer,
      response: Empty,
      statuses: payingStatuses,
    },
  },
} as const satisfies ProviderContract;
