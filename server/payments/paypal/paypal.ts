/**
 * PayPal: the shopper agrees in PayPal's own window to an order made here; the money moves when the shop
 * captures that order.
 *
 * An order cannot be withdrawn at PayPal, so a shopper may agree to one long after the shop gave up on
 * it. Nothing comes of that: with intent CAPTURE agreeing moves no money, only the capture does, and the
 * shop sends captures only after winning the attempt's decision ('charge' against 'end', see decisions.ts).
 * The order itself lapses at PayPal within hours.
 *
 * Whoever agrees could also have PayPal's page change the order's amount, or capture it, by the id they hold.
 * So an order of another amount than the attempt's is not captured, and what was captured of one goes back.
 */
import type { Order, OrdersCapture } from '@paypal/paypal-server-sdk';
import type { Database } from '#db/database.ts';
import { attemptEnded, createDecisions, failedWith, settledBy } from '../decisions.ts';
import {
  type Attempt,
  type PaymentFailure,
  type PaymentOutcome,
  type PaymentProvider,
  type PayPalProvider,
  RefundNotYet,
  RefundRefused,
} from '../provider.ts';
import { providerTimeoutMs } from '../timeout.ts';
import type { PayPalClient, PayPalRefusal } from './client.ts';
import type { PayPalConfig } from './config.ts';
import { orderAmount, orderRequest } from './order.ts';
import { captureFailure, declined, lookAgain, refundIsFinal, settingsInvalid } from './refusals.ts';
import { payPalReference } from './webhook.ts';

export const payPalName = 'PayPal';

export interface PayPalDeps {
  config: PayPalConfig;
  db: Database;
  now: () => number;
  /** How long PayPal may take to answer, ms. */
  timeoutMs?: number | undefined;
}

export function createPayPalProvider({ config, db, now, timeoutMs = providerTimeoutMs }: PayPalDeps): PayPalProvider {
  const decisions = createDecisions({ db, provider: payPalName, now });
  // The SDK is big: only a shop that uses it loads it, when it first does.
  let opening: Promise<PayPalClient> | undefined;
  const client = () => {
    opening ??= import('./client.ts').then(({ createPayPalClient }) => createPayPalClient(config, timeoutMs));
    return opening;
  };

  /** Writes down that nothing was taken and, as no capture will be sent any more, nothing ever will be. */
  async function failed(reference: string, failure: PaymentFailure): Promise<PaymentOutcome> {
    const decision = await decisions.decide(reference, 'end', failure);
    if (decision.verdict === 'charge') await decisions.fail(reference, failure);
    return settledBy(decision) ?? failedWith(failure);
  }

  async function capture(attempt: Attempt, orderId: string): Promise<PaymentOutcome> {
    const decision = await decisions.decide(attempt.reference, 'charge');
    const over = settledBy(decision);
    if (over) return over;
    const paypal = await client();
    try {
      return await outcomeOf(attempt, await paypal.captureOrder(orderId, `${attempt.reference}:capture`), false);
    } catch (error) {
      if (error instanceof NotReturned) throw error;
      const refusal = asRefusal(error);
      const failure = refusal && captureFailure(refusal);
      if (failure) return await failed(attempt.reference, failure);
      if (refusal?.issues.some((issue) => lookAgain.includes(issue)))
        return await outcomeOf(attempt, await paypal.findOrder(orderId), false);
      return { state: 'undecided' };
    }
  }

  /** What an order says of an attempt. Captures it where only that is missing and `mayCapture`. */
  async function outcomeOf(attempt: Attempt, order: Order, mayCapture: boolean): Promise<PaymentOutcome> {
    const [taken] = order.purchaseUnits?.flatMap(({ payments }) => payments?.captures ?? []) ?? [];
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
        return { state: 'action', action: { type: 'paypal', token: order.id ?? '' } };
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
    const refund = await (await client()).refundCapture(id, null, `${reference}:other`).catch((error: unknown) => {
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

  async function look(attempt: Attempt): Promise<PaymentOutcome> {
    // Without an id the shopper never got a token to agree to.
    if (attempt.providerId === null) return { state: 'undecided' };
    try {
      return await outcomeOf(attempt, await (await client()).findOrder(attempt.providerId), true);
    } catch (error) {
      if (error instanceof NotReturned) throw error;
      const refusal = asRefusal(error);
      const failure = refusal && captureFailure(refusal);
      return failure ? failed(attempt.reference, failure) : { state: 'undecided' };
    }
  }

  return {
    name: payPalName,

    browser: browserOrigins(config),

    option: {
      testingMode: config.mode === 'sandbox',
      enabled: true,
      sandBoxClientID: config.mode === 'sandbox' ? config.clientId : '',
      prodClientID: config.mode === 'live' ? config.clientId : '',
    },

    async start(charge, _input, keep) {
      const decision = await decisions.find(charge.reference);
      const over = settledBy(decision);
      if (over) return over;
      try {
        // The same request id makes the same order, however often it is sent.
        const order = await (await client()).createOrder(orderRequest(charge), charge.reference);
        if (!order.id) return { state: 'undecided' };
        await keep(order.id);
        // It has been agreed to before, so it is no new order, and what PayPal repeats of it may be old.
        if (decision) return await look({ ...charge, providerId: order.id });
        return { state: 'action', action: { type: 'paypal', token: order.id } };
      } catch (error) {
        if (!asRefusal(error) && !(error instanceof RangeError)) return { state: 'undecided' };
        return await failed(charge.reference, settingsInvalid);
      }
    },

    async complete(attempt) {
      const over = settledBy(await decisions.find(attempt.reference));
      return over ? unlessTaken(attempt, over) : look(attempt);
    },

    async cancel(attempt) {
      const decision = await decisions.decide(attempt.reference, 'end');
      const over = settledBy(decision);
      if (over) return unlessTaken(attempt, over);
      // A capture is under way or was: what came of it is found out by sending it again with the same request id.
      const outcome = await look(attempt);
      // It was refused because PayPal wants the shopper once more, who has given up.
      return outcome.state === 'action' ? failed(attempt.reference, attemptEnded) : outcome;
    },

    async refund(attempt, amount, key) {
      if (attempt.providerId === null) throw new Error('The order of this payment at PayPal is not known');
      const paypal = await client();
      try {
        const order = await paypal.findOrder(attempt.providerId);
        const captured = order.purchaseUnits?.[0]?.payments?.captures?.[0]?.id;
        if (!captured) throw new RefundRefused('PayPal has captured nothing of this payment');
        const asked = await paypal.refundCapture(captured, orderAmount({ ...attempt, amount }), key);
        // An answer that PayPal repeats is as old as the first one.
        const refund = asked.status === 'PENDING' && asked.id ? await paypal.findRefund(asked.id) : asked;
        if (refund.status === 'PENDING') throw new RefundNotYet('PayPal has not given it back yet');
        if (refund.status === 'FAILED' || refund.status === 'CANCELLED')
          throw new RefundRefused(`The refund came to nothing: ${refund.status}`);
      } catch (error) {
        const refusal = asRefusal(error);
        if (refusal?.issues.some((issue) => refundIsFinal.includes(issue))) throw new RefundRefused(refusal.message);
        throw error;
      }
    },

    async parseWebhook(webhook) {
      return payPalReference(webhook, config.webhookId, async (transmission, event) =>
        (await client()).verifyWebhook(transmission, event),
      );
    },
  };
}

/** Money that belongs to no order could not be given back. It is tried again with the next question. */
class NotReturned extends Error {
  override name = 'NotReturned';

  constructor(why: string) {
    super(`PayPal holds money of another amount than asked for, and does not give it back: ${why}`);
  }
}

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
