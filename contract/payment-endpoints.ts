/** Online payment endpoints, merged into the table of all endpoints. */
import Type from 'typebox';
import type { Endpoint } from './endpoints.ts';
import { Empty, LangQuery, Strict } from './schemas/common.ts';
import { AddressInput, Order, PaymentInstrument } from './schemas/order.ts';
import {
  BillVersion,
  BraintreeBilling,
  ChallengeAnswer,
  Paid,
  PayPalApproval,
  PayPalPaymentOption,
  ProviderToken,
  StripeBilling,
} from './schemas/payment.ts';

const lang = Strict(LangQuery);
const gateway = Strict({ gatewayName: Type.String({ maxLength: 40 }) });

export const paymentEndpoints = {
  getBilling: {
    route: 'GET shoppingManagement4/billing/:gatewayName',
    summary: 'The order with its bill, before it is paid.',
    audience: 'session',
    params: gateway,
    query: Strict({ pickUpAandPayAtStore: Type.Optional(Type.Boolean()), ...LangQuery }),
    response: Order,
  },
  postBilling: {
    route: 'POST shoppingManagement4/billing/:gatewayName',
    summary: 'Pays by the plain card form and places the order. Sending it twice pays once.',
    audience: 'session',
    changes: true,
    params: gateway,
    query: lang,
    body: Strict({
      paymentInstrucment: PaymentInstrument,
      billingAddress: AddressInput,
      billVersion: Type.Optional(BillVersion),
    }),
    response: Paid,
  },
  stripePublicKey: {
    route: 'GET shoppingManagement4/stpubkey',
    summary: "The key with which the browser loads Stripe's form. 404 where Stripe is not set up.",
    audience: 'session',
    query: lang,
    response: Type.Object({ publishableKey: Type.String() }),
  },
  payByStripe: {
    route: 'POST shoppingManagement4/stbilling/Stripe',
    summary: "Pays by what Stripe's form collected, and places the order. Sending it twice pays once.",
    audience: 'session',
    changes: true,
    query: lang,
    body: StripeBilling,
    response: Paid,
  },
  payPalOption: {
    route: 'GET shoppingManagement4/paymentoption/PayPal',
    summary: 'Whether and as what PayPal is offered.',
    audience: 'session',
    query: lang,
    response: Type.Object({ payPalPaymentOption: PayPalPaymentOption }),
  },
  payPalToken: {
    route: 'GET shoppingManagement4/payPalToken',
    summary: 'Begins to pay the cart by PayPal; the token is what the shopper approves there. `id` is the bill version seen.',
    audience: 'session',
    changes: true,
    query: Strict({ id: Type.Optional(BillVersion), ...LangQuery }),
    response: ProviderToken,
  },
  payPalPayment: {
    route: 'POST shoppingManagement4/payPalPayment',
    summary: 'The shopper has approved at PayPal: takes the money and places the order. Sending it twice pays once.',
    audience: 'session',
    changes: true,
    query: lang,
    body: PayPalApproval,
    response: Paid,
  },
  braintreeToken: {
    route: 'GET shoppingManagement4/btToken',
    summary: "The token with which the browser opens Braintree's form. 404 where Braintree is not set up.",
    audience: 'session',
    query: lang,
    response: ProviderToken,
  },
  payByBraintree: {
    route: 'POST shoppingManagement4/btbilling/Braintree',
    summary: "Pays by what Braintree's form collected, and places the order. Sending it twice pays once.",
    audience: 'session',
    changes: true,
    query: lang,
    body: BraintreeBilling,
    response: Paid,
  },
  resumePayment: {
    route: 'POST shoppingManagement4/resumePayment',
    summary: 'The shopper has done what the provider asked of them: asks it what became of the payment. Sending it twice is one.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ provider: Type.String({ maxLength: 40 }) }),
    response: Paid,
  },
  cancelPayment: {
    route: 'POST shoppingManagement4/cancelPayment',
    summary: 'The shopper gives up a payment that was begun. The cart is theirs again; where it was too late, the placed order.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Type.Optional(Empty),
    response: Order,
  },
  houseChallenge: {
    route: 'POST shoppingManagement4/houseChallenge',
    summary: "The shopper's answer to the house gateway's bank. 400 for a wrong code; after three the payment has failed.",
    audience: 'session',
    changes: true,
    query: lang,
    body: ChallengeAnswer,
    response: Empty,
  },
} as const satisfies Record<string, Endpoint>;
