/**
 * The customer approves an order, created here, in PayPal's own window; the money moves when the shop captures that order. An
 * order cannot be withdrawn: a customer may approve one long after the shop gave up on it. That moves no money (intent CAPTURE);
 * the shop captures only after winning the approval's decision ('charge' against 'end', see approvals.ts). PayPal's page could
 * also change the order's amount, or capture it: an order with another amount than the attempt's is not captured, and what was
 * captured of one is refunded.
 */
import type { CaptureStatus, Order, OrdersCapture, Refund, RefundStatus } from '@paypal/paypal-server-sdk';
import type { Database } from '#db/database.ts';
import { amountOf } from '#server/modules/payments/providers/amounts.ts';
import { createDecisions, type Decision, settledBy } from '#server/modules/payments/providers/decisions.ts';
import {
  type Attempt,
  attemptEnded,
  type Charge,
  type ListedPayment,
  noActivity,
  type PaymentOutcome,
  type PaymentProvider,
  type ProviderActivity,
  type ProviderDispute,
  type ProviderRefund,
  providerTimeoutMs,
  RefundPending,
  RefundRefused,
  type RightCheck,
  RightMissing,
  type Webhook,
  type WebhookSubject,
} from '#server/modules/payments/providers/provider.ts';
import { once } from '#server/platform/once.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { paypal as contract } from '../contract.ts';
import type { PayPalClient, PayPalDispute, PayPalTransaction } from './client.ts';
import type { PayPalConfig } from './config.ts';
import {
  type Approval,
  asRefusal,
  capturesOf,
  chooseAgain,
  createApprovals,
  failAttempt,
  failRefused,
  NotReturned,
  orderAmount,
  orderRequest,
  outcomeOf,
  type PayPalContext,
} from './order.ts';
import { captureRefusal, createFailure, isFinalRefund, settingsInvalid } from './refusals.ts';
import { moneyOf, payPalReference } from './webhook.ts';

/** The custom id of the shop's refunds at PayPal: the payment's reference, and the refund's key. Webhooks repeat it. */
const refundCustomId = (reference: string, key: string) => `${reference}:${key}`;

/** How much PayPal is asked to list at once; it lists at most 31 days, and 10,000 transactions. */
const windowMs = 7 * dayMs;

/** An order remains approved when its funding was declined: then only a customer just in PayPal's window allows it again. */
const mayCapture = ({ number, decision }: Approval<Decision | null>, shopperActed: boolean) =>
  number === 1 || decision !== null || shopperActed;

/** `start` creates an order for the customer to approve; its action is { type: 'paypal', token: <order id> }. */
export interface PayPalProvider extends PaymentProvider<Record<never, never>> {
  /** The response of `paymentoption/PayPal` (SPEC §3). */
  readonly option: { testingMode: boolean; enabled: boolean; sandBoxClientID: string; prodClientID: string };
}

export interface PayPalDeps {
  config: PayPalConfig;
  db: Database;
  now: () => number;
  timeoutMs?: number | undefined;
}

export function createPayPalProvider({
  config,
  db,
  now,
  timeoutMs = providerTimeoutMs,
}: PayPalDeps): PayPalProvider {
  const decisions = createDecisions({ db, provider: contract.name, now });
  // The SDK is large: it is loaded on first use.
  const client = once(() =>
    import('./client.ts').then(({ createPayPalClient }) => createPayPalClient(config, timeoutMs)),
  );
  const context: PayPalContext = { client, decisions, approvals: createApprovals(decisions) };

  return {
    name: contract.name,

    // A PayPal order waits for hours, and anyone can create one: it must not keep stock from customers who pay.
    holdsAtApproval: true,

    browser: browserOrigins(config),

    option: {
      testingMode: config.mode === 'sandbox',
      enabled: true,
      sandBoxClientID: config.mode === 'sandbox' ? config.clientId : '',
      prodClientID: config.mode === 'live' ? config.clientId : '',
    },

    start: (charge, _input, keep) => startOrder(context, charge, keep),

    async complete(attempt, shopperActed = false) {
      const approval = await context.approvals.current(attempt.reference);
      const over = settledBy(approval.decision);
      return over
        ? outcomeUnlessCaptured(context, attempt, over)
        : findOutcome(context, attempt, mayCapture(approval, shopperActed));
    },

    cancel: (attempt) => cancelAttempt(context, attempt),

    refund: (attempt, amount, key) => refundCapture(context, attempt, amount, key),

    async transactionId({ providerId }) {
      if (providerId === null) return null;
      return capturesOf(await (await context.client()).findOrder(providerId))[0]?.id ?? null;
    },

    async activity({ providerId }) {
      if (providerId === null) return noActivity;
      const paypal = await context.client();
      return activityOf(paypal, await paypal.findOrder(providerId));
    },

    takenSince: async (since) => takenSince(await context.client(), since, now()),

    settlements: {
      says: { rowsOfPayouts: false, fees: true },
      async *read(from, to) {
        const { readTransactions } = await import('./settlements.ts');
        return yield* readTransactions(await context.client(), from, to, transactionsMissing);
      },
    },

    parseWebhook: (webhook) => readWebhook(context, config, webhook, now()),

    rights: async () => rightsOf(await context.client(), now()),
  };
}

const featureHint = (feature: string) =>
  `allow ${feature} among the features of the app at developer.paypal.com`;
const disputesMissing = () =>
  new RightMissing(`PayPal: the app may not list disputes; ${featureHint('Customer disputes')}`);
const transactionsMissing = () =>
  new RightMissing(`PayPal: the app may not list transactions; ${featureHint('Transaction search')}`);

/** What PayPal refused for want of a right becomes `missing`. */
async function permitted<T>(asked: Promise<T>, missing: () => RightMissing): Promise<T> {
  return asked.catch((error: unknown) => {
    throw asRefusal(error)?.status === 403 ? missing() : error;
  });
}

/** No order, capture or transaction has this id. */
const nowhere = '0SHOPWRIGHT';

function rightsOf(paypal: PayPalClient, now: number): RightCheck[] {
  const missing = (what: string) => () =>
    new RightMissing(`PayPal: the app may not ${what}; ${featureHint('Accept payments')}`);
  const absent = async (asked: Promise<unknown>) => {
    await asked.catch((error: unknown) => {
      if (asRefusal(error)?.status !== 404) throw error;
    });
  };
  const checks: [right: string, ask: () => Promise<unknown>, missing: () => RightMissing][] = [
    ['read orders', () => absent(paypal.findOrder(nowhere)), missing('read orders')],
    ['refund', () => absent(paypal.refundCapture(nowhere, {}, `doctor-${now}`)), missing('refund')],
    ['list disputes', () => paypal.disputesOf(nowhere), disputesMissing],
    ['list transactions', () => paypal.transactions(now - dayMs, now), transactionsMissing],
  ];
  return checks.map(([right, ask, error]) => ({
    right,
    attempt: async () => void (await permitted(ask(), error)),
  }));
}

async function startOrder(
  context: PayPalContext,
  charge: Charge,
  keep: (providerId: string) => Promise<void>,
): Promise<PaymentOutcome> {
  const approval = await context.approvals.current(charge.reference);
  const over = settledBy(approval.decision);
  if (over) return over;
  try {
    // The same request id returns the same order, however often it is sent.
    const order = await (await context.client()).createOrder(orderRequest(charge), charge.reference);
    if (!order.id) return { state: 'undecided' };
    await keep(order.id);
    // It was approved before, so it is not a new order, and the response that PayPal repeats may be stale.
    if (approval.number > 1 || approval.decision)
      return await findOutcome(context, { ...charge, providerId: order.id }, mayCapture(approval, false));
    return chooseAgain(order.id);
  } catch (error) {
    const refusal = asRefusal(error);
    if (!refusal && !(error instanceof RangeError)) return { state: 'undecided' };
    if (!refusal) return await failAttempt(context, charge.reference, settingsInvalid);
    return await failRefused(context, charge.reference, createFailure(refusal), refusal);
  }
}

async function readWebhook(
  context: PayPalContext,
  config: PayPalConfig,
  webhook: Webhook,
  now: number,
): Promise<WebhookSubject | null> {
  const news = await payPalReference(webhook, config.webhookId, now, async (transmission, event) => {
    try {
      return await (await context.client()).verifyWebhook(transmission, event);
    } catch (error) {
      // Headers that PayPal itself cannot have sent.
      if (asRefusal(error)?.status === 400) return false;
      throw error;
    }
  });
  return news?.captureId ? subjectOf(await context.client(), news.captureId) : news;
}

/** Refunds in the dashboard and reversals may name only their capture. */
async function subjectOf(paypal: PayPalClient, captureId: string): Promise<WebhookSubject> {
  const capture = await paypal.findCapture(captureId).catch((error: unknown) => {
    // Of another account, so not the shop's.
    if (asRefusal(error)?.status === 404) return null;
    throw error;
  });
  const providerId = capture?.supplementaryData?.relatedIds?.orderId;
  const money = moneyOf({ currency_code: capture?.amount?.currencyCode, value: capture?.amount?.value });
  return {
    reference: capture?.customId ?? '',
    ...(providerId ? { providerId } : {}),
    ...(money ? { money } : {}),
  };
}

/** The same in both modes. https://developer.paypal.com/sdk/js/best-practices */
function browserOrigins({ mode }: PayPalConfig): PaymentProvider['browser'] {
  const hosts = ['https://www.paypal.com', ...(mode === 'sandbox' ? ['https://www.sandbox.paypal.com'] : [])];
  return {
    scripts: ['https://www.paypal.com', 'https://www.paypalobjects.com'],
    frames: hosts,
    connects: hosts,
    images: ['https://www.paypal.com', 'https://www.paypalobjects.com', 'https://t.paypal.com'],
    // Its buttons use style sheets that the script adds to the page.
    styles: ["'unsafe-inline'"],
  };
}

async function refundCapture(
  context: PayPalContext,
  attempt: Attempt,
  amount: number,
  key: string,
): Promise<void> {
  if (attempt.providerId === null) throw new Error('The order of this payment at PayPal is not known');
  const paypal = await context.client();
  try {
    const order = await paypal.findOrder(attempt.providerId);
    const captured = order.purchaseUnits?.[0]?.payments?.captures?.[0]?.id;
    if (!captured) throw new RefundRefused('PayPal has captured nothing of this payment');
    const customId = refundCustomId(attempt.reference, key);
    const asked = await paypal.refundCapture(
      captured,
      { amount: orderAmount({ ...attempt, amount }), customId },
      key,
    );
    // A response that PayPal repeats is as old as the first one.
    const refund = asked.status === 'PENDING' && asked.id ? await paypal.findRefund(asked.id) : asked;
    if (refund.status === 'PENDING') throw new RefundPending('PayPal has not given it back yet');
    if (refund.status === 'FAILED' || refund.status === 'CANCELLED')
      throw new RefundRefused(`The refund came to nothing: ${refund.status}`);
  } catch (error) {
    const refusal = asRefusal(error);
    if (refusal && isFinalRefund(refusal)) throw new RefundRefused(refusal.message);
    throw error;
  }
}

/** The outcome of an attempt that is over, unless PayPal's page has captured its order after all. */
async function outcomeUnlessCaptured(
  context: PayPalContext,
  attempt: Attempt,
  over: PaymentOutcome,
): Promise<PaymentOutcome> {
  if (attempt.providerId === null) return over;
  const order = await (await context.client()).findOrder(attempt.providerId).catch(() => null);
  const outcome = order && (await outcomeOf(context, attempt, order, false));
  return outcome?.state === 'succeeded' ? outcome : over;
}

/** Captures an approved order if `mayCapture`. */
async function findOutcome(
  context: PayPalContext,
  attempt: Attempt,
  mayCapture: boolean,
): Promise<PaymentOutcome> {
  // Without an id the customer never got a token to approve.
  if (attempt.providerId === null) return { state: 'undecided' };
  try {
    const order = await (await context.client()).findOrder(attempt.providerId);
    const outcome = await outcomeOf(context, attempt, order, mayCapture);
    // A declined approval is not an outcome; the customer has to approve once more.
    const waits = outcome.state === 'undecided' && !mayCapture && order.status === 'APPROVED';
    return waits ? chooseAgain(attempt.providerId) : outcome;
  } catch (error) {
    if (error instanceof NotReturned) throw error;
    const refusal = asRefusal(error);
    const read = refusal && captureRefusal(refusal);
    return refusal && typeof read === 'object' && read
      ? failRefused(context, attempt.reference, read, refusal)
      : { state: 'undecided' };
  }
}

async function cancelAttempt(context: PayPalContext, attempt: Attempt): Promise<PaymentOutcome> {
  const { name, decision } = await context.approvals.decide(attempt.reference, 'end');
  const over = settledBy(decision);
  if (over) return outcomeUnlessCaptured(context, attempt, over);
  // A capture is or was under way: sending it again with the same request id returns its outcome.
  const outcome = await findOutcome(context, attempt, true);
  if (outcome.state !== 'action') return outcome;
  // PayPal requires another approval, but the customer has cancelled. The approval that could follow is ended instead.
  const next = await context.approvals.current(attempt.reference);
  return next.name === name
    ? failAttempt(context, attempt.reference, attemptEnded)
    : cancelAttempt(context, attempt);
}

/**
 * Converts refunds and disputes of an order from PayPal, and lists transactions. https://developer.paypal.com/docs/api/orders/v2/ ·
 * https://developer.paypal.com/docs/api/customer-disputes/v1/ · https://developer.paypal.com/docs/api/transaction-search/v1/
 */
async function activityOf(paypal: PayPalClient, order: Order): Promise<ProviderActivity> {
  const payments = (order.purchaseUnits ?? []).flatMap(({ payments }) => payments ?? []);
  const captures = payments.flatMap(({ captures = [] }) => captures).flatMap(({ id }) => id ?? []);
  const asked = Promise.all(captures.map((id) => permitted(paypal.disputesOf(id), disputesMissing)));
  const disputes = await asked.then(
    (all) => all.flat().map(disputeOf),
    (error: Error) => error,
  );
  return {
    uncollected: uncollectedOf(payments.flatMap(({ captures = [] }) => captures)),
    refunds: payments.flatMap(({ refunds = [] }) => refunds).map(refundOf),
    disputes,
  };
}

/** Transactions without a custom field belong to another system of the account. */
async function takenSince(paypal: PayPalClient, since: number, now: number): Promise<ListedPayment[]> {
  const listed: PayPalTransaction[] = [];
  for (let from = since; from < now; from += windowMs) {
    listed.push(
      ...(await permitted(paypal.transactions(from, Math.min(now, from + windowMs)), transactionsMissing)),
    );
  }
  const refunds = Map.groupBy(
    listed.filter(({ transaction_event_code: code }) => code.startsWith('T11')),
    ({ paypal_reference_id: id }) => id,
  );
  return listed.flatMap((each): ListedPayment[] => {
    const {
      transaction_id: id,
      transaction_amount,
      transaction_status: status,
      custom_field: reference,
    } = each;
    const isPayment = each.transaction_event_code.startsWith('T00') && Number(transaction_amount.value) > 0;
    if (!isPayment || !reference || (status !== 'S' && status !== 'V')) return [];
    const { currency_code: currency } = transaction_amount;
    const amount = amountOf(transaction_amount.value, currency);
    const back = (refunds.get(id) ?? []).reduce(
      (sum, refund) => sum - amountOf(refund.transaction_amount.value, currency),
      0,
    );
    return [
      {
        reference,
        id,
        orderNumber: each.invoice_id ?? '',
        amount,
        currency,
        refunded: status === 'V' ? amount : back,
        at: Date.parse(each.transaction_initiation_date),
      },
    ];
  });
}

/**
 * What a status of a capture means after its success. Refunds and reversals are listed beside it.
 * https://developer.paypal.com/docs/api/payments/v2/#definition-capture_status
 */
export const captureStatuses: Readonly<Record<`${CaptureStatus}`, 'moves' | 'nothing'>> = {
  COMPLETED: 'moves',
  PENDING: 'moves',
  PARTIALLY_REFUNDED: 'moves',
  REFUNDED: 'moves',
  DECLINED: 'nothing',
  FAILED: 'nothing',
};

/** @throws {Error} for a status that PayPal has added since: what it means must not be guessed */
function uncollectedOf(captures: readonly OrdersCapture[]): string | null {
  const meanings = captures.map(({ id, status, statusDetails }) => {
    const meaning = status && captureStatuses[status];
    if (!meaning)
      throw new Error(`PayPal reports a status of capture ${id} that the shop does not know: ${status}`);
    return { meaning, reason: [status, statusDetails?.reason].filter(Boolean).join(', ') };
  });
  const [first] = meanings;
  return first && meanings.every(({ meaning }) => meaning === 'nothing') ? first.reason : null;
}

/** https://developer.paypal.com/docs/api/payments/v2/#definition-refund_status */
export const refundStatuses: Readonly<Record<`${RefundStatus}`, ProviderRefund['state']>> = {
  COMPLETED: 'given',
  PENDING: 'given',
  FAILED: 'failed',
  CANCELLED: 'failed',
};

function refundOf({
  id = '',
  amount,
  customId = '',
  status,
  createTime = '',
  noteToPayer = '',
}: Refund): ProviderRefund {
  const state = status && refundStatuses[status];
  if (!state)
    throw new Error(`PayPal reports a status of refund ${id} that the shop does not know: ${status}`);
  return {
    id,
    // A refund in the dashboard has the custom id of its capture, which is the reference alone, or none.
    key: customId.split(':')[1] ?? null,
    amount: amount ? amountOf(amount.value, amount.currencyCode) : 0,
    state,
    at: Date.parse(createTime),
    reason: state === 'failed' ? (status ?? '') : noteToPayer,
  };
}

/**
 * Of a resolved one the outcome decides. https://developer.paypal.com/docs/api/customer-disputes/v1/#definition-status
 */
export const disputeStatuses: Readonly<Record<string, 'open' | 'resolved'>> = {
  OPEN: 'open',
  WAITING_FOR_BUYER_RESPONSE: 'open',
  WAITING_FOR_SELLER_RESPONSE: 'open',
  UNDER_REVIEW: 'open',
  OTHER: 'open',
  RESOLVED: 'resolved',
};

/** Who has the money in the end. https://developer.paypal.com/docs/api/customer-disputes/v1/#definition-dispute_outcome */
export const disputeOutcomes: Readonly<Record<string, 'won' | 'lost'>> = {
  RESOLVED_BUYER_FAVOUR: 'lost',
  RESOLVED_SELLER_FAVOUR: 'won',
  RESOLVED_WITH_PAYOUT: 'won',
  CANCELED_BY_BUYER: 'won',
  ACCEPTED: 'lost',
  DENIED: 'won',
  NONE: 'won',
};

/** @throws {Error} for a status that PayPal has added since: what it means must not be guessed */
function disputeStateOf({
  dispute_id: id,
  status,
  dispute_outcome: outcome,
}: PayPalDispute): ProviderDispute['state'] {
  const known = disputeStatuses[status];
  const code = outcome?.outcome_code ?? 'NONE';
  const state = known === 'resolved' ? disputeOutcomes[code] : known;
  if (!state)
    throw new Error(`PayPal reports a status of ${id} that the shop does not know: ${status}, ${code}`);
  return state;
}

function disputeOf(dispute: PayPalDispute): ProviderDispute {
  const { dispute_id: id, seller_response_due_date: due, dispute_life_cycle_stage: stage } = dispute;
  const state = disputeStateOf(dispute);
  return {
    id,
    amount: amountOf(dispute.dispute_amount.value, dispute.dispute_amount.currency_code),
    state,
    reason: dispute.reason ?? '',
    at: Date.parse(dispute.create_time),
    respondBy: state === 'open' && due ? Date.parse(due) : null,
    refundable: state === 'open' && stage === 'INQUIRY',
  };
}
