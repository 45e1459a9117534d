/** SPEC §3, §4, §7: shared by the calls of all providers. */
import Type, { type Static } from 'typebox';
import { described, Id, Nullable, Strict } from './common.ts';
import { AddressInput } from './order.ts';

/** Before the provider decides; `token` is for the provider's own panel in the browser. */
export const PaymentAction = Type.Object({
  type: described("What the customer must do, by the provider's name for it.", Type.String()),
  token: described("For the provider's own panel in the browser.", Type.String()),
});
export type PaymentAction = Static<typeof PaymentAction>;

/** Either the order is placed, or the customer must act and the client then calls `resumePayment`. */
export const Paid = Type.Object({
  orderID: described('Null until the order is placed.', Nullable(Id)),
  action: described(
    'What the customer must do first; null if nothing. Then call `resumePayment`.',
    Nullable(PaymentAction),
  ),
});
export type Paid = Static<typeof Paid>;

export const ProviderToken = Type.Object({
  token: described("Opens the provider's own form in the browser.", Type.String()),
});

export const BillVersion = Type.String({
  maxLength: 100,
  description:
    'The `billVersion` of the bill that the customer has seen, or the `dueVersion` of a placed order to pay what is due of it. Without it, the call pays only the last bill that a changing call or `GET billing` answered. Another bill is 409 `billChanged`.',
  examples: ['b1f6c0'],
});

/** For calls about an attempt to pay what is due of a placed order, in place of the cart. */
export const DueVersion = described(
  'The `dueVersion` of a placed order; its amount may be out of date. Left out for the cart.',
  Type.String({ maxLength: 100 }),
);

/** Besides the payment method. */
export const payFields = {
  billVersion: Type.Optional(BillVersion),
  billingAddress: Type.Optional(AddressInput),
};

export const GatewayParams = Strict({ gatewayName: Type.String({ maxLength: 40 }) });
