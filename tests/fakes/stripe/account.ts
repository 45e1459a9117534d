/**
 * The state inside Stripe: intents, charges, refunds and confirmation tokens.
 * https://docs.stripe.com/payments/paymentintents/lifecycle
 * https://docs.stripe.com/api/payment_intents/object · /api/charges/object · /api/refunds/object ·
 * /api/confirmation_tokens/object
 */
import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { StripeBalance } from './balance.ts';
import { type CardBehaviour, testCards } from './cards.ts';
import {
  type Charge,
  type Dispute,
  type EventType,
  type Intent,
  leastAmount,
  type Means,
  type Refund,
  type Token,
} from './objects.ts';
import { invalid, missing, Problem } from './problem.ts';

/** Cardholders' banks give merchants one to three weeks to answer. */
const answerSeconds = 7 * 24 * 3600;
const tokenLivesSeconds = 12 * 3600;
const now = () => Math.floor(Date.now() / 1000);
const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;

export class StripeAccount {
  readonly intents = new Map<string, Intent>();
  readonly charges = new Map<string, Charge>();
  readonly refunds: Refund[] = [];
  readonly tokens = new Map<string, Token>();
  /** Refunds are rejected until the account has a balance again. */
  balanceEmpty = false;
  /** The initial status of new refunds. */
  refundsBecome: 'succeeded' | 'pending' | 'requires_action' = 'succeeded';
  readonly disputes: Dispute[] = [];
  readonly balance = new StripeBalance();
  readonly #tell: (type: EventType, object: object) => void;

  constructor(tell: (type: EventType, object: object) => void) {
    this.#tell = tell;
  }

  createToken(means: Means, { returnUrl, billing }: { returnUrl?: string; billing?: unknown } = {}): Token {
    const created = now();
    const token: Token = {
      id: newId('ctoken'),
      object: 'confirmation_token',
      created,
      expires_at: created + tokenLivesSeconds,
      livemode: false,
      payment_intent: null,
      return_url: returnUrl || null,
      use_stripe_sdk: true,
      means,
      billing,
    };
    this.tokens.set(token.id, token);
    return token;
  }

  createIntent(
    asked: Pick<Intent, 'amount' | 'currency' | 'description' | 'metadata' | 'excluded_payment_method_types'>,
  ): Intent {
    if (!Number.isInteger(asked.amount) || asked.amount < 1)
      throw invalid('Invalid integer', { param: 'amount', code: 'parameter_invalid_integer' });
    if (!/^[a-z]{3}$/.test(asked.currency))
      throw invalid(`Invalid currency: ${asked.currency}`, { param: 'currency' });
    // https://docs.stripe.com/currencies#three-decimal
    if (['bhd', 'jod', 'kwd', 'omr', 'tnd'].includes(asked.currency) && asked.amount % 10 !== 0)
      throw invalid(`Invalid amount: the last digit must be 0 in ${asked.currency}`, { param: 'amount' });
    const least = leastAmount(asked.currency);
    if (asked.amount < least)
      throw invalid(`Amount must be at least ${least} ${asked.currency}.`, {
        code: 'amount_too_small',
        param: 'amount',
      });
    const id = newId('pi');
    const intent: Intent = {
      ...asked,
      id,
      object: 'payment_intent',
      amount_received: 0,
      canceled_at: null,
      cancellation_reason: null,
      capture_method: 'automatic_async',
      client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
      confirmation_method: 'automatic',
      created: now(),
      last_payment_error: null,
      latest_charge: null,
      livemode: false,
      next_action: null,
      payment_method: null,
      shipping: null,
      status: 'requires_payment_method',
    };
    this.intents.set(id, intent);
    this.#tell('payment_intent.created', intent);
    return intent;
  }

  intent(id: string): Intent {
    const intent = this.intents.get(id);
    if (!intent) throw missing('payment_intent', id, 'intent');
    return intent;
  }

  confirm(id: string, tokenId: string, shipping: Intent['shipping'] = null): Intent {
    const intent = this.intent(id);
    if (!['requires_payment_method', 'requires_confirmation'].includes(intent.status))
      throw unexpected(intent, 'confirm');
    const token = this.tokens.get(tokenId);
    if (!token) throw missing('confirmation_token', tokenId, 'confirmation_token');
    if (token.expires_at < now() || (token.payment_intent && token.payment_intent !== id))
      throw invalid('This ConfirmationToken has been used or has expired.', { param: 'confirmation_token' });
    if (intent.excluded_payment_method_types?.includes(token.means.type))
      throw invalid(`The payment method type ${token.means.type} is excluded.`, {
        code: 'payment_intent_incompatible_payment_method',
        param: 'confirmation_token',
      });
    if (token.means.redirect && !token.return_url)
      throw invalid('A return_url must be specified for this payment method.', {
        code: 'parameter_missing',
        param: 'return_url',
      });
    token.payment_intent = id;
    intent.payment_method = newId('pm');
    intent.last_payment_error = null;
    intent.shipping = shipping;
    if (token.means.delayed) {
      intent.status = 'processing';
      this.#tell('payment_intent.processing', intent);
      return intent;
    }
    if (token.means.redirect || token.means.card?.asksHolder) return this.#ask(intent, token);
    return this.#charge(intent, token.means.card ?? testCards.approve);
  }

  /** The cardholder agrees or declines: in the bank's window, or at the address they were sent to. */
  answer(id: string, agrees: boolean): Intent {
    const intent = this.intent(id);
    if (intent.status !== 'requires_action') throw unexpected(intent, 'authenticate');
    const token = this.#tokenOf(intent);
    intent.next_action = null;
    if (agrees) {
      try {
        return this.#charge(intent, token.means.card ?? testCards.approve);
      } catch (error) {
        if (error instanceof Problem) return intent;
        throw error;
      }
    }
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    intent.last_payment_error = {
      type: token.means.redirect ? 'invalid_request_error' : 'card_error',
      code: token.means.redirect
        ? 'payment_method_customer_decline'
        : 'payment_intent_authentication_failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    };
    this.#tell('payment_intent.payment_failed', intent);
    return intent;
  }

  /** Decides a payment that was `processing`. */
  finishProcessing(id: string, succeeds: boolean): Intent {
    const intent = this.intent(id);
    if (intent.status !== 'processing') throw unexpected(intent, 'finish');
    try {
      return this.#charge(intent, succeeds ? testCards.approve : testCards.declined);
    } catch (error) {
      if (error instanceof Problem) return intent;
      throw error;
    }
  }

  cancel(id: string, reason: Stripe.PaymentIntent.CancellationReason | null): Intent {
    const intent = this.intent(id);
    if (['succeeded', 'canceled', 'processing'].includes(intent.status)) throw unexpected(intent, 'cancel');
    intent.status = 'canceled';
    intent.canceled_at = now();
    intent.cancellation_reason = reason;
    intent.next_action = null;
    this.#tell('payment_intent.canceled', intent);
    return intent;
  }

  refund(id: string, amount: number | undefined, metadata: Record<string, string>): Refund {
    const charge = this.charges.get(this.intent(id).latest_charge ?? '');
    if (!charge?.paid)
      throw invalid(`This PaymentIntent (${id}) does not have a successful charge to refund.`);
    const left = charge.amount - charge.amount_refunded;
    const asked = amount ?? left;
    if (left === 0)
      throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
    if (asked > left)
      throw invalid(`Refund amount (${asked}) is greater than unrefunded amount on charge (${left})`, {
        param: 'amount',
      });
    if (this.#disputeOf(charge.id))
      throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
        code: 'charge_disputed',
      });
    if (this.balanceEmpty) throw balanceTooLow();
    const refund: Refund = {
      id: newId('re'),
      object: 'refund',
      amount: asked,
      charge: charge.id,
      created: now(),
      currency: charge.currency,
      metadata,
      payment_intent: id,
      status: this.refundsBecome,
      ...(this.refundsBecome === 'pending' ? { pending_reason: 'processing' as const } : {}),
    };
    this.refunds.unshift(refund);
    this.balance.refunded(refund);
    this.#tell('refund.created', refund);
    charge.amount_refunded += asked;
    charge.refunded = charge.amount_refunded === charge.amount;
    this.#tell('charge.refunded', charge);
    return refund;
  }

  /** Changes a refund; where it fails or is cancelled, also after it had succeeded, its money returns to the account. */
  endRefund({ id }: Pick<Refund, 'id'>, status: string, reason = 'lost_or_stolen_card'): void {
    const refund = this.refunds.find((each) => each.id === id);
    const charge = this.charges.get(refund?.charge ?? '');
    if (!refund || !charge) throw missing('refund', id);
    refund.status = status;
    delete refund.pending_reason;
    if (status === 'failed' || status === 'canceled') {
      refund.failure_reason = reason;
      charge.amount_refunded -= refund.amount;
      charge.refunded = false;
      this.balance.refundFailed(refund);
      this.#tell('refund.failed', refund);
    }
    this.#tell('refund.updated', refund);
    this.#tell('charge.refund.updated', refund);
  }

  /** The cardholder opens a dispute at their bank. */
  dispute(id: string, reason = 'fraudulent'): Dispute {
    const charge = this.charges.get(this.intent(id).latest_charge ?? '');
    if (!charge?.paid) throw invalid(`This PaymentIntent (${id}) does not have a successful charge.`);
    const { amount, currency } = charge;
    const about = { charge: charge.id, payment_intent: id, metadata: {} };
    const due_by = now() + answerSeconds;
    const dispute: Dispute = {
      id: newId('dp'),
      object: 'dispute',
      amount,
      currency,
      created: now(),
      reason,
      is_charge_refundable: false,
      status: 'needs_response',
      evidence_details: { due_by, has_evidence: false, past_due: false, submission_count: 0 },
      ...about,
    };
    this.disputes.push(dispute);
    this.balance.disputed(dispute);
    this.#tell('charge.dispute.created', dispute);
    return dispute;
  }

  /** The bank decides a dispute. */
  closeDispute(dispute: Dispute, status: 'won' | 'lost'): void {
    this.changeDispute(dispute, status);
  }

  /** Inquiries ('warning_…') and disputes that ended well leave the charge refundable. */
  changeDispute(dispute: Dispute, status: string): void {
    if (status === 'won' && dispute.status !== 'won') this.balance.disputeWon(dispute);
    dispute.status = status;
    dispute.is_charge_refundable = ['won', 'prevented'].includes(status) || status.startsWith('warning_');
    const isClosed = ['won', 'lost', 'warning_closed', 'prevented'].includes(status);
    this.#tell(isClosed ? 'charge.dispute.closed' : 'charge.dispute.updated', dispute);
  }

  #disputeOf(charge: string): Dispute | undefined {
    return this.disputes.find((dispute) => dispute.charge === charge && !dispute.is_charge_refundable);
  }

  #lost(charge: string): number {
    const lost = this.disputes.filter((dispute) => dispute.charge === charge && dispute.status === 'lost');
    return lost.reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Cents captured, minus refunds and disputes that were lost. */
  taken(reference: string): number {
    let sum = 0;
    for (const { id, paid, amount, amount_refunded, metadata } of this.charges.values())
      if (paid && metadata.reference === reference) sum += amount - amount_refunded - this.#lost(id);
    return sum;
  }

  #tokenOf({ id }: Intent): Token {
    const token = [...this.tokens.values()].find(({ payment_intent }) => payment_intent === id);
    if (!token) throw new Error(`${id} was confirmed without a token`);
    return token;
  }

  #ask(intent: Intent, { means, return_url }: Token): Intent {
    intent.status = 'requires_action';
    intent.next_action = means.redirect
      ? {
          type: 'redirect_to_url',
          redirect_to_url: { return_url, url: `https://hooks.stripe.com/redirect/${intent.id}` },
        }
      : { type: 'use_stripe_sdk', use_stripe_sdk: {} };
    this.#tell('payment_intent.requires_action', intent);
    return intent;
  }

  #charge(intent: Intent, { refused }: CardBehaviour): Intent {
    const charge: Charge = {
      id: newId('ch'),
      object: 'charge',
      amount: intent.amount,
      amount_refunded: 0,
      created: now(),
      currency: intent.currency,
      failure_code: refused?.code ?? null,
      failure_message: refused?.message ?? null,
      metadata: { ...intent.metadata },
      outcome: { reason: refused?.decline_code ?? null, type: refused ? 'issuer_declined' : 'authorized' },
      paid: !refused,
      payment_intent: intent.id,
      refunded: false,
      status: refused ? 'failed' : 'succeeded',
    };
    this.charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
    if (refused) {
      intent.status = 'requires_payment_method';
      intent.payment_method = null;
      intent.last_payment_error = { type: 'card_error', charge: charge.id, ...refused };
      this.#tell('payment_intent.payment_failed', intent);
      const about = { charge: charge.id, payment_intent: { ...intent } };
      throw new Problem(402, { type: 'card_error', ...refused, ...about }, { executed: true });
    }
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    this.balance.charged(charge);
    this.#tell('payment_intent.succeeded', intent);
    return intent;
  }
}

/** Without `code`, as Stripe answers; the endpoint has started, so the answer is stored with the idempotency key. */
function balanceTooLow(): Problem {
  const message = 'Insufficient funds in your Stripe balance to refund this amount.';
  const body = {
    type: 'invalid_request_error',
    message_code: 'insufficient_balance_for_refund',
    message,
  } as const;
  return new Problem(400, body, { executed: true });
}

function unexpected(intent: Intent, verb: string): Problem {
  const message = `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`;
  const code = 'payment_intent_unexpected_state';
  return new Problem(
    400,
    { type: 'invalid_request_error', code, message, payment_intent: { ...intent } },
    { executed: true },
  );
}
