/** The objects of Stripe’s API as far as the shop uses them, and the smallest amounts that Stripe charges. */
import type Stripe from 'stripe';
import type { CardBehaviour } from './cards.ts';

export type Intent = Pick<
  Stripe.PaymentIntent,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_received'
  | 'canceled_at'
  | 'cancellation_reason'
  | 'capture_method'
  | 'client_secret'
  | 'confirmation_method'
  | 'created'
  | 'currency'
  | 'description'
  | 'excluded_payment_method_types'
  | 'last_payment_error'
  | 'livemode'
  | 'metadata'
  | 'next_action'
  | 'payment_method'
  | 'shipping'
  | 'status'
> & { latest_charge: string | null };

export type Charge = Pick<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_refunded'
  | 'created'
  | 'currency'
  | 'failure_code'
  | 'failure_message'
  | 'metadata'
  | 'paid'
  | 'refunded'
  | 'status'
> & { outcome: Pick<Stripe.Charge.Outcome, 'reason' | 'type'>; payment_intent: string };

export type Refund = Pick<
  Stripe.Refund,
  | 'id'
  | 'object'
  | 'amount'
  | 'created'
  | 'currency'
  | 'failure_reason'
  | 'metadata'
  | 'pending_reason'
  | 'status'
> & {
  payment_intent: string;
  charge: string;
};

export type Dispute = Pick<
  Stripe.Dispute,
  | 'id'
  | 'object'
  | 'amount'
  | 'created'
  | 'currency'
  | 'is_charge_refundable'
  | 'metadata'
  | 'reason'
  | 'status'
> & {
  payment_intent: string;
  charge: string;
  evidence_details: Pick<
    Stripe.Dispute.EvidenceDetails,
    'due_by' | 'has_evidence' | 'past_due' | 'submission_count'
  >;
};

/** A payment method. `redirect` sends the customer to another site to approve; `delayed` is `processing` for a while. */
export interface Means {
  type: string;
  card?: CardBehaviour;
  redirect?: boolean;
  delayed?: boolean;
}

export interface Token {
  id: string;
  object: 'confirmation_token';
  created: number;
  expires_at: number;
  livemode: false;
  payment_intent: string | null;
  return_url: string | null;
  use_stripe_sdk: true;
  means: Means;
  billing: unknown;
}

export type EventType =
  | 'payment_intent.created'
  | 'payment_intent.requires_action'
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'payment_intent.canceled'
  | 'payment_intent.processing'
  | 'charge.refunded'
  | 'charge.refund.updated'
  | 'charge.dispute.created'
  | 'charge.dispute.updated'
  | 'charge.dispute.closed'
  | 'refund.created'
  | 'refund.updated'
  | 'refund.failed';

/** https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const leastAmounts: Readonly<Record<string, number>> = {
  aed: 200,
  bgn: 100,
  czk: 1500,
  dkk: 250,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1000,
};
/** In the smallest unit of the currency, whose code is in lower case. */
export const leastAmount = (currency: string) => leastAmounts[currency] ?? 50;
