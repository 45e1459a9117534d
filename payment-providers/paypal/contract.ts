import Type from 'typebox';
import { payingStatuses } from '#contract/endpoint.ts';
import { described, Flag, LangQuery, Strict } from '#contract/schemas/common.ts';
import { BillVersion, DueVersion, Paid, ProviderToken } from '#contract/schemas/payment.ts';
import type { ProviderContract } from '../provider-contract.ts';

const PayPalPaymentOption = Type.Object({
  testingMode: described('Whether payments are tests.', Flag),
  enabled: described('Whether PayPal is offered.', Flag),
  sandBoxClientID: described("The client id of tests; '' outside of them.", Type.String()),
  prodClientID: described("The client id of real payments; '' in tests.", Type.String()),
});

/** As PayPal gave them to the customer's browser on approval. */
const PayPalApproval = Strict({
  paymentId: described(
    'As `payPalToken` returned it.',
    Type.String({ maxLength: 100, examples: ['5O190127TN364715T'] }),
  ),
  payerID: Type.Optional(Type.String({ maxLength: 100, examples: ['QYR5Z8XDVJNXQ'] })),
  dueVersion: Type.Optional(DueVersion),
});

export const paypal = {
  name: 'PayPal',
  rank: 20,
  kind: 'wallet',
  method: 'payPal',
  enabledFlag: 'payPalEnabled',
  paidMessages: { confirm: 'confirm.paidPayPal', account: 'account.order.paidPayPal' },
  schemas: { PayPalPaymentOption, PayPalApproval },
  connection: {
    mode: { variable: 'PAYPAL_MODE', choices: ['sandbox', 'live'] },
    clientId: { variable: 'PAYPAL_CLIENT_ID' },
    clientSecret: { variable: 'PAYPAL_CLIENT_SECRET', secret: true },
    webhookId: { variable: 'PAYPAL_WEBHOOK_ID' },
  },
  endpoints: {
    payPalOption: {
      route: 'GET shoppingManagement4/paymentoption/PayPal',
      summary: 'Whether and as what PayPal is offered.',
      audience: 'session',
      query: Strict(LangQuery),
      response: Type.Object({ payPalPaymentOption: PayPalPaymentOption }),
    },
    payPalToken: {
      route: 'GET shoppingManagement4/payPalToken',
      repeat: 'seen',
      summary:
        'Begins to pay the cart by PayPal; the token is what the shopper approves there. `id` is the bill version seen.',
      audience: 'session',
      changes: true,
      query: Strict({ id: Type.Optional(BillVersion), ...LangQuery }),
      response: ProviderToken,
      statuses: payingStatuses,
    },
    payPalPayment: {
      route: 'POST shoppingManagement4/payPalPayment',
      repeat: 'seen',
      summary:
        'The shopper has approved at PayPal: takes the money and places the order. Sending it twice pays once.',
      audience: 'session',
      changes: true,
      query: Strict(LangQuery),
      body: PayPalApproval,
      response: Paid,
      statuses: payingStatuses,
    },
  },
} as const satisfies ProviderContract;
