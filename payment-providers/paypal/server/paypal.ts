/**
 * The customer approves an order, created here, in PayPal's own window; the money moves when the shop captures that order. An
 * order cannot be withdrawn: a customer may approve one long after the shop gave up on it. That moves no money (intent CAPTURE);
 * the shop captures only after winning the approval's decision ('charge' against 'end', see approvals.ts). PayPal's page could
 * also change the order's amount, or capture it: an order with another amount than the attempt's is not captured, and what was
 * captured of one is refunded.
 */
import type { Database } from '#db/database.ts';
import { createDecisions, settledBy } from '#server/modules/payments/providers/decisions.ts';
import {
  type Attempt,
  type Charge,
  type PaymentOutcome,
  type PaymentProvider,
  providerTimeoutMs,
  RefundPending,
  RefundRefused,
  type Webhook,
  type WebhookSubject,
} from '#server/modules/payments/providers/provider.ts';
import { once } from '#server/platform/once.ts';
import { paypal as contract } from '../contract.ts';
import { activityOf, refundCustomId, takenSince } from './activity.ts';
import { createApprovals } from './approvals.ts';
import { cancelAttempt, findOutcome, mayCapture, outcomeUnlessCaptured } from './attempts.ts';
import type { PayPalClient } from './client.ts';
import type { PayPalConfig } from './config.ts';
import { orderAmount, orderRequest } from './order.ts';
import { asRefusal, capturesOf, chooseAgain, failAttempt, failRefused, type PayPalContext } from './order-outcome.ts';
import { createFailure, isFinalRefund, settingsInvalid } from './refusals.ts';
import { moneyOf, payPalReference } from './webhook.ts';

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

export function createPayPalProvider({ config, db, now, timeoutMs = providerTimeoutMs }: PayPalDeps): PayPalProvider {
  const decisions = createDecisions({ db, provider: contract.name, now });
  // The SDK is large: it is loaded on first use.
  const client = once(() => import('./client.ts').then(({ createPayPalClient }) => createPayPalClient(config, timeoutMs)));
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
      if (providerId === null) return { refunds: [], disputes: [] };
      const paypal = await context.client();
      return activityOf(paypal, await paypal.findOrder(providerId), mayNotAsk);
    },

    takenSince: async (since) => takenSince(await context.client(), since, now(), mayNotAsk),

    parseWebhook: (webhook) => readWebhook(context, config, webhook, now()),
  };
}

const mayNotAsk = (error: unknown) => asRefusal(error)?.status === 403;

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
  return { reference: capture?.customId ?? '', ...(providerId ? { providerId } : {}), ...(money ? { money } : {}) };
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

async function refundCapture(context: PayPalContext, attempt: Attempt, amount: number, key: string): Promise<void> {
  if (attempt.providerId === null) throw new Error('The order of this payment at PayPal is not known');
  const paypal = await context.client();
  try {
    const order = await paypal.findOrder(attempt.providerId);
    const captured = order.purchaseUnits?.[0]?.payments?.captures?.[0]?.id;
    if (!captured) throw new RefundRefused('PayPal has captured nothing of this payment');
    const customId = refundCustomId(attempt.reference, key);
    const asked = await paypal.refundCapture(captured, { amount: orderAmount({ ...attempt, amount }), customId }, key);
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
