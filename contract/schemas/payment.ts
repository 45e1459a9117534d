/** Online payment (SPEC §3, §4, §7): the input and output of the gateway and wallet calls. */
import Type, { type Static } from 'typebox';
import { Flag, Id, Nullable, Strict } from './common.ts';
import { AddressInput } from './order.ts';

/** What the customer must do before the provider decides; `token` is for the provider's own panel in the browser. */
export const PaymentAction = Type.Object({ type: Type.String(), token: Type.String() });
export type PaymentAction = Static<typeof PaymentAction>;

/** Either the order is placed, or the customer must act; then the client calls `resumePayment`. */
export const Paid = Type.Object({ orderID: Nullable(Id), action: Nullable(PaymentAction) });
export type Paid = Static<typeof Paid>;

/** A token with which the browser opens the provider's own form. */
export const ProviderToken = Type.Object({ token: Type.String() });

export const BillVersion = Type.String({
  maxLength: 100,
  description: 'The `billVersion` of the bill that the customer has seen.',
  examples: ['b1f6c0'],
});

/** The fields that all payment calls accept besides the payment method. */
const common = { billVersion: Type.Optional(BillVersion), billingAddress: Type.Optional(AddressInput) };

/** `confirmationToken` is the token that Stripe's own form created from the entered data. */
export const StripeBilling = Strict({ confirmationToken: Type.Optional(Type.String({ maxLength: 200 })), ...common });
export type StripeBilling = Static<typeof StripeBilling>;

/** The nonce that Braintree's own form created, and the device data it collected for fraud checks. */
export const BraintreeBilling = Strict({
  payment_method_nonce: Type.Optional(Type.String({ maxLength: 300 })),
  deviceData: Type.Optional(Type.String({ maxLength: 4000 })),
  ...common,
});
export type BraintreeBilling = Static<typeof BraintreeBilling>;

export const PayPalPaymentOption = Type.Object({
  testingMode: Flag,
  enabled: Flag,
  sandBoxClientID: Type.String(),
  prodClientID: Type.String(),
});
export type PayPalPaymentOption = Static<typeof PayPalPaymentOption>;

/** As PayPal gave them to the customer's browser on approval. */
export const PayPalApproval = Strict({
  paymentId: Type.String({ maxLength: 100 }),
  payerID: Type.Optional(Type.String({ maxLength: 100 })),
});
export type PayPalApproval = Static<typeof PayPalApproval>;

/** The house gateway's bank requests a code; `token` is that of the action. */
export const ChallengeAnswer = Strict({ token: Type.String({ maxLength: 100 }), code: Type.String({ maxLength: 20 }) });
export type ChallengeAnswer = Static<typeof ChallengeAnswer>;
