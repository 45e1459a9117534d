/** What was paid of an order, and refunded. */
import Type from 'typebox';
import { counterKinds } from '../limits.ts';
import { Cents, described, EpochMs, Flag, Nullable } from './common.ts';

export const OrderPayment = Type.Object({
  method: described("The provider's name, or payAtStore; of several payments, that of the first.", Type.String()),
  paid: described('Whether all of the money was received.', Flag),
  refunded: described('Cents refunded, including pending refunds.', Cents),
});

export const ReceivedPayment = Type.Object({
  provider: described("The provider's name, or counter for money that staff took.", Type.String()),
  kind: described('How staff took it; null for an online payment.', Nullable(Type.Enum(counterKinds))),
  amount: described('Cents.', Cents),
  refunded: described('Cents of it refunded, including pending refunds.', Cents),
  at: EpochMs,
});

export const OrderRefund = Type.Object({
  amount: described('Cents.', Cents),
  tip: described('The part of the amount that is a tip, cents.', Cents),
  done: described('False while the refund is pending.', Flag),
  at: EpochMs,
});
