/** Paying online (SPEC §3, §4, §7): what the calls of the gateways and the wallet take and give. */
import Type, { type Static } from 'typebox';
import { Flag, Id, Nullable, Strict } from './common.ts';
import { AddressInput } from './order.ts';

/** What the shopper has to do before the provider decides; `token` is for that provider's own panel in the browser. */
export const PaymentAction = Type.Object({ type: Type.String(), token: Type.String() });
export type PaymentAction = Static<typeof PaymentAction>;

/** Either the order is placed, or something is left for the shopper to do; then `resumePayment` asks again. */
export const Paid = Type.Object({ orderID: Nullable(Id), action: Nullable(PaymentAction) });
export type Paid = Static<typeof Paid>;

export const BillVersion = Type.String({ maxLength: 100 });

/** What all calls that pay may say besides how. */
const common = { billVersion: Type.Optional(BillVersion), billingAddress: Type.Optional(AddressInput) };

/** `confirmationToken` is what Stripe's own form made of what was typed into it. */
export const StripeBilling = Strict({ confirmationToken: Type.Optional(Type.String({ maxLength: 200 })), ...common });
export type StripeBilling = Static<typeof StripeBilling>;

/** What Braintree's own form made of what was typed into it, and what it collected about the browser against fraud. */
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

/** As PayPal gave them to the shopper's browser when they approved. */
export const PayPalApproval = Strict({
  paymentId: Type.String({ maxLength: 100 }),
  payerID: Type.Optional(Type.String({ maxLength: 100 })),
});
export type PayPalApproval = Static<typeof PayPalApproval>;

/** The house gateway's bank asks for a code; `token` is the one of the action. */
export const ChallengeAnswer = Strict({ token: Type.String({ maxLength: 100 }), code: Type.String({ maxLength: 20 }) });
export type ChallengeAnswer = Static<typeof ChallengeAnswer>;
