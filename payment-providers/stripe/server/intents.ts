/**
 * https://docs.stripe.com/payments/finalize-payments-on-the-server: the browser makes a confirmation token; the server creates an
 * intent, stores its id, and only then confirms it. Its idempotency keys come from the reference, so that one reference is one
 * intent, confirmed at most once. A failed intent is cancelled: while it is open, anyone who holds its client secret could still
 * pay it.
 */
import Stripe from 'stripe';
import type { MessageKey } from '#contract/locales.ts';
import {
  type Attempt,
  attemptEnded,
  type Charge,
  noActivity,
  type PaymentFailure,
  type PaymentOutcome,
  type ProviderMoney,
  RefundPending,
  RefundRefused,
  type RightCheck,
  type ShipTo,
  type Webhook,
  type WebhookSubject,
} from '#server/modules/payments/providers/provider.ts';
import { hourMs } from '#server/platform/time-zone.ts';
import { amountOfStripe, delayedStripeMethods, stripeAmount } from '../intent-values.ts';
import { activityOf, takenSince } from './activity.ts';
import type { StripeConfig } from './config.ts';
import { quietly } from './errors.ts';
import type { StripeProvider } from './index.ts';
import { createSettlements } from './settlements.ts';

/** The browser's input cannot be used: a confirmation token that is unknown, used or too old. */
const detailsAgain: PaymentFailure = { errorType: 'VALIDATION_ERROR', errorKey: 'payment.detailsAgain' };
const unavailable: PaymentFailure = { errorType: 'SYSTEM_ERROR', errorKey: 'payment.unavailable' };

const tooSmall: PaymentFailure = { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.tooSmall' };

const invalid = (errorKey: MessageKey): PaymentFailure => ({ errorType: 'VALIDATION_ERROR', errorKey });
const declined = (errorKey: MessageKey): PaymentFailure => ({ errorType: 'TRANSACTION_ERROR', errorKey });

const numberInvalid = invalid('rule.cardNumberInvalid');
const codeInvalid = invalid('rule.cardCodeInvalid');
const expired = invalid('rule.cardExpired');
const monthInvalid = invalid('rule.cardMonthInvalid');
const yearInvalid = invalid('rule.cardYearInvalid');
const postCode: PaymentFailure = {
  ...invalid('payment.postCodeMismatch'),
  errors: { 'billingAddress.postCode': 'payment.postCodeMismatch' },
};
const notAuthenticated = declined('payment.authenticationFailed');
const elsewhere = declined('payment.declinedElsewhere');
const overLimit = declined('payment.cardLimit');
const notSupported = declined('payment.cardNotSupported');

/** All others are a plain decline: the holder of a card must not learn that it counts as lost, stolen or fraudulent. */
const reasons: Readonly<Record<string, PaymentFailure>> = {
  incorrect_number: numberInvalid,
  invalid_number: numberInvalid,
  incorrect_cvc: codeInvalid,
  invalid_cvc: codeInvalid,
  expired_card: expired,
  invalid_expiry_month: monthInvalid,
  invalid_expiry_year: yearInvalid,
  incorrect_zip: postCode,
  incorrect_postal_code: postCode,
  postal_code_invalid: postCode,

  authentication_required: notAuthenticated,
  authentication_not_handled: notAuthenticated,
  payment_intent_authentication_failure: notAuthenticated,
  payment_intent_payment_attempt_expired: notAuthenticated,
  mobile_device_authentication_required: notAuthenticated,
  payment_method_customer_decline: elsewhere,
  payment_method_provider_decline: elsewhere,
  payment_intent_payment_attempt_failed: elsewhere,

  insufficient_funds: declined('payment.insufficientFunds'),
  card_velocity_exceeded: overLimit,
  withdrawal_count_limit_exceeded: overLimit,
  card_decline_rate_limit_exceeded: overLimit,
  card_not_supported: notSupported,
  currency_not_supported: notSupported,
  invalid_card_type: notSupported,
  not_permitted: notSupported,
  service_not_allowed: notSupported,
  transaction_not_allowed: notSupported,

  processing_error: unavailable,
  issuer_not_available: unavailable,
  reenter_transaction: unavailable,
  try_again_later: unavailable,
  payment_method_provider_timeout: unavailable,
};

/** The maximum age of a signature in seconds, against replayed webhooks. Stripe signs each delivery separately. */
const toleranceSeconds = 300;

type Intent = Stripe.PaymentIntent;

/** Includes the charge, whose reason can be read when the intent no longer has it. */
const expand = ['latest_charge'];

export type Intents = Omit<StripeProvider, 'name' | 'publishableKey' | 'browser'> &
  Required<Pick<StripeProvider, 'activity' | 'takenSince' | 'settlements' | 'rights'>>;

export function createIntents(config: StripeConfig, timeoutMs: number, now: () => number): Intents {
  const stripe = connect(config, timeoutMs);

  return {
    start: (charge, { confirmationToken }, keep) =>
      quietly(() => startIntent(stripe, charge, confirmationToken, keep)),

    // Nothing is confirmed before its id is stored: without an id, nothing can have been charged yet.
    complete: ({ providerId }: Attempt) =>
      quietly(async () =>
        providerId ? settleIntent(stripe, await findIntent(stripe, providerId)) : { state: 'undecided' },
      ),

    // Without a stored id, the intent is created in order to be cancelled: a later `start` finds it cancelled.
    cancel: (attempt: Attempt) =>
      quietly(async () => {
        try {
          return await cancelIntent(stripe, attempt.providerId ?? (await createIntent(stripe, attempt)).id);
        } catch (error) {
          // No `start` can create an intent with that amount either.
          if (error instanceof RangeError) return failed(attemptEnded);
          throw error;
        }
      }),

    refund: ({ reference, providerId, currency }: Attempt, amount, key) =>
      quietly(async () => {
        if (!providerId) throw new Error('Nothing was ever asked of Stripe by that reference');
        // Stripe drops idempotency keys after a day.
        const given = await findRefund(stripe, providerId, key);
        const asked = {
          payment_intent: providerId,
          amount: stripeAmount(amount, currency),
          metadata: { reference, key },
        };
        await settle(given ?? createRefund(stripe, asked, key, now()));
      }),

    activity: ({ providerId }: Attempt) =>
      quietly(async () => (providerId ? activityOf(stripe, providerId) : noActivity)),

    takenSince: (since) => quietly(() => takenSince(stripe, since)),

    settlements: createSettlements(stripe),

    parseWebhook: async (webhook) => readWebhook(webhook, config.webhookSecret),

    rights: async () => rightsOf(stripe),
  };
}

/** No intent, token or refund has this id. */
const nowhere = 'shopwright_doctor';

/**
 * Stripe checks a key's permissions before it looks at the request, so each request that would change something asks for
 * something impossible. https://docs.stripe.com/keys/restricted-api-keys
 */
function rightsOf(stripe: Stripe): RightCheck[] {
  const expectRefusal = (error: unknown) => {
    if (!isRefusal(error)) throw error;
  };
  const checks: [right: string, ask: () => Promise<unknown>][] = [
    ['list payments', () => stripe.paymentIntents.list({ limit: 1, expand: ['data.latest_charge'] })],
    [
      'take payments',
      () => stripe.paymentIntents.create({ amount: -1, currency: 'usd' }).catch(expectRefusal),
    ],
    ['read confirmation tokens', () => stripe.confirmationTokens.retrieve(nowhere).catch(expectRefusal)],
    ['list refunds', () => stripe.refunds.list({ limit: 1 })],
    ['refund', () => stripe.refunds.create({ payment_intent: nowhere }).catch(expectRefusal)],
    ['list disputes', () => stripe.disputes.list({ limit: 1 })],
    [
      'list balance transactions',
      () => stripe.balanceTransactions.list({ limit: 1, expand: ['data.source'] }),
    ],
    ['list payouts', () => stripe.payouts.list({ limit: 1 })],
  ];
  return checks.map(([right, ask]) => ({ right, attempt: () => quietly(async () => void (await ask())) }));
}

async function startIntent(
  stripe: Stripe,
  charge: Charge,
  confirmationToken: string,
  keep: (providerId: string) => Promise<void>,
): Promise<PaymentOutcome> {
  let intent: Intent;
  try {
    intent = await createIntent(stripe, charge);
  } catch (error) {
    // There is no intent, and for these reasons there will be none: an amount too small, a currency the account does not
    // support.
    if (error instanceof RangeError) return failed(unavailable);
    // Without a valid key nothing was confirmed either: an existing intent cannot be charged.
    if (isKeyRefusal(error)) return { state: 'failed', failure: unavailable, merchantProblem: error.message };
    if (isRefusal(error)) return failed(error.code === 'amount_too_small' ? tooSmall : unavailable);
    throw error;
  }
  await keep(intent.id);
  return confirmationToken
    ? confirmIntent(stripe, intent.id, charge, confirmationToken)
    : cancelIntent(stripe, intent.id, detailsAgain);
}

/** As it was when it was created; it may have changed since. */
function createIntent(
  stripe: Stripe,
  { reference, orderId, orderNumber, amount, currency }: Charge,
): Promise<Intent> {
  return stripe.paymentIntents.create(
    {
      amount: stripeAmount(amount, currency),
      currency: currency.toLowerCase(),
      automatic_payment_methods: { enabled: true },
      excluded_payment_method_types: [...delayedStripeMethods],
      description: `Order ${orderNumber ?? orderId}`,
      metadata: { reference, order: orderId },
    },
    { idempotencyKey: reference },
  );
}

const findIntent = (stripe: Stripe, id: string) => stripe.paymentIntents.retrieve(id, { expand });

async function cancelIntent(stripe: Stripe, id: string, failure?: PaymentFailure): Promise<PaymentOutcome> {
  try {
    const cancelled = await stripe.paymentIntents.cancel(id, { expand });
    return failed(failure ?? reasonOf(cancelled));
  } catch (error) {
    if (!isStateError(error)) throw error;
    return outcomeOf(await findIntent(stripe, id));
  }
}

/** A refused one is cancelled, so that it stays refused. */
async function settleIntent(stripe: Stripe, intent: Intent): Promise<PaymentOutcome> {
  const refused = intent.status === 'requires_payment_method' && intent.last_payment_error;
  return refused ? cancelIntent(stripe, intent.id, failureOf(refused)) : outcomeOf(intent);
}

async function confirmIntent(
  stripe: Stripe,
  id: string,
  { reference, shipTo }: Charge,
  token: string,
): Promise<PaymentOutcome> {
  try {
    // With the confirmation and not before: `cancel` creates the same intent without knowing the address.
    const asked = { confirmation_token: token, ...(shipTo ? { shipping: shippingOf(shipTo) } : {}) };
    const confirmed = await stripe.paymentIntents.confirm(id, asked, {
      idempotencyKey: `${reference}:confirm`,
    });
    // A response that Stripe repeats is as old as the first one.
    return settleIntent(
      stripe,
      confirmed.lastResponse.headers['idempotent-replayed'] ? await findIntent(stripe, id) : confirmed,
    );
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) return cancelIntent(stripe, id, failureOf(error));
    // Confirmed before, by this token or another: that outcome counts.
    if (error instanceof Stripe.errors.StripeIdempotencyError || isStateError(error))
      return settleIntent(stripe, await findIntent(stripe, id));
    if (isRefusal(error))
      return cancelIntent(
        stripe,
        id,
        failureOf(error, error.param === 'confirmation_token' ? detailsAgain : unavailable),
      );
    throw error;
  }
}

function connect({ secretKey, apiUrl }: StripeConfig, timeout: number): Stripe {
  // One retry with the same idempotency key; no telemetry about this shop's requests.
  const options = { timeout, maxNetworkRetries: 1, telemetry: false } as const;
  if (!apiUrl) return new Stripe(secretKey, options);
  const { hostname, port } = new URL(apiUrl);
  return new Stripe(secretKey, { ...options, protocol: 'http', host: hostname, port: port || 80 });
}

const failed = (failure: PaymentFailure): PaymentOutcome => ({ state: 'failed', failure });

function outcomeOf(intent: Intent): PaymentOutcome {
  switch (intent.status) {
    case 'succeeded':
      return { state: 'succeeded' };
    case 'canceled':
      return failed(reasonOf(intent));
    case 'requires_action':
      return intent.client_secret
        ? { state: 'action', action: { type: 'stripe', token: intent.client_secret } }
        : { state: 'undecided' };
    default:
      return { state: 'undecided' };
  }
}

function reasonOf({ last_payment_error: error, latest_charge: charge }: Intent): PaymentFailure {
  if (error) return failureOf(error);
  if (charge && typeof charge === 'object' && charge.failure_code)
    return failureOf({ code: charge.failure_code, decline_code: charge.outcome?.reason });
  return attemptEnded;
}

function isRefusal(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}

/** Whether the intent is over, or in a later state than the request requires. */
function isStateError(error: unknown): boolean {
  return isRefusal(error) && error.code === 'payment_intent_unexpected_state';
}

async function findRefund(stripe: Stripe, intent: string, key: string): Promise<Stripe.Refund | undefined> {
  for await (const refund of stripe.refunds.list({ payment_intent: intent, limit: 100 })) {
    if (refund.metadata?.key === key) return refund;
  }
  return undefined;
}

/** Stripe repeats its first answer to a key for a day, even that the balance was too low: each hour has its own key. */
async function createRefund(
  stripe: Stripe,
  asked: Stripe.RefundCreateParams,
  key: string,
  at: number,
): Promise<Stripe.Refund> {
  try {
    return await stripe.refunds.create(asked, { idempotencyKey: key });
  } catch (error) {
    if (!isBalanceTooLow(error) || !error.headers?.['idempotent-replayed']) throw error;
    const hour = Math.floor(at / hourMs);
    return stripe.refunds.create(asked, { idempotencyKey: `${key}:${hour}` });
  }
}

/** @throws {RefundRefused} if Stripe or the bank will not refund, {@link RefundPending} while it is under way */
async function settle(asked: Stripe.Refund | Promise<Stripe.Refund>): Promise<void> {
  const refund = await Promise.resolve(asked).catch((error: unknown) => {
    if (isBalanceTooLow(error)) throw new RefundPending(error.message);
    if (isRefusal(error)) throw new RefundRefused(error.message, { cause: error.code });
    throw error;
  });
  if (hasFailed(refund)) throw new RefundRefused(refundReason(refund));
  if (refund.status !== 'succeeded')
    throw new RefundPending(
      `Stripe has not given it back yet: ${refund.pending_reason ?? refund.status ?? 'no status'}`,
    );
}

const hasFailed = ({ status }: Stripe.Refund) => status === 'failed' || status === 'canceled';

const refundReason = ({ status, failure_reason }: Stripe.Refund) =>
  `The refund failed: ${failure_reason ?? status}`;

/** Stripe names this reason in `message_code`, which the SDK does not type, and leaves `code` out. */
function isBalanceTooLow(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  if (!isRefusal(error)) return false;
  const { message_code } = (error.raw ?? {}) as { message_code?: string };
  return message_code === 'insufficient_balance_for_refund' || error.code === 'balance_insufficient';
}

/** Whether the key is wrong, revoked, or lacks the permission: the request was not carried out. */
function isKeyRefusal(error: unknown): error is Stripe.errors.StripeError {
  return (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  );
}

function shippingOf({ name, phone, line1, line2, city, province, postCode, country }: ShipTo) {
  const address = {
    line1,
    ...(line2 ? { line2 } : {}),
    city,
    state: province,
    postal_code: postCode,
    country,
  };
  return { name, address, ...(phone ? { phone } : {}) };
}

/**
 * https://docs.stripe.com/webhooks#verify-official-libraries
 * Identifies the attempt of a webhook: '' if it is signed but not about one of the shop's, null if it is not signed.
 */
export function readWebhook({ headers, body }: Webhook, secret: string): WebhookSubject | null {
  const signature = headers['stripe-signature'];
  if (typeof signature !== 'string') return null;
  try {
    const { data } = Stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds);
    return subjectOf(data.object);
  } catch {
    // Not signed, signed with another secret, too old, or not an event at all.
    return null;
  }
}

/** Intents carry the reference, and charges copy it from theirs. Refunds and disputes name the intent. */
function subjectOf(object: unknown): WebhookSubject {
  const { object: type, metadata, payment_intent: intent, status } = object as Described;
  const { reference = '', key } = metadata ?? {};
  const money = moneyOf(object as Described);
  if (type === 'payment_intent' || type === 'charge')
    return { reference, ...(money && status === 'succeeded' ? { money } : {}) };
  if (type !== 'refund' && type !== 'dispute') return { reference: '' };
  const providerId = typeof intent === 'string' ? intent : intent?.id;
  return {
    reference,
    ...(providerId ? { providerId } : {}),
    ...(type === 'refund' && key ? { refundKey: key } : {}),
    ...(money ? { money } : {}),
  };
}

function moneyOf({ amount, currency }: Described): ProviderMoney | null {
  return amount && currency
    ? { amount: amountOfStripe(amount, currency), currency: currency.toUpperCase() }
    : null;
}

interface Described {
  object?: string;
  status?: string;
  /** In Stripe's unit of the currency. */
  amount?: number;
  currency?: string;
  metadata?: Record<string, string> | null;
  payment_intent?: string | { id: string } | null;
}

/** `decline_code` is the bank's reason if `code` is 'card_declined'. */
interface Refusal {
  code?: string | null | undefined;
  decline_code?: string | null | undefined;
}

/**
 * https://docs.stripe.com/error-codes and https://docs.stripe.com/declines/codes
 * `other` is for reasons that are not listed.
 */
export function failureOf(
  { code, decline_code }: Refusal,
  other = declined('payment.declined'),
): PaymentFailure {
  return (decline_code && reasons[decline_code]) || (code && reasons[code]) || other;
}
