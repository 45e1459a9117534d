/**
 * PayPal: the shopper agrees in PayPal's own window to an order made here; the money moves when the shop
 * captures that order.
 *
 * An order cannot be withdrawn at PayPal, so a shopper may agree to one long after the shop gave up on
 * it. Nothing comes of that: with intent CAPTURE agreeing moves no money, only the capture does, and the
 * shop sends captures only after winning the approval's decision ('charge' against 'end', see approvals.ts).
 * The order itself expires at PayPal within hours.
 *
 * Whoever agrees could also have PayPal's page change the order's amount, or capture it, by the id they hold.
 * So an order of another amount than the attempt's is not captured, and what was captured of one goes back.
 */
import type { Order, OrdersCapture } from '@paypal/paypal-server-sdk';
import type { Database } from '#db/database.ts';
import { createDecisions, type Decision, failedWith, settledBy } from '../../decisions.ts';
import {
  type Attempt,
  attemptEnded,
  type PaymentFailure,
  type PaymentOutcome,
  type PaymentProvider,
  RefundPending,
  RefundRefused,
  type WebhookSubject,
} from '../../provider.ts';
import { providerTimeoutMs } from '../../timeout.ts';
import { activityOf, refundCustomId } from './activity.ts';
import { type Approval, createApprovals } from './approvals.ts';
import type { PayPalClient, PayPalRefusal } from './client.ts';
import type { PayPalConfig } from './config.ts';
import { orderAmount, orderRequest } from './order.ts';
import { captureRefusal, createFailure, declined, isFinalRefund, merchantNotes, settingsInvalid } from './refusals.ts';
import { payPalReference } from './webhook.ts';

export const payPalName = 'PayPal';

/** `start` creates an order for the shopper to approve: its action is { type: 'paypal', token: <order id> }, and its id is kept. */
export interface PayPalProvider extends PaymentProvider<Record<never, never>> {
  /** SPEC §3, as `paymentoption/PayPal` answers it. */
  readonly option: { testingMode: boolean; enabled: boolean; sandBoxClientID: string; prodClientID: string };
}

export interface PayPalDeps {
  config: PayPalConfig;
  db: Database;
  now: () => number;
  /** How long PayPal may take to answer, ms. */
  timeoutMs?: number | undefined;
}

export function createPayPalProvider({ config, db, now, timeoutMs = providerTimeoutMs }: PayPalDeps): PayPalProvider {
  const decisions = createDecisions({ db, provider: payPalName, now });
  const approvals = createApprovals(decisions);
  // The SDK is big: only a shop that uses it loads it, when it first does.
  let opening: Promise<PayPalClient> | undefined;
  const client = () => {
    opening ??= import('./client.ts').then(({ createPayPalClient }) => createPayPalClient(config, timeoutMs));
    return opening;
  };

  /** Writes down that nothing was taken and, as no capture will be sent any more, nothing ever will be. */
  async function failed(reference: string, failure: PaymentFailure): Promise<PaymentOutcome> {
    const { name, decision } = await approvals.decide(reference, 'end', failure);
    if (decision.verdict === 'charge') await decisions.fail(name, failure);
    return settledBy(decision) ?? failedWith(failure);
  }

  /** As `failed`, because PayPal refused; says what the merchant has to know of it. */
  async function refused(reference: string, failure: PaymentFailure, refusal: PayPalRefusal): Promise<PaymentOutcome> {
    const outcome = await failed(reference, failure);
    return outcome.state === 'failed' ? { ...outcome, ...merchantNotes(failure, refusal) } : outcome;
  }

  async function capture(attempt: Attempt, orderId: string): Promise<PaymentOutcome> {
    const { decision } = await approvals.current(attempt.reference);
    // Once a capture may have been sent, its money has to find the order, whatever is in stock.
    const soldOut = decision === null && attempt.hold !== undefined && !(await attempt.hold());
    if (soldOut) return failed(attempt.reference, attemptEnded);
    const approval = await approvals.decide(attempt.reference, 'charge');
    const over = settledBy(approval.decision);
    if (over) return over;
    try {
      const order = await (await client()).captureOrder(orderId, `${approval.name}:capture`);
      return await outcomeOf(attempt, order, false);
    } catch (error) {
      if (error instanceof NotReturned) throw error;
      const refusal = asRefusal(error);
      return refusal ? await notCaptured(attempt, approval, orderId, refusal) : { state: 'undecided' };
    }
  }

  /** What a refused capture comes to. */
  async function notCaptured(
    attempt: Attempt,
    approval: Approval,
    orderId: string,
    refusal: PayPalRefusal,
  ): Promise<PaymentOutcome> {
    const read = captureRefusal(refusal);
    if (read === 'chooseAgain')
      return (await approvals.declined(approval)) ? chooseAgain(orderId) : failed(attempt.reference, declined);
    if (read !== 'look' && read !== 'unknown') return refused(attempt.reference, read, refusal);
    const order = await (await client()).findOrder(orderId).catch(() => null);
    if (!order) return { state: 'undecided' };
    if (read === 'unknown' && capturesOf(order).length === 0) return failed(attempt.reference, declined);
    return outcomeOf(attempt, order, false);
  }

  /** What an order says of an attempt. Captures it where only that is missing and `mayCapture`. */
  async function outcomeOf(attempt: Attempt, order: Order, mayCapture: boolean): Promise<PaymentOutcome> {
    const [taken] = capturesOf(order);
    switch (taken?.status) {
      case 'COMPLETED':
      case 'PARTIALLY_REFUNDED':
      case 'REFUNDED':
        if (!taken.amount) return { state: 'undecided' };
        return agrees(attempt, taken.amount) ? { state: 'succeeded' } : returned(attempt, taken);
      case 'DECLINED':
      case 'FAILED':
        return failed(attempt.reference, declined);
      case 'PENDING':
        return { state: 'undecided' };
    }
    switch (order.status) {
      case 'APPROVED':
        if (!mayCapture || !order.id) return { state: 'undecided' };
        return agrees(attempt, order.purchaseUnits?.[0]?.amount)
          ? capture(attempt, order.id)
          : failed(attempt.reference, attemptEnded);
      case 'VOIDED':
        return failed(attempt.reference, declined);
      case 'CREATED':
      case 'SAVED':
      case 'PAYER_ACTION_REQUIRED':
        return chooseAgain(order.id ?? '');
      default:
        return { state: 'undecided' };
    }
  }

  /**
   * Gives back what was captured of an order that is not what the shop asked for.
   * @throws NotReturned, so that somebody is told: the money is there and belongs to no order
   */
  async function returned({ reference }: Attempt, { id = '', status }: OrdersCapture): Promise<PaymentOutcome> {
    if (status === 'REFUNDED') return failed(reference, attemptEnded);
    const refund = await (await client()).refundCapture(id, {}, `${reference}:other`).catch((error: unknown) => {
      throw new NotReturned(error instanceof Error ? error.message : String(error));
    });
    if (refund.status === 'FAILED' || refund.status === 'CANCELLED') throw new NotReturned(`the refund is ${refund.status}`);
    return failed(reference, attemptEnded);
  }

  /** The outcome of an attempt that is over; another one where PayPal's page has taken its money all the same. */
  async function unlessTaken(attempt: Attempt, over: PaymentOutcome): Promise<PaymentOutcome> {
    if (attempt.providerId === null) return over;
    const order = await (await client()).findOrder(attempt.providerId).catch(() => null);
    const outcome = order && (await outcomeOf(attempt, order, false));
    return outcome?.state === 'succeeded' ? outcome : over;
  }

  /** What became of an attempt. Captures an approved order where `mayCapture`. */
  async function look(attempt: Attempt, mayCapture: boolean): Promise<PaymentOutcome> {
    // Without an id the shopper never got a token to agree to.
    if (attempt.providerId === null) return { state: 'undecided' };
    try {
      const order = await (await client()).findOrder(attempt.providerId);
      const outcome = await outcomeOf(attempt, order, mayCapture);
      // An approval that was declined says nothing; the shopper has to approve once more.
      const waits = outcome.state === 'undecided' && !mayCapture && order.status === 'APPROVED';
      return waits ? chooseAgain(attempt.providerId) : outcome;
    } catch (error) {
      if (error instanceof NotReturned) throw error;
      const refusal = asRefusal(error);
      const read = refusal && captureRefusal(refusal);
      return refusal && typeof read === 'object' && read ? refused(attempt.reference, read, refusal) : { state: 'undecided' };
    }
  }

  /**
   * Whether an order that PayPal calls approved may be captured for the current approval. It stays so when its funding
   * was declined, so after that only a shopper who has just been in PayPal's window, or a capture that was sent, counts.
   */
  const mayCapture = ({ number, decision }: Approval<Decision | null>, shopperActed: boolean) =>
    number === 1 || decision !== null || shopperActed;

  async function cancel(attempt: Attempt): Promise<PaymentOutcome> {
    const { name, decision } = await approvals.decide(attempt.reference, 'end');
    const over = settledBy(decision);
    if (over) return unlessTaken(attempt, over);
    // A capture is under way or was: what came of it is found out by sending it again with the same request id.
    const outcome = await look(attempt, true);
    if (outcome.state !== 'action') return outcome;
    // PayPal wants the shopper once more, who has given up. The approval that could follow is ended instead.
    const next = await approvals.current(attempt.reference);
    return next.name === name ? failed(attempt.reference, attemptEnded) : cancel(attempt);
  }

  return {
    name: payPalName,

    // An order there waits for hours, and anybody can make one: it must not keep stock from shoppers who pay.
    holdsAtApproval: true,

    browser: browserOrigins(config),

    option: {
      testingMode: config.mode === 'sandbox',
      enabled: true,
      sandBoxClientID: config.mode === 'sandbox' ? config.clientId : '',
      prodClientID: config.mode === 'live' ? config.clientId : '',
    },

    async start(charge, _input, keep) {
      const approval = await approvals.current(charge.reference);
      const over = settledBy(approval.decision);
      if (over) return over;
      try {
        // The same request id makes the same order, however often it is sent.
        const order = await (await client()).createOrder(orderRequest(charge), charge.reference);
        if (!order.id) return { state: 'undecided' };
        await keep(order.id);
        // It has been agreed to before, so it is no new order, and what PayPal repeats of it may be old.
        if (approval.number > 1 || approval.decision)
          return await look({ ...charge, providerId: order.id }, mayCapture(approval, false));
        return chooseAgain(order.id);
      } catch (error) {
        const refusal = asRefusal(error);
        if (!refusal && !(error instanceof RangeError)) return { state: 'undecided' };
        if (!refusal) return await failed(charge.reference, settingsInvalid);
        return await refused(charge.reference, createFailure(refusal), refusal);
      }
    },

    async complete(attempt, shopperActed = false) {
      const approval = await approvals.current(attempt.reference);
      const over = settledBy(approval.decision);
      return over ? unlessTaken(attempt, over) : look(attempt, mayCapture(approval, shopperActed));
    },

    cancel,

    async refund(attempt, amount, key) {
      if (attempt.providerId === null) throw new Error('The order of this payment at PayPal is not known');
      const paypal = await client();
      try {
        const order = await paypal.findOrder(attempt.providerId);
        const captured = order.purchaseUnits?.[0]?.payments?.captures?.[0]?.id;
        if (!captured) throw new RefundRefused('PayPal has captured nothing of this payment');
        const customId = refundCustomId(attempt.reference, key);
        const asked = await paypal.refundCapture(captured, { amount: orderAmount({ ...attempt, amount }), customId }, key);
        // An answer that PayPal repeats is as old as the first one.
        const refund = asked.status === 'PENDING' && asked.id ? await paypal.findRefund(asked.id) : asked;
        if (refund.status === 'PENDING') throw new RefundPending('PayPal has not given it back yet');
        if (refund.status === 'FAILED' || refund.status === 'CANCELLED')
          throw new RefundRefused(`The refund came to nothing: ${refund.status}`);
      } catch (error) {
        const refusal = asRefusal(error);
        if (refusal && isFinalRefund(refusal)) throw new RefundRefused(refusal.message);
        throw error;
      }
    },

    async transactionId({ providerId }) {
      if (providerId === null) return null;
      return capturesOf(await (await client()).findOrder(providerId))[0]?.id ?? null;
    },

    async activity({ providerId }) {
      if (providerId === null) return { refunds: [], disputes: [] };
      const paypal = await client();
      return activityOf(paypal, await paypal.findOrder(providerId), (error) => asRefusal(error)?.status === 403);
    },

    async parseWebhook(webhook) {
      const news = await payPalReference(webhook, config.webhookId, async (transmission, event) => {
        try {
          return await (await client()).verifyWebhook(transmission, event);
        } catch (error) {
          // Headers that PayPal itself cannot have sent.
          if (asRefusal(error)?.status === 400) return false;
          throw error;
        }
      });
      return news?.captureId ? subjectOf(await client(), news.captureId) : news;
    },
  };
}

/** The attempt that a capture belongs to. Refunds in the dashboard and reversals may name nothing but their capture. */
async function subjectOf(paypal: PayPalClient, captureId: string): Promise<WebhookSubject> {
  const capture = await paypal.findCapture(captureId).catch((error: unknown) => {
    // Not of this account: none of the shop's.
    if (asRefusal(error)?.status === 404) return null;
    throw error;
  });
  const providerId = capture?.supplementaryData?.relatedIds?.orderId;
  return { reference: capture?.customId ?? '', ...(providerId ? { providerId } : {}) };
}

/** Money that belongs to no order could not be given back. It is tried again with the next question. */
class NotReturned extends Error {
  override name = 'NotReturned';

  constructor(why: string) {
    super(`PayPal holds money of another amount than asked for, and does not give it back: ${why}`);
  }
}

/** Has PayPal's window opened, for the first time or again. */
const chooseAgain = (orderId: string): PaymentOutcome => ({ state: 'action', action: { type: 'paypal', token: orderId } });

const capturesOf = ({ purchaseUnits = [] }: Order): OrdersCapture[] =>
  purchaseUnits.flatMap(({ payments }) => payments?.captures ?? []);

/** Whether money at PayPal is what the shop asked for. */
function agrees(attempt: Attempt, amount: { currencyCode: string; value: string } | undefined): boolean {
  const { currencyCode, value } = orderAmount(attempt);
  return amount?.currencyCode === currencyCode && Number(amount.value) === Number(value);
}

/** By name: the class itself comes with the SDK, which is not loaded for its sake. */
function asRefusal(error: unknown): PayPalRefusal | null {
  return error instanceof Error && error.name === 'PayPalRefusal' ? (error as PayPalRefusal) : null;
}

/**
 * Where PayPal's script comes from and what it opens; the script itself is the same for both modes.
 * https://developer.paypal.com/sdk/js/best-practices
 */
function browserOrigins({ mode }: PayPalConfig): PaymentProvider['browser'] {
  const hosts = ['https://www.paypal.com', ...(mode === 'sandbox' ? ['https://www.sandbox.paypal.com'] : [])];
  return {
    scripts: ['https://www.paypal.com', 'https://www.paypalobjects.com'],
    frames: hosts,
    connects: hosts,
    images: ['https://www.paypal.com', 'https://www.paypalobjects.com', 'https://t.paypal.com'],
    // Its buttons come with style sheets that the script writes into the page.
    styles: ["'unsafe-inline'"],
  };
}
